# The table of docs/design/routing.md, of docs/results/routing/updown.csv: what it takes to know that
# up*/down* paths are no better.
BEGIN {
	print "| fabric | switches | hosts | engine | own rated, ms | `updown` whole, ms | " \
		"with the bound, ms | better |"
	print "|---|---|---|---|---|---|---|---|"
}
/^"/ {
	match($0, /^"[^"]*"/)
	fabric = substr($0, 2, RLENGTH - 2)
	split(substr($0, RLENGTH + 2), f, ",")
	printf "| `%s` | %d | %d | `%s` | %.1f | %.1f | %.1f | %s |\n", fabric, f[3], f[4], f[5], f[13],
		f[14], f[15], f[10]
}
