# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every engine of static tables on every kind of fabric under every pattern (configs/bounds), in
# shorter runs than those of docs/results/bounds: where switches are not the bottleneck nine tenths
# of the analyser's bound are sustained, and nowhere is more accepted than there is room for.
# Goes on where it was stopped.
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/bounds
odonata=$build/cli/odonata
mkdir -p "$out"
status=0

# run FILE NAME
run() {
	"$odonata" experiment --print --only "$2" "$1" | grep -v ' plain, routing' >"$out/$2.yaml"
	"$odonata" experiment "$out/$2.yaml" --folder "$out" --measured 2000 >/dev/null || return
	# Behind the pattern: seed, outcome, share, sustained, bound, full offer, its share, the most.
	awk -F '"' -v name="$2" '
		/^[0-9]/ {
			n++
			split($3, field, ",")
			if (field[3] != "done" || field[4] < 0.87 || field[7] > field[9] * 1.01)
				{ print name ": " $0; bad++ }
		}
		END { exit bad || n < 16 }' "$out/$2.csv"
}

for file in dragonfly flatfly graphs hypercube slimfly torus; do
	file=$root/configs/bounds/$file.yaml
	for name in $("$odonata" experiment --list "$file" | awk '$1 ~ /^bounds-/ { print $1 }'); do
		run "$file" "$name" || status=1
	done
done
exit $status
