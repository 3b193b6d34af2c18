# The table of docs/guide/operation.md, "Bounds", from the CSV of bench_bounds:
#   awk -f bench/bounds_table.awk docs/results/opensm/bounds.csv
BEGIN { FS = "," }
/^#/ { next }
/^sweep,/ { for (i = 1; i <= NF; i++) { name[i] = $i; column[$i] = i }; n_columns = NF; next }
{
	n++
	for (i = 1; i <= n_columns; i++) value[i, n] = $i
}
function median(i,   k, m, sorted, x) {
	m = 0
	for (k = 2; k <= n; k++) { # the first sweep is a start
		x = value[i, k] + 0
		for (j = m++; j && sorted[j] > x; j--) sorted[j + 1] = sorted[j]
		sorted[j + 1] = x
	}
	return sorted[int((m + 1) / 2)]
}
function least_or_most(i, from, sign,   k, x) {
	x = value[i, from]
	for (k = from; k <= n; k++) if (sign * value[i, k] > sign * x) x = value[i, k]
	return x
}
function row(what, name) {
	printf "| %s | %d |\n", what, median(column[name])
}
END {
	memory = column["memory_mb"]
	print "| memory of the plugin | MB |\n|---|---|"
	printf "| after sweep 10 | %.1f |\n", value[memory, 10]
	printf "| after sweep %d | %.1f |\n", n, value[memory, n]
	printf "| least and most of sweeps 10 to %d | %.1f to %.1f |\n", n, least_or_most(memory, 10, -1),
		least_or_most(memory, 10, 1)
	print "\n| part of a full sweep, median of sweeps 2 to " n " | ms of processor time |\n|---|---|"
	row("OpenSM's lock is held: no path record is answered", "locked_ms")
	row("... of it: the subnet is translated", "translate_ms")
	row("... mapped", "map_ms")
	row("... routed and proved", "route_ms")
	row("... SLs of connections compared", "connections_compare_ms")
	row("... forwarding tables handed to OpenSM", "install_lfts_ms")
	row("multicast tree, under the lock, too", "multicast_prepare_ms")
	row("SL2VL maps for OpenSM, all of them", "sl2vl_ms")
	row("changed nodes are read back", "confirm_read_ms")
	row("SLs besides the paths' are judged", "verify_sls_ms")
	row("file for the next manager, by the disk's thread", "handover_write_ms")
	row("certificate, by the disk's thread", "certificate_write_ms")
	row("state files, by the disk's thread", "state_write_ms")
}
