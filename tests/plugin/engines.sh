# One engine on one fabric, from end to end under the stock opensm. Source after fabric.sh, readback.sh and
# certificate.sh.
#
#   engine_holds SPEC ENGINE [LMC]
#
# OpenSM routes with odonata.ENGINE; what the switches then hold are our LFTs and SL2VL maps; OpenSM
# answers for path records with our SLs, pairs asked through libibmad and some with saquery; and
# ibdmchk finds every path and no credit loop. With an LMC switches get several LIDs, too (lmc_esp0),
# so that it can follow every LID.
engine_holds() {
	local spec=$1 engine=$2 lmc=${3:-0} net=$FABRIC/net-$RANDOM name=$2-$RANDOM
	"$odonata" generate "$spec" --shuffle 21 -o "$net" || fail "generate $spec"
	[ "$lmc" = 0 ] || sed -i 's/base port 0/enhanced port 0/' "$net"
	fabric_start "$name" "$net"
	sm_start "routing_engine odonata.$engine" "lmc $lmc" "lmc_esp0 TRUE"
	sm_wait_up 1
	expect_routed "odonata.$engine"
	expect_tables "$engine"
	echo "$spec, $engine, LMC $lmc: $summary"
	same lfts "$fabric_dir/lfts" by_tool lfts
	case $summary in
	*vls=1*) ;; # OpenSM's own maps stay
	*) same sl2vl "$fabric_dir/sl2vl" by_tool sl2vl ;;
	esac
	same_sls
	some_saquery
	judge_every_lid "$spec, $engine" "$lmc"
	judge_certificate "$spec, $engine" "$(sed 's/.*vls=\([0-9]*\).*/\1/' <<<"$summary")"
	sm_stop
	fabric_stop
}

# ibdmchk's own option for LMC takes base LIDs for odd numbers, which OpenSM's are not. So it is shown
# the fabric as often as nodes have LIDs, each time with another of them as their only one.
judge_every_lid() { # WHAT LMC
	local k subnet said=$fabric_dir/ibdmchk.log
	for ((k = 0; k < 1 << $2; k++)); do
		subnet=subnet-$k.lst
		perl -pe 's/LID:([0-9A-F]+)/sprintf "LID:%04X", hex($1) + '$k'/ge' \
			"$fabric_dir/opensm-subnet.lst" >"$fabric_dir/$subnet"
		run_ibdmchk "$said" -c ours/odonata.psl -d opensm-sl2vl.dump
		grep -q "no credit loops found" "$said" ||
			fail "$1: $(grep -E 'loop|-E-' "$said" | head -n 5)"
		grep -q "Scanned:[0-9]* CA to CA paths" "$said" || fail "$1: ibdmchk followed no paths"
		! grep -E -- "^-E-|Dead end|Unassigned" "$said" >&2 || fail "$1: ibdmchk found errors"
	done
}

# Some of the pairs, asked with the tool that operators use.
some_saquery() {
	local n pair sl most=${ODONATA_WIDE:+12}
	n=$(wc -l <"$fabric_dir/sls")
	for pair in $(awk -v step=$((n / ${most:-3} + 1)) 'NR % step == 1 || step == 1 { print $1 ":" $2 "=" $3 }' \
		"$fabric_dir/sls"); do
		sl=$(in_fabric saquery -p --src-to-dst "${pair%=*}" | awk -F. '/\tsl\./ { print $NF }')
		[ $((sl)) -eq "${pair#*=}" ] || fail "saquery: SL of $pair is ${sl:-missing}"
	done
}

# Engines of profile ib, one a line.
ib_engines() {
	"$odonata" list engines | awk '$2 == "ib" { print $1 }'
}
