# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Our curves beside a peer's:
#
#   awk -f tools/compare_peers.awk fogsim_h2.csv peer-fogsim-v5.csv > fogsim-v5.csv
#
# The first file is the peer's (columns routing, pattern, offered_pct, accepted_load,
# avg_packet_latency; or BookSim2's, below), the second the one that `odonata experiment` made of the config whose
# curves bear the peer's names. Ours are means over seeds. "agrees": accepted load within 0.01,
# and where the peer still gets what it offers to within 3 %, latency within 3 %.

# Split a CSV line with quoted fields.
function split_csv(line, field,    n, at, c, quoted) {
	n = 1
	field[1] = ""
	quoted = 0
	for (at = 1; at <= length(line); at++) {
		c = substr(line, at, 1)
		if (c == "\"")
			quoted = !quoted
		else if (c == "," && !quoted)
			field[++n] = ""
		else
			field[n] = field[n] c
	}
	return n
}

function name_columns(line, column,    field, n, i) {
	n = split_csv(line, field)
	for (i = 1; i <= n; i++)
		column[field[i]] = i
}

function absolute(x) {
	return x < 0 ? -x : x
}

BEGIN {
	if (!within)
		within = 0.01
	# BookSim2's FlatFly counts hosts by rows of an 8x8 grid, ours by switches of 2x2 of them:
	# the bits of its numbers, from bit 0, are bits 0 2 3 1 4 5 of ours.
	split("bad_dragon advg:n=1 bitcomp complement transpose bits:from=1x0x4x5x2x3 " \
	      "shuffle bits:from=5x3x0x2x1x4 bitrev bits:from=5x3x4x1x2x0", pair, " ")
	for (i = 1; i in pair; i += 2)
		pattern[pair[i]] = pair[i + 1]
	pattern["uniform"] = "uniform"
	silent["bits:from=1x0x4x5x2x3"] = 8 / 64
	silent["bits:from=5x3x0x2x1x4"] = 2 / 64
	silent["bits:from=5x3x4x1x2x0"] = 8 / 64
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
	if (f[theirs["nodes"]] != nodes || !(f[theirs["traffic"]] in pattern))
		next
	key = f[theirs["routing_function"]] "-" f[theirs["packet_size"]] "-" \
	      f[theirs["internal_speedup"]] + 0 "," pattern[f[theirs["traffic"]]] "," \
	      f[theirs["offered_flits_per_node_cycle"]] + 0
	if (!(key in accepted))
		order[++n] = key
	accepted[key] = f[theirs["accepted_flit_rate_avg"]]
	latency[key] = f[theirs["packet_latency_avg"]]
	next
}
file == 1 {
	split_csv($0, f)
	if (!(f[theirs["pattern"]] in pattern))
		next
	key = f[theirs["routing"]] "," pattern[f[theirs["pattern"]]] "," f[theirs["offered_pct"]] / 100
	if (!(key in accepted))
		order[++n] = key
	accepted[key] = f[theirs["accepted_load"]]
	latency[key] = f[theirs["avg_packet_latency"]]
}
file == 2 {
	split_csv($0, f)
	key = f[ours["curve"]] "," f[ours["pattern"]] "," f[ours["load"]] + 0
	our_accepted[key] += f[ours["accepted"]]
	# BookSim2's hosts send to themselves where a permutation says so; ours are silent then.
	if ("routing_function" in theirs && f[ours["pattern"]] ~ /^bits/)
		our_accepted[key] += f[ours["load"]] * silent[f[ours["pattern"]]]
	our_latency[key] += f[ours["latency"]]
	outcome[key] = f[ours["outcome"]] != "done" ? f[ours["outcome"]] : outcome[key]
	count[key]++
}

END {
	print "routing,pattern,load,peer_accepted,accepted,difference,peer_latency,latency,ratio,verdict"
	for (i = 1; i <= n; i++) {
		key = order[i]
		if (!count[key])
			continue
		a = our_accepted[key] / count[key]
		l = our_latency[key] / count[key]
		split(key, part, ",")
		steady = accepted[key] >= 0.97 * part[3]
		near = absolute(a - accepted[key]) <= within
		late = steady && absolute(l / latency[key] - 1) > 0.03
		verdict = outcome[key] ? outcome[key] : near && !late ? "agrees" : \
			  near ? "latency differs" : "differs"
		total[verdict]++
		printf "%s,%.4f,%.4f,%+.4f,%.2f,%.2f,%.3f,%s\n", key, accepted[key], a,
		       a - accepted[key], latency[key], l, l / latency[key], verdict
	}
	for (v in total)
		printf "%s: %d\n", v, total[v] > "/dev/stderr"
}
