# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every engine of static tables on every kind of fabric under every pattern (configs/bounds-*.yaml),
# in shorter runs than those of docs/results/bounds: where switches are not the bottleneck nine tenths
# of the analyser's bound are sustained, and nowhere is more accepted than there is room for.
# Goes on where it was stopped.
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/bounds
mkdir -p "$out"
status=0
for file in "$root"/configs/bounds-*.yaml; do
	name=$(basename "$file" .yaml)
	case $name in *-why-* | *-long-* | *-odd-* | *-series) continue ;; esac
	grep -v ' plain, routing' "$file" >"$out/$name.yaml"
	"$build/cli/odonata" experiment "$out/$name.yaml" --folder "$out" --measured 2000 >/dev/null ||
		status=1
	# Behind the pattern: seed, outcome, share, sustained, bound, full offer, its share, the most.
	awk -F '"' -v name="$name" '
		/^[0-9]/ {
			n++
			split($3, field, ",")
			if (field[3] != "done" || field[4] < 0.87 || field[7] > field[9] * 1.01)
				{ print name ": " $0; bad++ }
		}
		END { exit bad || n < 16 }' "$out/$name.csv" || status=1
done
exit $status
