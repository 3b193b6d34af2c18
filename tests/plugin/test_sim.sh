#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plugin under a simulated OpenSM (tests/sim): cables, switches, adapters and managers come and go at any
# moment, MADs are lost, and after each event the tables in the hardware are safe with every SL that connections
# may use. The same seed gives the same run. slow_sim.sh has 100,000 events.
set -u
sim=$1/tests/sim
fail() {
	echo "$*" >&2
	exit 1
}
figures() { sed 's/; [0-9.]* s$//'; }

for spec in dragonfly:p=1,a=3,h=2,ports=8 random:n=14,d=3,c=1,ports=6 fattree:k=4,levels=3 demo-dragonfly; do
	first=$("$sim" --seed 11 --runs 4 --spec $spec) || fail "$spec: $first"
	echo "$spec: $first"
	[ $spec = demo-dragonfly ] ||
		[ "$(figures <<<"$first")" = "$("$sim" --seed 11 --runs 4 --spec $spec | figures)" ] ||
		fail "$spec: the same seed runs otherwise"
done
# Adapters move in a part of the fabric that the manager does not reach.
"$sim" --seed 9 --one 9 --spec random:n=14,d=3,c=1,ports=6 || fail "a manager must know what it cannot reach"
told=$("$sim" --seed 11 --runs 4 --spec torus:k=6x6,c=1,ports=7 --options max_vls=2) || fail "$told"
echo "$told"
[[ $told != *" 0 times told"* ]] || fail "nobody ever had to reconnect: nothing was tried"

# The judge objects, and only the events that it takes are named: here none.
spoilt=$("$sim" --seed 11 --runs 1 --spec torus:k=6x6,c=1,ports=7 --spoil yes) && fail "spoilt maps are not noticed"
grep -qE 'channels in cycles [1-9]' <<<"$spoilt" || fail "no cycle is found: $spoilt"
! grep -q '^  event' <<<"$spoilt" || fail "events are named that are not needed: $spoilt"
