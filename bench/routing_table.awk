# The two tables of docs/design/routing.md, of what `bench_routing -r 7` printed.
#
#   awk -f bench/routing_table.awk docs/results/routing/bench.txt
BEGIN { first = "| fabric | engine | switches | hosts | VLs | map | route | verify | sum | reroute |\n" \
	"|---|---|---|---|---|---|---|---|---|---|\n" }

# 16384 as 16,384
function grouped(n,	rest) {
	for (rest = ""; n >= 1000; n = int(n / 1000))
		rest = sprintf(",%03d", n % 1000) rest
	return n rest
}

/^#/ || /^fabric/ { next }
{
	name = sprintf("| %s | `%s` |", $1, $2)
	first = first sprintf("%s %s | %s | %d | %s | %s | %s | %s | %s |\n", name, grouped($3), grouped($4),
		$5, $6, $7, $8, $9, $10)
	second = second sprintf("%s %s | %s | %d | %d | %d | %s |\n", name, $11, $12, $13, $14, $15,
		grouped($16))
}
END {
	print first
	print "| fabric | engine | entries | at the cable | SLs | maps | rows | MADs |"
	print "|---|---|---|---|---|---|---|---|"
	printf "%s", second
}
