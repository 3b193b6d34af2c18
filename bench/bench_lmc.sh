#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What several LIDs for each host are worth where they lead different ways (--spread-lids): static bounds.
#
#   bench/bench_lmc.sh BUILD >docs/results/routing/lmc.csv
#   bench/bench_lmc.sh --table docs/results/routing/lmc.csv    for docs/guide/path-sls.md
set -euo pipefail
if [ "$1" = --table ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | LMC | LIDs | engine | uniform | adversarial (`advg:n=1`) |"
			print "|---|---|---|---|---|---|" }
		/^"/ {
			split($3, v, ","); split($5, most, ",")
			key = $2 "," v[2]
			if ($4 == "uniform") uniform[key] = most[2]
			else printf "| `%s` | %d | %d | `%s` | %.3f | %.3f |\n", $2, v[2], 2 ^ v[2], v[3],
				uniform[key], most[2]
		}' "$2"
fi
odonata=$(realpath "$1")/cli/odonata
echo "# bench/bench_lmc.sh BUILD; $(date +%F), commit $(git -C "$(dirname "$0")" describe --always --dirty)"
echo "fabric,lmc,engine,vls,sls,pattern,saturation at most"
rows() { # SPEC PATTERN...
	local spec=$1 pattern lmc
	shift
	for pattern; do
		for lmc in 0 1 2 3; do
			"$odonata" analyze "$spec" --lmc $lmc --spread-lids --pattern "$pattern" --bisections 0 --worst 0 |
				awk -v spec="$spec" -v lmc=$lmc -v pattern="$pattern" '
				$1 == "engine" || $1 == "vls" || $1 == "sls" { v[$1] = $2 }
				/^saturation at most/ { v["most"] = $NF }
				END { printf "\"%s\",%d,%s,%s,%s,\"%s\",%s\n", spec, lmc, v["engine"], v["vls"], v["sls"],
					pattern, v["most"] }'
		done
	done
}
rows dragonfly:p=4,a=8,h=4 uniform advg:n=1
rows dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 uniform advg:n=1
