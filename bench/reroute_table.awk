# The table of whole reroutes in docs/results/routing/README.md, of what `bench_reroute` printed.
#
#   awk -f bench/reroute_table.awk docs/results/routing/reroute.txt
/^# Before/ { old = 1 }
/^# After/ { old = 0 }
/^#/ || /^fabric/ { next }
{ at = $1 "," $(NF - 8) }
old { before[at] = $(NF - 3) }
!old {
	if ($(NF - 8) == 0) first = $(NF - 3)
	else rows = rows sprintf("| %s | %d | %s | %s | %s | %s | %s |\n", $1, $(NF - 8), first, $(NF - 5), $(NF - 4), \
		$(NF - 3), before[at])
}
END {
	print "| fabric | lost | first routing | until LFTs are sent | judged afterwards | whole | before |"
	print "|---|---|---|---|---|---|---|"
	printf "%s", rows
}
