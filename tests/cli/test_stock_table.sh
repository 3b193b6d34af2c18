#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/guide/engines.md has the table that bench/stock_table.awk makes of the measured figures.
set -u
cd "$ODONATA_SOURCE" || exit 1
table=$(awk -f bench/stock_table.awk docs/results/routing/stock.csv) || exit 1
[ "$(wc -l <<<"$table")" -gt 20 ] || { echo "no table"; exit 1; }
failed=0
while IFS= read -r line; do
	grep -qxF -e "$line" docs/guide/engines.md || { echo "docs/guide/engines.md lacks: $line"; failed=1; }
done <<<"$table"
rows=$(grep -c '^| `[a-z-]*:.* VLs\? | ' docs/guide/engines.md)
[ "$rows" -eq $(($(wc -l <<<"$table") - 2)) ] || { echo "docs/guide/engines.md has $rows rows"; failed=1; }
exit $failed
