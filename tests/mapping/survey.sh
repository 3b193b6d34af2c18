#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How often mapping is right against damage and miscabling, for docs/results/mapping.
#
#   tests/mapping/survey.sh BUILD [OUT [FILE]]
#
# Appends to OUT/damage.csv, targets.csv, miscabling.csv, grids.csv and standards.csv (OUT:
# docs/results/mapping)
# the points that they lack, so that it can be stopped and started again, then writes tapered.txt and
# draws damage.svg. With FILE (grids, standards) only that one.
set -e
cd "$(dirname "$0")/../.."
build=$1 out=${2:-docs/results/mapping} only=$3
survey=$build/tests/mapping_tool_survey
[ -x "$survey" ] || { echo "expected a build folder with tests/mapping_tool_survey" >&2; exit 2; }
mkdir -p "$out"
seed=1

# point FILE SPEC SWITCHES LINKS MISCABLED SEEDS
point() {
	local file=$out/$1.csv
	[ -z "$only" ] || [ "$only" = "$1" ] || return 0
	if [ ! -e "$file" ]; then
		{
			echo "# tests/mapping/survey.sh BUILD, $(date -u +%F), commit" \
				"$(git rev-parse --short HEAD); one core, shuffled, seeds from $seed"
			echo "# right: every coordinate and port class; as good: right, or all switches" \
				"placed and all cables fit; told: without what nobody can tell; explained: no more called wrong than" \
				"were moved, kind and groups are true (tool_survey.c)"
			echo "spec,switches,links,miscabled,seeds,right,found,precision,recall,seconds,as good,told precision,told recall,explained"
		} >"$file"
	fi
	grep -q "^\"$2\",$3,$4,$5,$6," "$file" || nice "$survey" "$2" "$3" "$4" "$5" "$seed" "$6" -a >>"$file"
}

# What paper 004, section 2, says it reaches, and beyond.
point targets paper-flatfly 0.20 0.15 0 100
point targets paper-hypercube 0.15 0.10 0 100
point targets paper-dragonfly 0.40 0.10 0 100
point targets paper-flatfly 0.30 0.20 0 100

for spec in paper-flatfly paper-hypercube paper-torus-3d paper-torus-4d paper-dragonfly \
	paper-slimfly-1 paper-slimfly-2 dragonfly:p=1,a=8,h=4 dragonfly:p=1,a=8,h=4,g=17 \
	dragonfly:p=1,a=8,h=4,g=9 dragonfly:p=1,a=12,h=6,g=37 dragonfly:p=1,a=16,h=8,g=65 \
	dragonfly:p=0,a=6x6,h=3,g=57 dragonfly:p=0,a=4x4,h=8,g=128 dragonfly:p=0,a=16,h=8,g=128 \
	dragonfly:p=0,a=16,h=4,g=50 slimfly-flatfly:q=4,k=4 slimfly-flatfly:q=5,k=4 \
	slimfly-flatfly:q=5,k=2 slimfly-flatfly:q=8,k=2 slimfly-flatfly:q=9,k=2 \
	slimfly-flatfly:q=9,k=3 slimfly-flatfly:q=11,k=2 slimfly-flatfly:q=13,k=3 \
	slimfly-flatfly:q=16,k=4 slimfly:q=9 slimfly:q=32; do
	point miscabling $spec 0 0 0.01 20
done

for spec in paper-dragonfly dragonfly:p=0,a=4x4,h=8,g=128; do
	point miscabling $spec 0 0 0.02 20
done

# Ports left over where the arrangement says least of their cables.
for spec in dragonfly:p=4,a=8,h=4,g=28 dragonfly:p=4,a=8,h=4,g=30,arrangement=consecutive \
	dragonfly:p=4,a=8,h=4,g=30,w=2; do
	point miscabling $spec 0 0 0.01 100
done

# Switches missing, and half as large a share of the links left.
kinds="paper-flatfly paper-hypercube paper-torus-3d paper-torus-4d paper-dragonfly
	paper-slimfly-1 paper-slimfly-2 slimfly:q=9 slimfly:q=32 dragonfly:p=0,a=6x6,h=3,g=57
	dragonfly:p=0,a=4x4,h=8,g=128,cables=1 dragonfly:p=0,a=2x3x4,h=2,g=9"
for percent in 05 10 15 20 25 30 35 40 45 50 55; do
	links=$(awk "BEGIN { printf \"%.3f\", $percent / 200 }")
	for spec in $kinds; do
		point damage "$spec" 0.$percent "$links" 0 20
	done
done

# Two dimensions: lost, wrong, and both.
for spec in torus:k=8x8,c=1 torus:k=16x16,c=1 torus:k=12x5,c=1 torus:k=4x16,c=1 torus:k=3x12,c=1 \
	mesh:k=8x8,c=1 mesh:k=16x16,c=1 mesh:k=6x10,c=1; do
	for damage in "0.02 0.01 0" "0.05 0.03 0" "0.1 0.05 0" "0.2 0.05 0" "0 0 0.01" "0.01 0.02 0.01"; do
		# shellcheck disable=SC2086
		point grids "$spec" $damage 100
	done
done

# The same standard for every kind: 10 % of switches and 5 % of links lost, and 1 % of cables wrong.
# Fat trees of 2 to 4 levels: whole width, oversubscribed, with parallel cables, rails.
# Dragonfly+ with one and several cables between two groups. Seeds that no constant was tuned on.
seed=1001
while read -r spec; do
	point standards "$spec" 0.1 0.05 0 100
	point standards "$spec" 0 0 0.01 100
done <<'KINDS'
fattree:k=24,levels=2
fattree:k=16,levels=3
fattree:k=6,levels=4
pgft:m=12x24,w=1x4
pgft:m=12x24,w=1x12,rails=4
pgft:m=12x18,w=1x6,p=1x2
pgft:m=8x6x6,w=1x4x2
pgft:m=4x6x6,w=1x4x4,p=1x2x1
pgft:m=4x4x4x4,w=1x4x2x2
dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=17
dragonfly-plus:p=8,leaves=8,spines=8,h=4,g=9
mesh:k=5x6x4,c=1
mesh:k=8x8x8,c=1
mesh:k=4x4x4x4,c=1
torus:k=5x6x4,c=1
torus:k=8x8x8,c=1
torus:k=5x4x6x3,c=1
hypercube:n=8,c=1
flatfly:k=8x8,c=1
flatfly:k=4x4x4,c=1
dragonfly:p=2,a=4,h=2
dragonfly:p=4,a=8,h=4
dragonfly:p=4,a=8,h=4,g=17
dragonfly:p=4,a=8,h=4,g=30
dragonfly:p=0,a=32,h=16,g=64
slimfly:q=5,c=3
slimfly:q=9,c=3
slimfly-flatfly:q=5,k=4,c=1
KINDS
[ -z "$only" ] || exit 0

# Dragonflies of every arrangement, tapered ones among them: whole, and with 10 % of switches, 5 % of
# links missing.
{
	echo "# tests/mapping/survey.sh BUILD, $(date -u +%F), commit $(git rev-parse --short HEAD)"
	for damage in "0 0" ".1 .05"; do
		echo "# tests/mapping/tool_tapered $damage 1"
		# shellcheck disable=SC2086
		nice "$build/tests/mapping_tool_tapered" $damage 1
	done
} >"$out/tapered.txt"

plot=""
for spec in $kinds; do
	plot+="'< grep \"^.$spec\" $out/damage.csv' using (\$2*100):(100*\$6/\$5)"
	plot+=" with linespoints title '${spec%,cables=1}', "
done
gnuplot <<PLOT
set terminal svg size 900,560 font "sans,14" background "white"
set output "$out/damage.svg"
set datafile separator ","
set title "Mapping against damage, commit $(sed -n '1s/.*commit \([0-9a-f]*\).*/\1/p' "$out/damage.csv")"
set xlabel "% of switches missing, and half as many % of the links left"
set ylabel "% of 20 seeds in which every coordinate and port class is right"
set yrange [-3:103]
set grid
set key outside
plot ${plot%, }
PLOT
