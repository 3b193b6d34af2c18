# PAR beside Piggybacking and FOGSim's PAR, for docs/reference/policies.md:
#   awk -f tools/par_table.awk docs/results/peers/fogsim-par.csv
BEGIN {
	FS = ","
	print "| | uniform | ADVG+1 | ADVG+2 | hops at 0.1 |"
	print "|---|---|---|---|---|"
}
/^#/ || $1 == "sim" { next }
{
	name = $1 == "fogsim" ? "FOGSim's " $2 : "`" $2 "`"
	gsub(/"/, "", name)
	if (!(name in seen)) seen[name] = order[++n] = name
	if ($4 == 1) accepted[name, $3] = $5
	else hops[name] = $7
}
END {
	for (i = 1; i <= n; i++) {
		name = order[i]
		printf "| %s | %.3f | %.3f | %.3f | %.2f |\n", name, accepted[name, "uniform"], accepted[name, "advg:n=1"],
			accepted[name, "advg:n=2"], hops[name]
	}
}
