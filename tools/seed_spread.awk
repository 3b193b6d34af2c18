# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# By how much one seed's figures differ from the mean of all, at the points of experiments that have several
# that differ at all.
#
#   awk -f tools/csv.awk -f tools/seed_spread.awk $(git ls-files 'docs/results/*.csv')
BEGIN {
	n_figures = split("accepted cycles latency network_latency p99 max_hops", figure, " ")
	print "| figure | points where seeds differ | half of them within | nine in ten | all |"
	print "|---|---|---|---|---|"
}
FNR == 1 { delete column; judge(); burst = 0 }
/^# measure: (burst|workload)/ { burst = 1 }
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
	seeds++
	for (i = 1; i <= n_figures; i++)
		of[i, seeds] = field[column[figure[i]]]
}
END {
	judge()
	for (i = 1; i <= n_figures; i++) {
		sort_numbers(i, points[i])
		printf "| %s | %d | %.1f %% | %.1f %% | %.1f %% |\n", figure[i], points[i],
			100 * far[i, int((points[i] + 1) / 2)], 100 * far[i, int((9 * points[i] + 9) / 10)],
			100 * far[i, points[i]]
	}
}
# Runs of a load take as many cycles with every seed, and the cycles of bursts are what is asked about.
function judge(    i) {
	for (i = 1; i <= n_figures; i++)
		if (figure[i] != "cycles" || burst)
			judge_figure(i)
	seeds = 0
	last = ""
}
function judge_figure(i,    k, n, mean, most, off) {
	for (k = 1; k <= seeds; k++)
		if (of[i, k] > 0)
			mean += (of[i, k] - mean) / ++n
	for (k = 1; k <= seeds; k++) {
		off = of[i, k] > 0 ? of[i, k] / mean - 1 : 0
		most = off > most ? off : -off > most ? -off : most
	}
	if (most > 0)
		far[i, ++points[i]] = most
}
# Numbers of far[i, ], least first: shell sort, since not every awk has asort().
function sort_numbers(i, n,    gap, k, j, x) {
	for (gap = int(n / 2); gap; gap = int(gap / 2))
		for (j = gap + 1; j <= n; j++) {
			x = far[i, j]
			for (k = j; k > gap && far[i, k - gap] > x; k -= gap)
				far[i, k] = far[i, k - gap]
			far[i, k] = x
		}
}
