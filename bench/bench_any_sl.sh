#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What it costs to be safe whatever SL an application uses (--sls 1, max_sls=1 in the plugin): engine, VLs and
# static bounds of each topology, with as many SLs as the engine takes and with one.
#
#   bench/bench_any_sl.sh BUILD [SPEC...] >docs/results/routing/any-sl.csv
set -euo pipefail
odonata=$(realpath "$1")/cli/odonata
here=$(dirname "$0")
shift
[ $# -gt 0 ] || set -- flatfly:k=8x8,c=8 hypercube:n=8,c=2 mesh:k=6x6x6,c=2 torus:k=6x6x6,c=2 torus:k=8x8,c=2 \
	dragonfly:p=4,a=8,h=4 slimfly:q=9,c=4 slimfly-flatfly:q=5,k=4,c=2 fattree:k=12,levels=3 \
	dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 random:n=128,d=8,c=4
echo "# bench/bench_any_sl.sh BUILD; $(date +%F), commit $(git -C "$here" describe --always --dirty)"
echo "fabric,sls allowed,engine,vls,sls,uniform,worst shift"
for spec; do
	for sls in 16 1; do
		"$odonata" analyze "$spec" --sls $sls --bounds=1 | awk -v spec="$spec" -v allowed=$sls '
			$1 == "engine" || $1 == "vls" || $1 == "sls" { v[$1] = $2 }
			$1 == "uniform" { v[$1] = $NF }
			/^ *worst shift/ { v["shift"] = $NF }
			END { printf "\"%s\",%d,%s,%s,%s,%s,%s\n", spec, allowed, v["engine"], v["vls"], v["sls"],
				v["uniform"], v["shift"] }'
	done
done
