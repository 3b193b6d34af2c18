#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The committed figures of paper 001 are what comes out, and what the paper says of Figure 19 is so where
# docs/results/plan/README.md says that it agrees.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
results=$ODONATA_SOURCE/docs/results/plan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
odonata plan --figures "$work" --prices "$ODONATA_SOURCE/configs/plan/kim.yaml" >/dev/null || exit 1
failed=0
n=0
for file in "$work"/*; do
	n=$((n + 1))
	cmp "$file" "$results/${file##*/}" || failed=1
done
[ $n -eq 9 ] || { echo "expected 9 files, found $n"; failed=1; }

# Shares of cost that a dragonfly saves.
awk -F, '
	NR > 1 { butterfly[$1] = 1 - $2 / $3; clos[$1] = 1 - $2 / $4; torus[$1] = 1 - $2 / $5 }
	function within(what, share, low, high) {
		if (share < low || share > high) { printf "%s: %.3f\n", what, share; failed = 1 }
	}
	END {
		within("butterfly, 1K", butterfly[1024], 0, 0)
		within("butterfly, 20K", butterfly[20480], 0.18, 0.22)
		within("Clos, 16K", clos[16384], 0.5, 0.54)
		within("Clos, 20K", clos[20480], 0.5, 0.54)
		within("torus, 20K", torus[20480], 0.6, 0.8)
		exit failed
	}' "$work/kim-fig19.csv" || failed=1
# The page has the same figures.
awk -F, '
	function of(x) { x = sprintf("%+.0f", 100 * ($2 / x - 1)); sub(/^[+-]0$/, "0", x); return x " %" }
	function thousands(n) { return n < 1000 ? n : sprintf("%d,%03d", n / 1000, n % 1000) }
	NR > 1 { printf "| %s | %.0f | %s | %s | %s |\n", thousands($1), $2, of($3), of($4), of($5) }
' "$work/kim-fig19.csv" | while IFS= read -r row; do
	grep -qxF "$row" "$results/README.md" || echo "README.md lacks: $row"
done >"$work/lacks"
[ ! -s "$work/lacks" ] || { cat "$work/lacks"; failed=1; }

# "With radix-64 routers, the topology scales to over 256k nodes."
awk -F, '$1 == 63 && $3 > 256 * 1024 { found = 1 } END { exit !found }' "$work/kim-fig04.csv" || {
	echo "Figure 4: fewer than 256k hosts"
	failed=1
}
exit $failed
