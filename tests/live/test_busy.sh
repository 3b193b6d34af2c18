#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Switches that are busy for half a second are asked again later: all tables are read in the end.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"

"$ODONATA_BUILD/cli/odonata" generate dragonfly:p=2,a=4,h=2 -o "$FABRIC/net" || fail generate
fabric_start busy "$FABRIC/net"
sm_start
sm_wait_up 1
before=$SECONDS
answer=$(fabric_preload="$fabric_preload $ODONATA_BUILD/tests/live_busy.so" \
	in_fabric "$ODONATA_BUILD/cli/odonata" verify live 2>&1) || fail "not read: $answer"
grep -q '^safe  *yes' <<<"$answer" || fail "$answer"
[ $((SECONDS - before)) -lt 40 ] || fail "took $((SECONDS - before)) s"
sm_stop
