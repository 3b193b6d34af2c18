#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whose bits paper 004 reverses: what tables of one way carry at most if hosts' bits are meant, and if
# switches' are, beside the paper's figure.
#
# Usage: tools/whose_bits.sh [BUILD] >docs/results/paper004/bits.csv
#        tools/whose_bits.sh --table docs/results/paper004/bits.csv
set -eu
if [ "${1:-}" = --table ]; then
	exec awk -F, '
		function share(bound, paper) {
			less = 100 * bound < paper - 0.05 ? ": less than the paper" : ""
			return sprintf("1/%.0f = %.1f %%%s", 1 / bound, 100 * bound, less)
		}
		BEGIN {
			print "| cell | paper, % | at most, bits of hosts | at most, bits of switches |"
			print "|---|---|---|---|"
		}
		NF == 5 && $4 + 0 {
			printf "| %s, %s, reverse | %s | %s | %s |\n", $1, $2, $3, share($4, $3), share($5, $3)
		}' "$2"
fi
odonata=${1:-build}/cli/odonata
paper=$(dirname "$0")/../docs/results/paper004/paper.csv
most() {
	"$odonata" analyze "$1" --engine "$2" --pattern "$3" --bisections 0 --json |
		sed -n 's/^ *"saturation_at_most": \([0-9.]*\),$/\1/p'
}
echo "# tools/whose_bits.sh: what each can carry at most under bit reverse, of what hosts send"
echo "topology,routing,paper_percent,hosts,switches"
while IFS='|' read -r topology routing fabric engine; do
	said=$(awk -F, -v t="$topology" -v r="$routing" '$1 == t && $2 == r { print $5 }' "$paper")
	hosts=$(most "$fabric" "$engine" reverse)
	switches=$(most "$fabric" "$engine" reverse:of=switches)
	echo "$topology,$routing,$said,$hosts,$switches"
done <<'END'
FlatFly|Mixed DOR|paper-flatfly|mixed-dor
FlatFly|DOR|paper-flatfly|dor
hypercube|DOR|paper-hypercube|dor
dragonfly|Static|dragonfly:p=8,a=16,h=8,g=128,cables=1,ports=36,arrangement=numbered|dragonfly-static
torus|DOR 4D|paper-torus-4d|torus
torus|DOR 3D|paper-torus-3d|torus
END
