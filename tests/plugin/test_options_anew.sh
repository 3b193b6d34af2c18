#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The file of options is read again while the stock opensm runs: after SIGHUP and after the console's reroute
# what stands there is in force, in the log, in the state file and in the switches. A mistake changes nothing.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

field() { # NAME: of the state file
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$(state_file json)" "$1"
}
expect_field() { # NAME VALUE
	[ "$(field "$1")" = "$2" ] || fail "$1: expected $2, found $(field "$1")"
}
ups=1
swept() { # COMMAND...: and the sweep that follows
	"$@"
	ups=$((ups + 1))
	sm_wait_up $ups
}
hang_up() { kill -HUP "$(cat "$fabric_dir/sm.pid")"; }
options() { # LINE...: for the file
	printf '%s\n' "$@" >"$FABRIC/conf.new"
	mv "$FABRIC/conf.new" "$FABRIC/conf"
}
last_routed() { # EXPECTED
	grep -o 'engine [a-z-]*, .*, proved' "$sm_log" | tail -n 1 | grep -qx "engine $1, proved" ||
		fail "expected $1, found $(grep -o 'engine .*proved' "$sm_log" | tail -n 1)"
	in_fabric "$odonata" verify live >"$FABRIC/verdict" || fail "not safe: $(cat "$FABRIC/verdict")"
	echo "in force: $(field options): $1"
}
said() { # N LINE: so often in the log, to its end
	[ "$(grep -c "odonata: $2\$" "$sm_log")" = "$1" ] || fail "expected $1 x '$2'"
}
status() { # CODE
	local found=0
	"$odonata" status "$(state_file json)" >"$FABRIC/status" || found=$?
	[ $found = "$1" ] || fail "odonata status: expected $1, found $found: $(cat "$FABRIC/status")"
}

"$odonata" generate flatfly:k=3x3,c=2 --shuffle 3 -o "$FABRIC/flatfly.net" || fail generate
fabric_start flatfly "$FABRIC/flatfly.net"
options '# nothing yet'
sm_start "console local" "event_plugin_options max_sls=3 conf=$FABRIC/conf" "routing_engine odonata,minhop"
sm_wait_up 1
last_routed "dor, 1 VLs, 1 SLs"
expect_field options "max_sls=3"
swept hang_up
said 0 "new options are in force: .*"

# SIGHUP, and the console.
options 'engine=layered # and' 'max_vls=2'
swept hang_up
last_routed "layered, 2 VLs, 2 SLs"
said 1 "new options are in force: engine=layered max_vls=2 max_sls=3"
expect_field options "engine=layered max_vls=2 max_sls=3"
expect_field options_refused 0
status 0
by_tool lfts | sort >"$FABRIC/layered"
options 'engine=updown' 'flap_limit=0'
sm_console reroute
sm_wait_log 1 "odonata: new options are in force: engine=updown max_sls=3 flap_limit=0"
sm_wait_log 1 "engine updown, 1 VLs, .*: sweep 4$"
swept hang_up
last_routed "updown, 1 VLs, [0-9]* SLs"
by_tool lfts | sort >"$FABRIC/updown"
cmp -s "$FABRIC/layered" "$FABRIC/updown" && fail "other options, the same tables"

# Mistakes: each is named with its place, and nothing else changes.
wrong() { # LINE of the log, of which "changed options are refused ..." is known
	swept hang_up
	said 1 "changed options are refused, and the old ones stay in force; the next start of opensm will refuse them too: $1"
	last_routed "updown, 1 VLs, [0-9]* SLs"
	by_tool lfts | sort | cmp -s - "$FABRIC/updown" || fail "$1: tables have changed"
	expect_field options "engine=updown max_sls=3 flap_limit=0"
	expect_field options_refused 1
	expect_field options_reason "$1"
	status 1
	grep -q "the new options are refused" "$FABRIC/status" || fail "the alarm is not named"
}
options 'engine=dor' 'strict=maybe'
wrong "$FABRIC/conf:2: expected strict=a number from 0 to 1, found \"maybe\""
options 'engine=nosuch'
wrong "$FABRIC/conf:1: expected engine=an engine of profile ib, found \"nosuch\""
grep -qx 'odonata_options_refused{.*} 1' "$(state_file prom)" || fail "Prometheus does not know"
rm "$FABRIC/conf"
wrong "event_plugin_options: cannot read \"$FABRIC/conf\": No such file or directory"
mkfifo "$FABRIC/conf" # OpenSM would wait for who writes into it
wrong "event_plugin_options: $FABRIC/conf: expected a regular file, found a pipe"

# Options that are right, and with which nothing can be routed: the tables of before stay.
options 'engine=slimfly'
swept hang_up
grep -q 'odonata: no new routes as odonata: .* are kept' "$sm_log" || fail "nothing kept"
by_tool lfts | sort | cmp -s - "$FABRIC/updown" || fail "what is kept has changed"
expect_field outcome kept

# A dry run begins, and the next engine routes; it ends, and ours does.
options 'dry_run=1'
swept hang_up
expect_field outcome "dry run"
routed_last minhop
options ''
swept hang_up
routed_last odonata
last_routed "dor, 1 VLs, [0-9]* SLs"
expect_field options "max_sls=3"
expect_field outcome installed

# OpenSM's own options, as far as it reads them again: with one VL there is no layered routing but one.
options 'engine=layered'
reconfigured '$a max_op_vls 1'
ups=$((ups + 1))
sm_wait_up $ups
last_routed "layered, 1 VLs, [0-9]* SLs"
sm_stop

# Its lists of GUIDs are read again, too.
in_fabric ibnetdiscover >"$FABRIC/discovered" || fail ibnetdiscover
awk -F= '/^switchguid/ { sub(/\(.*/, "", $2); print $2 }' "$FABRIC/discovered" >"$FABRIC/switches"
sed -n 2p "$FABRIC/switches" >"$FABRIC/roots"
ups=1
sm_start "event_plugin_options engine=updown" "root_guid_file $FABRIC/roots"
sm_wait_up 1
by_tool lfts | sort >"$FABRIC/second"
sed -n 5p "$FABRIC/switches" >"$FABRIC/roots"
swept hang_up
said 1 "new options are in force: engine=updown"
by_tool lfts | sort | cmp -s - "$FABRIC/second" && fail "another root, the same tables"
echo 0xroot >"$FABRIC/roots"
swept hang_up
grep -q 'changed options are refused, .*: root_guid_file: .*roots:1: expected a GUID' "$sm_log" ||
	fail "a wrong list is not told"
rm "$FABRIC/roots"
mkfifo "$FABRIC/roots"
swept hang_up
grep -q 'changed options are refused, .*: root_guid_file: .*roots: expected a regular file, found a pipe' "$sm_log" ||
	fail "a pipe is not told"
sm_stop
