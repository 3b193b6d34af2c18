#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Multicast tables of a live subnet: trees that the real OpenSM installed in the real ibsim are found to
# be trees, and each way of spoiling one is told, with the port.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

set_ports=$ODONATA_BUILD/tests/live_tool_set
answer=$FABRIC/answer
verify() { # CODE PATTERN...: each is said
	local code=$1 found=0
	shift
	in_fabric "$odonata" verify live >"$answer" 2>"$answer.err" || found=$?
	[ $found = "$code" ] || fail "verify: expected exit code $code, found $found: $(cat "$answer" "$answer.err")"
	for pattern; do
		grep -qE "$pattern" "$answer" || fail "not said: $pattern: $(cat "$answer")"
	done
}
spoil() { # SWITCH PORTS
	in_fabric "$set_ports" "$1" "$mlid" "$2" >/dev/null 2>&1 || fail "cannot set multicast ports of $1"
}
spoilt() { # SWITCH PORTS PATTERN...
	local switch=$1 ports=$2
	shift 2
	spoil "$switch" "$ports"
	verify 1 '^safe +no$' '^multicast trees +no$' "$@"
	spoil "$switch" "$ports"
}

# Four switches in a ring: port 1 to the host, 2 to the next switch, 3 to the one before.
for i in 0 1 2 3; do
	printf 'Switch\t4 "s%d"\t\t# "s%d" base port 0 lid 0 lmc 0\n' $i $i
	printf '[1]\t"h%d"[1]\t\t# lid 0 4xQDR\n' $i
	printf '[2]\t"s%d"[3]\t\t# lid 0 4xQDR\n' $(((i + 1) % 4))
	printf '[3]\t"s%d"[2]\t\t# lid 0 4xQDR\n\n' $(((i + 3) % 4))
	printf 'Ca\t1 "h%d"\t\t# "h%d"\n[1]\t"s%d"[1]\t\t# lid 0 lmc 0 "s%d" lid 0 4xQDR\n\n' $i $i $i $i
done >"$FABRIC/ring.net"
fabric_start ring "$FABRIC/ring.net"
# No sweep of its own: on a slow machine it would mend in the midst what this test spoils.
sm_start "max_op_vls 1" "sweep_interval 0"
sm_wait_up 1
verify 0 '^safe +yes$' '^multicast groups +0$'
for host in h0 h1 h2; do
	mlid=$(fabric_host=$host in_fabric "$readback" join) || fail "$host cannot join"
done
ports() { # SWITCH
	in_fabric "$set_ports" "$1" "$mlid" 2>/dev/null
}
all_in() {
	[ $(($(ports s0) & $(ports s1) & $(ports s2) & 2)) = 2 ]
}
wait_for 20 all_in || fail "the group does not come"
verify 0 '^safe +yes$' '^multicast trees +yes$' '^multicast members +asked of the subnet manager$'

# A member to which its switch does not send: only the subnet manager knows of it.
spoilt s1 0x2 'port 1 of "s1" .*does not send to the member there'
[ "$(ports s0) $(ports s1) $(ports s2) $(ports s3)" = "0x0006 0x000e 0x000a 0x0000" ] ||
	fail "not the tree that this test is about: $(ports s0) $(ports s1) $(ports s2) $(ports s3)"
spoilt s3 0x4 'port 2 of "s3" .*leads to a switch that does not send back'
spoil s2 0x4 # on to s3, and on to s0: the ring is closed
spoil s3 0xc
spoilt s0 0x8 'port . of "s[0-3]" .*closes a loop'
spoil s3 0xc
spoil s2 0x4
spoil s1 0x4 # s2 is alone
spoilt s2 0x8 'port 1 of "s2" .*has a member that is cut off'
spoil s1 0x4
verify 0 '^safe +yes$'

console 'Error "s2" 100 27'
verify 1 '^safe +incomplete$' '^  multicast table +s2 '
console 'Error "s2" 0 27'
# One that only sends is in the tree. It may be sent to, and misses nothing without.
fabric_host=h3 in_fabric "$readback" join 4 >/dev/null || fail "h3 cannot join"
sender_in() { [ $(($(ports s3))) != 0 ]; }
wait_for 20 sender_in || fail "the sender's switch is not in the tree"
[ $(($(ports s3) & 2)) = 0 ] || spoil s3 2
verify 0 '^safe +yes$' '^multicast members +asked of the subnet manager$'
spoilt s3 "$(ports s3)" 'leads to a switch that does not send back'

# Without a subnet manager nobody knows of members who are not sent to.
sm_stop
verify 0 '^safe +yes$' '^multicast members +all ports that entries name$'
spoil s1 0x2
verify 0 '^safe +yes$'
echo "multicast trees are read, and what is none is told"
