#!/usr/bin/env bash
# No fabric is slower because the plugin was loaded: on trees, whole and damaged, what the emulated
# switches hold under our engine, read back from them, carries at least what they hold under OpenSM's own
# minhop, uniform traffic and shifts. The log says what was compared, and ibdmchk finds no credit loop.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

# bound TRAFFIC: of what the switches of the fabric in use hold
bound() {
	"$odonata" analyze "$fabric_dir/discovered" --tables "$fabric_dir/read" --pattern "$1" \
		--bisections 0 | awk '/^saturation at most/ { print $4 }'
}

bounds() { # NAME
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	in_fabric dump_fts >"$fabric_dir/read" || fail "dump_fts"
	echo "$(bound uniform) $(bound shift:n=$per)" >"$FABRIC/$1"
}

# not_slower NAME HOSTS_OF_A_LEAF SPEC [ARGUMENT...]
not_slower() {
	local name=$1 compared=
	per=$2
	shift 2
	"$odonata" generate "$@" -o "$FABRIC/$name.net" || fail "generate $*"
	fabric_start "$name" "$FABRIC/$name.net"
	sm_start "routing_engine minhop"
	sm_wait_up 1
	bounds "$name.minhop"
	sm_stop
	sm_start
	sm_wait_up 1
	expect_routed
	bounds "$name.ours"
	echo "$name: uniform and shift, ours $(cat "$FABRIC/$name.ours"), minhop $(cat "$FABRIC/$name.minhop")"
	paste "$FABRIC/$name.ours" "$FABRIC/$name.minhop" |
		awk 'NF != 4 || $1 < $3 || $2 < $4 { exit 1 }' || fail "$name: slower than minhop"
	# Engines made for a whole fabric of the kind are not compared.
	! grep -q "[^0-9]0 faults; engine fattree" "$sm_log" || compared=whole
	[ "${compared:-}" ] ||
		grep -qE "static bounds: .* uniform, .* shifts, installed; .* uniform, .* shifts" "$sm_log" ||
		fail "$name: no figures in the log"
	expect_tables
	same_lfts
	judge
	sm_stop
	fabric_stop
}

not_slower two-levels 8 fattree:k=16,levels=2
awk '{ exit $1 < 0.9999 || $2 < 0.9999 }' "$FABRIC/two-levels.ours" || fail "a whole tree carries all"
not_slower three-levels 3 fattree:k=6,levels=3 --shuffle 5
awk '{ exit $1 < 0.9999 }' "$FABRIC/three-levels.ours" || fail "a whole tree carries all"
not_slower damaged 8 fattree:k=16,levels=2 --damage 0,6,3

# An engine that the operator named stays, and the log says what it costs.
fabric_start named "$FABRIC/two-levels.net"
sm_start "routing_engine odonata.layered"
sm_wait_up 1
expect_routed odonata.layered
grep -qE "static bounds: layered 0\.[0-8].* installed; updown 1.000 uniform, 1.000 shifts" "$sm_log" ||
	fail "not said what updown would carry: $(grep "static bounds" "$sm_log")"
