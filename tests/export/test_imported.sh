# Tables of OpenSM's own engines, read from its dumps and path records: our verifier and ibdmchk
# come to the same verdict on paths between adapters, the only ones that ibdmchk follows. Path
# SLs are asked of OpenSM pair by pair; it has no dump of them.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

# judge SPEC ENGINE loop|none
judge() {
	local spec=$1 engine=$2 expected=$3 ours
	local net=$FABRIC/net-$1
	[ -s "$net" ] || "$odonata" generate "$spec" --shuffle 3 -o "$net" || fail "$spec"
	fabric_start "$spec-$engine" "$net"
	stock_up "$engine" -Q
	expect_routed "$engine"
	dump=$fabric_dir
	in_fabric ibnetdiscover >"$dump/topology" || fail "$spec: cannot be discovered"
	in_fabric dump_fts >"$dump/fts" || fail "$spec: no LFTs"
	path_sls "$dump/topology" >"$dump/opensm.psl"
	sm_stop
	fabric_stop

	mv "$dump/opensm-subnet.lst" "$dump/opensm.lst"
	ibdmchk_says "$dump/opensm" -c "$dump/opensm.psl" -d "$dump/opensm-sl2vl.dump"
	# dump_fts leaves out the highest LID where that begins a block of 64.
	[ "$(grep -c ^0x "$dump/fts")" = "$(grep -c ^0x "$dump/opensm-lfts.dump")" ] ||
		cp "$dump/opensm-lfts.dump" "$dump/fts"
	for ours in "$dump/opensm-lfts.dump" "$dump/opensm.fdbs" "$dump/fts"; do
		our_verdict "$dump/topology" "$ours" \
			"$dump/opensm.psl" "$dump/opensm-sl2vl.dump" >"$dump/verdict" 2>&1
		grep -qx "hosts $expected" "$dump/verdict" || fail "$engine on $spec: $ours: expected $expected, found $(cat "$dump/verdict")"
	done
	verdict_of_ours=$dump/verdict
	"expect_$( [ "$expected" = loop ] && echo loop || echo no_loop)" "$engine on $spec"
}

judge flatfly:k=4x4x4,c=1 minhop loop
judge flatfly:k=4x4x4,c=1 nue none
# Nue leaves paths to switches' own LIDs out of account; with them its one VL has a cycle.
grep -qx "all loop" "$verdict_of_ours" || fail "nue's paths to switches: $(cat "$verdict_of_ours")"
# Hosts of one switch have different SLs to a LID: all of them are proved.
judge random:n=16,d=4,c=2 dfsssp none
"$odonata" analyze "$dump/topology" --tables "$dump/opensm-lfts.dump" --tables "$dump/opensm.psl" \
	>"$dump/said" 2>&1 && fail "SLs that differ at a switch are taken for one"
grep -q "expected hosts of one switch" "$dump/said" || fail "not said why: $(cat "$dump/said")"
if [ "${ODONATA_WIDE:-}" ]; then
	judge flatfly:k=4x4x4,c=1 dfsssp none
	judge flatfly:k=4x4x4,c=1 lash none
	judge torus:k=6,c=1 minhop loop
	judge torus:k=6,c=1 lash none
fi
echo ok
