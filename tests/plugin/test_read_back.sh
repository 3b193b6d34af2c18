#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A fabric without a sweep, a trap or a query: each table of each switch is read all the same. A switch that loses its
# tables without a sign is found, is an alarm everywhere, gets them again, and is installed only once they were read.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

of_switches() { # EXPRESSION of s, the list of switches
	python3 -c 'import json, sys
file = json.load(open(sys.argv[1]))
s = {x["switch"]: x for x in file["switches"]}
print(eval(sys.argv[2]))' "$(ls "$fabric_dir"/odonata_switches-*.json)" "$1"
}
is_true() { [ "$(of_switches "$1" 2>/dev/null)" = True ]; }
figure() { sed -n "s/^odonata_$1{subnet=\"[0-9a-f]*\"} //p" "$fabric_dir"/odonata_alive-*.prom; }
ups() { grep -c "SUBNET UP" "$sm_log"; }
alarm='"S1" \(0x[0-9a-f]*\) does not hold the tables that OpenSM wrote'

complete 3 "" S0 S1 S2 >"$FABRIC/net"
fabric_start idle "$FABRIC/net"
sm_start "event_plugin_options read_back_seconds=2" "sweep_interval 3600"
sm_wait_up 1
wait_for 20 is_true 'len(s) == 3 and all(x["acknowledged"] and x["sent_sweep"] == 1 for x in s.values())' ||
	fail "not all are acknowledged: $(of_switches s)"
by_tool lfts | sort >"$FABRIC/lfts"
by_tool sl2vl | sort >"$FABRIC/sl2vl"

# All are seen, though nothing happens.
wait_for 60 is_true 'all(x["seen_right_seconds"] >= x["sent_seconds"] > 0 and not x["doubt"] for x in s.values())' ||
	fail "not all were read: $(of_switches s)"
"$odonata" status "$(state_file json)" >"$FABRIC/status" || fail "$(cat "$FABRIC/status")"
grep -qE '^read back +3 of 3 switches seen with the right tables, the oldest [0-9]+ s ago; 2 s are wanted$' "$FABRIC/status" ||
	fail "status does not say what was read: $(cat "$FABRIC/status")"
"$odonata" status "$(state_file json)" --json | python3 -c 'import json, sys
s = json.load(sys.stdin)["read_back"]
assert s["seen_right"] == 3 and s["in_doubt"] == 0 and len(s["switches"]) == 3, s
assert all(x["seen_right_seconds"] > 0 for x in s["switches"]), s' || fail "status --json does not list the switches"
[ "$(figure read_back_seen_right)" = 3 ] && [ "$(figure read_back_switches)" = 3 ] || fail "Prometheus does not know"
[ "$(ups)" = 1 ] || fail "it was not idle"

# All tables of S1 are gone, then one entry of S1, and nobody tells.
for lost in "wipe S1" "wipe-entry S1 1"; do
	n=$(grep -cE "$alarm" "$sm_log")
	# shellcheck disable=SC2086
	in_fabric "$readback" $lost || fail "cannot $lost"
	sm_wait_log $((n + 1)) "$alarm"
	wait_for 20 is_true 's["S1"]["sent_sweep"] > 1 and not s["S1"]["doubt"] and s["S1"]["seen_right_seconds"] > 0' ||
		fail "$lost: not found again: $(of_switches s)"
	wait_for 20 sm_confirmed || fail "$lost: not confirmed again"
	by_tool lfts | sort | cmp -s - "$FABRIC/lfts" || fail "$lost: forwarding tables are not back"
	by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl" || fail "$lost: maps are not back"
done

# It does not answer: in doubt, and not installed.
n=$(grep -cE "$alarm" "$sm_log")
console 'Error "S1" 100 0x17' # SL2VL maps
sm_wait_log $((n + 1)) "$alarm"
wait_for 20 is_true 's["S1"]["doubt"] == "other tables" and not s["S0"]["doubt"]' || fail "no doubt: $(of_switches s)"
[ "$(figure read_back_in_doubt)" = 1 ] || fail "Prometheus: $(figure read_back_in_doubt) in doubt"
"$odonata" status "$(state_file json)" >"$FABRIC/status" && fail "status is content"
grep -q 'switches in doubt: S1$' "$FABRIC/status" || fail "the alarm does not name the switch: $(cat "$FABRIC/status")"
sm_stop
echo "what is installed is seen again and again"
