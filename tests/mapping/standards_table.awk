# The table of docs/design/mapping.md from docs/results/mapping/standards.csv:
#   awk -f tests/mapping/standards_table.awk docs/results/mapping/standards.csv
BEGIN {
	FS = "\""
	print "| fabric | right | right or as good | precision | recall | precision, told | recall, told | explained |"
	print "|---|---|---|---|---|---|---|---|"
}
/^"/ {
	split($3, v, ",")
	if (!($2 in seen)) { seen[$2]; order[++n] = $2 }
	if (v[2] > 0)
		lost[$2] = sprintf("%d | %d", v[6], v[11])
	else
		wrong[$2] = sprintf("%.3f | %.3f | %.3f | %.3f | %d", v[8], v[9], v[12], v[13], v[14])
}
END { for (i = 1; i <= n; i++) printf "| `%s` | %s | %s |\n", order[i], lost[order[i]], wrong[order[i]] }
