#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is chosen on some 600 damaged fabrics of all kinds, of 16 to 1,024 switches: how often each rival wins.
#
#   bench/bench_choice.sh BUILD >docs/results/routing/choice.csv     ten minutes of processor time
#   bench/bench_choice.sh --count docs/results/routing/choice.csv
set -euo pipefail
if [ "$1" = --count ]; then
	exec awk -F'"' '/^"/ {
		split($3, f, ",")
		how = f[6] (f[7] == "yes" ? ", shorter detours" : "") (f[8] == "yes" ? ", relieved" : "")
		count[f[5] == "unknown" ? f[5] ": " f[6] : how]++
	} END { for (how in count) print count[how], how | "sort -rn" }' "$2"
fi
choice=$1/bench/bench_choice
echo "# bench/bench_choice.sh BUILD, $(date -u +%F), commit $(git -C "$(dirname "$0")" rev-parse --short HEAD)"
echo "# bounds: of uniform traffic, and the harmonic mean of four shifts; ms of processor time, shared machine"
echo "fabric,switches,links,seed,kind,engine,detours anew,relieved,vls,uniform,shifts,other,other uniform,other shifts,ms"
for damage in "0 0.02" "0.03 0.02" "0.05 0.02" "0.1 0.05" "0 0.1" "0.2 0.1"; do
	for spec in flatfly:k=4x4,c=4 flatfly:k=8x8,c=8 flatfly:k=4x4x4,c=4 flatfly:k=3x5x7,c=3 hypercube:n=4,c=2 \
		hypercube:n=6,c=4 dragonfly:p=2,a=4,h=2 dragonfly:p=2,a=4,h=2,g=5 dragonfly:p=3,a=6,h=3 \
		dragonfly:p=4,a=8,h=4 torus:k=6x6,c=2 torus:k=5x5x5,c=2 torus:k=6x6x6,c=2 torus:k=4x4x4x4,c=2 \
		mesh:k=6x6,c=2 mesh:k=8x8,c=1 mesh:k=4x4x4,c=2 slimfly:q=5,c=3 slimfly:q=7,c=4 \
		slimfly-flatfly:q=4,k=3,c=2 fattree:k=16,levels=2 fattree:k=8,levels=3 \
		dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9; do
		# shellcheck disable=SC2086
		"$choice" $spec $damage 1 4
	done
done
for damage in "0 0.02" "0.05 0.02" "0.1 0.05"; do
	for spec in flatfly:k=8x8x8,c=4 flatfly:k=16x16,c=16 hypercube:n=9,c=4 hypercube:n=10,c=4 \
		dragonfly:p=4,a=16,h=4 dragonfly:p=5,a=10,h=5 torus:k=8x8x8,c=4 torus:k=10x10x10,c=2 \
		mesh:k=8x8x8,c=4 slimfly:q=13,c=9 slimfly:q=17,c=6; do
		# shellcheck disable=SC2086
		"$choice" $spec $damage 1 2
	done
done
