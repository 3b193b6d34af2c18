#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A fabric that does not hold still: cables, hosts and switches go and come back, many times while each sweep
# reads it. OpenSM lives. Whatever it has read is routed and proved, or declined with a reason. As soon as the
# fabric rests, what is installed is safe and reaches all.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/storm.sh"

n_routed() { grep -c "proved; .*: sweep [0-9]*$" "$sm_log"; }

restless() { # NAME CHANGES SPEC
	local i net=$FABRIC/$1.net changes=0
	"$odonata" generate "$3" --shuffle 41 -o "$net" || fail "generate $3"
	storm_places "$net"
	storm_start "$1" "$net" 5 "event_plugin_options flap_limit=0"
	# On a busy machine a sweep outlasts many changes: more follow until there are some sweeps.
	while [ "$(n_routed)" -le 3 ] && [ $changes -lt $((20 * $2)) ]; do
		for ((i = 0; i < $2; i++)); do
			one_thing
			sleep 0.0$((RANDOM % 3))
		done
		changes=$((changes + $2))
	done
	sm_rests || fail "$1: sweeps do not end"
	ups=$(grep -c "SUBNET UP" "$sm_log")
	routed=$(n_routed)
	[ "$routed" -gt 3 ] || fail "$1: only $routed sweeps"
	[ $((2 * routed)) -lt "$changes" ] || fail "$1: $changes changes in $routed sweeps: none fell into one"
	storm_judge "$1" "$routed"
	[ "$(n_fallbacks)" = 0 ] || fail "$1: another engine routed"
	echo "$1: $changes changes in $routed sweeps, $n_away things away at the end: safe"
	sm_stop
	fabric_stop
}
restless dragonfly 250 dragonfly:p=2,a=4,h=2
restless torus 250 torus:k=5x5,c=1
