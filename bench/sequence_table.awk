# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The table of docs/design/routing.md of losses one after another, before tables were mended and now:
#
#   awk -f bench/sequence_table.awk docs/results/routing/sequences-before.csv docs/results/routing/sequences.csv
function read_row() {
	match($0, /^"[^"]*"/)
	fabric = substr($0, 2, RLENGTH - 2)
	split(substr($0, RLENGTH + 2), f, ",")
}
function row(name, missing, changes, was, now, was_lossy, now_lossy, was_entries, now_entries, was_bound, now_bound) {
	printf "| %s | %s | %d | %d | %d | %d | %d | %s | %s | %s | %s |\n", name, missing, changes, was, now, was_lossy,
		now_lossy, was_entries, now_entries, was_bound, now_bound
}
BEGIN {
	print "| fabric | missing at first | changes | can deadlock, before | now | lossy pairs, before | now | " \
		"entries over least, before | now | mean bound, before | now |"
	print "|---|---|---|---|---|---|---|---|---|---|---|"
}
FNR == NR && /^"/ {
	read_row()
	for (i in f)
		was[fabric, f[1], i] = f[i]
}
FNR < NR && /^"/ {
	read_row()
	key = fabric SUBSEP f[1]
	row("`" fabric "`", f[1], f[2], was[key, 3], f[3], was[key, 4], f[4], was[key, 5], f[5], was[key, 6], f[6])
	changes += f[2]; deadlocks += f[3]; before += was[key, 3]; lossy += f[4]; lossy_before += was[key, 4]
}
END { row("all", "", changes, before, deadlocks, lossy_before, lossy, "", "", "", "") }
