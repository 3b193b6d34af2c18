#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two subnets, each with an opensm, share the folders of caches and logs, as Debian's service has it. Neither takes
# the other's history, and monitoring sees both. A subnet is recognised after a restart, with another adapter, and by
# its file's old name. A file that is damaged, or no file at all, is set aside, and stops nobody.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
shared=$FABRIC/shared sm_cache=$FABRIC/shared
mkdir "$shared"

start() { # NAME [LINE...]: opensm on this plane
	fabric_use "$1"
	shift
	sm_start "dump_files_dir $shared" "$@"
	sm_wait_up 1 # the file is written before that
}
subnet() { # of the plane in use, by its log or its state file
	grep -l "\"manager_port_guid\": \"$(manager)\"" "$shared"/odonata-*.json | sed 's/.*odonata-//; s/\.json//'
}
manager() {
	sed -n "s/^\[1\](\([0-9a-f]*\)).*# lid.*/\1/p" <(in_fabric ibnetdiscover | sed -n "/\"$fabric_host\"$/,\$p") |
		head -n 1 | awk '{ printf "0x%016s\n", $1 }' | tr ' ' 0
}
taken_over() { # SUBNET
	sm_wait_log 1 "taken over from an earlier manager: .*subnet $1"
}
nobody_reconnects() {
	! grep -qE "odonata: connections of|must reconnect: hosts" "$sm_log" || fail "$(grep 'must reconnect' "$sm_log")"
}
count() { # N PATTERN: of the files
	[ "$(ls "$shared" | grep -cE "^$2\$")" = "$1" ] || fail "expected $1 x $2, found $(ls "$shared")"
}

"$odonata" generate torus:k=5x5,c=2 -o "$FABRIC/a.net" || fail generate
sed 's/d0a0/d0b0/g' "$FABRIC/a.net" >"$FABRIC/b.net"
fabric_start a "$FABRIC/a.net"
fabric_start b "$FABRIC/b.net"
fabric_use a
sm_start "dump_files_dir $shared"
fabric_use b
sm_start "dump_files_dir $shared"
sm_wait_up 1
fabric_use a
sm_wait_up 1
console 'Unlink "S1_1"[3]'
sm_wait_up 2
fabric_use b
kill -HUP "$(cat "$fabric_dir/sm.pid")"
sm_wait_up 2
for plane in a b; do
	fabric_use $plane
	nobody_reconnects
	! grep -q "taken over" "$sm_log" || fail "$plane: another's tables are taken over"
done
count 2 'odonata-[0-9a-f]{16}.past'
count 2 'odonata-[0-9a-f]{16}.json'
count 2 'odonata-[0-9a-f]{16}.prom'
for plane in a b; do
	fabric_use $plane
	of=$(subnet) && [ -n "$of" ] || fail "$plane: no state file"
	echo "$of" >"$FABRIC/$plane.id"
done
a=$(cat "$FABRIC/a.id") b=$(cat "$FABRIC/b.id")
[ "$a" != "$b" ] || fail "both are subnet $a"
echo "two subnets, one folder: $a and $b"

# Monitoring: both are shown, each figure has its subnet, and the worst counts.
content() { # FILE OR FOLDER: what was sent is read back first
	"$odonata" status "$1" >"$FABRIC/status"
}
wait_for 30 content "$shared" || fail "status: $(cat "$FABRIC/status")"
grep -q "$a.*installed" "$FABRIC/status" && grep -q "$b.*installed" "$FABRIC/status" || fail "$(cat "$FABRIC/status")"
[ -z "$(cat "$shared"/odonata-*.prom | grep -v '^#' | sed 's/ [^ ]*$//' | sort | uniq -d)" ] || fail "a figure twice"
sed 's/"outcome": "installed"/"outcome": "declined"/' "$shared/odonata-$b.json" >"$shared/new" &&
	mv "$shared/new" "$shared/odonata-$b.json"
"$odonata" status "$shared" >"$FABRIC/status" && fail "one has declined, and status is content"
content "$shared/odonata-$a.json" || fail "status of one: $(cat "$FABRIC/status")"
echo "status and Prometheus: both"

# One is started anew: it goes on from its own, and the other's files stay.
fabric_use a
sm_stop
start a
taken_over "$a"
nobody_reconnects
grep -q "file of another subnet is not used: $shared/odonata-$b.past; 0 of its 25 switches are in this subnet" "$sm_log" ||
	fail "the file of the other is not refused"
count 2 'odonata-[0-9a-f]{16}.json'
sm_stop
echo "restarted: its own history, and the other's refused"

# The file of this subnet has its old name, and the manager's adapter is another one.
fabric_stop
sed "0,/^caguid=0x/s//caguid=0x9/; 0,/^Ca.*$/s//&/" "$FABRIC/a.net" >"$FABRIC/c.net"
cmp -s "$FABRIC/a.net" "$FABRIC/c.net" && fail "the adapter is the same"
mv "$shared/odonata-$a.past" "$shared/odonata.past"
fabric_start c "$FABRIC/c.net"
start c
sm_wait_log 1 "file $shared/odonata.past belongs to this subnet and is renamed to $shared/odonata-[0-9a-f]*.past"
sm_wait_log 1 "taken over from an earlier manager"
count 0 'odonata.past'
sm_stop
cp "$shared"/odonata-*.past "$FABRIC"
start c
sm_wait_log 1 "taken over from an earlier manager"
! grep -q renamed "$sm_log" || fail "renamed again"
id=$(grep -o 'subnet [0-9a-f]*$' "$sm_log" | tail -n 1 | cut -d' ' -f2)
sm_stop
echo "old name, other adapter: subnet $id"

# A bit flips while the manager runs: it says so, goes on, and writes the file anew.
own=$shared/odonata-$id.past
start c
for ((i = 1; i <= 8; i++)); do
	python3 - "$own" $i <<'END'
import os, random, sys
random.seed(sys.argv[2])
x = bytearray(open(sys.argv[1], "rb").read())
x[random.randrange(len(x) if int(sys.argv[2]) % 2 else 400)] ^= 1 << random.randrange(8)
open(sys.argv[1] + ".new", "wb").write(x)
os.rename(sys.argv[1] + ".new", sys.argv[1])
END
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
	sm_wait_up $((i + 1))
	[ "$(grep -c 'earlier manager is not used: .*; this manager knows only the SLs that it assigned' "$sm_log")" = $i ] || fail "flip $i: taken"
	[ -s "$own" ] || fail "flip $i: not written anew"
done
sm_stop
start c
taken_over "$id"
sm_stop
rm "$own.unused"
echo "8 flipped bits under a running manager: none taken, file written anew"

# In its place there is something else.
flip() { # BYTE
	python3 - "$own" "$1" <<'END'
import os, sys
x = bytearray(open(sys.argv[1], "rb").read())
x[int(sys.argv[2]) % len(x)] ^= 16
open(sys.argv[1], "wb").write(x)
END
}
spoiled() { # WHAT REASON
	start c
	expect_routed
	grep -qE "odonata: file of an earlier manager is not used: $own: .*$2.*; the SLs that it assigned are unknown" \
		"$sm_log" || fail "$1: not told"
	! grep -q "taken over" "$sm_log" || fail "$1: taken over"
	count 2 'odonata-[0-9a-f]{16}.past'
	[ -e "$own.unused" ] || [ -L "$own.unused" ] || fail "$1: not set aside"
	sm_stop
	find "$shared" -name '*.past*' ! -name "*$b*" -prune -exec rm -rf {} +
	cp "$FABRIC/odonata-$id.past" "$own"
	echo "$1: set aside"
}
flip 100000 && spoiled "a bit in the middle" "checksum of its [0-9]+ bytes is wrong"
flip 60 && spoiled "a bit among the switches" "checksum of its list of switches is wrong"
truncate -s -1 "$own" && spoiled "a byte less" "torn"
rm "$own" && mkfifo "$own" && spoiled "a pipe" "expected a regular file, found a pipe"
rm "$own" && mkdir "$own" && spoiled "a folder" "expected a regular file, found a folder"
rm "$own" && ln -s /dev/zero "$own" && spoiled "a link" "expected a regular file, found a symbolic link"
fabric_use b
sm_stop
echo ok
