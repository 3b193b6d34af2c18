#!/usr/bin/env bash
# Hosts join a multicast group: its tree connects them, without a loop, and is the one that was
# proved beside the unicast routes. ibdmchk judges it, too. It follows when a cable of it dies.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

# The group's ports in the switches, read by dump_fts, as "switch port far-end": with every host
# that joined at an end, each cable in use at both, and one cable less than there are switches, all
# of them connected, they are a tree.
group_ports() {
	in_fabric dump_fts -M >"$fabric_dir/mfts"
	awk -v mlid="$mlid" '
		FNR == 1 { file++ }
		file == 1 && /^(Switch|Ca)/ { node = $3; gsub(/"/, "", node) }
		file == 1 && /^\[/ { split($0, part, /[]["]+/); far[node, part[2]] = part[4] }
		file == 2 && /^Multicast mlids/ { match($0, /guid 0x[0-9a-f]+/)
			node = "S-" substr($0, RSTART + 7, RLENGTH - 7) }
		file == 2 && $1 == mlid { # two columns a port, from the 13th
			for (p = 0; 13 + 2 * p <= length($0); p++)
				if (substr($0, 13 + 2 * p, 1) == "x") print node, p, far[node, p] }' \
		"$fabric_dir/discovered" "$fabric_dir/mfts"
}

# Joins are served within moments; wait until all are in.
is_tree() {
	in_fabric ibnetdiscover >"$fabric_dir/discovered"
	wait_for 20 check_tree || fail "no tree: $(cat "$fabric_dir/group")"
	cat "$fabric_dir/tree"
}

check_tree() {
	group_ports >"$fabric_dir/group"
	awk -v members="$members" '
		{ near[NR] = $1; end[NR] = $3; seen[$1]
		  if ($3 ~ /^H/) hosts++; else { cables++; both[$1, $3]++ } }
		END { for (s in seen) { n++; first = s }
		      reached[first]
		      for (round = 0; round < n; round++)
			for (i = 1; i <= NR; i++)
				if (near[i] in reached && end[i] in seen) reached[end[i]]
		      for (s in reached) connected++
		      for (i = 1; i <= NR; i++)
			if (end[i] ~ /^S/ && !((end[i], near[i]) in both)) exit 1
		      printf "  %d switches, %d cables, %d hosts\n", n, cables / 2, hosts
		      exit !(hosts == members && connected == n && cables == 2 * (n - 1)) }' \
		"$fabric_dir/group" >"$fabric_dir/tree"
}

# OpenSM dumps its multicast tables at the end of a heavy sweep.
judge_group() {
	local ups
	ups=$(grep -c "SUBNET UP" "$sm_log")
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
	sm_wait_up $((ups + 1))
	expect_tables
	judge
	grep -E "Defined [1-9][0-9]* Multicast Fdb entries" "$fabric_dir/ibdmchk.log" ||
		fail "ibdmchk saw no multicast"
}

# A cable of the tree, as ibsim names it.
used_link() {
	local guid port
	read -r guid port _ < <(grep " S-" "$fabric_dir/group" | tail -n 1)
	awk -F'"' -v guid="${guid#S-}" '/^switchguid/ { match_ = index($0, substr(guid, 2)) > 0 }
		/^Switch/ && match_ { print "\"" $2 "\""; exit }' "$FABRIC/dragonfly.net" | tr -d '\n'
	echo "[$port]"
}

"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 --damage 0,3,41 --shuffle 41 >"$FABRIC/dragonfly.net" ||
	fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start
sm_wait_up 1
grep -q "odonata: multicast tree, safe beside unicast" "$sm_log" || fail "no tree was proved"
members=0
for host in $(awk -F'"' '/^Ca[ \t]/ && ++n % 6 == 1 { print $2 }' "$FABRIC/dragonfly.net"); do
	mlid=$(fabric_host=$host in_fabric "$readback" join) || fail "$host cannot join"
	members=$((members + 1))
done
echo "joined: $members hosts, MLID $mlid"
is_tree
judge_group

link=$(used_link)
ups=$(grep -c "SUBNET UP" "$sm_log")
console "Unlink $link"
sm_wait_up $((ups + 1))
is_tree
judge_group
echo "and again without the cable at $link"

# A manager that starts anew knows of no member. Two that join then are all there is: no switch keeps entries
# of the tree before.
sm_stop
sm_start
sm_wait_up 1
join_hosts() { # CONDITION on their number n, FILE
	members=0
	for host in $(awk -F'"' "/^Ca[ \t]/ { n++ } /^Ca[ \t]/ && $1 { print \$2 }" "$2"); do
		mlid=$(fabric_host=$host in_fabric "$readback" join) || fail "$host cannot join"
		members=$((members + 1))
	done
	is_tree
}
join_hosts 'n <= 2' "$FABRIC/dragonfly.net"
echo "and with two members, under a new manager"

# Damage has left no safe tree for SL 0, but one for SL 1. The log says so. The group gets a tree all the same.
# As soon as the partition has SL 1, its tree is safe.
"$odonata" generate dragonfly:p=1,a=4,h=2 --damage 0,4%,46 >"$FABRIC/partition.net" || fail generate
fabric_start partition "$FABRIC/partition.net"
sm_start
sm_wait_up 1
sm_wait_log 1 "multicast with SL 0 may deadlock with unicast: .*; SL 1 has a safe tree: set it for the partition"
wait_for 20 grep -qx 'odonata_multicast_unserved_sls{.*} 1' "$(state_file prom)" || fail "monitoring is not told"
"$odonata" status "$(state_file json)" >"$FABRIC/said" && fail "no alarm"
grep -q 'multicast may deadlock with unicast' "$FABRIC/said" || fail "not said: $(cat "$FABRIC/said")"
join_hosts 'n % 20 == 1' "$FABRIC/partition.net"
sm_stop
printf 'Default=0x7fff, ipoib, sl=1 : ALL=full ;\n' >"$FABRIC/partitions"
sm_start "partition_config_file $FABRIC/partitions"
sm_wait_up 1
sm_wait_log 1 "odonata: multicast tree, safe beside unicast"
join_hosts 'n % 20 == 1' "$FABRIC/partition.net"
! grep -q "may deadlock" "$sm_log" || fail "SL 1 was not taken for the group's"
grep -qx 'odonata_multicast_unserved_sls{.*} 0' "$(state_file prom)" || fail "monitoring is told too much"
sm_stop
echo "and with the SL that has a tree"

# A console's `reroute` ends with the unicast tables: OpenSM itself leaves every group on the tree of
# the sweep before. Ours follows to the tree that a sweep builds. With OpenSM's cache a host that
# leaves is not routed anew until then, so tables, and with some host trees, do change.
"$odonata" generate flatfly:k=4x4,c=3 --shuffle 41 >"$FABRIC/flatfly.net" || fail generate
fabric_start flatfly "$FABRIC/flatfly.net"
sm_start "routing_engine odonata.layered" "use_ucast_cache TRUE" "console local"
sm_wait_up 1
hosts=($(awk -F'"' '/^Ca[ \t]/ { print $2 }' "$FABRIC/flatfly.net"))
for host in "${hosts[@]:0:12}"; do
	mlid=$(fabric_host=$host in_fabric "$readback" join) || fail "$host cannot join"
done
members=12
is_tree
rerouted() {
	[ "$(mfts)" != "$before" ]
}
mfts() {
	in_fabric dump_fts -M | grep -v "^Multicast mlids"
}
ups=1
for victim in "${hosts[@]:20}"; do
	console "Unlink \"$victim\""
	sm_wait_up $((++ups))
	before=$(mfts)
	routed=$(grep -c "LFT entries change" "$sm_log")
	sm_console reroute
	sm_wait_log $((routed + 1)) "LFT entries change"
	! wait_for 1 rerouted || break
	console "Relink \"$victim\""
	sm_wait_up $((++ups))
	victim=
done
[ -n "$victim" ] || fail "no reroute has changed the tree"
is_tree
after=$(mfts)
kill -HUP "$(cat "$fabric_dir/sm.pid")"
sm_wait_up $((++ups))
[ "$(mfts)" = "$after" ] || fail "a sweep builds another tree than the reroute"
echo "rerouted without $victim"
