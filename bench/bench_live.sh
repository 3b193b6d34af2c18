#!/usr/bin/env bash
# How long it takes to read and prove what is installed: `odonata verify live` under the stock opensm with our
# plugin, on ibsim.
#
#   bench/bench_live.sh BUILD [SPEC...] >docs/results/opensm/live.csv
set -u
here=$(realpath "$(dirname "$0")")
export ODONATA_BUILD=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- flatfly:k=4x4x4,c=2 dragonfly:p=2,a=6,h=3 torus:k=6x6x6,c=1 fattree:k=16,levels=3 \
	flatfly:k=8x8x8,c=1 dragonfly-plus:p=2,leaves=16,spines=16,h=1,g=16
. "$here/../tests/plugin/fabric.sh"
odonata=$ODONATA_BUILD/cli/odonata
in_fabric_seconds=600
echo "# bench/bench_live.sh BUILD; opensm 3.3.23, $(date +%F), commit $(git -C "$here" describe --always --dirty)"
echo "# load: of the machine when it began, one of its $(nproc) cores being 1"
echo "fabric,switches,hosts,load,seconds,tables,safe,vls,sl depends on"
for spec; do
	net=$FABRIC/net$RANDOM
	"$odonata" generate "$spec" -o "$net" || fail "$spec"
	fabric_start "${net##*/}-run" "$net"
	sm_start
	sm_wait_up 1 600
	TIMEFORMAT=%R
	load=$(cut -d" " -f 1 /proc/loadavg)
	seconds=$({ time in_fabric "$odonata" verify live >"$FABRIC/answer" 2>/dev/null; } 2>&1)
	awk -v spec="$spec" -v switches="$(grep -c ^Switch "$net")" -v hosts="$(grep -cE '^(Ca|Hca)' "$net")" \
		-v load="$load" -v seconds="$seconds" '
		match($0, /^(tables|safe|vls|sl depends on) +/) {
			key = $0; sub(/  +.*/, "", key)
			v[key] = substr($0, RLENGTH + 1)
		}
		END { printf "\"%s\",%d,%d,%s,%s,\"%s\",%s,%s,%s\n", spec, switches, hosts, load, seconds, v["tables"],
			v["safe"], v["vls"], v["sl depends on"] }' "$FABRIC/answer"
	sm_stop
	fabric_stop
done
