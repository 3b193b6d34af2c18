# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Our curves beside a peer's; tools/compare_peers.sh runs it for all of them.
#
#   awk -f tools/csv.awk -f tools/compare_peers.awk [-v seeds=FILE] PEER.csv OURS.csv ... > COMPARED.csv
#
# The first file is the peer's (columns routing, pattern, offered_pct, accepted_load,
# avg_packet_latency; or BookSim2's, below), the others are what `odonata experiment` made of the
# configs whose curves bear the peer's names. Ours are means over seeds. With `seeds`, of rows that
# the peer ran with more seeds (columns routing,pattern,load,seed,accepted,latency) the mean stands
# for the one. With version=v1 or v5, only rows of that version of FOGSim; of bursts `load` is what
# they achieve.
#
# "agrees": accepted load within 0.02, and latency within 5 % where the peer still gets what it
# offers to within 3 % and offers no more than 97 % of the most it accepts. Random permutations are
# not the peer's own: there it must lie as near to what ours span.

function name_columns(line, column,    field, n, i) {
	n = split_csv(line, field)
	for (i = 1; i <= n; i++)
		column[field[i]] = i
}

function absolute(x) {
	return x < 0 ? -x : x
}

# A row of the peer's: the mean of its seeds where there are several.
function set_peer(key, a, l,    curve) {
	peer_seeds[key] = n_seeds[key] ? n_seeds[key] : 1
	accepted[key] = n_seeds[key] ? seeds_accepted[key] / n_seeds[key] : a
	latency[key] = n_seeds[key] ? seeds_latency[key] / n_seeds[key] : l
	curve = key
	sub(/,[^,]*$/, "", curve)
	if (a > most[curve])
		most[curve] = a + 0
}

BEGIN {
	if (!within)
		within = 0.02
	if (!late)
		late = 0.05
	while (seeds && (getline line < seeds) > 0) {
		if (line ~ /^#|^routing/)
			continue
		split_csv(line, f)
		key = f[1] "," f[2] "," f[3] + 0
		n_seeds[key]++
		seeds_accepted[key] += f[5]
		seeds_latency[key] += f[6]
	}
	# BookSim2's FlatFly counts hosts by rows of an 8x8 grid, ours by switches of 2x2 of them:
	# the bits of its numbers, from bit 0, are bits 0 2 3 1 4 5 of ours.
	# Its fat tree counts them as ours does.
	split(topology == "fattree" ? "transpose transpose shuffle shuffle bitrev reverse" : \
	      "transpose bits:from=1x0x4x5x2x3 shuffle bits:from=5x3x0x2x1x4 " \
	      "bitrev bits:from=5x3x4x1x2x0", pair, " ")
	for (i = 1; i in pair; i += 2) {
		pattern[pair[i]] = pair[i + 1]
		silent[pair[i + 1]] = (pair[i] == "shuffle" ? 2 : 8) / 64
	}
	pattern["bad_dragon"] = "advg:n=1"
	pattern["bitcomp"] = "complement"
	pattern["uniform"] = "uniform"
	split("UN uniform ADV+1 advg:n=1 ADV+2 advg:n=2 ADV_LOCAL+1 advl HOTREGION hotregion " \
	      "RANDOMPERMUTATION permutation", pair, " ")
	for (i = 1; i in pair; i += 2)
		pattern[pair[i]] = pair[i + 1]
}

FILENAME != last {
	last = FILENAME
	file++
	named = 0
}
/^#/ {
	next
}
!named {
	named = 1
	if (file == 1)
		name_columns($0, theirs)
	else
		name_columns($0, ours)
	next
}
file == 1 && ("routing_function" in theirs) {
	split_csv($0, f)
	if ((topology && f[theirs["topology"]] != topology) || f[theirs["nodes"]] != nodes || \
	    !(f[theirs["traffic"]] in pattern))
		next
	key = f[theirs["routing_function"]] "-" f[theirs["packet_size"]] "-" \
	      f[theirs["internal_speedup"]] + 0 "," pattern[f[theirs["traffic"]]] "," \
	      f[theirs["offered_flits_per_node_cycle"]] + 0
	if (!(key in accepted))
		order[++n] = key
	set_peer(key, f[theirs["accepted_flit_rate_avg"]], f[theirs["packet_latency_avg"]])
	size[key] = f[theirs["packet_size"]]
	next
}
file == 1 {
	split_csv($0, f)
	if (!(f[theirs["pattern"]] in pattern) || (version && f[theirs["version"]] !~ version))
		next
	key = f[theirs["routing"]] "," pattern[f[theirs["pattern"]]] "," f[theirs["offered_pct"]] / 100
	if (!(key in accepted))
		order[++n] = key
	set_peer(key, f[theirs["accepted_load"]], f[theirs["avg_packet_latency"]])
}
file > 1 {
	split_csv($0, f)
	key = f[ours["curve"]] "," f[ours["pattern"]] "," ("load" in ours ? f[ours["load"]] + 0 : 1)
	a = f[ours["accepted"]]
	l = f[ours["latency"]]
	# BookSim2's hosts send to themselves where a permutation says so, in one switch; ours are
	# silent then.
	if ("routing_function" in theirs && (f[ours["pattern"]] in silent)) {
		own = silent[f[ours["pattern"]]]
		a += f[ours["load"]] * own
		l = l * (1 - own) + (6 + size[key]) * own
	}
	our_accepted[key] += a
	our_latency[key] += l
	least_accepted[key] = !count[key] || a < least_accepted[key] ? a : least_accepted[key]
	most_accepted[key] = a > most_accepted[key] ? a : most_accepted[key]
	least_latency[key] = !count[key] || l < least_latency[key] ? l : least_latency[key]
	most_latency[key] = l > most_latency[key] ? l : most_latency[key]
	outcome[key] = f[ours["outcome"]] != "done" ? f[ours["outcome"]] : outcome[key]
	count[key]++
}

END {
	print "routing,pattern,load,peer_accepted,accepted,difference,peer_latency,latency,ratio,peer_seeds,verdict"
	for (i = 1; i <= n; i++) {
		key = order[i]
		if (!count[key]) {
			total["not compared"]++
			print key ": not compared" > "/dev/stderr"
			continue
		}
		a = our_accepted[key] / count[key]
		l = our_latency[key] / count[key]
		split(key, part, ",")
		steady = !("end_cycle" in theirs) && accepted[key] >= 0.97 * part[3] && \
			 part[3] <= 0.97 * most[part[1] "," part[2]]
		if (part[2] == "permutation") {
			near = accepted[key] >= least_accepted[key] - within && \
			       accepted[key] <= most_accepted[key] + within
			slow = steady && (latency[key] < least_latency[key] * (1 - late) || \
					  latency[key] > most_latency[key] * (1 + late))
		} else {
			near = absolute(a - accepted[key]) <= within
			slow = steady && absolute(l / latency[key] - 1) > late
		}
		verdict = outcome[key] ? outcome[key] : near && !slow ? "agrees" : \
			  near ? "latency differs" : "differs"
		total[verdict]++
		printf "%s,%.4f,%.4f,%+.4f,%.2f,%.2f,%.3f,%d,%s\n", key, accepted[key], a,
		       a - accepted[key], latency[key], l, l / latency[key], peer_seeds[key], verdict
	}
	for (v in total)
		printf "%s: %d\n", v, total[v] > "/dev/stderr"
}
