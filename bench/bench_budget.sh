#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Time of mapping where it was not bounded: a few wrong cables in large fabrics.
#
#   bench/bench_budget.sh BUILD
#
# Seconds of processor time, making the fabric included; CSV to stdout. Graphs that are nothing are in
# tests/mapping/test_budget.c, too.
set -euo pipefail
odonata=${1:?expected a build folder}/cli/odonata
TIMEFORMAT=%U

# seconds SPEC OPTION...
seconds() {
	{ time "$odonata" map "$@" >/dev/null 2>&1; } 2>&1
}

echo "# bench/bench_budget.sh, $(date -u +%F), commit $(git rev-parse --short HEAD)"
echo "fabric,options,found,seconds"
while read -r spec options; do
	# shellcheck disable=SC2086
	found=$({ "$odonata" map "$spec" $options || [ $? = 1 ]; } | awk '$1 == "topology" { kind = $2 }
		/gave up looking further/ { kind = kind ", gave up" } END { print kind }')
	# shellcheck disable=SC2086
	echo "$spec,\"$options\",\"$found\",$(seconds "$spec" $options)"
done <<'END'
flatfly:k=24x24x24,c=0 --shuffle 1
flatfly:k=24x24x24,c=0 --shuffle 1 --miscable 0.1%,9001
flatfly:k=24x24x24,c=0 --shuffle 1 --miscable 0.1%,9002
flatfly:k=32x32x32,c=0 --shuffle 1
flatfly:k=32x32x32,c=0 --shuffle 1 --miscable 0.1%,9001
flatfly:k=32x32x32,c=0 --shuffle 1 --miscable 0.1%,9002
slimfly:q=32,c=0 --shuffle 1 --miscable 20%,1
random:n=2048,d=60,c=0,seed=2 --shuffle 2
END
