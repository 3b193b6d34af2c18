#!/usr/bin/env bash
# An allocation that fails, somewhere in a sweep, costs no routing that is safe: the tables of the sweep
# before stay, and one more sweep is asked for. Only where there is no memory for that either, or
# where they serve too little, minhop follows. The plugin is our own with its allocations wrapped.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"
with_faults
# Of a sweep's allocations this many recognise the subnet: a job for the disk's thread, the switches, a copy of the last
# ones, those of the file, and the list of files. Without them it is taken for the same as before.
routing=5

start_dragonfly dragonfly
sweeps=1
for n in $routing 30 100 200; do
	allocations_fail $n
	reconfigured ''
	sm_wait_log $((sweeps + 2)) "SUBNET UP"
	sweeps=$((sweeps + 2))
	said=$(grep "odonata: no new routes" "$sm_log" | tail -n 1)
	echo "$said" | grep -q "no memory.*tables of sweep $((sweeps - 2)) are kept.* cut off 0 of 3888 .*sweeping again" ||
		fail "allocation $n: the log says: $said"
	grep -q "proved; .*: sweep $sweeps$" "$sm_log" || fail "allocation $n: not routed again afterwards"
	! grep "tables configured" "$sm_log" | grep -qvE "(odonata|unknown) tables" || # unknown: before 3.3.23
		fail "allocation $n: another engine routed"
	echo "$said" | grep -o "no new routes.*; the"
done
as_at_the_start

# Rounds that are alike end with as many pieces of memory as they began with: a sweep that routes, one that keeps
# what was, groups with members. A sweep's first allocation tells how many the sweeps before it left.
for host in $(awk -F'"' '/^(Hca|Ca)[ \t]/ && ++n % 9 == 1 { print $2 }' "$FABRIC/dragonfly.net"); do
	fabric_host=$host in_fabric "$readback" join >/dev/null || fail "$host cannot join"
done
told_sweep() { # COMMAND...
	allocations_fail 1000000000
	"$@"
	sweeps=$((sweeps + 1))
	sm_wait_up $sweeps
}
for round in 0 1 2; do
	told_sweep console "Unlink $link"
	told_sweep console "Relink $link"
	told_sweep reconfigured ''
	read -r _ pieces[round] <"$ODONATA_FAULT_COUNT"
done
[ "${pieces[1]}" = "${pieces[2]}" ] || fail "pieces of memory: ${pieces[1]} after a round, then ${pieces[2]}"
[ "${pieces[1]}" -gt 0 ] || fail "no memory is counted"
as_at_the_start

for n in "$routing 0" "$routing 40"; do
	allocations_fail $n
	reconfigured ''
	sweeps=$((sweeps + 1))
	sm_wait_up $sweeps
	routed_last minhop
	said=$(grep "odonata: declined" "$sm_log" | tail -n 1)
	echo "$said" | grep -q "declined as odonata: no memory; the tables .* cannot be kept: no memory" ||
		fail "allocations $n: the log says: $said"
	reconfigured ''
	sweeps=$((sweeps + 1))
	sm_wait_up $sweeps
done
as_at_the_start
echo "no memory to keep anything either: declined, and the next sweep is ours"
sm_stop
fabric_stop

# Three switches more than the two before: what is kept serves 4 of 25 pairs of switches. Minhop reaches
# all. With OpenSM's own no_fallback nobody would, so that they stay.
grown() { # [CONFIGURATION...]
	fabric_start "grown-$RANDOM" "$FABRIC/halves.net"
	console 'Unlink "S0"[4]'
	sm_start "$@"
	sm_wait_up 1
	allocations_fail $((routing + 1)) # one more: what is known of more switches
	console 'Relink "S0"[4]'
	sm_wait_up 2
}
{
	extra='S0 [4]	"BS0"[4]' complete 2 "" S0 S1
	extra='S0 [4]	"S0"[4]' complete 3 B S0 S1 S2
} >"$FABRIC/halves.net"
grown
routed_last minhop
grep -qE "cannot be kept: they cut off [0-9]+ of [0-9]+ pairs .*, more than half" "$sm_log" || fail "kept too little"
sm_stop
grown "routing_engine odonata,no_fallback"
grep -qE "are kept.* sweeping again" "$sm_log" || fail "not kept where nobody follows"
sm_wait_up 3
grep -q "5 switches, 5 hosts.*: sweep 3$" "$sm_log" || fail "not routed again afterwards"
sm_stop
echo "more than half cut off: left to minhop, if that would follow"
