#!/usr/bin/env bash
# What cannot be served is declined with a reason in OpenSM's log, and a stock engine brings the
# fabric up as if ours had never been there.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate random:n=20,d=4,c=1 --shuffle 5 >"$FABRIC/random.net" || fail generate
"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 --damage 0,3,11 --shuffle 11 >"$FABRIC/dragonfly.net" || fail generate

fabric_start random "$FABRIC/random.net"
declined "no engine is made for it" "event_plugin_options no_fallback=1"
# Nothing of ours may be left behind: minhop alone gives the same tables.
by_tool lfts | sort >"$FABRIC/after-declining"
sm_start "routing_engine minhop"
sm_wait_up 1
sm_stop
by_tool lfts | sort | cmp -s - "$FABRIC/after-declining" || fail "declining left a trace"
declined "no engine is made for it" "event_plugin_options no_fallback=1" "qos FALSE"
sm_start "routing_engine odonata,no_fallback" # no_fallback here is OpenSM's: no minhop after us
sm_wait_up 1
expect_routed
sm_stop

fabric_start dragonfly "$FABRIC/dragonfly.net"
declined "set \"qos TRUE\"" "qos FALSE"
declined "dragonfly: .*VL" "event_plugin_options engine=dragonfly max_vls=1"
declined "dragonfly: .*VL" "event_plugin_options engine=dragonfly no_fallback=1" "qos_vlarb_high 0:4" "qos_vlarb_low 0:4"
declined "dragonfly: .*VL" "max_op_vls 1" "event_plugin_options no_fallback=1"
declined "contradictions" "event_plugin_options strict=1 no_fallback=1"
declined "does not route the kind" "routing_engine odonata.dor"
sm_start "routing_engine odonata.dor,odonata.dragonfly"
sm_wait_up 1
expect_routed odonata.dragonfly
sm_stop

# Switches with forwarding tables too short for the LIDs there are.
ibsim_limits="-S 4096 -N 30000 -P 200000 -L 32"
fabric_start few-lids "$FABRIC/dragonfly.net"
declined "switch .* has room for 32 LIDs, and the subnet needs 6[0-9]"
ibsim_limits=

# Built as if against another OpenSM: its structures are not where the headers say. Its log may not be either, so
# the system's has the reason.
for layout in no-perfmgr debug; do
	plugin_path=$ODONATA_BUILD/tests/$layout not_registered "structures differ"
	grep -q "^syslog 3: odonata: not registered: .*structures differ" "$fabric_dir/osm.out" ||
		fail "the system's log does not say why"
done
