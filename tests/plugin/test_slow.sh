#!/usr/bin/env bash
# A cable that runs slower than the others is named in OpenSM's log, and the engine routes all the same.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate flatfly:k=3x3,c=2 |
	sed '/"S0_0"\[3\]/s/4xQDR/1xSDR/; /"S1_0"\[3\]/s/4xQDR/1xSDR/' >"$FABRIC/slow.net"
fabric_start slow "$FABRIC/slow.net"
sm_start
sm_wait_up 1
expect_routed
grep 'odonata: .* flatfly, 1 faults; engine dor' "$sm_log" || fail "not routed as it is"
grep 'odonata: 1 slow cables, the slowest from "S0_0" port 3 to "S1_0" port 3: it runs at 1xSDR, usual is 4xQDR' \
	"$sm_log" || fail "the cable is not named"
sm_stop
