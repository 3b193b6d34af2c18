#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The subnet manager dies. LFTs, SL2VL tables and counters can be read all the same: what they say of every SL
# is answered, and what hangs on the SLs of paths is incomplete.
export ODONATA_BUILD=$1
. "$(dirname "$0")/../plugin/fabric.sh"
odonata=$ODONATA_BUILD/cli/odonata
said=$FABRIC/said

live() { # COMMAND ARGUMENT...: into $said
	local command=$1
	shift
	in_fabric "$odonata" "$command" live "$@" >"$said" 2>"$said.err"
}
expect_line() { # REGEX
	grep -qE "$1" "$said" || fail "expected $1: $(cat "$said" "$said.err")"
}

"$odonata" generate dragonfly:p=2,a=4,h=2 --damage 0,5,11 --shuffle 11 -o "$FABRIC/hurt.net" || fail generate
fabric_start hurt "$FABRIC/hurt.net"
sm_start
sm_wait_up 1
expect_routed
live verify || fail "not safe while the manager runs: $(cat "$said" "$said.err")"
kill -9 "$(cat "$fabric_dir/sm.pid")"
sleep 0.5

live verify && fail "safe, though no SL is known"
expect_line "^tables  *installed on the subnet; no subnet manager answers"
expect_line "^safe  *incomplete"
expect_line "^scope  *[0-9]+ of [0-9]+ pairs .*SL 0 guessed for all paths"
expect_line "^safe with any one sl  *no"
expect_line "^sls safe for all  *none"
expect_line "^delivers  *yes"
live compare --permutations 2 || fail "compare: $(cat "$said.err")"
expect_line "^  installed  *incomplete"
# A file of guessed SLs would be installed somewhere, and packets emulated on them deadlock where real ones do not.
for command in "export -f psl" "export -f json" "emulate --load 0.1 --cycles 100"; do
	live $command
	[ $? = 5 ] || fail "$command: expected exit code 5: $(cat "$said" "$said.err")"
	grep -q "no subnet manager answers: expected the SL of each path" "$said.err" || fail "$command: $(cat "$said.err")"
done
live export -f lfts || fail "export -f lfts: $(cat "$said.err")"
live analyze --counters || fail "analyze --counters: $(cat "$said.err")"
expect_line "^counters"
[ "$(grep -c ' 0x0d0a' "$said")" -gt 10 ] || fail "no counters: $(cat "$said")"
