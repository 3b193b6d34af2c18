# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The faults that a file of tools/faults.sh says are missed, but for those judged to be equivalent or a matter of
# heuristics, go to the file `faults`, as tools/faults.awk prints faults, with their seeds behind. All other rows are
# printed.

{ split_csv($0, f) }
f[8] == "missed" && f[10] !~ /^(equivalent|heuristic)/ {
	printf "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", f[2], f[3], f[5], f[4], length(f[6]), f[7], f[1] > faults
	next
}
{ print }
