#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each allocation that the plugin makes in a sweep fails in turn: when it translates, maps, routes, verifies,
# installs, judges the change and builds the tree of a group that hosts have joined. OpenSM lives. The unicast
# tables in the switches stay what they were, or the group's do, or the log says why not; and the next sweep
# makes everything whole. Then the same with all allocations from that one on, for which it may decline.
# tests/cli/slow_memory.sh is the twin for the command.
#
#   tests/plugin/slow_memory.sh BUILD
#
# ODONATA_STEP=N   each N-th allocation alone [1: some 2,500 times two sweeps, an hour or two]
# ODONATA_FROM=N   from this one on [0]
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"
with_faults
never=1000000000

mfts() {
	in_fabric dump_fts -M | grep -v "^Multicast mlids"
}

# A sweep, and those that it asks for. `said` is what the log says meanwhile.
sweep() {
	local from
	from=$(($(wc -l <"$sm_log") + 1))
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
	wait_for 60 settled "$from" || fail "$what: OpenSM does not come up"
	kill -0 "$(cat "$fabric_dir/sm.pid")" || fail "$what: OpenSM is dead"
	said=$(tail -n +"$from" "$sm_log")
}

settled() { # FROM
	tail -n +"$1" "$sm_log" | awk '
		/SUBNET UP/ { up++ }
		/odonata: .*sweeping again/ { asked++ }
		END { exit up <= asked }'
}

whole() {
	by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" && by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl.start"
}

outcome() { # SAID: what became of it
	case $said in
	*"odonata: declined"*) echo declined ;;
	*"odonata: no new routes"*) echo kept ;;
	*"odonata: no multicast"* | *"multicast is left to OpenSM"*) echo "no group" ;;
	*"odonata: no state file"* | *"is not judged"* | *"no hop matrices"*) echo told ;;
	*) echo unseen ;;
	esac
}

declare -A seen=()
fails() { # WHAT FAILS
	what="allocation $*"
	allocations_fail "$@"
	sweep
	now=$(outcome)
	seen[$now]=$((${seen[$now]:-0} + 1))
	if [ "$now" = declined ]; then
		[ $# -gt 1 ] || fail "$what: declined for want of one allocation"
		grep -q "minhop tables configured" <<<"$said" || fail "$what: declined, and nobody routed"
		grep -q "odonata: declined.*memory" <<<"$said" || fail "$what: declined for another reason"
	else
		whole || fail "$what: $now, and other tables are in the switches"
	fi
	[ "$now" != unseen ] || [ "$(mfts)" = "$groups" ] ||
		fail "$what: the group is another, and nothing is said: $(diff <(mfts) - <<<"$groups" | head -n 4)"
	if [ "$now" != kept ] || [ $# -gt 1 ]; then # there the sweep that it asked for has been
		allocations_fail $never
		sweep
		[ "$(outcome)" = unseen ] || fail "$what: afterwards: $said"
	fi
	tail -n 20 "$sm_log" | grep "odonata: .* switches" | tail -n 1 | grep -q "proved; .*: sweep [0-9]*$" ||
		fail "$what: not routed anew by the next sweep"
	whole || fail "$what: not made whole by the next sweep"
	[ "$(mfts)" = "$groups" ] || fail "$what: the group is not made whole by the next sweep"
}

"$odonata" generate dragonfly:p=1,a=2,h=2,g=5 --shuffle 4 >"$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start
sm_wait_up 1
expect_routed
for host in $(awk -F'"' '/^Ca[ \t]/ && ++n % 3 == 1 { print $2 }' "$FABRIC/dragonfly.net"); do
	fabric_host=$host in_fabric "$readback" join >/dev/null || fail "$host cannot join"
done
what="no fault"
sweep
by_tool lfts | sort >"$FABRIC/lfts.start"
by_tool sl2vl | sort >"$FABRIC/sl2vl.start"
groups=$(mfts)
grep -q x <<<"$groups" || fail "no group in the switches"
allocations_fail $never
sweep
allocations_fail $never
sweep
read -r total _ <"$ODONATA_FAULT_COUNT"
[ "$total" -gt 100 ] || fail "only $total allocations in a sweep"

# How often each outcome was seen.
tally() {
	for outcome in "${!seen[@]}"; do echo "$outcome ${seen[$outcome]}"; done | sort | paste -sd ';'
}

step=${ODONATA_STEP:-1}
for ((n = ${ODONATA_FROM:-0}; n < total; n += step)); do fails $n; done
echo "$total allocations of a sweep, each ${step}th alone: $(tally)"
[ -n "${ODONATA_FROM:-}" ] || { [ "${seen[kept]:-0}" -gt 0 ] && [ "${seen[no group]:-0}" -gt 0 ]; } ||
	fail "too little was hit"
seen=()
for ((n = ${ODONATA_FROM:-0}; n < total; n += 7 * step)); do fails $n on; done
echo "with all after it, each $((7 * step))th: $(tally)"
[ "${seen[declined]:-0}" -gt 0 ] || fail "too little was declined"
