# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The table of docs/design/routing.md of losses one after another, before tables were mended and now:
#
#   awk -f bench/sequence_table.awk docs/results/routing/sequences-before.csv docs/results/routing/sequences.csv
function read_row() {
	match($0, /^"[^"]*"/)
	fabric = substr($0, 2, RLENGTH - 2)
	split(substr($0, RLENGTH + 2), f, ",")
}
function row(name, missing, change, changes, was, now, was_lossy, now_lossy, was_bound, now_bound) {
	printf "| %s | %s | %s | %d | %d | %d | %d | %d | %s | %s |\n", name, missing, change, changes, was, now, was_lossy, now_lossy,
		was_bound, now_bound
}
BEGIN {
	print "| fabric | missing at first | change | changes | can deadlock, before | now | lossy pairs, before | now | " \
		"mean bound, before | now |"
	print "|---|---|---|---|---|---|---|---|---|---|"
}
FNR == NR && /^"/ {
	read_row()
	for (i in f)
		was[fabric, f[1], f[2], i] = f[i]
}
FNR < NR && /^"/ {
	read_row()
	key = fabric SUBSEP f[1] SUBSEP f[2]
	row("`" fabric "`", f[1], f[2], f[3], was[key, 4], f[4], was[key, 5], f[5], was[key, 7], f[7])
	for (i = 3; i < 6; i++) {
		sum[f[2], i] += f[i]
		before[f[2], i] += was[key, i]
	}
}
function total(what) {
	row("all", "", what, sum[what, 3], before[what, 4], sum[what, 4], before[what, 5], sum[what, 5], "", "")
}
END { total("loss"); total("back") }
