# Tables of OpenSM's own engines, read from its dumps and path records: our verifier and ibdmchk
# come to the same verdict. Path SLs are asked of OpenSM pair by pair; it has no dump of them.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

# judge SPEC ENGINE loop|none
judge() {
	local spec=$1 engine=$2 expected=$3 dump ours status=0
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
		status=0
		"$odonata" verify "$dump/topology" --tables "$ours" --tables "$dump/opensm.psl" \
			--tables "$dump/opensm-sl2vl.dump" >"$dump/verdict" 2>&1 || status=$?
		case $expected in
		loop) [ $status = 1 ] && grep -qiE "deadlock|cycle" "$dump/verdict" ;;
		none) [ $status = 0 ] ;;
		esac || fail "$engine on $spec: $ours: expected $expected, found $(cat "$dump/verdict")"
	done
	"expect_$( [ "$expected" = loop ] && echo loop || echo no_loop)" "$engine on $spec"
}

judge flatfly:k=4x4x4,c=1 minhop loop
judge flatfly:k=4x4x4,c=1 dfsssp none
judge flatfly:k=4x4x4,c=1 lash none
judge flatfly:k=4x4x4,c=1 nue none
judge torus:k=6,c=1 minhop loop
judge torus:k=6,c=1 lash none
echo ok
