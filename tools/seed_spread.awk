# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# By how much one seed's accepted load differs from the mean of all, at the points of experiments that have several.
#
#   awk -f tools/csv.awk -f tools/seed_spread.awk $(git ls-files 'docs/results/*.csv')
FNR == 1 { delete column; judge() }
/^point,/ {
	n = split_csv($0, field)
	for (i = 1; i <= n; i++)
		column[field[i]] = i
	next
}
/^[0-9]/ && ("seed" in column) && ("accepted" in column) {
	split_csv($0, field)
	key = field[column["curve"]] SUBSEP field[2 + ("curve" in column)] SUBSEP field[column["load"]]
	if (key != last)
		judge()
	last = key
	if (field[column["accepted"]] > 0)
		of[++seeds] = field[column["accepted"]]
}
END {
	judge()
	asort_numbers()
	print "| points of several seeds | half of them within | nine in ten | all |"
	print "|---|---|---|---|"
	printf "| %d | %.1f %% | %.1f %% | %.1f %% |\n", points, 100 * far[int((points + 1) / 2)],
		100 * far[int((9 * points + 9) / 10)], 100 * far[points]
}
function judge(    i, mean, most) {
	for (i = 1; i <= seeds; i++)
		mean += of[i] / seeds
	for (i = 1; i <= seeds; i++)
		most = of[i] / mean - 1 > most ? of[i] / mean - 1 : 1 - of[i] / mean > most ? 1 - of[i] / mean : most
	if (seeds > 1)
		far[++points] = most
	seeds = 0
	last = ""
}
# Numbers of far[], least first: shell sort, since not every awk has asort().
function asort_numbers(    gap, i, k, x) {
	for (gap = int(points / 2); gap; gap = int(gap / 2))
		for (i = gap + 1; i <= points; i++) {
			x = far[i]
			for (k = i; k > gap && far[k - gap] > x; k -= gap)
				far[k] = far[k - gap]
			far[k] = x
		}
}
