#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bench_transition_stock.sh BUILD [CABLES [FABRIC...]]: as bench_transition.sh, for the stock opensm's engines
# and for ours as it runs in opensm. CABLES cables [5], drawn with a fixed seed, are cut one at a time in a
# running ibsim and mended again. What is judged is the change from the tables that opensm dumped before a cut
# to those after it, to the LIDs of hosts. Paths of stock engines to the LIDs of switches may be anything.
# `updn` is told a root, since it finds none in most of these fabrics: the first switch, in a fat tree the last.
#   no cycle alone: old and new tables have none by themselves; others cannot be compared by "no cycle"
# bench_transition_stock.sh --table CSV: for docs/results/routing/README.md, in cuts.
set -u
if [ "$1" = --table ]; then
	exec awk -F'"' '
		BEGIN { print "| fabric | engine | cuts | safe before and after | no cycle | no loop | all arrive | over least |"
			print "|---|---|---|---|---|---|---|---|" }
		/^"/ {
			split($3, n, ",")
			printf "| `%s` | `%s` | %s | %s | %s | %s | %s | %s |\n", $2, n[2], n[3], n[4], n[5], n[6], n[7], n[8]
		}' "$2"
fi
here=$(realpath "$(dirname "$0")")
export ODONATA_BUILD=$(realpath "$1")
cables=${2:-5}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- fattree:k=8,levels=3 flatfly:k=4x4x4,c=2 dragonfly:p=2,a=4,h=2 torus:k=5x5x5,c=2 slimfly:q=5,c=3
. "$here/../tests/plugin/fabric.sh"
PATH=$ODONATA_BUILD/cli:$PATH
mkdir "$FABRIC/lib" && ln -s "$ODONATA_BUILD"/{plugin/libodonata,bench/libodonata-timer}.so "$FABRIC/lib"
plugin_path=$FABRIC/lib

settings() { # ENGINE
	local qos=FALSE plugins=odonata-timer # which dumps path SLs
	case $1 in
	dfsssp) qos=TRUE ;;
	updn) echo "root_guid_file $FABRIC/root" ;;
	odonata) qos=TRUE plugins="odonata odonata-timer" ;;
	esac
	printf '%s\n' "event_plugin_name $plugins" "routing_engine $1,no_fallback" "qos $qos"
}

# Keeps what opensm dumped in the last sweep. The files that are there, with commas, are in $kept.
keep() { # NAME
	local file
	kept=
	for file in opensm-lfts.dump opensm-sl2vl.dump path-sl.dump; do
		[ -s "$fabric_dir/$file" ] || continue
		cp "$fabric_dir/$file" "$fabric_dir/$1.$file"
		kept+=${kept:+,}$fabric_dir/$1.$file
	done
	cp "$fabric_dir/opensm-subnet.lst" "$fabric_dir/$1.lst"
}

# Waits until opensm has swept once more and then rests: both ends of a cable report it.
settle() {
	local before=$ups
	until [ "$ups" -gt "$before" ] && [ "$(grep -c "SUBNET UP" "$sm_log")" -eq "$ups" ]; do
		sm_wait_up $((before + 1)) 60
		ups=$(grep -c "SUBNET UP" "$sm_log")
		sleep 1
	done
}

# The switches' ports of some cables, as ibsim's console names them.
draw() { # NET
	awk -F'"' '/^Switch/ { is[$2] = at = 1; name = $2 } /^(Hca|Ca)/ { at = 0 }
		at && /^\[/ { split($1, port, /[][]/); if ($2 in is) print "\"" name "\"[" port[2] "]" }' "$1" |
		shuf -n "$cables" --random-source=<(yes)
}

# However a try ends, nothing of it is left running.
leave() { # SPEC ENGINE
	local pid
	[ -z "$cut" ] || echo "\"$1\",$2,gives up after a cut,,,,,"
	for pid in "${fabric_pids[@]}"; do stop_pid "$pid"; done
}

try() { # SPEC ENGINE
	local net=$FABRIC/net end before sums="0 0 0 0 0 0 0" last=head
	trap "leave '$1' '$2'" EXIT
	odonata generate "$1" -o "$net"
	[[ $1 != fattree:* ]] || last=tail
	sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' "$net" | $last -n 1 >"$FABRIC/root"
	fabric_start "run$runs" "$net"
	ups=0
	sm_start "$(settings "$2")"
	wait_for 60 log_has 1 "SUBNET UP|No routing engine able"
	if log_has 1 "No routing engine able"; then
		echo "\"$1\",$2,declines,,,,,"
		sm_stop
		fabric_stop
		return
	fi
	settle
	while read -r end; do
		keep before
		before=$kept
		console "Unlink $end"
		cut=yes
		settle
		cut=
		keep after
		odonata transition "$fabric_dir/after.lst" --was "$fabric_dir/before.lst" --old "$before" \
			--new "$kept" --hosts-only --json >"$fabric_dir/answer" 2>"$fabric_dir/said"
		[ -s "$fabric_dir/answer" ] || cat "$fabric_dir/said" >&2
		sums=$(jq -r --arg sums "$sums" '[($sums | split(" ")[] | tonumber)] as $s | def one(x): if x then 1 else 0 end;
			[$s[0] + 1, $s[1] + one(.cycle_alone == 0), $s[2] + one(.cycle == 0),
			 $s[3] + one(.looping + .cut_looping == 0), $s[4] + one(.looping + .lost_pairs == 0),
			 $s[5] + .changed_entries, $s[6] + .least_entries] | join(" ")' "$fabric_dir/answer")
		console "Relink $end"
		settle
	done < <(draw "$net")
	sm_stop
	fabric_stop
	echo "$1 $2 $sums" | awk '{ printf "\"%s\",%s,%d,%d,%d,%d,%d,%.2f\n", $1, $2, $3, $4, $5, $6, $7, $9 ? $8 / $9 : 0 }'
}

runs=0
cut=
echo "# bench/bench_transition_stock.sh BUILD; $(opensm --version | sed -n 's/^OpenSM //p'), $(date +%F), commit $(git -C "$here" describe --always --dirty)"
echo 'fabric,engine,tried,no cycle alone,no cycle,no loop,all arrive,entries over least'
for spec; do
	for engine in minhop updn ftree dfsssp odonata; do
		runs=$((runs + 1))
		(try "$spec" "$engine") || true
	done
done
