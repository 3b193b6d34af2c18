#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Nodes that want an M_Key answer nobody without it. With it they are read and written.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

"$odonata" generate dragonfly:p=1,a=3,h=2 -o "$FABRIC/net" || fail generate
fabric_start locked "$FABRIC/net"
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
fabric_preload="$fabric_preload $ODONATA_BUILD/tests/live_locked.so"
answer=$FABRIC/answer
echo 4660 >"$FABRIC/key" # 0x1234
live() { # COMMAND...
	in_fabric "$odonata" "$@" </dev/null >"$answer" 2>&1
}
live map live && fail "read without the key: $(cat "$answer")"
live map live --m_key 0x1235 && fail "read with another key: $(cat "$answer")"
live verify live --m_key 0x1234 || grep -q '^safe  *no' "$answer" || fail "not read: $(cat "$answer")"
grep -q '^tables  *installed on the subnet$' "$answer" || fail "not all was read: $(cat "$answer")"
live map live --m_key "$FABRIC/key" || fail "$(cat "$answer")"
grep -q '^topology  *dragonfly' "$answer" || fail "$(cat "$answer")"
sm_stop

live install live --yes --keep "$FABRIC/kept" && fail "written without the key"
live install live --yes --keep "$FABRIC/kept" --m_key 0x1234 || fail "not written: $(cat "$answer")"
grep -q '^done  *installed' "$answer" || fail "$(cat "$answer")"
live verify live --m_key 0x1234 || fail "not safe: $(cat "$answer")"
live install live --yes --restore "$FABRIC/kept" --m_key "$FABRIC/key" || fail "not restored: $(cat "$answer")"
echo "nodes with an M_Key are read and written with it, and not without"
