#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables of docs/results/agreement.md that are not counted by its test:
#   tools/peer_tables.sh docs/results/peers
folder=${1:?usage: peer_tables.sh FOLDER}
cd "$folder" || exit 1
export LC_ALL=C

# Rows that were far from ours, over the peer's seeds; seed 1 is the row as it was compared first.
awk -F, '
	!/,/ || /^#/ || $1 == "routing" { next }
	{ key = $1 ", " $2 " " $3 }
	FILENAME ~ /seeds/ {
		if ($4 == 1) first[key] = sprintf("%.3f, %.0f", $5, $6)
		if (!(key in n) || $5 < low[key]) low[key] = $5
		if (!(key in n) || $6 < soon[key]) soon[key] = $6
		if ($5 > high[key]) high[key] = $5
		if ($6 > late[key]) late[key] = $6
		n[key]++
		next
	}
	$10 > 1 {
		if (key in n && n[key] == $10)
			printf "| %s | %d | %s | %.3f to %.3f, %.0f to %.0f | %.3f, %.0f |\n", key, n[key],
				first[key], low[key], high[key], soon[key], late[key], $5, $8
	}' fogsim-seeds.csv fogsim-burst-seeds.csv fogsim-v5.csv fogsim-v1.csv fogsim-burst-v1.csv

# Latency in bursts, ours as a share of the peer's.
awk -F, '
	$9 + 0 { if (!n++ || $9 < low) low = $9; if ($9 > high) high = $9 }
	END { printf "| least, most | %.2f, %.2f |\n", low, high }' fogsim-burst-v5.csv fogsim-burst-v1.csv

# OFAR at full offer, means of three seeds.
awk -F, '
	/^#/ || $1 == "pattern" { next }
	!($1 in n) { order[++many] = $1 }
	{ n[$1]++; for (i = 3; i <= 12; i++) sum[$1, i] += $i }
	function mean(p, i) { return sum[p, i] / n[p] }
	END {
		for (k = 1; k <= many; k++) {
			p = order[k]
			printf "| `%s` | %.3f, %.3f | %.0f, %.0f | %.3f, %.3f | %.3f, %.3f; %.3f |\n", p, mean(p, 3),
				mean(p, 8), mean(p, 4), mean(p, 9), mean(p, 5), mean(p, 10), mean(p, 6), mean(p, 11),
				mean(p, 12)
		}
	}' fogsim-owed.csv

# Bursts by how fast hosts send.
awk -F, '
	/^#/ { next }
	$1 == "seed" { next }
	{ for (i = 2; i <= 5; i++) { if (!n || $i < low[i]) low[i] = $i; if ($i > high[i]) high[i] = $i }; n++ }
	END {
		split("a:FOGSim, a phit a cycle:FOGSim, three phits a cycle:ours:ours, `paced-hosts=1`", name, ":")
		for (i = 2; i <= 5; i++) printf "| %s | %.3f to %.3f |\n", name[i], low[i], high[i]
	}' burst-hosts.csv

# The fat tree at full offer, single flits, no speedup: BookSim2 as it is, and with routing_delay = 1.
awk -F, '
	FILENAME ~ /seeds/ {
		if ($24 == 1) late[$6 "-1-1", $7 == "bitcomp" ? "complement" : $7 == "bitrev" ? "reverse" : $7] = $10
		next
	}
	$3 == 1 && ($1, $2) in late {
		printf "| `%s` | %s | %.3f | %.3f | %.3f |\n", $1, $2, $4, late[$1, $2], $5
	}' booksim-fattree-seeds.csv booksim-fattree.csv
