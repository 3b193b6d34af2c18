# Stock opensm and ibdmchk as judges of files. Source after tests/plugin/fabric.sh.
odonata=$ODONATA_BUILD/cli/odonata

# stock ENGINE OPTION...: Debian's opensm, without our plugin, for one sweep; dumps in $fabric_dir.
# $lmc, if set, is the LMC of all hosts.
stock() {
	rm -f "$sm_log"
	(OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir \
		exec_in_fabric timeout 120 opensm -o -e -f "$sm_log" -D 0x43 -l "${lmc:-0}" -R "$@") \
		>"$fabric_dir/osm.out" 2>&1
	grep -q "SUBNET UP" "$sm_log" || fail "opensm -R $* does not come up"
}

# ibdmchk_says PREFIX OPTION...: on PREFIX.lst and PREFIX.fdbs. It crashes after its verdict,
# good or bad; with LMC it wants several LIDs of switches too, which OpenSM does not give them, so
# that base LIDs are what it judges; and all its runs write to one file in /var/cache/ibutils: one at a time.
ibdmchk_says() {
	local prefix=$1
	shift
	verdict=$FABRIC/ibdmchk.out
	(flock 9; cd "$FABRIC" && timeout 200 ibdmchk -s "$prefix.lst" -f "$prefix.fdbs" -m "$fabric_dir/opensm.mcfdbs" "$@" \
		>"$verdict" 2>&1) 9>"${TMPDIR:-/tmp}/odonata-ibdmchk.lock" 2>/dev/null
	grep -q "Scanned:[0-9]* CA to CA paths" "$verdict" || fail "ibdmchk did not get far: $(tail -n 3 "$verdict")"
	! grep -qE "Fail to (open|find)|Unassigned LFT|Dead end|loop found for" "$verdict" ||
		fail "ibdmchk: $(grep -E 'Fail to|Unassigned|Dead end|loop found' "$verdict" | head -n 3)"
}

expect_no_loop() {
	grep -q "no credit loops found" "$verdict" || fail "$1: ibdmchk finds a credit loop"
}

expect_loop() {
	grep -q "credit loops in routing" "$verdict" || fail "$1: ibdmchk finds no credit loop"
}

# our_verdict TOPOLOGY TABLES...: what our verifier says of tables, "loop" or "none" where they
# deliver: of paths to hosts alone, as ibdmchk has it, and of all
our_verdict() {
	local topology=$1 of
	shift
	for of in hosts all; do
		"$odonata" verify "$topology" "${@/#/--tables=}" --json $([ $of = all ] || echo --hosts-only) 2>&1 |
			awk -F'[": ,]+' -v of=$of '{ is[$2] = $3; said = said $0 }
				END { if (is["delivers"] != "true" || is["within_vls"] != "true")
					      print of, "bad:", said
				      else
					      print of, is["deadlock_free"] == "true" ? "none" : "loop" }'
	done
}

# stock_up ENGINE OPTION...: the same, but it stays to answer queries, until sm_stop
stock_up() {
	rm -f "$sm_log"
	echo "force_log_flush TRUE" >"$fabric_dir/stock.conf"
	OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric opensm -e -f "$sm_log" \
		-F "$fabric_dir/stock.conf" -D 0x43 -l "${lmc:-0}" -R "$@" >"$fabric_dir/osm.out" 2>&1 &
	echo $! >"$fabric_dir/sm.pid"
	fabric_pids+=($!)
	sm_wait_up 1
}

# path_sls TOPOLOGY: OpenSM's path records from every adapter to every LID, as a .psl; adapters have
# 2^$lmc LIDs
path_sls() {
	local topology=$1 lids=$fabric_dir/lids guids=$fabric_dir/guids
	awk '/^caguid=/ { guid = substr($0, 8) }
	     /^Switch/  { ca = 0; for (i = 1; i < NF; i++) if ($i == "lid") print $(i + 1) >"'"$lids"'" }
	     /^Ca/      { ca = 1 }
	     /^\[/ && ca { for (i = 1; i < NF; i++) if ($i == "#") lid = $(i + 2)
			   for (k = 0; k < n; k++) print lid + k >"'"$lids"'"
			   print guid, lid >"'"$guids"'" }' n=$((1 << ${lmc:-0})) "$topology"
	awk 'NR == FNR { lid[++n] = $1; next }
	     { for (i = 1; i <= n; i++) print $2, lid[i], "-" }' "$lids" "$guids" >"$fabric_dir/pairs"
	in_fabric "$ODONATA_BUILD/tests/plugin_tool_readback" sls <"$fabric_dir/pairs" \
		>"$fabric_dir/sls" || fail "OpenSM does not answer for path records"
	awk 'NR == FNR { guid[$2] = $1; next } { print guid[$1], $2, $3 }' "$guids" "$fabric_dir/sls"
}

# judge SPEC ENGINE safe|unsafe|maybe: our files of one routing; "safe" without SL2VL maps and
# path SLs, or not, or as it happens
judge() {
	local spec=$1 engine=$2 alone=$3 dir=$FABRIC/files-$1-$2
	local net=$FABRIC/net-$1-$2${lmc:-}
	mkdir -p "$dir"
	"$odonata" generate "$spec" --shuffle 5 -o "$net" || fail "$spec: cannot be generated"
	fabric_start "$spec-$engine${lmc:-}" "$net"
	stock minhop -Q                     # gives out LIDs
	in_fabric ibnetdiscover >"$dir/topology" || fail "$spec: cannot be discovered"
	"$odonata" export "$dir/topology" -e "$engine" -o "$dir" >/dev/null || fail "$spec: cannot be exported"

	stock file -Q -U "$dir/odonata.lfts" -M "$dir/odonata.lidm"
	expect_routed file
	grep -v '^#' "$dir/odonata.lfts" | cmp - "$fabric_dir/opensm-lfts.dump" ||
		fail "$spec: OpenSM holds other LFTs than $engine's"
	cmp "$dir/odonata.lidm" "$fabric_dir/opensm-lid-matrix.dump" ||
		fail "$spec: OpenSM holds another LID matrix"
	stock minhop -Q                     # and back: hops and "optimal" of our fdbs are OpenSM's
	"$odonata" export "$dir/topology" --tables "$fabric_dir/opensm-lfts.dump" -f fdbs |
		cmp - "$fabric_dir/opensm.fdbs" || fail "$spec: the fdbs differ from OpenSM's"

	local maps
	for maps in sl2vl slvl; do
		ibdmchk_says "$dir/odonata" -c "$dir/odonata.psl" -d "$dir/odonata.$maps"
		expect_no_loop "$spec, $engine, $maps"
	done
	ibdmchk_says "$dir/odonata"
	if [ "$alone" = maybe ]; then
		:
	elif [ "$alone" = safe ]; then
		expect_no_loop "$spec, $engine on one VL"
		! grep -q WARNING "$dir/odonata.lfts" || fail "$spec: a warning without need"
	else
		expect_loop "$spec, $engine on one VL"
		grep -q "WARNING: these LFTs alone can DEADLOCK" "$dir/odonata.lfts" ||
			fail "$spec: no warning in the LFTs"
	fi
	fabric_stop
}
