#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Pages have the tables that scripts make of the measured figures, whole.
set -u
cd "$ODONATA_SOURCE" || exit 1
failed=0

holds() { # PAGE ROWS SCRIPT DATA...: every line of what the script prints, and at least so many
	local page=$1 rows=$2 table line
	shift 2
	table=$(awk -f "$@") || exit 1
	[ "$(grep -c '^|' <<<"$table")" -ge "$rows" ] || { echo "$1: no table"; failed=1; }
	while IFS= read -r line; do
		[ -z "$line" ] || grep -qxF -e "$line" "$page" || { echo "$page lacks: $line"; failed=1; }
	done <<<"$table"
}

results=docs/results
holds docs/guide/engines.md 20 bench/stock_table.awk $results/routing/stock.csv
holds docs/design/routing.md 30 bench/routing_table.awk $results/routing/bench.txt
holds docs/design/routing.md 20 bench/updown_table.awk $results/routing/updown.csv
holds docs/design/kernel-runs.md 10 bench/runs_table.awk $results/kernel-runs.csv
holds docs/design/speed.md 10 bench/shares_table.awk $results/emulator-shares-before.txt $results/emulator-shares.txt

rows=$(grep -c '^| `[a-z-]*:.* VLs\? | ' docs/guide/engines.md)
[ "$rows" -eq $(($(awk -f bench/stock_table.awk $results/routing/stock.csv | wc -l) - 2)) ] ||
	{ echo "docs/guide/engines.md has $rows rows"; failed=1; }
exit $failed
