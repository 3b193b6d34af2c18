#!/usr/bin/env bash
# Damaged fabrics by the engine of their kind as it is named, by what is chosen automatically and by layered:
# static bound of uniform traffic, VLs, mean hops, what the SL depends on. To standard output:
#   bench_detours.sh BUILD >docs/results/routing/detours.csv
set -euo pipefail
odonata=$1/cli/odonata
commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "# bench/bench_detours.sh BUILD; commit $commit, $(date +%F)"
echo "# Damage is 5 % of switches and 2 % of cables. \"chosen\" is what no --engine gives."
echo "fabric,seed,engine,chosen,uniform,vls,mean hops,sl depends on"
for spec in flatfly:k=4x4x4,c=4 hypercube:n=6,c=4 dragonfly:p=4,a=8,h=4 dragonfly:p=2,a=4,h=2 torus:k=6x6x6,c=2; do
	for seed in 1 2 3 4 5; do
		"$odonata" generate $spec --damage 5%,2%,$seed >"$work/fabric.net"
		kind=${spec%%:*}
		own=$kind
		[ $kind = dragonfly ] || [ $kind = torus ] || own=dor
		for engine in $own layered ""; do
			"$odonata" analyze "$work/fabric.net" ${engine:+-e $engine} |
				awk -v row="\"$spec\",$seed" -v chosen=${engine:+no} '
					/^engine / { engine = $2 }
					/^vls / { vls = $2 }
					/^sl depends on / { sl = $0; sub(/^sl depends on +/, "", sl) }
					/^saturation at most / { uniform = $4 }
					/^mean hops / { hops = $3 }
					END { print row "," engine "," (chosen ? chosen : "yes") "," \
						sprintf("%.3f,%d,%.3f,", uniform, vls, hops) sl }'
		done
	done
done
