#!/usr/bin/env bash
# Routing engines side by side in the stock opensm, on a fabric that ibsim emulates: engine time
# (hop matrices and tables, for ours with mapping and proof) and the ratio to ours.
#
#   bench/bench_opensm.sh BUILD [SPEC [ENGINE...]]
#
# The defaults are the 8x8x8 FlatFly, 512 switches with 2,048 hosts, and the engines that fit it;
# the slow ones take about 40 s each.
set -u
export ODONATA_BUILD=$(realpath "$1")
spec=${2:-flatfly:k=8x8x8,c=4}
shift; [ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- odonata minhop dor lash nue dfsssp
. "$(dirname "$0")/../tests/plugin/fabric.sh"

net=$FABRIC/net
case $spec in
*.net) net=$spec ;;
*) "$ODONATA_BUILD/cli/odonata" generate "$spec" >"$net" || fail "generate $spec" ;;
esac
mkdir "$FABRIC/lib" && ln -s "$ODONATA_BUILD"/{plugin/libodonata,bench/libodonata-timer}.so "$FABRIC/lib"
plugin_path=$FABRIC/lib

printf '%-22s %12s %12s %12s %9s  %s\n' engine "matrices ms" "tables ms" "sum ms" "/ ours" result
ours=
for engine; do
	fabric_start "$engine" "$net"
	sm_start "event_plugin_name odonata odonata-timer" "routing_engine $engine" "qos ${QOS:-FALSE}"
	sm_wait_log 1 "odonata-timer: $engine" 600
	sm_wait_log 1 "tables configured" 600
	line=$(grep -m 1 "odonata-timer: $engine" "$sm_log")
	sm_stop
	fabric_stop
	read -r matrices tables status < <(sed -E \
		's/.*matrices ([0-9.]+) ms, tables ([0-9.]+) ms, status (-?[0-9]+).*/\1 \2 \3/' <<<"$line")
	[ -n "$ours" ] || ours=$(awk "BEGIN { print $matrices + $tables }")
	awk -v e="$engine" -v m="$matrices" -v t="$tables" -v o="$ours" -v s="$status" 'BEGIN {
		printf "%-22s %12.2f %12.2f %12.2f %9.1f  %s\n", e, m, t, m + t, (m + t) / o,
			s < 0 ? "gave up" : "routed" }'
done
