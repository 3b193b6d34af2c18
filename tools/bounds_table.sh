#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What static tables sustain of the analyser's bound, counted:
#   tools/bounds_table.sh docs/results/bounds
# reads what "odonata experiment configs/bounds/FILE.yaml --folder docs/results/bounds" made there.
# Prints a row for each fabric; every row below 0.90 of its bound where switches are not the
# bottleneck, and what it has in bounds-odd-NAME with something changed; and every row above the
# bound. Curves whose names end in "plain" are of the other router.
folder=${1:?usage: bounds_table.sh FOLDER}
# Columns behind the pattern: seed, outcome, share, sustained, bound, accepted at full offer, that
# as a share of what is accepted at the bound, and the most there is room for.
awk -F '"' '
function both(key) { return key in pair ? pair[key] : "" }
FNR == 1 { name = FILENAME; sub(/.*bounds-/, "", name); sub(/\.csv$/, "", name) }
!/^[0-9]/ { next }
{
	split($1, head, ",")
	split($3, field, ",")
	curve = head[2]
	share = field[4]
	full = field[8]
	rows_made++
	above += field[7] > field[9] * 1.005
}
name ~ /^odd-/ {
	sub(/[0-9] channels$/, "channels", curve)
	pair[substr(name, 5), curve, $2] = sprintf("%.2f, %.2f", share, full)
	next
}
{
	router = sub(/ plain$/, "", curve) ? "plain" : "fast"
	key = name SUBSEP router
	if (!(name in seen)) { seen[name] = 1; order[++n] = name }
	rows[key]++
	of_row[name, curve, $2, router] = share
	near[key] += share >= 0.9
	near_full[key] += full >= 0.9
	if (!(key in low) || share < low[key]) low[key] = share
	if (share > high[key]) high[key] = share
}
router == "fast" && (share < 0.9 || full < 0.9) {
	low_row[++n_low] = name SUBSEP curve SUBSEP $2
	low_text[n_low] = sprintf("| `%s` | %s | %s | %.2f, %.2f |", name, curve, $2, share, full)
}
router == "plain" && share < 0.9 { plain_row[++n_plain] = name SUBSEP curve SUBSEP $2 }
router == "fast" && share > 1 { high_row[sprintf("%.2f", share)]++; beyond[$2]++; n_high++ }
END {
	print "| fabric | rows | 0.90 and more | least | most | full offer |" \
		" plain: rows | 0.90 and more | least | full offer |"
	print "|---|---|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		f = order[i] SUBSEP "fast"; p = order[i] SUBSEP "plain"
		printf "| `%s` | %d | %d | %.2f | %.2f | %d | %d | %d | %.2f | %d |\n", order[i],
			rows[f], near[f], low[f], high[f], near_full[f], rows[p], near[p], low[p],
			near_full[p]
		sum[1] += rows[f]; sum[2] += near[f]; sum[3] += near_full[f]
		sum[4] += rows[p]; sum[5] += near[p]; sum[6] += near_full[p]
	}
	printf "| all | %d | %d | | | %d | %d | %d | | %d |\n\n", sum[1], sum[2], sum[3], sum[4],
		sum[5], sum[6]
	printf "Rows of all files: %d. Accepted above `most_at_full`: %d.\n\n", rows_made, above
	print "| fabric | tables | traffic | as it is | buffers of 64 | and transit first | channels |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= n_low; i++) {
		split(low_row[i], of, SUBSEP)
		print low_text[i], both(of[1] SUBSEP of[2] " buffers of 64" SUBSEP of[3]), "|",
			both(of[1] SUBSEP of[2] " transit first" SUBSEP of[3]), "|",
			both(of[1] SUBSEP of[2] " channels" SUBSEP of[3]), "|"
	}
	for (i = 1; i <= n_plain; i++)
		cured += of_row[plain_row[i] SUBSEP "fast"] >= 0.9
	printf "\nPlain rows below 0.90: %d, of which %d are not below with the faster crossbar.\n\n",
		n_plain, cured
	printf "Rows above 1.00: %d, %d at 1.01, %d at 1.02, %d under hotregion.\n", n_high,
		high_row["1.01"], high_row["1.02"], beyond["hotregion"]
}' $(ls "$folder"/bounds-odd-*.csv; ls "$folder"/bounds-*.csv | grep -v -e -why- -e -long- -e -odd- -e -series)
