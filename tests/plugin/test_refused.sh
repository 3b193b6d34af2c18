#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Options that are wrong when opensm starts: an earlier manager's tables stay where they are known, and the
# switches keep theirs where they are not. No engine that was not listed follows. A corrected file is enough
# for the next sweep, and from then on the list of engines counts again.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate dragonfly:p=1,a=4,h=2 --shuffle 7 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
conf="event_plugin_options conf=$FABRIC/conf"

state_says() { # FIELD VALUE
	grep -q "\"$1\": $2" "$(state_file json)"
}
same_tables() { # WHEN
	by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "$1: the switches hold other tables"
}
corrected() { # OPTIONS
	echo "$1" >"$FABRIC/conf"
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
}

echo "max_vls=2" >"$FABRIC/conf"
sm_start "$conf"
sm_wait_up 1
by_tool lfts | sort >"$FABRIC/lfts.start"
sm_stop

# 1. Tables of the manager before are known.
echo "max_vls=two" >"$FABRIC/conf"
sm_start "$conf"
sm_wait_up 1
reason='options are refused: .*conf:1: expected max_vls='
grep -q "odonata: options are refused, so that none are in force" "$sm_log" || fail "kept: the log says nothing"
grep -q "odonata: no new routes as odonata: $reason.*they cut off 0 of" "$sm_log" || fail "kept: nothing is kept"
expect_routed
same_tables kept
state_says outcome '"kept"' && state_says reason "\"options are refused: " && state_says options_refused 1 ||
	fail "kept: $(cat "$(state_file json)")"
corrected "max_vls=2"
sm_wait_log 1 "odonata: .*engine dragonfly, 2 VLs.*, proved"
wait_for 20 state_says options_refused 0 || fail "kept, corrected: $(cat "$(state_file json)")"
sm_stop

# 2. Nothing is known of before.
sm_forget
echo "max_vls=two" >"$FABRIC/conf"
sm_start "$conf" "sweep_interval 1"
sm_wait_log 2 "odonata: declined as odonata: $reason"
sm_wait_log 1 "No routing engine able to"
! grep -q "tables configured" "$sm_log" || fail "an engine followed that was not listed"
state_says outcome '"declined"' && state_says options_refused 1 || fail "declined: $(cat "$(state_file json)")"
same_tables declined
! "$odonata" status "$(state_file json)" >"$FABRIC/status" || fail "status is content"
grep -q "max_vls" "$FABRIC/status" || fail "status does not name the option: $(cat "$FABRIC/status")"
corrected "engine=torus"
sm_wait_log 1 "odonata: declined as odonata: torus"
sm_wait_log 1 "minhop tables configured"
sm_stop

# 3. A dry run leaves the routing to others whatever else is wrong.
sm_forget
sm_start "event_plugin_options dry_run=1 max_vls=two"
sm_wait_up 1
expect_declined "options are refused: .*max_vls"
sm_stop

# 4. An engine that is listed next was chosen for such a case.
sm_start "event_plugin_options max_vls=two" "routing_engine odonata,minhop"
sm_wait_up 1
expect_declined "options are refused: .*max_vls"
sm_stop
echo ok
