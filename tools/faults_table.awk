# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How many of the random faults in a file of tools/faults.sh are noticed, by folder:
#
#   awk -f tools/csv.awk -f tools/faults_table.awk docs/results/faults.csv
#
# Faults that somebody named (seed 0) are no sample, and those that change no code are none: they are left out.

function percent(part, of) { return of ? sprintf("%.1f %%", 100 * part / of) : "" }

# A row of the table; what is equivalent, or a matter of how good a heuristic is, need not be noticed.
function row(name, key,    counts) {
	counts = noticed[key] + real[key]
	printf "| %s | %d | %d | %d | %d | %d | %d | %s | %s |\n", name, tried[key], equivalent[key], heuristic[key],
		noticed[key] - late[key], late[key], real[key], percent(noticed[key] - late[key], counts),
		percent(noticed[key], counts)
}

function count(key) {
	tried[key]++
	if (outcome == "noticed") {
		noticed[key]++
		late[key] += judgement ~ /^since/
	} else if (judgement ~ /^equivalent/)
		equivalent[key]++
	else if (judgement ~ /^heuristic/)
		heuristic[key]++
	else
		real[key]++
}

{ split_csv($0, f); outcome = f[8]; judgement = f[10] }
f[1] > 0 && (outcome == "noticed" || outcome == "missed") {
	folder = f[2]
	if (!sub(/^routing\/verify\/.*/, "routing/verify", folder))
		sub(/\/.*/, "", folder)
	count(folder)
	count("")
	folders[folder] = 1
}

END {
	print "| folder | faults | equivalent | heuristic | noticed | noticed since | missed | at once | today |"
	print "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
	n = split("base fabric mapping routing routing/verify export emulator experiment plan api live plugin cli", order, " ")
	for (i = 1; i <= n; i++)
		if (order[i] in folders)
			row("`" order[i] "`", order[i])
	row("all", "")
}
