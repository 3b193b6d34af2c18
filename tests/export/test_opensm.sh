# Our files before independent judges: OpenSM's own file engine loads our LFTs and holds, byte for
# byte, what we wrote; ibdmchk finds every path and no credit loop, and does find the loop where
# the VLs are kept from it.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

# judge SPEC ENGINE SAFE-WITHOUT-VLS
judge() {
	local spec=$1 engine=$2 alone=$3 dir=$FABRIC/files-$1-$2
	local net=$FABRIC/net-$1-$2
	mkdir "$dir"
	"$odonata" generate "$spec" --shuffle 5 -o "$net" || fail "$spec: cannot be generated"
	fabric_start "$spec-$engine" "$net"
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
	if [ "$alone" = safe ]; then
		expect_no_loop "$spec, $engine on one VL"
		! grep -q WARNING "$dir/odonata.lfts" || fail "$spec: a warning without need"
	else
		expect_loop "$spec, $engine on one VL"
		grep -q "WARNING: these LFTs alone can DEADLOCK" "$dir/odonata.lfts" ||
			fail "$spec: no warning in the LFTs"
	fi
	fabric_stop
}

judge dragonfly:p=2,a=4,h=2 dragonfly unsafe
judge flatfly:k=4x3,c=2 dor safe
judge flatfly:k=4x3x3,c=2 mixed-dor unsafe
judge random:n=24,d=4,c=2 updown safe
echo ok
