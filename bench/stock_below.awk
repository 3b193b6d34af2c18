# Rows of bench_stock.sh where ours is below an engine of OpenSM's that is safe: for each fabric and
# measure the best such engine that needs no more VLs than ours, or, marked "more VLs", the best of all.
# Ends with 1 if there is one of the first sort. A bound within 1 % counts as equal.
BEGIN { FS = ","; same = 1.01 }
/^#/ { next }
/^fabric,/ { next }
{
	# The spec is quoted and may have commas.
	match($0, /^"[^"]*"/)
	fabric = substr($0, 2, RLENGTH - 2)
	n = split(substr($0, RLENGTH + 2), f, ",")
	if (!(fabric in seen)) {
		seen[fabric] = 1
		order[++fabrics] = fabric
	}
	engine = f[3]
	if (f[4] != "routed") {
		if (engine == "odonata") missing[fabric] = f[4]
		next
	}
	if (engine == "odonata" || f[12] ~ /^(yes|hosts|ibdmchk)$/) {
		key = fabric SUBSEP engine
		engines[fabric] = engines[fabric] " " engine
		bound[key, 1] = f[5]; bound[key, 2] = f[6]; bound[key, 3] = f[8]; bound[key, 4] = f[9]
		bound[key, 5] = f[10]; bound[key, 6] = f[11]
		safe[key] = f[12]; vls[key] = f[13]
	}
}
function report(fabric, m, found, note) {
	printf "%-44s %-18s ours %-8s (%s VLs)  %-10s %-8s (%s VLs)%s\n", fabric, name[m],
		bound[fabric, "odonata", m], vls[fabric, "odonata"], found, bound[fabric, found, m],
		vls[fabric, found], note
	rows++
}
END {
	split("uniform,worst shift,complement,mean of 100,least of 100,worst permutation", name, ",")
	for (i = 1; i <= fabrics; i++) {
		fabric = order[i]
		key = fabric SUBSEP "odonata"
		if (!(key in safe)) {
			printf "%-44s ours: %s\n", fabric, fabric in missing ? missing[fabric] : "no row"
			failed = 1
			continue
		}
		if (safe[key] !~ /^yes$/) {
			printf "%-44s ours is not proved: %s\n", fabric, safe[key]
			failed = 1
		}
		n = split(engines[fabric], e, " ")
		for (m = 1; m <= 6; m++) {
			best = any = ""
			for (k = 1; k <= n; k++) {
				if (e[k] == "odonata")
					continue
				b = bound[fabric, e[k], m]
				if (b + 0 <= bound[fabric, "odonata", m] * same)
					continue
				if (vls[fabric, e[k]] + 0 <= vls[fabric, "odonata"] + 0 &&
				    (best == "" || b + 0 > bound[fabric, best, m] + 0))
					best = e[k]
				if (any == "" || b + 0 > bound[fabric, any, m] + 0)
					any = e[k]
			}
			if (best != "") {
				report(fabric, m, best, "")
				failed = 1
			} else if (any != "")
				report(fabric, m, any, ", more VLs")
		}
	}
	printf "%d of %d figures on %d fabrics below\n", rows, 6 * fabrics, fabrics
	exit failed
}
