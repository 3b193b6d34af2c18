#!/usr/bin/env bash
# What OpenSM's own word no_fallback means once ours declines, as docs/guide/opensm.md says it: nothing is
# installed. A new fabric stays without routes; one that runs keeps them, but gives out no paths.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

not_routed="No routing engine able to successfully configure"
"$odonata" generate random:n=24,d=6,c=2 --shuffle 23 >"$FABRIC/random.net" || fail generate
host=$(awk -F'"' '/^(Hca|Ca)[ \t]/ { name = $2 } END { print name }' "$FABRIC/random.net")
fabric_start random "$FABRIC/random.net"
sm_start "routing_engine odonata,no_fallback" "event_plugin_options engine=dragonfly" "sweep_interval 1"
sm_wait_log 3 "$not_routed" # and asked again at every interval
! log_has 1 "SUBNET UP" || fail "up without routes"
[ -z "$(by_tool lfts)" ] || fail "there are routes, and nobody made them"
sm_stop
echo "a new fabric has no routes"

sm_start "routing_engine odonata,no_fallback" "event_plugin_options engine=layered" \
	"sweep_interval 1"
sm_wait_up 1
expect_tables layered
by_tool lfts | sort >"$FABRIC/lfts.start"
by_tool sl2vl | sort >"$FABRIC/sl2vl.start"
head -n 100 "$fabric_dir/sls" >"$FABRIC/asked"
same sls "$FABRIC/asked" by_tool sls <"$FABRIC/asked"

reconfigured 's/^qos TRUE/qos FALSE/'
sm_wait_log 2 "$not_routed"
as_at_the_start
head -n 1 "$FABRIC/asked" | by_tool sls 2>"$FABRIC/said" | grep -q . && fail "a path is given out"
grep -q "no path record" "$FABRIC/said" || fail "not asked: $(cat "$FABRIC/said")"
console "Unlink \"$host\""
console "Relink \"$host\""
sm_wait_log $(($(grep -c "$not_routed" "$sm_log") + 2)) "$not_routed"
in_fabric iblinkinfo >"$FABRIC/links" 2>&1
grep -q "Initialize" "$FABRIC/links" || fail "a host that came back is in service"
! log_has 2 "SUBNET UP" || fail "up without routes"
echo "routes stay, no paths are given out, and hosts that come back stay out of service"

reconfigured 's/^qos FALSE/qos TRUE/'
sm_wait_up 2
same sls "$FABRIC/asked" by_tool sls <"$FABRIC/asked"
in_fabric iblinkinfo >"$FABRIC/links" 2>&1
! grep -q "Initialize" "$FABRIC/links" || fail "not all are in service"
sm_stop
