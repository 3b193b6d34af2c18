#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables are written into the switches and adapters of the real ibsim, which the real OpenSM has set up and
# left. They are those that were proved, they are put back byte by byte, and so they are where a signal
# comes in the middle or a switch no longer answers. While a subnet manager runs, nothing is touched.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

answer=$FABRIC/answer
expect() { # CODE COMMAND...
	local code=$1 found=0
	shift
	in_fabric "$odonata" "$@" >"$answer" 2>"$answer.err" </dev/null || found=$?
	[ $found = "$code" ] || fail "odonata $*: expected exit code $code, found $found: $(cat "$answer" "$answer.err")"
}
says() { # PATTERN [FILE]
	grep -qE "$1" "${2:-$answer}" || fail "not said: $1: $(cat "${2:-$answer}")"
}
hold() { # NAME: all that switches and adapters hold, as other programs read it
	{ by_tool lfts && by_tool sl2vl; } | sort >"$FABRIC/$1.held"
	[ -s "$FABRIC/$1.held" ] || fail "nothing can be read"
}
is_as() { # NAME WHEN
	hold now
	cmp -s "$FABRIC/now.held" "$FABRIC/$1.held" || fail "$2: $(diff "$FABRIC/now.held" "$FABRIC/$1.held" | head -n 5)"
}
# The command in the background, which asks, and what it is told: `to` is open for that.
begin() { # COMMAND...
	rm -f "$FABRIC/answers" && mkfifo "$FABRIC/answers"
	: >"$answer.err" # the question of the run before is not this one's
	exec_in_fabric "$odonata" "$@" <"$FABRIC/answers" >"$answer" 2>"$answer.err" &
	installer=$!
	exec {to}>"$FABRIC/answers"
	wait_for 20 grep -q 'Continue?' "$answer.err" || fail "it does not ask: $(cat "$answer.err")"
}
ends() { # CODE
	local found=0
	exec {to}>&-
	wait "$installer" || found=$?
	[ $found = "$1" ] || fail "expected exit code $1, found $found: $(cat "$answer" "$answer.err")"
}

"$odonata" generate dragonfly:p=1,a=3,h=2 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"

# Without LIDs, and without a file to keep what is there.
expect 1 install live --yes --keep "$FABRIC/kept"
says 'a subnet manager must have set it up before' "$answer.err"
expect 2 install live --yes
[ ! -e "$FABRIC/kept" ] || fail "something is kept of nothing"

# A subnet manager runs. When it is gone its tables, which can deadlock, are what is there.
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
hold minhop
expect 1 install live --yes --keep "$FABRIC/kept"
says 'a subnet manager (runs at port 1 of "H0_0"|answers)' "$answer.err"
sm_stop
is_as minhop "a subnet manager ran, and yet"

# Nobody agrees: nothing happens.
expect 1 install live --keep "$FABRIC/kept"
says 'nothing was changed' "$answer.err"
begin install live --keep "$FABRIC/kept"
echo n >&$to
ends 1
is_as minhop "nobody agreed, and yet"
[ ! -e "$FABRIC/kept" ] || fail "something is kept of nothing"

# What is installed is what is exported for the same fabric, and is proved where it stands.
expect 0 install live --yes --keep "$FABRIC/kept" --json
python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))
assert a["done"] == "installed" and a["tables_written"] > 21 and a["sls"] == 1 and a["vls"] == 2, a' "$answer" ||
	fail "$(cat "$answer")"
hold ours
in_fabric "$odonata" export live --engine dragonfly --sls 1 --format lfts >"$FABRIC/lfts" 2>/dev/null || fail export
lfts_of "$FABRIC/lfts" | sort >"$FABRIC/exported"
by_tool lfts | sort | cmp - "$FABRIC/exported" || fail "other LFTs than those exported"
expect 0 verify live
says '^safe +yes$'
says '^vls +2$'
expect 0 diff live
expect 0 install live --yes --keep "$FABRIC/second" --json
says '"tables_written": 0'
[ ! -e "$FABRIC/second" ] || fail "something is kept of nothing"
expect 3 install live --yes --keep "$FABRIC/kept"
says 'expected a new file' "$answer.err"

# And put back, byte by byte.
expect 0 install live --yes --restore "$FABRIC/kept"
is_as minhop "restored"
expect 0 install live --yes --restore "$FABRIC/kept" --json
says '"tables_written": 0'

# A signal when some tables are on their way and the others not yet begun: ibsim stands still meanwhile.
for signal in INT TERM; do
	begin install live --keep "$FABRIC/kept-$signal"
	kill -STOP "$(cat "$fabric_dir/ibsim.pid")"
	echo y >&$to
	wait_for 10 test -e "$FABRIC/kept-$signal" || fail "nothing is kept: $(cat "$answer.err")"
	wait_for 60 is_still $installer || fail "it does not wait for answers"
	kill -$signal $installer
	kill -CONT "$(cat "$fabric_dir/ibsim.pid")"
	ends 5
	says 'interrupted: the [1-9][0-9]* tables that were written are as before' "$answer.err"
	is_as minhop "after a signal"
	cmp "$FABRIC/kept" "$FABRIC/kept-$signal" || fail "something else is kept"
done

# Killed at random moments, it puts nothing back and says nothing. What was kept does.
half=0
for try in {1..20}; do
	[ $try -le 4 ] || [ $half -eq 0 ] || break # a busy machine may kill it too early each time
	begin install live --keep "$FABRIC/kept-$try"
	echo y >&$to
	wait_for 10 test -e "$FABRIC/kept-$try" || fail "nothing is kept: $(cat "$answer.err")"
	sleep "$((RANDOM % 5 * (1 + try / 4 * 10)))e-2"
	kill -KILL $installer 2>/dev/null
	exec {to}>&-
	wait "$installer" 2>/dev/null
	hold now
	cmp -s "$FABRIC/now.held" "$FABRIC/minhop.held" || half=$((half + 1))
	expect 0 install live --yes --restore "$FABRIC/kept-$try"
	is_as minhop "after it was killed"
done
[ $half -gt 0 ] || fail "it was always killed before it wrote anything"

# A switch that stops answering for its forwarding table (attribute 25) between the question and the answer:
# all others are put back, and it is named.
begin install live --keep "$FABRIC/kept-error"
console_done 'Error "g2r1" 100 25'
echo y >&$to
ends 5
says 'some tables could not be written: 1 of [1-9][0-9]* tables that were written could not be put back' "$answer.err"
[ "$(grep -c 'not restored: LIDs 0 to 63 of "g2r1"' "$answer.err")" = 1 ] || fail "$(cat "$answer.err")"
[ "$(grep -c 'not restored' "$answer.err")" = 1 ] || fail "more is named than g2r1: $(cat "$answer.err")"
console_done 'Error "g2r1" 0 25'
is_as minhop "after an error"

# Files that are none.
printf 'odonata-tables 1\nlft 0x1 0 00\n' >"$FABRIC/bad"
expect 3 install live --yes --restore "$FABRIC/bad"
says 'bad:2: expected "lft 0xGUID BLOCK BYTES"' "$answer.err"
sed '1s/3/1/; /^end/d; s/^lft 0x0d0a/lft 0x1d0a/' "$FABRIC/kept" >"$FABRIC/elsewhere"
expect 1 install live --yes --restore "$FABRIC/elsewhere"
says 'elsewhere was written by an older version and has no checksum' "$answer.err"
says 'a node with GUID 0x1d0a[0-9a-f]* is not there' "$answer.err"
is_as minhop "files that are none"

# What was kept is torn or changed: nothing of it is put back.
sed '$d' "$FABRIC/kept" >"$FABRIC/torn"
expect 3 install live --yes --restore "$FABRIC/torn"
says 'torn: it is torn or changed: the checksum of its [0-9]+ bytes is wrong' "$answer.err"
sed '0,/01/s/01/02/' "$FABRIC/kept" >"$FABRIC/changed"
expect 3 install live --yes --restore "$FABRIC/changed"
says 'it is torn or changed' "$answer.err"
is_as minhop "torn and changed files"

# It is on the disk before anything is written: file, name and folder, in this order. If one of them fails, nothing is
# written.
sync=$ODONATA_BUILD/tests/libsync.so preload=$fabric_preload
expect 3 install live --yes --keep -
says 'found standard output' "$answer.err"
mkdir "$FABRIC/folder"
for fault in file folder; do
	fabric_preload="$sync $preload" ODONATA_SYNC_FAILS=$fault expect 5 install live --yes --keep "$FABRIC/folder/$fault"
	says "(cannot write|may be lost in a power failure): Input/output error" "$answer.err"
	is_as minhop "the $fault was not synced, and yet"
done
fabric_preload="$sync $preload" ODONATA_SYNC_LOG=$FABRIC/synced expect 0 install live --yes --keep "$FABRIC/folder/kept"
[ "$(tr '\n' ' ' <"$FABRIC/synced")" = "file rename folder " ] || fail "synced: $(cat "$FABRIC/synced")"
cmp "$FABRIC/kept" "$FABRIC/folder/kept" || fail "something else is kept"
expect 0 install live --yes --restore "$FABRIC/folder/kept"
is_as minhop "restored after a sync"
echo "tables are installed, kept and put back, also from the middle"
