# Cables of a running fabric are cut and repaired by lot, and after each change the switches and the SA
# are asked what connections may have that were made at any time before. Source after fabric.sh and
# readback.sh.
#
#   handed_start NAME NET SEED MOST [LINE...]   routed, with at most MOST cables cut at a time
#   handed_step                                 one change; its row is in $row
#
# A row: what was done, cables cut, engine, VLs, SLs, pairs of hosts, pairs whose SL changed, pairs that
# hold several, pairs (switch, LID) told to reconnect, whether the union is safe, and ms of routing with
# its proof.

union_of=$ODONATA_BUILD/tests/plugin_tool_union
handed_columns=change,cut,engine,vls,sls,pairs,changed,several,reconnect,union,ms

# Cables between switches, a line "NODE"[PORT] each.
switch_cables() {
	awk -F'"' '/^Switch/ { name = $2; is[$2] = 1 }
		/^(Ca|Rt)/ { name = "" }
		/^\[/ && name { split($1, p, /[][]/); split($3, q, /[][]/)
			n++; near[n] = "\"" name "\"[" p[2] "]"; far[n] = $2
			other[n] = "\"" $2 "\"[" q[2] "]" }
		END { for (i = 1; i <= n; i++)
			if (is[far[i]] && !seen[other[i]]) { seen[near[i]] = 1; print near[i] } }' "$1"
}

# A sweep may follow another at once: what is read must be of the last.
handed_settle() {
	local n
	sm_wait_up $((ups + 1))
	while n=$(grep -c "SUBNET UP" "$sm_log") && [ "$n" -ne "$ups" ]; do
		ups=$n
		sleep 0.1
	done
}

# Host pairs of the fabric as it is now.
handed_pairs() {
	awk '/^caguid/ { inside = 1 }
	     /^\[/ && inside { match($0, /# lid [0-9]+/); lid[n++] = substr($0, RSTART + 6, RLENGTH - 6)
			       inside = 0 }
	     END { for (a = 0; a < n; a++) for (b = 0; b < n; b++) if (a != b) print lid[a], lid[b], 0 }' \
		"$fabric_dir/discovered"
}

handed_judge() { # CHANGE
	local said lines
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	by_tool lfts >"$fabric_dir/lfts.now" || fail "cannot read LFTs"
	by_tool sl2vl >"$fabric_dir/sl2vl.now" || fail "cannot read SL2VL"
	handed_pairs | by_tool sls >"$fabric_dir/sls.now" || fail "cannot ask for SLs"
	tail -n "+$((handed_read + 1))" "$sm_log" >"$fabric_dir/log.now"
	handed_read=$(wc -l <"$sm_log")
	awk '/must reconnect: hosts of switch/ { match($0, /\(0x[0-9a-f]+\)/)
		guid = substr($0, RSTART + 3, RLENGTH - 4); sub(/.* with LIDs /, "")
		for (i = 1; i <= NF; i++) print guid, $i }
	     /must reconnect: .* more pairs/ { exit 1 }' "$fabric_dir/log.now" >"$fabric_dir/told" ||
		fail "the log does not list all pairs"
	! grep -q " and [0-9]* more$" "$fabric_dir/log.now" || fail "the log does not list all LIDs"
	said=$("$union_of" "$fabric_dir/given" "$fabric_dir/discovered" "$fabric_dir/lfts.now" \
		"$fabric_dir/sl2vl.now" "$fabric_dir/sls.now" "$fabric_dir/told" "$fabric_dir/old.psl") ||
		fail "cannot judge"
	read -r union pairs changed several <<<"$said"
	[ "$pairs" -gt 0 ] || fail "no SLs read"
	lines=$(grep -c "odonata: .* proved; .* pairs must reconnect" "$fabric_dir/log.now")
	[ "$lines" -gt 0 ] || fail "no sweep of ours after: $1"
	row=$1,$n_cut,$(grep "odonata: .* proved; .* pairs must reconnect" "$fabric_dir/log.now" | tail -n 1 |
		sed -E 's/.*engine ([a-z-]+), ([0-9]+) VLs, ([0-9]+) SLs.*/\1,\2,\3/'),$pairs,$changed,$several
	row=$row,$(grep -oE "[0-9]+ pairs must reconnect" "$fabric_dir/log.now" | awk '{ n += $1 } END { print n + 0 }')
	row=$row,$union,$(grep -oE "verified in [0-9.]+" "$fabric_dir/log.now" | awk '{ ms += $3 } END { print ms }')
}

handed_start() {
	local name=$1 net=$2
	RANDOM=$3
	most=$4
	shift 4
	fabric_start "$name" "$net"
	mapfile -t cables < <(switch_cables "$net")
	cut=()
	n_cut=0 ups=0 handed_read=0
	sm_start "sweep_interval 2" "$@"
	handed_settle
	handed_judge start
}

handed_step() {
	local i what
	if [ "$n_cut" -gt 0 ] && { [ "$n_cut" -ge "$most" ] || [ $((RANDOM % 2)) -eq 0 ]; }; then
		what=Relink
	else
		what=Unlink
	fi
	while i=$((RANDOM % ${#cables[@]})); do
		[ "$what" = "${cut[i]:-Relink}" ] || break
	done
	[ $what = Unlink ] && n_cut=$((n_cut + 1)) || n_cut=$((n_cut - 1))
	cut[i]=$what
	console "$what ${cables[i]}"
	handed_settle
	handed_judge "$(echo "$what ${cables[i]}" | tr -d '"')"
}
