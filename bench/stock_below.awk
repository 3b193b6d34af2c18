# Rows of bench_stock.sh where ours is below an engine of OpenSM's that is safe: for each fabric and
# measure the best such engine that needs no more VLs than ours, or else the best of all; and the reason.
# A bound within 1 % counts as equal. Ends with 1 if an engine that needs no more VLs is better without a
# reason. Reasons are tried in this order:
#
#   VLs       the other engine needs more of them
#   trade     the geometric mean of all six bounds is higher with ours: what taking the other would lose
#   one path  the fullest cable has one path more (a bound is one divided by the paths on it)
#   others    from -v reasons=FILE (stock_reasons.txt): fabric, bound, engine and reason, with tabs between
BEGIN {
	FS = ","
	same = 1.01
	while (reasons && (getline line < reasons) > 0)
		if (line !~ /^(#|$)/ && split(line, part, "\t") == 4)
			given[part[1], part[2], part[3]] = part[4]
}
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
# How much all six bounds are higher with ours, as the ratio of geometric means.
function gain(fabric, other,    m, sum) {
	for (m = 1; m <= 6; m++)
		sum += log(bound[fabric, "odonata", m] / bound[fabric, other, m])
	return exp(sum / 6)
}
# The bound that would lose most with the other engine, and how much, in percent.
function loss(fabric, other,    m, part, least, which) {
	least = 1
	for (m = 1; m <= 6; m++) {
		part = bound[fabric, other, m] / bound[fabric, "odonata", m]
		if (part < least) {
			least = part
			which = m
		}
	}
	return sprintf("%.0f %% of %s", 100 * (1 - least), name[which])
}
function is_one_path(fabric, m, other,    more) {
	more = 1 / bound[fabric, "odonata", m] - 1 / bound[fabric, other, m]
	return m != 1 && m != 4 && more < 1.01
}
# True if one engine is harder to answer than another: it is not worse in all six bounds together, or is
# better in this one.
function is_harder(fabric, m, one, other,    rank) {
	rank = (gain(fabric, one) <= 1) - (gain(fabric, other) <= 1)
	return rank > 0 || rank == 0 && bound[fabric, one, m] + 0 > bound[fabric, other, m] + 0
}
# "" if there is none.
function reason(fabric, m, other,    all) {
	if (vls[fabric, other] + 0 > vls[fabric, "odonata"] + 0)
		return "VLs: it needs " vls[fabric, other] - vls[fabric, "odonata"] " more"
	all = gain(fabric, other)
	if (all > 1)
		return sprintf("trade: it would lose %s, %.0f %% of all six", loss(fabric, other), 100 * (1 - 1 / all))
	if (is_one_path(fabric, m, other))
		return "one path more on the fullest cable"
	return given[fabric, name[m], other]
}
function report(fabric, m, found,    why, sort) {
	why = reason(fabric, m, found)
	failed = failed || why == ""
	sort = why == "" ? "no reason" : why
	sub(/[: ].*/, "", sort)
	if (!count[sort]++)
		sorts[++n_sorts] = sort
	printf "%-44s %-18s ours %-8s (%s VLs)  %-10s %-8s (%s VLs)  %s\n", fabric, name[m],
		bound[fabric, "odonata", m], vls[fabric, "odonata"], found, bound[fabric, found, m],
		vls[fabric, found], why == "" ? "NO REASON" : why
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
				    (best == "" || is_harder(fabric, m, e[k], best)))
					best = e[k]
				if (any == "" || b + 0 > bound[fabric, any, m] + 0)
					any = e[k]
			}
			if (best != "" || any != "")
				report(fabric, m, best != "" ? best : any)
		}
	}
	for (i = 1; i <= n_sorts; i++)
		counts = counts (i > 1 ? ", " : ": ") sorts[i] " " count[sorts[i]]
	printf "%d of %d figures on %d fabrics below%s\n", rows, 6 * fabrics, fabrics, counts
	exit failed
}
