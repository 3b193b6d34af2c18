#!/usr/bin/env bash
# Odd fabrics come up: tables complete, and equal to what our core makes of them on its own.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

up() { # NAME [CONFIGURATION...]: the net on standard input comes up, with our tables
	local name=$1
	shift
	cat >"$FABRIC/$name.net"
	fabric_start "$name" "$FABRIC/$name.net"
	sm_start "$@"
	sm_wait_up 1
	expect_routed
	expect_tables
	echo "$name: $summary"
	same_lfts
	[ -n "${no_judge:-}" ] || judge
}

up plain < <(complete 4 "" S0 S0 S1 S2 S3)
up switch-without-hosts < <(complete 4 "" S0 S0 S1 S2)
up single-switch < <(complete 1 "" S0 S0 S0)

# A host with two ports is two ends, each with its own LID, on two switches.
extra='S0 [4]	"D"[1]
S2 [4]	"D"[2]'
up two-ports < <(complete 4 "" S0 S1 S2 S3
		 printf 'Ca\t2 "D"\t\t# "D"\n[1]\t"S0"[4]\n[2]\t"S2"[4]\n')
grep -q "4 switches, 6 hosts" "$sm_log" || fail "two ports are not two hosts"
extra=

# ibdmchk misses the LIDs that an LMC makes it expect of every node: it cannot judge these.
no_judge=1
up lmc "lmc 1" < <(complete 4 "" S0 S0 S1 S2 S3)
port0="enhanced port 0"
up enhanced-port-0 "lmc 1" "lmc_esp0 TRUE" < <(complete 4 "" S0 S1 S2 S3)
port0=
no_judge=

# Only the half with the manager in it is there for OpenSM.
up two-halves < <(complete 4 A S0 S1 S2 S3
		  complete 4 B S0 S1 S2 S3)
grep -q "4 switches, 4 hosts" "$sm_log" || fail "the other half was seen"

# Halves that part while it runs: the same, once the trap has arrived.
up halves-that-part < <(complete 2 "" S0 S0 S1)
console 'Unlink "S0"[6]'
sm_wait_up 2
grep -q "1 switches, 2 hosts" "$sm_log" || fail "did not see the halves part"
console 'Relink "S0"[6]'
sm_wait_up 3
expect_tables
same_lfts
