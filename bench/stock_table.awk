# A table of bench_stock.sh's rows for docs/guide/engines.md: of each kind the largest fabric, whole and damaged,
# and all of the sites. Fabrics with one host for each switch are left out: their cables are hardly ever full.
#
#   awk -f bench/stock_table.awk docs/results/routing/stock.csv
#
# Beside ours is the best of OpenSM's engines that are proved to be safe, for each of two measures, and minhop.
BEGIN { FS = "," }
/^#/ || /^fabric,/ { next }
{
	# The spec is quoted and may have commas.
	match($0, /^"[^"]*"/)
	fabric = substr($0, 2, RLENGTH - 2)
	split(substr($0, RLENGTH + 2), f, ",")
	if (f[2] <= f[1]) next
	if (!(fabric in hosts)) {
		sort = fabric ~ /^site:/ ? fabric : fabric ~ / --damage/ ? "damaged " : "whole "
		if (sort != fabric) {
			kind = fabric
			sub(/:.*/, "", kind)
			sort = sort kind
		}
		if (!(sort in largest)) order[++n] = sort
		if (!(sort in largest) || f[1] > switches[largest[sort]]) largest[sort] = fabric
		switches[fabric] = f[1]
		hosts[fabric] = f[2]
	}
	engine = f[3]
	if (f[4] != "routed") next
	if (engine == "odonata")
		ours[fabric] = sprintf("%s | %.3g | %.3g", f[13], f[5], f[6])
	else if (f[12] ~ /^(yes|hosts|ibdmchk)$/) {
		take(1, f[5])
		take(2, f[6])
	}
	if (engine == "minhop")
		minhop[fabric] = sprintf("%.3g%s", f[5], f[12] ~ /^no: / ? "," substr(f[12], 4) : "")
}
# Of equal ones the one with fewer VLs.
function take(m, value) {
	if (value + 0 > most[fabric, m] || value + 0 == most[fabric, m] && f[13] + 0 < vls[fabric, m]) {
		most[fabric, m] = value + 0
		vls[fabric, m] = f[13] + 0
		best[fabric, m] = sprintf("%.3g `%s`, %d VL%s", value, engine, f[13], f[13] > 1 ? "s" : "")
	}
}
END {
	print "| fabric | switches, hosts | VLs | uniform | worst shift | OpenSM's best, uniform | worst shift | minhop |"
	print "|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		x = largest[order[i]]
		printf "| `%s` | %d, %d | %s | %s | %s | %s |\n", x, switches[x], hosts[x], ours[x], best[x, 1],
			best[x, 2], minhop[x]
	}
}
