#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# All switches answer when an installation asks whether to go on, and none when it begins. It gives up, and says
# what it could not put back; it does not ask for each of thousands of tables, which takes seconds where no answer
# is a timeout. (ibsim fails at once.)
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

"$odonata" generate dragonfly:p=2,a=4,h=2 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
sm_stop

mkfifo "$FABRIC/answers"
exec_in_fabric "$odonata" install live --keep "$FABRIC/kept" <"$FABRIC/answers" >"$FABRIC/answer" 2>"$FABRIC/error" &
installer=$!
exec {to}>"$FABRIC/answers"
wait_for 60 grep -q 'Continue?' "$FABRIC/error" || fail "it does not ask: $(cat "$FABRIC/error")"
for name in $(awk -F'"' '/^Switch/ { print $2 }' "$FABRIC/dragonfly.net"); do console_done "Error \"$name\" 100"; done
echo y >&$to
exec {to}>&-
found=0
wait "$installer" || found=$?
[ $found = 5 ] || fail "expected exit code 5, found $found: $(cat "$FABRIC/answer" "$FABRIC/error")"
grep -qE 'the subnet does not answer any more: ([1-9][0-9]*) of \1 tables that were written could not be put back' \
	"$FABRIC/error" || fail "$(cat "$FABRIC/error")"
echo "an installation ends where nobody answers any more"
