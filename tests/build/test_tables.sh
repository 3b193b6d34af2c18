#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables of pages are what the commands print that the pages name: all rows, and no figure of another day.
set -u
cd "$ODONATA_SOURCE" || exit 1
results=docs/results failed=0
# holds PAGE COMMAND...: every line that the command prints stands in the page.
holds() {
	local page=$1 printed
	shift
	printed=$("$@") && [ -n "$printed" ] || { echo "$*: printed nothing"; failed=1; }
	while IFS= read -r line; do
		[ -z "$line" ] || sed 's/^ *//' "$page" | grep -qxF -e "$line" && continue
		echo "$page: expected of $*: $line"
		failed=1
	done < <(sed 's/^ *//' <<<"$printed")
}
holds docs/guide/operation.md awk -f bench/bounds_table.awk $results/opensm/bounds.csv
holds docs/guide/path-sls.md bench/bench_any_sl.sh --table $results/routing/any-sl.csv
for trees in fattree damaged dragonfly-plus; do
	holds $results/trees/README.md awk -f bench/trees_table.awk $results/trees/trees-$trees.csv
done
holds docs/guide/engines.md awk -f bench/stock_table.awk $results/routing/stock.csv
holds docs/guide/engines.md bash -c "bench/bench_stock.sh --below $results/routing/stock.csv | tail -n 1"
holds docs/guide/path-sls.md bash bench/bench_lmc.sh --table $results/routing/lmc.csv
holds $results/routing/README.md awk -f bench/routing_table.awk $results/routing/bench.txt
holds $results/routing/README.md awk -f bench/reroute_table.awk $results/routing/reroute.txt
holds $results/routing/README.md awk -f bench/updown_table.awk $results/routing/updown.csv
holds $results/routing/README.md bash bench/bench_transition.sh --table $results/routing/transition.csv
holds $results/routing/README.md bash bench/bench_transition.sh --faults $results/routing/transition.csv
holds $results/routing/README.md bash bench/bench_transition_stock.sh --table $results/routing/transition-stock.csv
holds $results/routing/README.md awk -f bench/sequence_table.awk $results/routing/sequences-before.csv \
	$results/routing/sequences.csv
holds docs/design/mapping.md awk -f tests/mapping/standards_table.awk $results/mapping/standards.csv
holds docs/design/speed.md awk -f bench/shares_table.awk $results/emulator-shares-before.txt $results/emulator-shares.txt
holds docs/design/kernel-runs.md awk -f bench/runs_table.awk $results/kernel-runs.csv
holds $results/README.md awk -F, '
	NR > 1 { n[$7]++ }
	END {
		print "| of " NR - 1 " CSVs | |"
		print "| the same, in the points that were tried | " n["same"] " |"
		print "| the same figures, but other estimates of their errors, or more or fewer windows of a search | " \
			n["errors differ"] + 0 " |"
		print "| other figures: stale | " n["differs"] + 0 " |"
		print "| not tried: most are searches, whose points take long | " n["not tried"] " |"
	}' $results/again.csv
holds docs/reference/policies.md awk -f tools/par_table.awk $results/peers/fogsim-par.csv
holds $results/manifest.md sh -c "awk -f tools/csv.awk -f tools/seed_spread.awk \$(find $results -name '*.csv' -not -path '*/anew-*')"
holds $results/agreement.md sh tools/peer_tables.sh $results/peers
holds $results/paper004/README.md bash tools/whose_bits.sh --table $results/paper004/bits.csv
holds $results/approximations.md bash bench/bench_approximations.sh --page $results/approximations.csv
holds $results/README.md awk -f tools/csv.awk -f tools/faults_table.awk $results/faults.csv

# A row that the figures no longer have would stand in the page for ever.
rows=$(grep -c '^| `[a-z-]*:.* VLs\? | ' docs/guide/engines.md)
[ "$rows" -eq $(($(awk -f bench/stock_table.awk $results/routing/stock.csv | wc -l) - 2)) ] ||
	{ echo "docs/guide/engines.md has $rows rows"; failed=1; }
exit $failed
