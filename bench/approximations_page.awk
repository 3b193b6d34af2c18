# The page of what bench_approximations.sh found: a table for each fabric, routings by patterns.
BEGIN {
	FS = "\""
	print "<!-- Written by `bench/bench_approximations.sh --page`. -->\n"
	print "# What approximations cost\n"
	print "What a fabric carries depends on what its switches can do, and on who made the tables. Here routings"
	print "stand side by side on the same fabric, emulated with the same switches (preset `daryin`):\n"
	print "- **stock**: engines of the stock OpenSM, tables as it installs them;"
	print "- **ib**: ours for any switch; LMC *n* gives each host 2^*n* LIDs, which lead different ways;"
	print "- **ib-ar**, **ib-ext**: ours for switches that choose among ports;"
	print "- **algorithmic**: yardsticks that no switch of InfiniBand can do.\n"
	print "A cell is the highest load in percent at which what every host offers arrives, searched to 1/128. Behind"
	print "the stroke stands the mean latency in cycles at half of that load. \"Proof\" says whether our verifier"
	print "proves delivery and freedom from deadlock: of all paths, or of those between hosts. Cells that were not"
	print "run are empty. The [figures](approximations.csv) are of one seed; this command goes on where they end:\n"
	print "    bench/bench_approximations.sh build docs/results/approximations.csv"
}
/^"/ {
	split($3, v, ",")
	split($5, w, ",")
	fabric = $2; routing = v[2] SUBSEP v[3]; pattern = $4
	if (!(fabric in seen_fabric)) { seen_fabric[fabric] = 1; fabrics[++n_fabrics] = fabric }
	if (!((fabric, routing) in seen)) {
		seen[fabric, routing] = 1
		of[fabric, ++n_of[fabric]] = routing
		profile[fabric, routing] = w[2]; proof[fabric, routing] = w[3]; vls[fabric, routing] = w[4]
	}
	if (!((fabric, pattern) in seen_pattern)) {
		seen_pattern[fabric, pattern] = 1
		patterns[fabric, ++n_patterns[fabric]] = pattern
	}
	if (w[5] != "") cell[fabric, routing, pattern] = sprintf("%.1f / %.0f", 100 * w[5], w[7])
	else { note[fabric, routing] = $6; cell[fabric, routing, pattern] = "none" }
}
END {
	for (i = 1; i <= n_fabrics; i++) {
		f = fabrics[i]
		printf "\n## `%s`\n\n| routing | switches | LMC | VLs | proof |", f
		for (k = 1; k <= n_patterns[f]; k++) printf " %s |", patterns[f, k]
		printf "\n|---|---|---|---|---|"
		for (k = 1; k <= n_patterns[f]; k++) printf "---|"
		print ""
		for (r = 1; r <= n_of[f]; r++) {
			split(of[f, r], name, SUBSEP)
			printf "| `%s` | %s | %s | %s | %s |", name[1], profile[f, of[f, r]], name[2],
				vls[f, of[f, r]], proof[f, of[f, r]]
			for (k = 1; k <= n_patterns[f]; k++) printf " %s |", cell[f, of[f, r], patterns[f, k]]
			print ""
		}
		for (r = 1; r <= n_of[f]; r++)
			if ((f, of[f, r]) in note) {
				split(of[f, r], name, SUBSEP)
				sub(/^odonata: /, "", note[f, of[f, r]])
				printf "\n`%s`%s: %s.\n", name[1], name[2] ? " with LMC " name[2] : "",
					note[f, of[f, r]]
			}
		there = ""
		for (r = 1; r <= n_of[f]; r++) there = there " " profile[f, of[f, r]] " "
		for (k = split("stock ib ib-ar ib-ext algorithmic", wanted, " "); k > 0; k--)
			if (!index(there, " " wanted[k] " "))
				printf "\nNo routing here is %s.\n", wanted[k]
	}
}
