#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What each strategy of mapping wins, for docs/design/strategies.md: every fabric below is mapped with
# all of them, and without each that was asked for.
#
#   [ONLY=REGEX] [SEED=N] tests/mapping/strategies.sh BUILD [JOBS]     about an hour of processor time
#
# SEED is added to all seeds: other damage, other wrong cables.
#
# BUILD/strategies.csv gets the fabrics that it lacks, so that it can be stopped and started again.
# Then docs/results/mapping/strategies.csv is made of it, with the lines that each strategy has by
# tests/mapping/strategies.txt.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:?expected a build folder} jobs=${2:-1}
tool=$build/tests/mapping_tool_strategies raw=$build/strategies.csv
out=docs/results/mapping/strategies.csv

# The page's table, of what was found.
if [ "$build" = --table ]; then
	awk -F'|' '/^# name/ { next } /^#/ { print } !/^#/ { print $1 }' tests/mapping/strategies.txt |
		awk -v csv="$out" -v rows=tests/mapping/strategies.txt '
	function seconds(x) { return sprintf("%.1f", x) }
	BEGIN {
		while ((getline line < rows) > 0) { split(line, f, "|"); what[f[1]] = f[4] }
		while ((getline line < csv) > 0) {
			if (line !~ /^"/) continue
			name = substr(line, 2, index(substr(line, 2), "\"") - 1)
			split(substr(line, length(name) + 4), f, ",")
			cell[name] = sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %.1f | %.1f |", name, f[1],
				f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9])
		}
	}
	/^#/ {
		printf "\n### %s\n\n", substr($0, 3)
		print "| strategy | lines | asked | other finding | lost without | won without | missed | accused | s with | s without |"
		print "|---|---|---|---|---|---|---|---|---|---|"
		next
	}
	$0 in cell { print cell[$0] }
	END {
		before = "docs/results/mapping/strategies-before.csv"
		print "\n### Deleted\n"
		print "| strategy | lines | asked | other finding | lost without | won without | missed | accused | s with | s without |"
		print "|---|---|---|---|---|---|---|---|---|---|"
		while ((getline line < before) > 0) {
			name = substr(line, 2, index(substr(line, 2), "\"") - 1)
			if (line !~ /^"/ || name in what)
				continue
			if (split(substr(line, length(name) + 4), f, ",") && f[2])
				printf "| %s | %d | %d | %d | %d | %d | %d | %d | %.1f | %.1f |\n", name, f[1], f[2], f[3], f[4],
				f[5], f[6], f[7], f[8], f[9]
		}
	}'
	exit
fi
[ -x "$tool" ] || { echo "expected $tool" >&2; exit 2; }

# seeds FIRST LAST SPEC SWITCHES LINKS MISCABLED UNBOUGHT
seeds() {
	for ((seed = $1; seed <= $2; seed++)); do
		echo "$3 $4 $5 $6 $7 $((seed + ${SEED:-0}))"
	done
}

whole() {
	for spec in flatfly:k=1,c=3 flatfly:k=2,c=3 flatfly:k=9,c=1 flatfly:k=3x5,l=2x1,c=1 \
		flatfly:k=4x4x4,c=1 flatfly:k=2x8x8,c=1 flatfly:k=2x3x4x5,c=0 hypercube:n=6,l=2,c=1 \
		hypercube:n=2,c=1 torus:k=5,c=1 torus:k=64,l=2,c=1 torus:k=5x6,c=1 torus:k=2x3x5x6,c=1 \
		torus:k=3x5x4,l=1x2x2,c=1 torus:k=16x16,c=0 mesh:k=5x6,c=1 mesh:k=2x3x4x5,c=1 slimfly:q=3,c=1 slimfly:q=4,c=1 slimfly:q=8,c=1 \
		slimfly:q=5,l=2,c=1 slimfly:q=7,c=1 slimfly:q=9,c=1 slimfly:q=41,c=0 \
		slimfly-flatfly:q=4,k=3,c=1 slimfly-flatfly:q=5,k=2x3,c=1 dragonfly:p=2,a=4,h=2 \
		dragonfly:p=2,a=4,h=2,arrangement=circulant dragonfly:p=1,a=8,h=4 dragonfly:p=1,a=8,h=4,g=9 \
		paper-flatfly paper-hypercube paper-torus-4d paper-dragonfly; do
		seeds 1 1 "$spec" 0 0 0 0
	done
	for row in 8x8,c=1:1 8x8,c=1:4 8x8,c=1:6 8x8,c=1:7 6x10,c=1:5 6x10,c=1:9 4x4x4,c=1:8 \
		4x4x4,c=1:13 4x4x4,c=1:15 4x8x8,l=2x1x1,c=0:48 4x8x8,l=2x1x1,c=0:63 3x4x5,c=0:10 \
		3x4x5,c=0:18; do
		seeds 1 2 "flatfly:k=${row%:*}" 0 0 0 "${row#*:}"
	done
	for shape in h=2,g=5 h=4,g=9 h=8,g=17,arrangement=circulant h=6,g=13,arrangement=relative \
		h=16,g=33,arrangement=consecutive h=8,g=9,arrangement=shuffled h=4,g=9,l=2,w=2,arrangement=shuffled; do
		seeds 3 3 "dragonfly:p=0,a=2,$shape" 0 0 0 0
	done
}

damaged() {
	seeds 1 2 paper-flatfly .2 .15 0 0
	seeds 1 2 paper-flatfly .3 .2 0 0
	seeds 1 2 paper-hypercube .15 .1 0 0
	seeds 1 4 paper-dragonfly .4 .1 0 0
	for spec in flatfly:k=8x8,c=0 flatfly:k=4x4x4,c=0 flatfly:k=3x4x5,l=1x2x1,c=0 hypercube:n=7,c=0 \
		torus:k=8x8x8,c=0 mesh:k=8x8x8,c=0 torus:k=12x12,l=2,c=0 torus:k=4x6x5x5,c=0 \
		mesh:k=10x10,c=0 torus:k=5x6x7,c=0 mesh:k=5x6x4,c=0 dragonfly:p=0,a=8,h=4 \
		dragonfly:p=0,a=8,h=4,g=17 slimfly:q=5,c=0 slimfly:q=9,c=0 slimfly:q=11,c=0 \
		slimfly:q=13,c=0 slimfly-flatfly:q=4,k=4,c=0 slimfly-flatfly:q=5,k=3,c=0; do
		for percent in 05 10 20 30 40; do
			seeds 1 2 "$spec" .$percent "$(awk "BEGIN { print $percent / 200 }")" 0 0
		done
	done
	for shape in h=6,g=13,arrangement=shuffled h=8 h=16,arrangement=consecutive; do
		seeds 1 3 "dragonfly:p=0,a=2,$shape" 0 .02 0 0
	done
}

miscabled() {
	for spec in flatfly:k=8x8,c=0 flatfly:k=4x4x4,c=0 hypercube:n=8,c=0 torus:k=8x8x8,c=0 mesh:k=8x8x8,c=0 \
		torus:k=4x6x5x5,c=0 slimfly:q=9,c=0 slimfly-flatfly:q=4,k=4,c=0 slimfly-flatfly:q=5,k=4,c=0 \
		slimfly-flatfly:q=5,k=2,c=0 slimfly-flatfly:q=8,k=2,c=0 slimfly-flatfly:q=9,k=2,c=0 \
		slimfly-flatfly:q=9,k=3,c=0 slimfly-flatfly:q=13,k=3,c=0 paper-dragonfly \
		dragonfly:p=0,a=8,h=4 dragonfly:p=0,a=8,h=4,g=17 dragonfly:p=0,a=8,h=4,g=9 \
		dragonfly:p=0,a=8,h=4,g=17,arrangement=consecutive dragonfly:p=0,a=8,h=4,arrangement=shuffled \
		dragonfly:p=0,a=12,h=6,g=37 dragonfly:p=0,a=4x4,h=3,g=33 dragonfly:p=0,a=4x4,h=4,g=40 \
		dragonfly:p=0,a=16,h=4,g=50; do
		seeds 1 2 "$spec" 0 0 .01 0
		seeds 3 3 "$spec" 0 0 .03 0
		seeds 4 4 "$spec" .05 .02 .01 0
	done
	seeds 1 8 flatfly:k=8x8,c=1 .15 .05 .02 0
	seeds 1 4 flatfly:k=12x12,c=0 .1 .05 .02 0
	seeds 1 2 paper-torus-3d .15 .075 0 0
	for spec in flatfly:k=4x5,c=0 flatfly:k=4x4x2,c=0 hypercube:n=5,c=0 hypercube:n=6,c=0 flatfly:k=6x6,c=0 \
		flatfly:k=2x4x5,c=0 torus:k=5x6,c=0 torus:k=6x7x2,c=0 slimfly-flatfly:q=4,k=4,c=0 dragonfly:p=0,a=8,h=4 \
		dragonfly:p=0,a=6,h=3,g=9 dragonfly:p=0,a=8,h=2,g=9,arrangement=consecutive; do
		seeds 1 4 "$spec" .1 .05 .02 0
		seeds 5 6 "$spec" 0 .02 .04 0
	done
}

# Groups of several dimensions, every arrangement.
tapered() {
	local n=0
	for a in 2x3 2x4 3x3 2x2x3 3x4 2x3x4; do
		for h in 1 2 3 4; do
			for g in 5 9 13 17; do
				case $((n % 5)) in
				0) arrangement=palmtree ;;
				1) arrangement=consecutive ;;
				2) arrangement=relative ;;
				3) arrangement=circulant ;;
				4) arrangement=shuffled ;;
				esac
				spec=dragonfly:p=0,a=$a,h=$h,g=$g,arrangement=$arrangement
				n=$((n + 1))
				"$build/cli/odonata" generate "$spec" >/dev/null 2>&1 || continue
				seeds 1 1 "$spec" 0 0 0 0
				[ $((n % 2)) = 0 ] || seeds 1 1 "$spec" .1 .05 0 0
			done
		done
	done
	for spec in dragonfly:p=0,a=4x4,h=2,g=9 dragonfly:p=0,a=4x4,h=4,g=33 dragonfly:p=0,a=6x6,h=3,g=17; do
		seeds 1 2 "$spec" .1 .05 0 0
		seeds 1 1 "$spec" .2 .1 0 0
	done
	for spec in dragonfly:p=0,a=2x3,h=4,g=4,arrangement=consecutive dragonfly:p=0,a=4x4,h=6,g=5,arrangement=circulant \
		dragonfly:p=0,a=2x2x2,h=5,g=3,arrangement=relative dragonfly:p=0,a=5,h=6,g=6,arrangement=circulant \
		dragonfly:p=0,a=3x3,l=2x3,w=3,h=4,g=9,arrangement=consecutive; do
		seeds 1 1 "$spec" 0 0 0 0
	done
}

unknown() {
	for shape in 18,d=3 14,d=5 16,d=4 20,d=5 27,d=6 36,d=5 50,d=7 64,d=9 72,d=7 128,d=12 162,d=13; do
		for seed in 0 1 2; do
			seeds $seed $seed "random:n=$shape,c=0,seed=$seed" 0 0 0 0
		done
	done
	for shape in 16,d=4 32,d=5 18,d=9; do
		seeds 1 1 "bipartite:n=$shape,c=0,seed=1" 0 0 0 0
	done
}

trees() {
	for spec in fattree:k=4,levels=3 fattree:k=8,levels=3 pgft:m=8x8x4,w=1x8x4 pgft:m=12x8,w=1x2,p=1x2 \
		dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 dragonfly-plus:p=2,leaves=4,spines=4,h=2,g=9; do
		seeds 1 1 "$spec" 0 0 0 0
		seeds 1 2 "$spec" .1 .05 0 0
		seeds 1 2 "$spec" 0 0 .01 0
	done
	for k in 4 8; do
		seeds 1 1 fattree:k=$k,levels=2 .1 .1 0 0
	done
}

# So many links a switch that not all are walked from.
dense() {
	for spec in flatfly:k=24x24,c=0 dragonfly:p=0,a=48,h=2,g=9; do
		seeds 1 1 "$spec" 0 0 0 0
		seeds 1 1 "$spec" .1 .05 0 0
		seeds 1 1 "$spec" 0 0 .01 0
	done
	seeds 1 1 random:n=150,d=50,c=0,seed=1 0 0 0 0
}

# One fabric, all its lines or none.
one() {
	local spec=$1
	shift
	lines=$(nice "$tool" "$spec" "$@")
	(
		flock 9
		printf '%s\n' "$lines" >&9
	) 9>>"$raw"
}
export -f one
export tool raw

touch "$raw"
{ whole; damaged; miscabled; unknown; trees; dense; tapered; } | { grep -E "${ONLY:-.}" || true; } | awk -v raw="$raw" '
BEGIN {
	FS = ","
	while ((getline line < raw) > 0)
		if (match(line, /,"",1,/)) {
			start = substr(line, 2, RSTART - 2)
			spec = substr(start, 1, index(start, "\"") - 1)
			rest = substr(start, index(start, "\"") + 2)
			n = split(rest, f, ",")
			have[spec " " f[1] + 0 " " f[2] + 0 " " f[3] + 0 " " f[4] " " f[5]] = 1
		}
	FS = " "
}
{ split($0, f, " "); key = f[1] " " f[2] + 0 " " f[3] + 0 " " f[4] + 0 " " f[5] " " f[6] }
!(key in have) && !told[key]++' | sort -R --random-source=<(yes) | # so that a part says something of all
	xargs -r -P "$jobs" -L 1 bash -c 'one "$@"' one

# lines FILE WHAT: of a file, of functions with the comments above them, or as many as it says.
lines() {
	case $2 in
	'*') grep -c . "$1" ;;
	[0-9]*) echo "$2" ;;
	*)
		awk -v names="$2" '
		{ line[NR] = $0 }
		END {
			n = split(names, name, ",")
			for (i = 1; i <= n; i++)
				for (l = 1; l <= NR; l++) {
					if (line[l] !~ "^[a-z].*[ *]" name[i] "\\(" || line[l] ~ /;$/)
						continue
					for (first = l; line[first - 1] ~ /^(\/\*| \*)|\*\/$/; first--)
						;
					for (last = l; line[last] != "}"; last++)
						;
					sum += last - first + 1
					break
				}
			print sum + 0
		}' "$1"
		;;
	esac
}

{
	echo "# tests/mapping/strategies.sh BUILD, $(date -u +%F), commit $(git rev-parse --short HEAD);" \
		"$(grep -c ',"",1,' "$raw") fabrics, seconds of processor time"
	echo "# asked: fabrics on which it was asked for, and switched off; lost, won: fabrics right, or as good, only"
	echo "# with it, only without; missed, accused: wrong cables missed and right ones accused, more without it"
	echo "strategy,lines,asked,other finding,lost without,won without,missed,accused,seconds with,seconds without"
	grep -v '^#' tests/mapping/strategies.txt | while IFS='|' read -r name file what _; do
		printf '"%s",%d\n' "$name" "$(lines "$file" "$what")"
	done | awk -v raw="$raw" '
	BEGIN {
		while ((getline line < raw) > 0) {
			split(line, q, "\"") # spec and strategy are quoted
			key = q[2] q[3]
			name = q[4]
			split(substr(q[5], 2), f, ",")
			good = f[2] == "right" || f[2] == "as good"
			if (name == "") {
				was_good[key] = good; missed[key] = f[3]; accused[key] = f[4]; took[key] = f[5]
				continue
			}
			asked[name]++
			other[name] += !f[1]
			lost[name] += was_good[key] && !good
			won[name] += good && !was_good[key]
			if (good && was_good[key]) {
				more_missed[name] += f[3] - missed[key]
				more_accused[name] += f[4] - accused[key]
			}
			with[name] += took[key]
			without[name] += f[5]
		}
	}
	{
		split($0, q, "\"")
		n = q[2]
		printf "%s,%d,%d,%d,%d,%d,%d,%.3f,%.3f\n", $0, asked[n], other[n], lost[n], won[n], more_missed[n],
			more_accused[n], with[n], without[n]
	}'
} >"$out"
