#!/usr/bin/env bash
# The stock opensm installs exactly our tables: on a shuffled, damaged dragonfly and on a
# FlatFly, side by side, what the emulated switches hold afterwards is compared entry by entry,
# and ibdmchk finds it complete and free of credit loops.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 --damage 0,3,11 --shuffle 11 >"$FABRIC/dragonfly.net" || fail generate
"$odonata" generate flatfly:k=3x3x3,c=3 --shuffle 12 >"$FABRIC/flatfly.net" || fail generate
for name in dragonfly flatfly; do
	fabric_start $name "$FABRIC/$name.net"
	sm_start
done
for name in dragonfly flatfly; do
	fabric_use $name
	sm_wait_up 1
	expect_routed
	expect_tables
	echo "$name: $summary"
	same_lfts
	same_sls
	judge
done

fabric_use dragonfly
! grep -q "^vls *1$" "$fabric_dir/route" || fail "a dragonfly on one VL proves nothing"
# All maps by our reader; by smpquery, a program for each port, a tenth of them, or all (ODONATA_WIDE).
same sl2vl "$fabric_dir/sl2vl" by_tool sl2vl
[ "${ODONATA_WIDE:-}" ] || sample_ports 10
same sl2vl "$fabric_dir/sl2vl" by_smpquery
judge_without_vls
for pair in $(awk 'NR % 500 == 1 { print $1 ":" $2 "=" $3 }' "$fabric_dir/sls"); do
	sl=$(in_fabric saquery -p --src-to-dst "${pair%=*}" | awk -F. '/\tsl\./ { print $NF }')
	[ $((sl)) -eq "${pair#*=}" ] || fail "saquery: SL of $pair is ${sl:-missing}"
done

# One VL is safe under any SL2VL map, so on the FlatFly OpenSM's own stays; SL 0, ours, is VL 0.
fabric_use flatfly
sl0() {
	by_tool sl2vl | cut -d' ' -f1-4
}
cut -d' ' -f1-4 "$fabric_dir/sl2vl" >"$fabric_dir/sl0"
same sl0 "$fabric_dir/sl0" sl0

# The hop matrices, from which OpenSM builds multicast trees, are those it would find itself.
for name in dragonfly flatfly; do
	fabric_use $name
	sm_stop
	mv "$fabric_dir/opensm-lid-matrix.dump" "$fabric_dir/ours.dump"
	sm_start "routing_engine minhop"
	sm_wait_up 1
	sm_stop
	cmp "$fabric_dir/ours.dump" "$fabric_dir/opensm-lid-matrix.dump" || fail "hop matrices differ"
done
