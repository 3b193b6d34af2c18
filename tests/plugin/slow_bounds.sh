#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bench_bounds works, and memory of the plugin does not grow over 300 sweeps: at least once in the last hundred it
# is below the most of sweeps 51 to 150. A hundred bytes that each sweep leaves are found, more or less.
#
#   tests/plugin/slow_bounds.sh BUILD
set -u
cmake --build "$1" --target bench_bounds >/dev/null || { echo "bench_bounds cannot be built"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1/bench/bench_bounds" dragonfly:p=1,a=3,h=2 300 "$folder" >"$folder/csv" || { echo "bench_bounds failed"; exit 1; }
awk -F, '
	/^[0-9]/ { n++ }
	$1 > 50 && $1 <= 150 && $3 > most { most = $3 }
	$1 > 200 && (least == "" || $3 < least) { least = $3 }
	END {
		print "most of sweeps 51 to 150: " most " MB; least of the last hundred: " least " MB"
		exit n != 300 || most <= 0 || least <= 0 || least + 0 >= most
	}' "$folder/csv" || { echo "memory of the plugin grows, or figures are missing"; exit 1; }
