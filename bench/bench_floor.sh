#!/usr/bin/env bash
# Static bounds of what the stock opensm installs on an emulated fabric, engine by engine: ours (the
# automatic choice, `layered` and `updown`) beside minhop, updn, ftree and dfsssp. OpenSM's own LFTs are
# taken from its dump and analyzed on the fabric as ibnetdiscover finds it, ours likewise. CSV.
#
#   bench/bench_floor.sh BUILD [OLD [SPEC...]]
#
# OLD is the odonata program of an earlier build, whose `layered` and `updown` become rows with "-before",
# or "" for none. A SPEC may end in a damage after a blank: "flatfly:k=4x4x4,c=4 5%,2%".
set -u
export ODONATA_BUILD=$(realpath "$1")
old=${2:-}
shift; [ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- fattree:k=36,levels=2 "fattree:k=36,levels=2 0%,2%" fattree:k=8,levels=3 \
	"fattree:k=8,levels=3 0%,5%" random:n=100,d=6,c=2 "flatfly:k=4x4x4,c=4 5%,2%" torus:k=6x6,c=2
. "$(dirname "$0")/../tests/plugin/fabric.sh"
odonata=$ODONATA_BUILD/cli/odonata

# bound PROGRAM TRAFFIC FABRIC [ARGUMENT...]
bound() {
	local program=$1 traffic=$2
	shift 2
	"$program" analyze "$@" --pattern "$traffic" --bisections 0 2>/dev/null |
		awk '/^saturation at most/ { print $4 }'
}

# row NAME PROGRAM FABRIC [ARGUMENT...]: the bounds of one routing
row() {
	local name=$1 line traffic
	shift
	line="\"$spec\",$hosts,$name"
	for traffic in uniform "shift:n=1" "shift:n=$per" "shift:n=$((hosts / 3))" "shift:n=$((hosts / 2))"; do
		line+=,$(bound "$1" "$traffic" "${@:2}")
	done
	echo "$line"
}

# stock ENGINE: one sweep of stock opensm; dumps in $fabric_dir. Where it gives up it waits for ever.
stock() {
	rm -f "$sm_log"
	printf '%s\n' "routing_engine $1,no_fallback" "qos TRUE" "force_log_flush TRUE" \
		>"$fabric_dir/stock.conf"
	(OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric timeout 90 \
		opensm -e -o -f "$sm_log" -F "$fabric_dir/stock.conf" -D 0x43) >"$fabric_dir/osm.out" 2>&1
	grep -q "$1 tables configured" "$sm_log"
}

# Ours in the stock opensm, as it comes up.
ours() {
	sm_start
	sm_wait_up 1
	expect_routed
	sm_stop
}

echo "# bench/bench_floor.sh BUILD OLD; opensm 3.3.23, $(date +%F), commit $(git describe --always)"
echo "fabric,hosts,engine,uniform,shift 1,shift to next switch,shift a third,shift half"
i=0
for spec; do
	read -r kind damage <<<"$spec"
	"$odonata" generate "$kind" ${damage:+--damage "$damage,1"} -o "$FABRIC/net" || fail "generate $spec"
	for engine in minhop updn ftree dfsssp odonata; do
		i=$((i + 1))
		fabric_start "$i" "$FABRIC/net"
		hosts=$(grep -c -E '^(Ca|Hca)' "$FABRIC/net")
		per=$(awk -F'"' '/^(Ca|Hca)/ { ca = 1 } /^\[/ && ca { n[$2]++; ca = 0 }
			END { for (s in n) if (n[s] > m) m = n[s]; print m }' "$FABRIC/net")
		if [ $engine = odonata ]; then ours; else stock $engine; fi
		if [ $? -ne 0 ] || ! [ -s "$fabric_dir/opensm-lfts.dump" ]; then
			echo "\"$spec\",$hosts,$engine,gives up,,,,"
		else
			in_fabric ibnetdiscover >"$fabric_dir/topology"
			row $engine "$odonata" "$fabric_dir/topology" --tables "$fabric_dir/opensm-lfts.dump"
		fi
		fabric_stop
	done
	for engine in layered updown; do
		row odonata.$engine "$odonata" "$fabric_dir/topology" --engine $engine
		[ -z "$old" ] || row odonata.$engine-before "$old" "$fabric_dir/topology" --engine $engine
	done
done
