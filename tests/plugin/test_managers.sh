#!/usr/bin/env bash
# Managers take over from each other: a standby after its master was killed, ours after one that
# allowed fewer VLs, and ours with a cache of routes. Each time the switches hold our tables.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

ours() { # WHAT
	expect_routed
	expect_tables
	echo "$1: $summary"
	same_lfts
	same sl2vl "$fabric_dir/sl2vl" by_tool sl2vl
	same sls "$fabric_dir/sls" by_tool sls <"$fabric_dir/sls"
}

"$odonata" generate dragonfly:p=1,a=4,h=2 --damage 0,5,31 --shuffle 31 >"$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"

# OpenSM masks SL2VL with OperVLs before it raises them: the first sweep cannot be right.
sm_start "routing_engine minhop" "max_op_vls 1"
sm_wait_up 1
sm_stop
sm_start
sm_wait_up 2
[ "$(grep -c "sweeping again once they are raised" "$sm_log")" -eq 1 ] ||
	fail "OperVLs that are too low were not noticed, or not only once"
ours "after a manager with one VL"

# The master dies without a word. The standby, on another host, has never routed this fabric.
sm_stop
sm_start "sm_priority 10"
sm_wait_up 1
master=$(cat "$fabric_dir/sm.pid")
last_host=$(awk -F'"' '/^(Hca|Ca)[ \t]/ { name = $2 } END { print name }' "$FABRIC/dragonfly.net")
fabric_dir=$fabric_dir/standby
fabric_host=$last_host
sm_log=$fabric_dir/osm.log
mkdir "$fabric_dir"
sm_start "sm_priority 5" "sminfo_polling_timeout 500" "polling_retry_number 2"
sm_wait_log 1 "Entering STANDBY"
[ "$(grep -c "odonata tables configured" "$sm_log")" -eq 0 ] || fail "a standby routed"
kill -9 "$master"
# Once in some thirty times umad2sim loses a MAD to the dead host without a timeout, and opensm
# waits for ever, before any routing. Then a new manager has to do.
if ! wait_for 30 log_has 1 "SUBNET UP"; then
	sm_stop
	sm_start "sm_priority 5"
fi
sm_wait_up 1
ours "after the master was killed"
sm_stop

# With the cache a host that leaves and returns is not routed anew, but its paths must have SLs.
fabric_use dragonfly
sm_start "use_ucast_cache TRUE"
sm_wait_up 1
console "Unlink \"$last_host\""
sm_wait_up 2
console "Relink \"$last_host\""
sm_wait_up 3
ours "after a host came back"
