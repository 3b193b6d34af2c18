# Cables of a running fabric are cut and repaired by lot, and after each change the switches and the SA
# are asked what connections may have that were made at any time before. Source after fabric.sh and
# readback.sh.
#
#   handed_start NAME NET SEED MOST [LINE...]   routed, with at most MOST cables cut at a time
#   handed_step                                 one change; its row is in $row
#
# Tables are those that the manager says it has sent; every so often, where $handed_reads says so, the
# switches are read and compared. SLs come from the SA, for the host of each switch with the lowest LID:
# all of a switch get the same.
#
# A row: what was done, cables cut, engine, VLs, SLs, pairs asked for, pairs whose SL changed, pairs that
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

# Has the last sweep ended that was begun, and was it not a step before another?
handed_at_rest() {
	awk '/sweeping again for the next step/ { step = 1 }
	     /SUBNET UP/ { again = step; step = 0 }
	     END { exit again || step }' "$sm_log"
}

# A sweep may follow another at once: what is read must be of the last.
handed_settle() {
	local n i
	sm_wait_up $((ups + 1))
	for ((i = 0; i < 600; i++)); do
		n=$(grep -c "SUBNET UP" "$sm_log")
		[ "$n" -ne "$ups" ] || ! handed_at_rest || return 0
		ups=$n
		sleep 0.1
	done
	fail "sweeps do not end"
}

# Pairs to ask for: one host of each switch, and all hosts but itself.
handed_pairs() {
	awk 'BEGIN { n = 0 }
	     /^caguid/ { inside = 1 }
	     /^\[/ && inside { match($0, /# lid [0-9]+/); lid[n] = substr($0, RSTART + 6, RLENGTH - 6)
			       match($0, /"S-[0-9a-f]+"/); at[n++] = substr($0, RSTART, RLENGTH); inside = 0 }
	     END { for (a = 0; a < n; a++) if (!(at[a] in of) || lid[a] + 0 < lid[of[at[a]]] + 0) of[at[a]] = a
		   for (a = 0; a < n; a++) if (of[at[a]] == a)
			for (b = 0; b < n; b++) if (a != b) print lid[a], lid[b], 0 }' \
		"$fabric_dir/discovered"
}

# OpenSM's dump of SL2VL in the form of readback.sh.
sl2vl_of() {
	awk '/^Switch|^Channel/ { match($0, /0x[0-9a-f]+/); guid = substr($0, RSTART + 2, RLENGTH - 2) }
	     /^[0-9]/ { line = guid " " $1 " " $2; for (i = 4; i <= NF; i++) line = line " " $i
			print line }' "$1"
}

handed_tables() {
	lfts_of "$fabric_dir/opensm-lfts.dump" >"$fabric_dir/lfts.now"
	sl2vl_of "$fabric_dir/opensm-sl2vl.dump" >"$fabric_dir/sl2vl.now"
	[ "${handed_reads:-no}" = yes ] || return 0
	by_tool lfts >"$fabric_dir/lfts.read" || fail "cannot read LFTs"
	by_tool sl2vl >"$fabric_dir/sl2vl.read" || fail "cannot read SL2VL"
	sort "$fabric_dir/lfts.now" | cmp -s - <(sort "$fabric_dir/lfts.read") || fail "LFTs are not those sent"
	# Adapters are not in the dump, nor ports without a cable in what is read.
	[ -z "$(sort "$fabric_dir/sl2vl.now" "$fabric_dir/sl2vl.now" "$fabric_dir/sl2vl.read" | uniq -u |
		awk 'FNR == NR { of[$1]; next } $1 in of' "$fabric_dir/sl2vl.now" -)" ] ||
		fail "SL2VL is not that sent"
}

# An overloaded machine may lose an answer.
handed_sls() {
	local i
	handed_pairs >"$fabric_dir/pairs"
	for i in 1 2 3 4 5; do
		by_tool sls <"$fabric_dir/pairs" >"$fabric_dir/sls.now" && return
	done
	fail "cannot ask for SLs"
}

# The fabric, once it is what the last sweep saw, or some sweeps later: cables that come and go are not
# used. A sweep may have begun before the change, when both ends of a cable had told of the one before.
handed_discover() {
	local i there seen
	for ((i = 0; i < 4; i++)); do
		in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
		there=$(grep -c "^\[" "$fabric_dir/discovered")
		seen=$(grep -oE "odonata: .* [0-9]+ cables:" "$sm_log" | tail -n 1 | grep -oE "[0-9]+ cables")
		[ "$((there / 2)) cables" != "$seen" ] || ! handed_at_rest || return 0
		sleep 0.5
	done
}

handed_judge() { # CHANGE
	local said lines
	handed_discover
	handed_tables
	handed_sls
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
	lines=$(grep -c "odonata: .* proved; " "$fabric_dir/log.now")
	[ "$lines" -gt 0 ] || fail "no sweep of ours after: $1"
	row=$1,$n_cut,$(grep "odonata: .* proved; " "$fabric_dir/log.now" | tail -n 1 |
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
