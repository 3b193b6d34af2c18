# Rows of bench_stock.sh: how much each bound is higher with ours than with another engine, in percent; the
# geometric mean over all fabrics that both route.
BEGIN { FS = "," }
/^[#f]/ { next }
{
	match($0, /^"[^"]*"/)
	fabric = substr($0, 1, RLENGTH)
	split(substr($0, RLENGTH + 2), f, ",")
	if (f[4] == "routed")
		bounds[fabric, f[3]] = f[5] " " f[6] " " f[8] " " f[9] " " f[10] " " f[11]
	fabrics[fabric]
}
END {
	split("uniform,worst shift,complement,mean of 100,least of 100,worst permutation", name, ",")
	for (fabric in fabrics) {
		if (!((fabric, "odonata") in bounds && (fabric, other) in bounds))
			continue
		split(bounds[fabric, "odonata"], ours, " ")
		split(bounds[fabric, other], theirs, " ")
		for (m = 1; m <= 6; m++)
			sum[m] += log(ours[m] / theirs[m])
		n++
	}
	for (m = 1; m <= 6 && n; m++) {
		printf "%-18s %+.1f %%\n", name[m], 100 * (exp(sum[m] / n) - 1)
		all += sum[m] / 6
	}
	if (n)
		printf "%-18s %+.1f %%, of %d fabrics\n", "all six", 100 * (exp(all / n) - 1), n
}
