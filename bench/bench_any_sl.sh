#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What it costs to be safe whatever SL an application uses (--sls 1, max_sls=1 in the plugin): engine, VLs and
# static bounds of each topology, with as many SLs as the engine takes and with one.
#
#   bench/bench_any_sl.sh BUILD [SPEC...] >docs/results/routing/any-sl.csv
#   bench/bench_any_sl.sh --table docs/results/routing/any-sl.csv    for docs/guide/path-sls.md
set -euo pipefail
if [ "$1" = --table ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | as many SLs as needed | VLs, SLs | uniform, shift | with one SL | uniform, shift |"
			print "|---|---|---|---|---|---|" }
		/^"/ {
			split($3, v, ",")
			loads = sprintf("%.3g, %.3g", v[6], v[7])
			if (v[2] > 1) first = sprintf("| `%s` | %d, %d | %s", v[3], v[4], v[5], loads)
			else printf "| `%s` %s | `%s` | %s |\n", $2, first, v[3], loads
		}' "$2"
fi
odonata=$(realpath "$1")/cli/odonata
here=$(dirname "$0")
shift
[ $# -gt 0 ] || set -- flatfly:k=8x8,c=8 hypercube:n=8,c=2 mesh:k=6x6x6,c=2 torus:k=6x6x6,c=2 torus:k=8x8,c=2 \
	dragonfly:p=4,a=8,h=4 slimfly:q=9,c=4 slimfly-flatfly:q=5,k=4,c=2 fattree:k=12,levels=3 \
	dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 random:n=128,d=8,c=4 \
	"flatfly:k=8x8,c=8 --damage 3%,2%,1" "hypercube:n=8,c=2 --damage 3%,2%,1" \
	"dragonfly:p=4,a=8,h=4 --damage 3%,2%,1" "slimfly:q=9,c=4 --damage 3%,2%,1" \
	"fattree:k=12,levels=3 --damage 3%,2%,1"
echo "# bench/bench_any_sl.sh BUILD; $(date +%F), commit $(git -C "$here" describe --always --dirty)"
echo "fabric,sls allowed,engine,vls,sls,uniform,worst shift"
for spec; do
	for sls in 16 1; do
		# shellcheck disable=SC2086 # a spec and its damage
		"$odonata" analyze $spec --sls $sls --bounds=1 | awk -v spec="$spec" -v allowed=$sls '
			$1 == "engine" || $1 == "vls" || $1 == "sls" { v[$1] = $2 }
			$1 == "uniform" { v[$1] = $NF }
			/^ *worst shift/ { v["shift"] = $NF }
			END { printf "\"%s\",%d,%s,%s,%s,%s,%s\n", spec, allowed, v["engine"], v["vls"], v["sls"],
				v["uniform"], v["shift"] }'
	done
done
