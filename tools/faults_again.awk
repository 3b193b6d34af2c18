# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The faults that a file of tools/faults.sh says are missed, but for those judged to be equivalent or a matter of
# heuristics, go to the file `faults`, as tools/faults.awk prints faults. All other rows are printed.

# Split a CSV line with quoted fields.
function split_csv(line, field,    n, at, c, quoted) {
	n = 1
	field[1] = ""
	quoted = 0
	for (at = 1; at <= length(line); at++) {
		c = substr(line, at, 1)
		if (c == "\"" && quoted && substr(line, at + 1, 1) == "\"") {
			field[n] = field[n] c
			at++
		} else if (c == "\"")
			quoted = !quoted
		else if (c == "," && !quoted)
			field[++n] = ""
		else
			field[n] = field[n] c
	}
	return n
}

{ split_csv($0, f) }
f[8] == "missed" && f[10] !~ /^(equivalent|heuristic)/ {
	printf "%s\t%s\t%s\t%s\t%d\t%s\n", f[2], f[3], f[5], f[4], length(f[6]), f[7] > faults
	next
}
{ print }
