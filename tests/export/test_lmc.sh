# Tables that OpenSM's own engines made for hosts of several LIDs, read from its dumps: every LID is
# there, our verifier says of all of them what is known of the engine, ibdmchk says the same of base
# LIDs, and traffic is emulated through them.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

# judge SPEC LMC ENGINE loop|none
judge() {
	local spec=$1 engine=$3 expected=$4 dump lmc=$2 verdict_of_ours accepted
	local net=$FABRIC/net-$1
	[ -s "$net" ] || "$odonata" generate "$spec" --shuffle 4 -o "$net" || fail "$spec"
	fabric_start "$engine-$lmc" "$net"
	stock_up "$engine" -Q
	expect_routed "$engine"
	dump=$fabric_dir
	in_fabric ibnetdiscover >"$dump/topology" || fail "$spec: cannot be discovered"
	path_sls "$dump/topology" >"$dump/opensm.psl"
	sm_stop
	fabric_stop

	# Every LID is in every switch.
	[ "$(grep -c '^0x' "$dump/opensm-lfts.dump")" = $(($(grep -c '^Switch' "$net") *
		($(grep -c '^Switch' "$net") + ($(grep -c '^Ca' "$net") << lmc)))) ] ||
		fail "$engine, LMC $lmc: OpenSM's dump lacks LIDs"
	our_verdict "$dump/topology" "$dump/opensm-lfts.dump" \
		"$dump/opensm.psl" "$dump/opensm-sl2vl.dump" >"$dump/verdict" 2>&1
	grep -qx "hosts $expected" "$dump/verdict" ||
		fail "$engine, LMC $lmc: expected $expected, found $(cat "$dump/verdict")"
	mv "$dump/opensm-subnet.lst" "$dump/opensm.lst"
	ibdmchk_says "$dump/opensm" -c "$dump/opensm.psl" -d "$dump/opensm-sl2vl.dump"
	"expect_$([ "$expected" = loop ] && echo loop || echo no_loop)" "$engine, LMC $lmc"

	# A loop of dependencies is no deadlock yet at this load.
	accepted=$("$odonata" emulate "$dump/topology" --tables "$dump/opensm-lfts.dump" \
		--tables "$dump/opensm.psl" --tables "$dump/opensm-sl2vl.dump" -m infiniband \
		-p uniform -l 0.1 --warmup 500 --cycles 2000 2>"$dump/emulate.err" | tee "$dump/emulate" |
		awk '/accepted/ { print $2; exit }')
	awk -v a="$accepted" 'BEGIN { exit !(a > 0.08 && a < 0.12) }' ||
		fail "$engine, LMC $lmc: accepted ${accepted:-nothing}: $(cat "$dump/emulate" "$dump/emulate.err")"
	echo "$engine, LMC $lmc: $(xargs <"$dump/verdict"), accepted $accepted of 0.1"
}

judge flatfly:k=4x4x3,c=1 1 minhop loop
judge flatfly:k=4x4x3,c=1 1 dfsssp none
[ -z "${ODONATA_WIDE:-}" ] || judge flatfly:k=4x4x3,c=1 2 minhop loop
echo ok
