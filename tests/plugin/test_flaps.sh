#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A cable that comes and goes under the stock opensm: once it went too often no table uses it, the log and
# the state file name it, and what it does then changes nothing. Once it was steady it is used again.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

ups=0
sweep() { # COMMAND: for ibsim's console, and the sweep that follows
	console "$1"
	ups=$((ups + 1))
	sm_wait_up $ups
}
changed() { # entries in the last sweep
	grep -oE '[0-9]+ of [0-9]+ LFT entries change' "$sm_log" | tail -n 1 | cut -d' ' -f1
}
left_out() {
	python3 -c 'import json, sys; print(*[x["from"] + " " + str(x["from_port"]) + " " + x["to"] + " " + str(x["to_port"])
		for x in json.load(open(sys.argv[1]))["left_out"]])' "$(state_file json)"
}

"$odonata" generate flatfly:k=4x4,c=2 -o "$FABRIC/flatfly.net" || fail generate
fabric_start net "$FABRIC/flatfly.net"
sm_start "event_plugin_options flap_limit=2 flap_window=600 flap_hold=10" "sweep_interval 1"
ups=1
sm_wait_up 1
by_tool lfts | sort >"$FABRIC/start"
link='"S1_2"[3]'
sweep "Unlink $link"
[ "$(changed)" -gt 0 ] || fail "the cut changes nothing"
sweep "Relink $link"
[ -z "$(left_out)" ] || fail "left out at once: $(left_out)"
by_tool lfts | sort | cmp -s - "$FABRIC/start" || fail "not as at the start"
sweep "Unlink $link"
sweep "Relink $link"
[ "$(changed)" = 0 ] || fail "$(changed) entries change for a cable that is not used"
case $(left_out) in
*"S1_2 3"*) ;;
*) fail "the state file names '$(left_out)'" ;;
esac
grep -q 'odonata: flapping cable is not used: .* disappeared 2 times' "$sm_log" || fail "the log does not name it"
sweep "Unlink $link"
[ "$(changed)" = 0 ] || fail "$(changed) entries change as it goes again"
sweep "Relink $link"
sleep 11
# Any other change has the tables made anew.
sweep 'Unlink "S3_3"[4]'
sweep 'Relink "S3_3"[4]'
[ -z "$(left_out)" ] || fail "still left out: $(left_out)"
by_tool lfts | sort | cmp -s - "$FABRIC/start" || fail "not used again"
sm_stop
fabric_stop
