# The table of docs/design/kernel-runs.md, of what bench_runs printed.
#
#   awk -f bench/runs_table.awk docs/results/kernel-runs.csv
BEGIN {
	FS = "\""
	print "| row | without | seconds | with all | longer by | same outcome |"
	print "|---|---|---|---|---|---|"
}
/^"/ && $4 != "" {
	split(substr($5, 2), f, ",")
	printf "| %s | %s | %.3f | %.3f | %.0f %% | %s |\n", $2, $4, f[1], f[2], 100 * f[3], f[4] ? "yes" : "no"
}
