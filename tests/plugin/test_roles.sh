#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two managers of one subnet share a folder, and the second becomes master: the first leaves the sign of life to it.
# The files of managers on another machine stay while they give signs of life, and go later.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/nets.sh"
odonata=$ODONATA_BUILD/cli/odonata
complete 3 "" S0 S1 S2 >"$FABRIC/net"

elsewhere() { # ID AGE: files that a manager on another machine has written
	sed 's/"process_space": "[^"]*"/"process_space": "elsewhere"/' "$json" >"$shared/odonata-$1.json"
	sed 's/^/# /' "$alive" >"$shared/odonata_alive-$1.prom"
	touch -d "-$2" "$shared/odonata_alive-$1.prom"
}

# On ibsim half of the managers that come with a higher priority wait for ever for a lost answer, stock OpenSM's too:
# ibsim's umad never gives up. Such a one is started again. Where the first waits for ever, no second helps.
come_up() {
	for _ in $(seq 5); do
		sm_start "dump_files_dir $shared" "sm_priority 10"
		wait_for 8 log_has 1 "SUBNET UP" && return
		sm_stop
	done
	return 1
}

both_come_up() { # NAME
	shared=$FABRIC/shared-$1
	mkdir "$shared"
	fabric_start "$1" "$FABRIC/net"
	sm_start "dump_files_dir $shared" "sm_priority 5"
	sm_wait_log 1 "SUBNET UP"
	wait_for 20 grep -q '"outcome": "installed"' "$shared"/odonata-*.json || fail "the first is not done"
	first=$fabric_dir first_log=$sm_log
	json=$(ls "$shared"/odonata-*.json)
	wait_for 20 eval 'ls "$shared"/odonata_alive-*.prom >"$FABRIC/alive" 2>/dev/null' || fail "the first gives no sign of life"
	alive=$(cat "$FABRIC/alive")
	elsewhere 0123456789abcdef "10 seconds"
	elsewhere 1123456789abcdef "10 minutes"
	fabric_dir=$first/second sm_log=$first/second/osm.log
	fabric_host=$(awk -F'"' '/^Ca[ \t]/ { name = $2 } END { print name }' "$FABRIC/net")
	mkdir "$fabric_dir"
	come_up && return
	fabric_use "$1"
	sm_stop
	fabric_stop
	return 1
}
both_come_up roles || both_come_up roles-again || both_come_up roles-at-last || fail "the second does not become master"
second=$(cat "$fabric_dir/sm.pid")
wait_for 20 grep -q "Entering STANDBY" "$first_log" || fail "the first is still master"
# SUBNET UP comes before the files, which a thread writes. A sign of life that is written from now on and says
# "master" is the second's.
was=$(stat -c %i "$alive")
is_master() { grep -q '^odonata_master{.*} 1$' "$alive"; }
is_of_second() { [ "$(stat -c %i "$alive")" != "$was" ] && is_master; }
wait_for 40 is_of_second || fail "the second gives no sign of life"
wait_for 20 grep -q "\"process\": $second," "$json" || fail "the state is not that of the second"
began=$SECONDS
[ -e "$shared/odonata-0123456789abcdef.json" ] && [ -e "$shared/odonata_alive-0123456789abcdef.prom" ] ||
	fail "the files of a manager on another machine are gone: $(ls "$shared")"
[ ! -e "$shared/odonata-1123456789abcdef.json" ] || fail "the files of one that is silent stay"

# The first would give its next sign of life 15 s after its last.
while [ $((SECONDS - began)) -le 16 ]; do
	is_master || fail "the first overwrites the sign of life of the master"
	sleep 0.1
done
"$odonata" status "$json" >"$FABRIC/status" || fail "status: $(cat "$FABRIC/status")"
grep -q "manager  *runs as process $second" "$FABRIC/status" || fail "$(cat "$FABRIC/status")"
sm_stop
echo "signs of life are the master's, and others' files stay while they live"
