#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A live subnet in which two ports have the same LID is mapped with a warning, every verdict names the repair,
# and nothing is installed in it unless told.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

"$odonata" generate flatfly:k=3,c=2 -o "$FABRIC/net" || fail generate
fabric_start twice "$FABRIC/net"
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
sm_stop
answer=$FABRIC/answer
live() { # COMMAND...
	in_fabric "$odonata" "$@" </dev/null >"$answer" 2>&1
}
says() {
	grep -qE "$1" "$answer" || fail "not said: $1: $(cat "$answer")"
}
live map live || fail "$(cat "$answer")"
grep -q warning "$answer" && fail "a sound subnet is repaired: $(cat "$answer")"

lid=$("$odonata" map "$FABRIC/net" --json >/dev/null; in_fabric "$odonata" generate live --format ibnetdiscover |
	sed -n 's/.*"H2_1" lid \([0-9]*\) .*/\1/p' | head -n 1)
[ -n "$lid" ] || fail "H2_1 has no LID"
console "Baselid \"H1_0\"[1] $lid 0"
twice() {
	live map live && grep -q 'warning: live: gave another LID' "$answer"
}
wait_for 20 twice || fail "a double LID is not named: $(cat "$answer")"
says '^topology  *flatfly'
live verify live --engine updown
says "gave another LID where two ends have the same .*LID $lid of \"H[12]_[01]\" and .*yes"
live install live --yes --keep "$FABRIC/kept" && fail "installed"
says 'expected a subnet without contradictions'
[ -e "$FABRIC/kept" ] && fail "something was written"
# Told, it goes on, as far as the next check: the LID that was made up is on no port.
live install live --yes --keep "$FABRIC/kept" --accept-repairs && fail "installed for a LID that no port has"
says 'has LID '
[ -e "$FABRIC/kept" ] && fail "something was written"
echo "a subnet that contradicts itself is mapped, and nothing is installed in it unless told"
