#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bench_transition.sh BUILD [REGEX]: after the loss of every cable, and of every switch, what can go wrong while
# tables change (odonata transition). A row for each fabric, engine and kind of loss, as CSV. Takes half an
# hour on two processors. On larger fabrics it is 1,000 losses at random, each of one cable or switch.
#   REGEX         fabrics, with their options, that are tried [all]
#   lids          paths to all LIDs; to those of hosts alone; or to all, as if no connection kept its SL
#   no cycle, no mixed cycle, no loop, all arrive, unharmed, safe: losses of which that can be said
#   at most twice: losses after which at most twice the least possible number of entries changes
#   entries over least: of all losses together
#   as short: the same of tables whose paths are no longer than the new ones
# What the words mean: odonata transition --help.
#
# bench_transition.sh --table CSV: of the loss of single cables, in percent of those tried, for
# docs/results/routing/README.md. bench_transition.sh --faults CSV: of the 1,000, cables and switches together.
set -euo pipefail
if [ "$1" = --faults ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | engine | faults | no cycle | all arrive | both | at most twice | as short | over least | as short |"
			print "|---|---|---|---|---|---|---|---|---|---|" }
		$2 ~ / --random / {
			name = $2
			sub(/ --random .*/, "", name)
			if (!(name in tried)) order[++n_names] = name
			engine[name] = $4
			split($9, n, ",") # from the second on: tried, declined, no cycle, ...
			tried[name] += n[2]; acyclic[name] += n[4]; arrive[name] += n[7]; both[name] += n[8]
			twice[name] += n[10]; least[name] += n[12]; changed[name] += n[13]
			twice_short[name] += n[14]; least_short[name] += n[15]
		}
		END { for (i = 1; i <= n_names; i++) {
			name = order[i]
			printf "| `%s` | `%s` | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |\n", name, engine[name],
				tried[name], 100 * acyclic[name] / tried[name], 100 * arrive[name] / tried[name],
				100 * both[name] / tried[name], 100 * twice[name] / tried[name],
				100 * twice_short[name] / tried[name], changed[name] / least[name],
				changed[name] / least_short[name] } }' "$2"
fi
if [ "$1" = --table ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | engine | LIDs | cables | no cycle | all arrive | no loop | at most twice | as short | over least | as short |"
			print "|---|---|---|---|---|---|---|---|---|---|---|" }
		$8 == "cables" && $2 !~ / --random / {
			split($9, n, ",") # from the second on: tried, declined, no cycle, ...
			printf "| `%s` | `%s` | %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |\n", $2, $4, $6, n[2],
				100 * n[4] / n[2], 100 * n[7] / n[2], 100 * n[6] / n[2], 100 * n[10] / n[2],
				100 * n[14] / n[2], n[13] / n[12], n[13] / n[15]
		}' "$2"
fi
PATH=$1/cli:$PATH
only_fabrics=${2:-.}
here=$(dirname "$0")
echo "# bench/bench_transition.sh BUILD; $(date +%F), commit $(git -C "$here" describe --always --dirty)"
echo 'fabric,engine,lids,lost,tried,declined,no cycle,no mixed cycle,no loop,all arrive,unharmed,safe,at most twice,entries over least,least entries,changed entries,as short,least as short'

rows() { # LIDS FABRIC [ENGINE], options with the fabric
	local only=()
	[[ $2 =~ $only_fabrics ]] || return 0
	[ "$1" != hosts ] || only=(--hosts-only)
	[ "$1" != "new SLs" ] || only=(--new-sls)
	odonata transition $2 ${3:+--engine "$3"} "${only[@]}" --worst 0 --json | jq -r --arg lids "$1" --arg fabric "$2" '
		.engine as $engine | .losses[] |
		[$fabric, $engine, $lids, .lost, .tried, .declined, .no_cycle, .no_mixed_cycle, .no_loop, .all_arrive,
		 .unharmed, .safe, .at_most_twice,
		 (if .least_entries > 0 then .changed_entries / .least_entries * 100 | round / 100 else "" end),
		 .least_entries, .changed_entries, .at_most_twice_as_short, .least_as_short] | @csv'
}

for fabric in fattree:k=8,levels=3 flatfly:k=4x4x4,c=2 dragonfly:p=2,a=4,h=2 dragonfly:p=4,a=8,h=4 torus:k=5x5x5,c=2 \
	slimfly:q=5,c=3 random:n=64,d=8,c=2; do
	rows all "$fabric"
	rows hosts "$fabric"
done
for fabric in fattree:k=12,levels=3 flatfly:k=6x6x6,c=1 dragonfly:p=4,a=8,h=4 torus:k=7x7x7,c=1 slimfly:q=11,c=2; do
	rows hosts "$fabric --random 1000"
done
# The manager has begun on a fabric that lacks some cables already.
for fabric in fattree:k=8,levels=3 flatfly:k=4x4x4,c=2 dragonfly:p=2,a=4,h=2 torus:k=5x5,c=1 torus:k=5x5x5,c=2 \
	slimfly:q=5,c=3; do
	rows hosts "$fabric --damage 0,1,1"
	rows hosts "$fabric --damage 0,3,1"
done
for fabric in torus:k=5x5x5,c=2 random:n=64,d=8,c=2; do
	rows "new SLs" "$fabric"
done
for engine in updown layered; do
	for fabric in fattree:k=8,levels=3 flatfly:k=4x4x4,c=2 dragonfly:p=2,a=4,h=2 torus:k=5x5x5,c=2 slimfly:q=5,c=3; do
		rows all "$fabric" "$engine"
	done
done
