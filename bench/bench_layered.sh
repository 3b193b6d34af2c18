#!/usr/bin/env bash
# Routing of irregular graphs: our `layered` beside OpenSM's own engines with as many VLs, on
# fabrics that ibsim emulates. Share of pairs of hosts on shortest paths, hops, and how full the
# fullest cable is (bench_paths.c).
#
#   bench/bench_layered.sh BUILD [SPEC...]
set -u
export ODONATA_BUILD=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- random:n=100,d=6,c=2 random:n=256,d=6,c=2 random:n=256,d=12,c=4 \
	torus:k=8x8x8,c=1 dragonfly:p=2,a=8,h=4
. "$(dirname "$0")/../tests/plugin/fabric.sh"
paths=$ODONATA_BUILD/bench/bench_paths

# stock ENGINE VLS: one sweep of stock opensm; dumps in $fabric_dir
stock() {
	local code=4
	[ "$2" = 4 ] && code=3
	rm -f "$sm_log"
	printf '%s\n' "routing_engine $1,no_fallback" "qos TRUE" "max_op_vls $code" \
		"nue_max_num_vls $2" "force_log_flush TRUE" >"$fabric_dir/stock.conf"
	(OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric timeout 250 \
		opensm -e -o -f "$sm_log" -F "$fabric_dir/stock.conf" -D 0x43) >"$fabric_dir/osm.out" 2>&1
	grep -q "$1 tables configured" "$sm_log"
}

for spec; do
	net=$FABRIC/net
	"$ODONATA_BUILD/cli/odonata" generate "$spec" -o "$net" || fail "generate $spec"
	echo "$spec"
	for vls in 8 4; do
		printf '%u ours: ' $vls
		"$paths" "$net" engine layered $vls
		for engine in dfsssp nue lash; do
			fabric_start "$engine$vls-$RANDOM" "$net"
			if stock $engine $vls; then
				in_fabric ibnetdiscover >"$fabric_dir/topology"
				printf '%u %s: ' $vls $engine
				"$paths" "$fabric_dir/topology" tables "$fabric_dir/opensm-lfts.dump"
			else
				echo "$vls $engine: gives up"
			fi
			fabric_stop
		done
	done
done
