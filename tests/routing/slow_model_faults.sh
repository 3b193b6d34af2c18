#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Faults put into routing/reroute/connections.c on purpose, a line each, are found by the explorer of small subnets.
# Each faulty file is compiled into a copy of the explorer; that runs from shallow to deep until it says what is wrong.
set -u
build=$(realpath "$1")
source=${ODONATA_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
module=$source/routing/reroute/connections.c

# A fault a line: WHAT, and how sed makes it.
faults=$(cat <<'END'
SLs of absent ports are forgotten|s/^	if (w->lacks\[s\])$/	if (0)/
SLs owed to a port are not added when it returns|s/if (back && before->owed)/if (0)/
a port that moved leaves its SLs behind|s/if (back || (before->by_pair && w->place\[was\] != s))/if (back)/
a port that returned begins anew|s/if (back || (before->by_pair && w->place\[was\] != s))/if (before->by_pair \&\& w->place[was] != s)/
answers by another port's LID are forgotten|s/^	add_answers(w);$//
SLs given from unknown LIDs are forgotten|s/(has\[s\] || h->lid_row\[lid\] == ODO_NONE)/(h->lid_row[lid] == ODO_NONE)/
SLs given to unknown LIDs are forgotten|s/(has\[s\] || h->lid_row\[lid\] == ODO_NONE)/has[s]/
only the path's SL is remembered|s/(h->held\[i\] & proved) | 1u << odo_path_sl/(h->held[i] \& 0) | 1u << odo_path_sl/
nobody is told|s/^	if (!held)$/	if (held || !held)/
SLs that are not proved are forgotten where nobody is told|s/if (!h->by_pair || odo_next_port(t, s, lid) != ODO_NO_PORT)/if (1)/
every SL counts as proved|s/return any_sl ? UINT16_MAX/return 1 ? UINT16_MAX/
rows of absent switches are dropped|s/^		continue_row(w, i, w->place\[i\]);$/		if (w->place[i] < w->f->n_switches) continue_row(w, i, w->place[i]);/
absent ports are dropped|s/i < before->n_ports && h->n_ports < most; i++/i < 0 \&\& h->n_ports < most; i++/
absent ports are at another switch|s/= w->place\[before->port_switch\[i\]\];/= 0;/
SLs owed in a row are dropped at the next sweep|s/before->owed && w->lacks\[to\] && lid < before->lid_count/lid < 0/
suggested SLs are not recorded|s/^	atomic_fetch_or(&c->free_hints, 1u << hint % ODO_N_SLS);$//
suggested SLs are dropped at the next sweep|s/odo_history_add(c->history, hints)/odo_history_add(c->history, 0)/
suggested SLs are in no file|s/c->unsaved |= odo_history_add(c->history, hints)/odo_history_add(c->history, hints)/
SLs of another engine are not recorded|s/c->unsaved |= odo_history_add(c->history, sls)/(void)sls/
SLs of another engine are in no file|s/c->unsaved |= odo_history_add(c->history, sls)/odo_history_add(c->history, sls)/
SLs for unknown LIDs are not recorded|s/^		atomic_fetch_or(&c->strange, 1u << hint % ODO_N_SLS);$//
the switch that answers for a LID is another one|s/h->lid_row\[lid\] = lid < w->f->lid_count ? w->f->lid_switch\[lid\] : ODO_NONE;/h->lid_row[lid] = 0;/
the switch that answers for a LID is not found again|s/h->lid_row\[lid\] = row == ODO_NONE ? ODO_NONE : w->place\[row\];/h->lid_row[lid] = row;/
a query is answered for the way back|s/uint8_t sl = odo_path_sl(t, f->lid_switch\[slid\], dlid);/uint8_t sl = odo_path_sl(t, f->lid_switch[dlid], slid);/
the row of another switch is compared|s/unsigned held = odo_history_held(h, s, lid) & ~proved/unsigned held = odo_history_held(h, 0, lid) \& ~proved/
a LID's SLs are those of the one before|s/	h->held\[row + lid\] |= sls\[old + lid\];/	h->held[row + lid] |= sls[old + (lid ? lid - 1 : 0)];/
saved tables lack the SLs in use|s/held\[i\] = (uint16_t)(odo_history_held(h, s, lid) & ~(1u << last));/held[i] = 0;/
END
)

# Runs of the explorer, from shallow to deep: SWITCHES DEPTH KINDS ASKS.
runs=("ring5 1 all ah" "ring4 2 all a" "ring5 2 cable,swap,host a" "ring4 3 foreign,takeover,option,host ah"
	"ring4 3 host,switch,move a" "ring4 3 all a")

flags=(-O2 -std=gnu17 -w -D_GNU_SOURCE -I"$source")
cc "${flags[@]}" -c "$source/tests/routing/tool_model.c" -o "$scratch/tool.o" || exit 1
link() { # OBJECT OUT: with the core's archive, whose own copy of the module is not taken
	cc "$scratch/tool.o" "$1" "$build/libodonata-core.a" -lm -lpthread -o "$2"
}
failed=0 n=0 found=0
while IFS='|' read -r what how; do
	n=$((n + 1))
	sed -e "$how" "$module" >"$scratch/connections.c"
	if cmp -s "$module" "$scratch/connections.c"; then
		echo "NO FAULT: $what: nothing fits $how"
		failed=1
		continue
	fi
	cc "${flags[@]}" -c "$scratch/connections.c" -o "$scratch/connections.o" &&
		link "$scratch/connections.o" "$scratch/faulty" || { echo "NOT BUILT: $what"; failed=1; continue; }
	by=
	for run in "${runs[@]}"; do
		"$scratch/faulty" $run >"$scratch/said" 2>&1
		[ $? -ne 1 ] || { by=$run; break; }
	done
	[ "$by" ] && found=$((found + 1)) || failed=1
	[ "$by" ] && echo "found by \"$by\": $what" || echo "MISSED: $what"
done <<<"$faults"
echo "$found of $n faults are found"
exit $failed
