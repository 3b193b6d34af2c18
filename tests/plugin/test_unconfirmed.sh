#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A switch that came back does not answer for its SL2VL maps: as long as nobody knows what it holds the state is
# not "installed", and names it. Once it answers, all is written and read back, though nobody asks for a sweep.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

outcome() {
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
print(s["outcome"], s["installed"], s["unconfirmed_nodes"], *[x["node"] + "=" + x["doubt"] for x in s["unconfirmed"]])' "$(state_file json)"
}
is_outcome() { [ "$(outcome 2>/dev/null)" = "$1" ]; }

complete 3 "" S0 S1 S2 >"$FABRIC/net"
fabric_start deaf "$FABRIC/net"
sm_start "transaction_timeout 20" "transaction_retries 1" "sweep_interval 3600"
sm_wait_up 1
is_outcome "installed 1 0" || fail "at first: $(outcome)"

console 'Error "S1" 100 0x17' # SL2VL maps
console 'Unlink "S1"'
console 'Relink "S1"'
wait_for 30 grep -qs "does not hold the tables that OpenSM wrote.*: later sweeps write" "$sm_log" ||
	fail "the log does not name the switch"
wait_for 60 is_outcome "unconfirmed 0 1 S1=other tables" || fail "a switch that does not answer: $(outcome)"
"$odonata" status "$(state_file json)" >"$FABRIC/status" && fail "status is content"
grep -q "not known whether all switches and adapters hold" "$FABRIC/status" || fail "$(cat "$FABRIC/status")"
grep -q "S1" "$FABRIC/status" || fail "status does not name the switch"
grep -qx 'odonata_unconfirmed_nodes{.*} 1' "$(state_file prom)" || fail "Prometheus does not know"
n=$(grep -c "SUBNET UP" "$sm_log")
sleep 2
[ "$(grep -c "SUBNET UP" "$sm_log")" -le $((n + 1)) ] || fail "it sweeps for ever"

# It answers again, which nobody tells the manager.
console 'Error "S1" 0'
wait_for 120 is_outcome "installed 1 0" || fail "it answers, and the state is $(outcome)"
"$odonata" status "$(state_file json)" >"$FABRIC/status" || fail "$(cat "$FABRIC/status")"
sm_stop
echo "what is not known is not installed"
