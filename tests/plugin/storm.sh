# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Random events on a running fabric: cables, switches and hosts go and come back, a leaf comes back before
# its hosts do, hosts move to other switches, several things happen at once, a switch loses power and comes
# back with empty tables, the subnet manager starts anew, with other LIDs and another LMC. After each what is
# installed is read back and proved (`odonata verify live`: every connected pair is reached, SLs as the manager
# gives them out, no cycle, and the tree of a multicast group reaches all members). Then it is judged by all
# SLs that were ever handed out to ports that are there (held.sh). Every so often ibdmchk judges OpenSM's dumps
# with the SLs that the manager gives out. Programs without our code follow every packet by the certificate of
# each state (certificate.sh). Source after fabric.sh, readback.sh, handed.sh, held.sh and certificate.sh.
#
#   storm_start NAME NET SEED [LINE...]
#   storm_event [KIND]                   one event, reboot, leaf_gone, leaf_back, manager_anew, or one by lot; its row
#                                        is in $row
storm_columns=event,away,sweeps,lmc,members,engine,vls,entries_changed,sls_changed,reconnect,not_routed
storm_columns=$storm_columns,route_ms,safe,held,ports_away,several,ibdmchk,fallbacks,certified,rss_kb
storm_members=6     # hosts in the multicast group
storm_ibdmchk=20    # which events it judges

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
	storm_net=$net
	declare -gA away=() # what is unlinked: 1, or leaf for a switch that comes back before its hosts
	n_away=0 n_events=0 fallbacks=0 held_n=0
	lmc=0
	storm_manager
	handed_settle
	storm_judge start 0
}

storm_manager() { # [LINE...]
	ups=0 held_read=0
	sm_start "${storm_lines[@]}" "lmc $lmc" "$@"
}

# Now and then with another LMC, or with all LIDs given out anew.
manager_anew() {
	local reassign=FALSE
	sm_stop
	fallbacks=$((fallbacks + $(n_fallbacks)))
	[ $((RANDOM % 2)) = 0 ] || lmc=$((RANDOM % 3))
	[ $((RANDOM % 3)) != 0 ] || reassign=TRUE
	storm_manager "reassign_lids $reassign"
	what="manager anew with LMC $lmc"
	[ $reassign = FALSE ] || what="$what and other LIDs"
}

n_fallbacks() {
	grep -E "tables configured" "$sm_log" | grep -vc "odonata"
}

# Its tables are gone when it comes back, sooner or later than the manager looks.
reboot() {
	local switch=${switches[RANDOM % ${#switches[@]}]}
	[ "$switch" != "$storm_own" ] && [ -z "${away[$switch]:-}" ] &&
		in_fabric "$readback" wipe "${switch//\"/}" 2>/dev/null || { one_thing; return; }
	console "Unlink $switch"
	[ $((RANDOM % 2)) = 0 ] || sleep 1
	console "Relink $switch"
	for cable in "${!away[@]}"; do
		[[ $cable != "$switch"* ]] || [ -z "${away[$cable]}" ] || console "Unlink $cable"
	done
	what="${switch//\"/} reboots"
}

# All its hosts go with a leaf, and stay away when it comes back.
leaf_gone() {
	local host=${hosts[RANDOM % ${#hosts[@]}]} leaf
	leaf=${place[$host]%[*}
	[ "$leaf" != "$storm_own" ] && [ -z "${away[$leaf]:-}" ] && [ "$n_away" -lt 10 ] || { one_thing; return; }
	for host in "${hosts[@]}"; do
		[ "${place[$host]%[*}" = "$leaf" ] && [ -z "${away[$host]:-}" ] || continue
		away[$host]=1
		n_away=$((n_away + 1))
	done
	console "Unlink $leaf"
	away[$leaf]=leaf
	n_away=$((n_away + 1))
	what="leaf ${leaf//\"/} gone with its hosts"
}

leaf_back() {
	local thing
	for thing in "${!away[@]}"; do
		[ "${away[$thing]}" != leaf ] || { back "$thing"; return; }
	done
	one_thing
}

# A host's link may be down at either end: where its leaf is away, it comes back with that.
relink() { # THING
	local cable
	if [ "${away[$1]}" = leaf ]; then
		while read -r cable _; do
			[ "${away[$cable]:-}" ] || console "Relink $cable"
		done < <(held_far "$storm_net" "${1//\"/}" | grep " switch$")
	else
		console "Relink $1"
	fi
}

back() { # THING
	relink "$1"
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
	case $((RANDOM % 10)) in
	0) thing=${switches[RANDOM % ${#switches[@]}]}
		[ "$thing" != "$storm_own" ] || thing=${cables[RANDOM % ${#cables[@]}]} ;;
	[1-3]) thing=${hosts[RANDOM % ${#hosts[@]}]} ;;
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

by_lot() {
	local n i all=
	case $((RANDOM % 14)) in
	0) n=$((2 + RANDOM % 4))
		for ((i = 0; i < n; i++)); do
			one_thing
			all="$all${all:+ + }$what"
		done
		what=$all ;;
	1) swap_hosts ;;
	2) if [ $((RANDOM % 6)) = 0 ]; then manager_anew; else one_thing; fi ;;
	3) reboot ;;
	4) leaf_gone ;;
	5) leaf_back ;;
	*) one_thing ;;
	esac
}

storm_event() {
	local n
	"${1:-by_lot}"
	n=$ups
	n_events=$((n_events + 1))
	storm_settle
	storm_judge "$what" $((ups - n))
}

# Who was away, or whose manager has started anew, is in no group until it joins again.
storm_join() {
	local host i step=$((${#hosts[@]} / storm_members))
	members=0
	for ((i = 0; i < storm_members; i++)); do
		host=${hosts[i * step]}
		[ -z "${away[$host]:-}" ] && [ -z "${away[${place[$host]%[*}]:-}" ] || continue
		! fabric_host=${host//\"/} in_fabric "$readback" join >/dev/null 2>&1 || members=$((members + 1))
	done
}

# OpenSM's dumps, with the SL of each pair of hosts as the manager gives it out. Base LIDs alone: with an LMC
# it expects several LIDs of switches, too.
storm_ibdmchk() {
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	awk '/^caguid/ { guid = $0; sub(/.*=/, "", guid) }
		/^\[/ && guid { match($0, /# lid [0-9]+/); print guid, substr($0, RSTART + 6, RLENGTH - 6); guid = "" }' \
		"$fabric_dir/discovered" >"$fabric_dir/ends"
	awk '{ lid[NR] = $2 }
		END { for (a = 1; a <= NR; a++) for (b = 1; b <= NR; b++) if (a != b) print lid[a], lid[b], 0 }' \
		"$fabric_dir/ends" >"$fabric_dir/pairs"
	held_ask "$fabric_dir/sls.now" sls_of_pairs "$fabric_dir/pairs"
	awk 'NR == FNR { guid[$2] = $1; next } { print guid[$1], $2, $3 }' \
		"$fabric_dir/ends" "$fabric_dir/sls.now" >"$fabric_dir/storm.psl"
	run_ibdmchk "$fabric_dir/ibdmchk.log" -c storm.psl -d opensm-sl2vl.dump
	grep -q "no credit loops found" "$fabric_dir/ibdmchk.log" &&
		! grep -qE -- "^-E-|Dead end" "$fabric_dir/ibdmchk.log"
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
      s["sweeps_not_routed"], round(s["route_seconds"] * 1e3, 2), sep=",")' "$(state_file json)"
}

# Where no tree is free of deadlock beside unicast, groups are OpenSM's own, or use a tree that is safe under
# another SL. The log says so. OpenSM clears no entries in a switch that comes back outside of its trees.
unicast_alone() {
	grep -E "odonata: multicast" "$sm_log" | tail -n 1 | grep -q "may deadlock with unicast" &&
		! grep -E "^(delivers|deadlock free|within vls|vls served) +no" "$fabric_dir/verdict" >/dev/null &&
		grep -qE "^multicast trees +no" "$fabric_dir/verdict"
}

# Tables of an engine that is not ours have no certificate.
storm_certify() { # WHAT: $certified is yes, none, or all for multicast, too
	local i
	grep -q '"outcome": "declined"' "$(state_file json)" && { certified=none; return; }
	for i in 1 2 3 4 5; do
		certificate_holds "$(state | cut -d, -f2)" && break
		[ $i -lt 5 ] || fail "after $1: the certificate is refused: $certified; $groups_certified"
		sleep 1
	done
	case $groups_certified in "yes: 0"* | "") certified=yes ;; *) certified=all ;; esac
}

# A sweep in between leaves old and new tables side by side for a moment: what is wrong must not last.
storm_judge() { # WHAT SWEEPS
	local i safe= said= pid
	pid=$(cat "$fabric_dir/sm.pid")
	storm_join
	for i in 1 2 3 4 5; do
		in_fabric "$odonata" verify live >"$fabric_dir/verdict" 2>"$fabric_dir/verdict.err" && safe=yes && break
		kill -0 "$pid" 2>/dev/null || fail "after $1: opensm is gone"
		sleep 1
	done
	[ "$safe" ] || ! unicast_alone || safe=unicast
	[ "$safe" ] || fail "after $1: not safe: $(cat "$fabric_dir/verdict" "$fabric_dir/verdict.err" | head -n 20)"
	held_judge
	case $held in yes*) ;; *) fail "after $1: not safe with all SLs handed out: $held" ;; esac
	storm_certify "$1"
	if [ $((n_events % storm_ibdmchk)) = 0 ]; then
		storm_ibdmchk || fail "after $1: ibdmchk: $(grep -E 'loop|-E-|Dead' "$fabric_dir/ibdmchk.log" | head -n 5)"
		said=clean
	fi
	row="$1,$n_away,$2,$lmc,$members,$(state),$safe,$(cut -d" " -f1,3,5 --output-delimiter=, <<<"$held"),$said,$((fallbacks + $(n_fallbacks))),$certified"
	row="$row,$(awk '/VmRSS/ { print $2 }' "/proc/$pid/status")"
}
