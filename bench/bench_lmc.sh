#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What several LIDs for each host are worth where they lead different ways (--spread-lids): static bounds, and
# what the emulator accepts where hosts offer all they can.
#
#   bench/bench_lmc.sh BUILD >docs/results/routing/lmc.csv
#   bench/bench_lmc.sh --table docs/results/routing/lmc.csv    for docs/guide/path-sls.md
#   bench/bench_lmc.sh --highest HOSTS,SWITCHES...             the same page: which LMC there are LIDs for
set -euo pipefail
if [ "$1" = --table ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | LMC | LIDs | engine | uniform | emulated | adversarial (`advg:n=1`) | emulated |"
			print "|---|---|---|---|---|---|---|---|" }
		/^"/ {
			split($3, v, ","); split($5, most, ",")
			key = $2 "," v[2]
			now = sprintf("%.3f | %.3f", most[2], most[3])
			if ($4 == "uniform") uniform[key] = now
			else printf "| `%s` | %d | %d | `%s` | %s | %s |\n", $2, v[2], 2 ^ v[2], v[3], uniform[key], now
		}' "$2"
fi
if [ "$1" = --highest ]; then
	shift
	printf '%s\n' "$@" | awk -F, '
		BEGIN { print "| hosts | switches | highest LMC |"; print "|---|---|---|" }
		{
			for (lmc = 0; lmc < 7 && $1 * 2 ^ (lmc + 1) + $2 <= 49151; ) lmc++
			printf "| %s | %s | %d |\n", $1, $2, lmc
		}'
	exit
fi
odonata=$(realpath "$1")/cli/odonata
echo "# bench/bench_lmc.sh BUILD; $(date +%F), commit $(git -C "$(dirname "$0")" describe --always --dirty)"
echo "fabric,lmc,engine,vls,sls,pattern,saturation at most,accepted at load 1"
rows() { # SPEC PATTERN...
	local spec=$1 pattern lmc accepted
	shift
	for pattern; do
		for lmc in 0 1 2 3; do
			accepted=$("$odonata" emulate "$spec" --lmc $lmc --spread-lids --pattern "$pattern" --load 1 --json |
				awk -F'[:,]' '/"accepted"/ { print $2 + 0; exit }')
			"$odonata" analyze "$spec" --lmc $lmc --spread-lids --pattern "$pattern" --bisections 0 --worst 0 |
				awk -v spec="$spec" -v lmc=$lmc -v pattern="$pattern" -v accepted="$accepted" '
				$1 == "engine" || $1 == "vls" || $1 == "sls" { v[$1] = $2 }
				/^saturation at most/ { v["most"] = $NF }
				END { printf "\"%s\",%d,%s,%s,%s,\"%s\",%s,%s\n", spec, lmc, v["engine"], v["vls"],
					v["sls"], pattern, v["most"], accepted }'
		done
	done
}
rows dragonfly:p=4,a=8,h=4 uniform advg:n=1
rows dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 uniform advg:n=1
