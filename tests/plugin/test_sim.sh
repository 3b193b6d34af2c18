#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plugin under a simulated OpenSM (tests/sim): cables, switches, adapters, LIDs, groups and managers come and go
# at any moment, MADs are lost, disks fail, and after each event the tables in the hardware are safe with every SL
# that connections may use. The same seed gives the same run. slow_sim.sh has 100,000 events.
set -u
sim=$1/tests/sim
fail() {
	echo "$*" >&2
	exit 1
}
figures() { sed 's/; [0-9.]* s$//'; }
# must_hold OPTION...: no state is wrong
must_hold() {
	"$sim" "$@" || fail "sim $*: see above"
}

for spec in dragonfly:p=1,a=3,h=2,ports=8 random:n=14,d=3,c=1,ports=6 fattree:k=4,levels=3; do
	first=$(must_hold --seed 11 --runs 2 --spec $spec) || fail "$spec: $first"
	echo "$spec: $first"
	[ "$(figures <<<"$first")" = "$("$sim" --seed 11 --runs 2 --spec $spec | figures)" ] ||
		fail "$spec: the same seed runs otherwise"
done
must_hold --seed 11 --runs 2 --spec demo-dragonfly --certify 8
# Adapters move in a part of the fabric that the manager does not reach.
must_hold --seed 9 --one 9 --spec random:n=14,d=3,c=1,ports=6
# OpenSM does not send a map of zeroes again that a switch did not acknowledge.
must_hold --seed 7 --one 15 --spec torus:k=4x3,c=1,ports=8 --lmc 1
must_hold --seed 7 --one 198 --spec torus:k=4x3,c=1,ports=8 --lmc 1
# The log says so where multicast is safe beside new packets only.
must_hold --seed 6 --one 9 --only 15 --spec random:n=14,d=3,c=1,ports=6
told=$(must_hold --seed 11 --runs 3 --spec torus:k=6x6,c=1,ports=7 --options max_vls=2 --certify 8) || fail "$told"
echo "$told"
[[ $told != *" 0 times told"* ]] || fail "nobody ever had to reconnect: nothing was tried"

# The judge objects, and only the events that it takes are named: here none.
spoilt=$("$sim" --seed 11 --runs 1 --spec torus:k=6x6,c=1,ports=7 --spoil yes) && fail "spoilt maps are not noticed"
grep -qE 'channels in cycles [1-9]' <<<"$spoilt" || fail "no cycle is found: $spoilt"
! grep -q '^  event' <<<"$spoilt" || fail "events are named that are not needed: $spoilt"
# A switch that loses its tables without a sign stays so if nobody reads it back.
unread=$("$sim" --seed 11 --runs 6 --spec fattree:k=4,levels=3 --options read_back_seconds=0) &&
	fail "it goes unnoticed that nothing is read back"
grep -q 'hold other tables than wanted' <<<"$unread" || fail "$unread"
