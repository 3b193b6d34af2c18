#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What docs/guide/operation.md says of an OpenSM that was upgraded without its plugin: the engine that is listed
# next routes, or minhop; with no_fallback nothing is installed, and the switches keep what they have.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate dragonfly:p=1,a=4,h=2,g=5 --shuffle 3 >"$FABRIC/net" || fail generate
fabric_start upgrade "$FABRIC/net"
sm_start
sm_wait_up 1
expect_routed
sm_stop
by_tool lfts | sort >"$FABRIC/lfts"
by_tool sl2vl | sort >"$FABRIC/sl2vl"

# The same plugin, as if it were built for another version.
version=$(grep -ao 'OpenSM [0-9.]*' "$ODONATA_BUILD/plugin/libodonata.so" | head -n 1)
mkdir "$FABRIC/other"
sed "s/$version/${version%?}X/" "$ODONATA_BUILD/plugin/libodonata.so" >"$FABRIC/other/libodonata.so"
plugin_path=$FABRIC/other

sm_start "routing_engine odonata,no_fallback"
sm_wait_log 1 "No routing engine able"
grep -q "OpenSM version mismatch - plugin was built against ${version%?}X" "$sm_log" || fail "loaded"
sleep 1
! grep -q "SUBNET UP" "$sm_log" || fail "routed by nobody, and up"
sm_stop
by_tool lfts | sort | cmp -s - "$FABRIC/lfts" || fail "forwarding tables have changed"
by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl" || fail "SL2VL maps have changed"
echo "no_fallback: the switches keep their tables"

for engines in odonata odonata,lash; do
	sm_start "routing_engine $engines"
	sm_wait_up 1
	expect_routed "$([ $engines = odonata ] && echo minhop || echo lash)"
	sm_stop
	echo "$engines: $(grep -o '[a-z]* tables configured' "$sm_log")"
done

plugin_path=$ODONATA_BUILD/plugin
sm_start
sm_wait_up 1
expect_routed
by_tool lfts | sort | cmp -s - "$FABRIC/lfts" || fail "the plugin is back, and its tables are others"
