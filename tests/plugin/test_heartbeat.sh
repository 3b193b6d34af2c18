#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Monitoring sees that the manager is gone: killed, stopped, begun anew without the plugin. While it lives and
# has nothing to do it gives a sign of life.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

status() { # CODE [WHAT IT SAYS]: of the state file
	local found=0
	"$odonata" status "$json" >"$FABRIC/status" 2>&1 || found=$?
	[ $found = "$1" ] || fail "status: expected $1, found $found: $(cat "$FABRIC/status")"
	grep -qE "${2:-.}" "$FABRIC/status" || fail "status lacks '$2': $(cat "$FABRIC/status")"
	echo "$1: ${2:-}"
}
beats() {
	sed -n 's/^odonata_heartbeats_total{subnet="[0-9a-f]*"} //p' "$alive" 2>/dev/null
}
beat() { [ "$(beats)" -ge "$1" ] 2>/dev/null; }

complete 3 "" S0 S1 S2 >"$FABRIC/net"
fabric_start idle "$FABRIC/net"
sm_start
sm_wait_up 1
json=$(state_file json)
alive=$(dirname "$json")/odonata_alive-${json##*/odonata-}
alive=${alive%.json}.prom
pid=$(cat "$fabric_dir/sm.pid")
wait_for 60 beat 1 || fail "no sign of life: $(ls "$fabric_dir")"
status 0 "manager +runs as process $pid"
grep -qx 'odonata_master{.*} 1' "$alive" || fail "not master: $(cat "$alive")"
[ "$(stat -c %a "$alive")" = 644 ] || fail "not for all to read"
[ -z "$(cat "${json%.json}.prom" "$alive" | grep '^# TYPE' | sort | uniq -d)" ] || fail "a figure in both files"

# A file of another machine: its signs of life alone count.
sed 's/"process_space": "[^"]*"/"process_space": "elsewhere"/; s/"seal": .*/"seal": ""/' "$json" \
	>"$FABRIC/odonata-0123456789abcdef.json" # changed on purpose: without its seal
json=$FABRIC/odonata-0123456789abcdef.json
status 1 "are not beside the file"
cp "$alive" "$FABRIC/odonata_alive-0123456789abcdef.prom"
status 0 "not on this machine; last sign of life"
touch -d "-10 minutes" "$FABRIC/odonata_alive-0123456789abcdef.prom"
status 1 "no sign of life for 6[0-9][0-9] s"
touch -d "10 minutes" "$FABRIC/odonata_alive-0123456789abcdef.prom" # a clock was set back
status 0
# A standby that was master once tells nothing of the fabric as it is.
sed -i 's/^\(odonata_master{.*}\) 1$/\1 0/' "$FABRIC/odonata_alive-0123456789abcdef.prom"
status 1 "not the master any more"
status 1 "manager +stands by"
json=$(state_file json)

# A process that hangs gives none either. One that gives a sign at just this time gives the next 15 s later.
sweep=$(grep -c "SUBNET UP" "$sm_log")
looks_dead() {
	touch -d "-10 minutes" "$alive"
	"$odonata" status "$json" 2>&1 | grep -qE "no sign of life for 6[0-9][0-9] s"
}
wait_for 20 looks_dead || fail "a silent manager seems to live: $("$odonata" status "$json" 2>&1)"
n=$(beats)
wait_for 60 beat $((n + 1)) || fail "no second sign of life while idle"
[ "$(grep -c "SUBNET UP" "$sm_log")" = "$sweep" ] || fail "it was not idle"
status 0

kill -KILL "$pid"
wait "$pid" 2>/dev/null
status 1 "process $pid, has ended"
"$odonata" status "$fabric_dir" >"$FABRIC/status" && fail "the folder of a dead manager is well"
sm_start "event_plugin_name nowhere" "routing_engine minhop"
sm_wait_log 1 "SUBNET UP"
status 1 "process $pid, has ended; an opensm runs as process [0-9]+"
sm_stop

# The plugin is back: the old files go, and all is well. So do files that a loss of power has emptied, unless
# somebody may have written them just now.
: >"$fabric_dir/odonata-0123456789abcdef.json"
: >"$fabric_dir/odonata-1123456789abcdef.json"
touch -d "-10 minutes" "$fabric_dir/odonata-0123456789abcdef.json"
sm_start
sm_wait_up 1
[ ! -e "$fabric_dir/odonata-0123456789abcdef.json" ] || fail "an old file without contents stays"
[ -e "$fabric_dir/odonata-1123456789abcdef.json" ] || fail "a new file without contents is removed"
rm "$fabric_dir/odonata-1123456789abcdef.json"
json=$(state_file json)
status 0 "manager +runs as process $(cat "$fabric_dir/sm.pid")"
sm_stop
status 1 "has ended"
echo "the manager's end is seen"
