#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Ctrl-C in the midst of many loads: those that were done are kept, as text and as JSON.
set -u
export PATH=$1/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	tail -n 5 said out 2>/dev/null
	exit 1
}

# A shell starts what runs in the background with SIGINT ignored: env takes that back. All loads together
# take minutes. JSON is written at the end alone: there twice the processor time of the first text is given.
used() { cut -d' ' -f14 /proc/"$1"/stat 2>/dev/null || echo 1000000; } # PID: processor time
interrupt() { # [OPTION]: after the first loads
	env --default-signal=INT odonata emulate flatfly:k=8x8,c=8 --load 0.01:0.99:0.004 --cycles 10000 --threads 1 "$@" \
		>out 2>said &
	local pid=$!
	if [ $# -eq 0 ]; then
		until grep -q 'done$' out || ! kill -0 $pid; do sleep 0.2; done
		took=$(used $pid)
	else
		until [ "$(used $pid)" -gt $((2 * took)) ]; do sleep 0.2; done
	fi
	kill -INT $pid
	wait $pid
	code=$?
	[ $code = 130 ] || fail "exit code $code with '$*'"
	done=$(sed -n 's/^odonata: interrupted: \([0-9]*\) of [0-9]* loads are done$/\1/p' said)
	[ -n "$done" ] && [ "$done" -gt 0 ] && [ "$done" -lt 240 ] || fail "interrupted: '$done' loads"
}

interrupt
[ "$(grep -c 'done$' out)" = "$done" ] || fail "not $done rows"
interrupt --json
python3 - out "$done" <<'END' || fail "not $done points"
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["interrupted"] is True and len(answer["points"]) == int(sys.argv[2]), answer.keys()
END
echo "what Ctrl-C leaves is whole"
