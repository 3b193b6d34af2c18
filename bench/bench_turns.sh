#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# VLs by turn (--sls any) beside path SLs (--sls 16): bounds of whole and damaged fabrics on 2, 4 and 8 VLs. Rows
# that the file already has are kept, so a run that was stopped goes on.
#
#   bench/bench_turns.sh BUILD docs/results/routing/turns.csv [SPEC...]
set -euo pipefail
odonata=$(realpath "$1")/cli/odonata
file=$2
shift 2
[ $# -gt 0 ] || set -- torus:k=6x6,c=2 torus:k=6x6x6,c=2 torus:k=8x8,c=2 flatfly:k=4x4x4,c=4 hypercube:n=6,c=2 \
	mesh:k=6x6,c=2 slimfly:q=7,c=4 dragonfly:p=2,a=4,h=2 random:n=64,d=8,c=4
[ -s "$file" ] || echo "fabric,damage,vls allowed,sls allowed,engine,vls,uniform,permutations,worst shift,seconds" >"$file"
for spec; do
	for damage in 0 1% 2% 5% 10%; do
		for run in "8 16" "2 any" "4 any" "8 any"; do
			read -r vls sls <<<"$run"
			grep -qF "\"$spec\",$damage,$vls,$sls," "$file" && continue
			start=$(date +%s%N)
			"$odonata" analyze "$spec" --damage "$damage,$damage,1" --vls "$vls" --sls "$sls" --bounds=100 |
				awk -v row="\"$spec\",$damage,$vls,$sls" -v start="$start" '
				$1 == "engine" || $1 == "vls" { v[$1] = $2 }
				$1 == "uniform" { v[$1] = $NF }
				/permutation/ && !("p" in v) { v["p"] = $NF }
				/^ *worst shift/ { v["shift"] = $NF }
				END { "date +%s%N" | getline now
					printf "%s,%s,%s,%s,%s,%s,%.2f\n", row, v["engine"], v["vls"], v["uniform"],
						v["p"], v["shift"], (now - start) / 1e9 }' >>"$file"
		done
	done
done
