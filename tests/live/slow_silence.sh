#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The subnet is there when an installation asks whether to go on, and gone when it begins. It ends, and says what it
# could not put back; it does not wait a second for each of thousands of tables.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

"$odonata" generate dragonfly:p=2,a=6,h=3 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
sm_stop

mkfifo "$FABRIC/answers"
exec_in_fabric "$odonata" install live --keep "$FABRIC/kept" <"$FABRIC/answers" >"$FABRIC/answer" 2>"$FABRIC/error" &
installer=$!
exec {to}>"$FABRIC/answers"
wait_for 60 grep -q 'Go on?' "$FABRIC/error" || fail "it does not ask: $(cat "$FABRIC/error")"
kill -STOP "$(cat "$fabric_dir/ibsim.pid")"
start=$SECONDS
echo y >&$to
exec {to}>&-
found=0
wait "$installer" || found=$?
kill -CONT "$(cat "$fabric_dir/ibsim.pid")"
[ $found = 5 ] || fail "expected exit code 5, found $found: $(cat "$FABRIC/answer" "$FABRIC/error")"
grep -qE 'the subnet does not answer any more: ([1-9][0-9]*) of \1 tables that were written could not be put back' \
	"$FABRIC/error" || fail "$(cat "$FABRIC/error")"
tables=$(grep -oE '^[0-9,]+ tables' "$FABRIC/error" | head -n 1)
echo "ended after $((SECONDS - start)) s of silence${tables:+; $tables to write}"
