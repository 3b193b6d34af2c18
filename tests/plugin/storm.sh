# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Random events on a running fabric: cables, switches and hosts go and come back, hosts move to other
# switches, several things happen at once, the subnet manager starts anew. After each what is installed is
# read back and proved (`odonata verify live`: every connected pair is reached, SLs as the manager gives them
# out, no cycle). Source after fabric.sh, readback.sh and handed.sh.
#
#   storm_start NAME NET SEED [LINE...]
#   storm_event                          one event; its row is in $row
storm_columns=event,away,sweeps,engine,vls,entries_changed,sls_changed,reconnect,not_routed,route_ms,safe,rss_kb

storm_start() {
	local name=$1 net=$2
	RANDOM=$3
	shift 3
	storm_lines=("sweep_interval 2" "$@")
	fabric_start "$name" "$net"
	mapfile -t cables < <(switch_cables "$net")
	mapfile -t switches < <(awk -F'"' '/^Switch/ { print "\"" $2 "\"" }' "$net")
	mapfile -t hosts < <(awk -F'"' -v own="$fabric_host" '/^(Hca|Ca)/ && $2 != own { print "\"" $2 "\"" }' "$net")
	storm_own=$(awk -F'"' -v own="$fabric_host" '/^(Hca|Ca)/ { at = $2 } /^\[/ && at == own { print "\"" $2 "\""; exit }' "$net")
	declare -gA away=() # what is unlinked
	n_away=0
	ups=0
	sm_start "${storm_lines[@]}"
	handed_settle
	storm_judge start 0
}

back() { # THING
	console "Relink $1"
	away[$1]=
	n_away=$((n_away - 1))
	what="${1//\"/} back"
}

# A thing goes; or comes back, it or another, where it or too much is gone already.
toggle() { # THING MOST-AWAY
	local all=() thing
	if [ "${away[$1]:-}" ]; then
		back "$1"
	elif [ "$n_away" -lt "$2" ]; then
		console "Unlink $1"
		away[$1]=1
		n_away=$((n_away + 1))
		what="${1//\"/} gone"
	else
		for thing in "${!away[@]}"; do
			[ -z "${away[$thing]}" ] || all+=("$thing")
		done
		back "${all[RANDOM % ${#all[@]}]}"
	fi
}

one_thing() {
	local thing
	case $((RANDOM % 8)) in
	0) thing=${switches[RANDOM % ${#switches[@]}]}
		[ "$thing" != "$storm_own" ] || thing=${cables[RANDOM % ${#cables[@]}]} ;;
	1) thing=${hosts[RANDOM % ${#hosts[@]}]} ;;
	*) thing=${cables[RANDOM % ${#cables[@]}]} ;;
	esac
	toggle "$thing" 10
}

# Two hosts change places.
swap_hosts() {
	local a=${hosts[RANDOM % ${#hosts[@]}]} b=${hosts[RANDOM % ${#hosts[@]}]} at_a at_b
	[ "$a" != "$b" ] && [ -z "${away[$a]:-}${away[$b]:-}" ] || { one_thing; return; }
	at_a=${place[$a]} at_b=${place[$b]}
	console "Unlink $a"
	console "Unlink $b"
	console "Link $a[1] $at_b"
	console "Link $b[1] $at_a"
	place[$a]=$at_b place[$b]=$at_a
	what="${a//\"/} and ${b//\"/} change places"
}

storm_places() { # NET: where each host is cabled, "SWITCH"[PORT]
	declare -gA place=()
	local host at
	while read -r host at; do
		place[$host]=$at
	done < <(awk -F'"' '/^Switch/ { name = $2 } /^(Ca|Rt)/ { name = ""; is[$2] = 1; next }
		/^\[/ && name { split($1, p, /[][]/); at[$2] = "\"" name "\"[" p[2] "]" }
		END { for (h in is) print "\"" h "\"", at[h] }' "$1")
}

storm_event() {
	local n i all=
	case $((RANDOM % 12)) in
	0) n=$((2 + RANDOM % 4))
		for ((i = 0; i < n; i++)); do
			one_thing
			all="$all${all:+ + }$what"
		done
		what=$all ;;
	1) swap_hosts ;;
	2) if [ $((RANDOM % 8)) = 0 ]; then
			sm_stop
			ups=0
			sm_start "${storm_lines[@]}"
			what="manager anew"
		else
			one_thing
		fi ;;
	*) one_thing ;;
	esac
	n=$ups
	storm_settle
	storm_judge "$what" $((ups - n))
}

# Some events change nothing, as a cable that comes back to a switch that is away: no sweep follows then.
storm_settle() {
	local n
	wait_for 4 log_has $((ups + 1)) "SUBNET UP" || return 0
	while n=$(grep -c "SUBNET UP" "$sm_log") && [ "$n" -ne "$ups" ]; do
		ups=$n
		sleep 0.1
	done
}

state() {
	python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
print(s["engine"], s["vls"], s["lft_entries_changed"], s["sl_pairs_changed"], s["reconnect_pairs"],
      s["sweeps_not_routed"], round(s["route_seconds"] * 1e3, 2), sep=",")' "$fabric_dir/odonata.json"
}

# A sweep in between leaves old and new tables side by side for a moment: what is wrong must not last.
storm_judge() { # WHAT SWEEPS
	local i safe= pid
	pid=$(cat "$fabric_dir/sm.pid")
	for i in 1 2 3 4 5; do
		in_fabric "$odonata" verify live >"$fabric_dir/verdict" 2>"$fabric_dir/verdict.err" && safe=yes && break
		kill -0 "$pid" 2>/dev/null || fail "after $1: opensm is gone"
		sleep 1
	done
	[ "$safe" ] || fail "after $1: not safe: $(cat "$fabric_dir/verdict" "$fabric_dir/verdict.err" | head -n 20)"
	row="$1,$n_away,$2,$(state),$safe,$(awk '/VmRSS/ { print $2 }' "/proc/$pid/status")"
}
