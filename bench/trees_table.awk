# What hosts accept at the highest load, a row for each routing and a column for each pattern: means over
# seeds. For docs/results/trees/README.md:
#   awk -f bench/trees_table.awk docs/results/trees/trees-fattree.csv
BEGIN { FS = "," }
/^# *- [{]name: / {
	match($0, /routing: *"?[^"}]*/)
	routing = substr($0, RSTART + 9, RLENGTH - 9)
	sub(/^"/, "", routing)
	static = sub(/^tables:/, "", routing)
	match($0, /name: *"?[^",}]*/)
	curve = substr($0, RSTART + 6, RLENGTH - 6)
	sub(/^"/, "", curve)
	shown[curve] = "`" routing "`" (static ? ", static tables" : "")
	order[++curves] = curve
}
/^point,/ { for (i = 1; i <= NF; i++) column[$i] = i }
/^[0-9]/ {
	# Patterns may have commas: figures are counted from the end of the quotes.
	split($0, part, "\"")
	curve = $2
	gsub(/"/, "", curve)
	pattern = part[2]
	n = split(part[3], value, ",")
	load = value[2] + 0
	if (!(pattern in seen)) seen[pattern] = patterns[++many] = pattern
	if (load > most) most = load
	sum[curve, pattern, load] += value[column["accepted"] - column["load"] + 2]
	count[curve, pattern, load]++
}
END {
	for (c = 1; c <= curves; c++) {
		printf "| %s", shown[order[c]]
		for (p = 1; p <= many; p++) {
			key = order[c] SUBSEP patterns[p] SUBSEP most
			printf " | %.3f", count[key] ? sum[key] / count[key] : 0
		}
		print " |"
	}
}
