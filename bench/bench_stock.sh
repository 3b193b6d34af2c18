#!/usr/bin/env bash
# What the stock opensm's engines install on emulated fabrics, beside ours: a row of CSV for each fabric
# and engine. A row that is there is not made again, so a run that was stopped goes on.
#
#   bench/bench_stock.sh BUILD OUT.csv [FABRICS [ENGINE...]]
#   bench/bench_stock.sh --below OUT.csv
#   bench/bench_stock.sh --gain OUT.csv ENGINE
#
# FABRICS is a file of fabrics (stock_fabrics.txt is the default); site:NAME is a site's, of
# tests/data/dumps. The second form prints where ours is below an engine of OpenSM's that is safe, and why; it
# ends with 1 if one of those needs no more VLs than ours and there is no reason (stock_below.awk). The third
# prints how much each bound is higher with ours than with ENGINE: the geometric mean over all fabrics.
#
# Each engine routes once in opensm on ibsim, without any other to take over. OpenSM's own dumps are the
# tables that are judged. Columns:
#
#   result      routed; declines; or "over N s" for an engine that takes longer (STOCK_SECONDS, 300)
#   uniform ... bounds of `odonata analyze --bounds`: the load that each host can offer
#   safe        yes: proved; hosts: proved without paths to switches' own LIDs; ibdmchk: only ibdmchk finds
#               no loop, as it leaves out paths from switches without hosts too; or why not
#   vls         of the paths between hosts; nue takes one, nue-vls all that there are
#   sl2vl       entries of SL2VL tables that the routing needs; OpenSM sends a MAD for each
#   engine ms   hop matrices and tables. OpenSM makes updn's tables itself: they are not in it
set -u
if [ "${1:-}" = --below ]; then
	exec awk -v reasons="$(dirname "$0")/stock_reasons.txt" -f "$(dirname "$0")/stock_below.awk" "$2"
fi
if [ "${1:-}" = --gain ]; then
	exec awk -v other="$3" -f "$(dirname "$0")/stock_gain.awk" "$2"
fi
here=$(realpath "$(dirname "$0")")
export ODONATA_BUILD=$(realpath "$1")
out=$(realpath -m "$2")
list=$(realpath "${3:-$here/stock_fabrics.txt}")
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- minhop updn updn-root ftree dor lash dfsssp nue nue-vls torus-2QoS odonata
. "$here/../tests/plugin/fabric.sh"
odonata=$ODONATA_BUILD/cli/odonata
seconds=${STOCK_SECONDS:-300}
permutations=${STOCK_PERMUTATIONS:-100} # more tell chance from the rest; the file's are of 100
commit=$(git -C "$here" describe --always --dirty)
mkdir "$FABRIC/lib" && ln -s "$ODONATA_BUILD"/{plugin/libodonata,bench/libodonata-timer}.so "$FABRIC/lib"
plugin_path=$FABRIC/lib

# The size of a torus without faults of its own, and a link of switch 0 in each dimension.
torus_config() { # NET SPEC
	local k
	k=$(sed -nE 's/^torus:k=([0-9]+)x([0-9]+)x([0-9]+),.*/\1 \2 \3/p' <<<"$2")
	[ -n "$k" ] || return 1
	awk -v k="$k" -F'[="(]' '
		/^switchguid/ { guid = $2 }
		/^Switch/ { of[$2] = guid }
		END { print "torus", k
		      if (!("S0_0_0" in of && "S1_0_0" in of && "S0_1_0" in of && "S0_0_1" in of)) exit 1
		      print "xp_link", of["S0_0_0"], of["S1_0_0"]
		      print "yp_link", of["S0_0_0"], of["S0_1_0"]
		      print "zp_link", of["S0_0_0"], of["S0_0_1"] }' "$1" >"$fabric_dir/torus.conf"
}

configure() { # ENGINE: on standard output; not 0 where it is none for the fabric
	local name=$1 qos=TRUE plugins=odonata-timer
	case $1 in
	minhop | updn | ftree | dor) qos=FALSE ;; # one VL, and no SL2VL tables
	updn-root) # where updn sees no tree: from the first of the switches with the most cables
		name=updn qos=FALSE
		fabric_most_cables "$net" >"$fabric_dir/roots"
		echo "root_guid_file $fabric_dir/roots" ;;
	nue) echo "nue_max_num_vls 1" ;;
	nue-vls) name=nue && echo "nue_max_num_vls 0" ;;
	torus-2QoS) torus_config "$net" "$spec" && echo "torus_config $fabric_dir/torus.conf" || return 1 ;;
	odonata*) plugins="odonata odonata-timer" ;;
	esac
	printf '%s\n' "event_plugin_name $plugins" "routing_engine $name,no_fallback" "qos $qos" \
		"force_log_flush TRUE" "dump_files_dir $fabric_dir"
}

# One sweep of opensm. The result is in $result.
route() { # ENGINE
	local began= until=$((SECONDS + 1800))
	rm -f "$fabric_dir"/{opensm-*.dump,path-sl.dump,opensm-subnet.lst}
	OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric opensm -e -f "$sm_log" \
		-F "$fabric_dir/opensm.conf" -D 0x43 >"$fabric_dir/osm.out" 2>&1 &
	local pid=$!
	fabric_pids+=("$pid")
	result=
	while [ -z "$result" ] && kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
		[ -n "$began" ] || ! log_has 1 "odonata-timer: begins" || began=$SECONDS
		if log_has 1 "odonata-timer: ends"; then
			result=routed
		elif log_has 1 "No routing engine able|Failed to initialize routing engine"; then
			result=declines
		elif [ -n "$began" ] && [ $((SECONDS - began)) -gt "$seconds" ] &&
			! log_has 1 "tables configured"; then
			result="over $seconds s"
		elif [ "$SECONDS" -gt "$until" ]; then
			result="does not come up"
		fi
	done
	stop_pid "$pid"
	result=${result:-ends by itself}
}

# Of an answer in JSON. @param $1 key; the answer on standard input
value() {
	awk -F': ' -v key="\"$1\"" '{ sub(/^ +/, "", $1) } $1 == key { sub(/,$/, "", $2); print $2; exit }'
}

# The bounds in their order, with commas, the shift's length behind its bound.
bounds() {
	"$odonata" analyze "$lst" --tables "$fabric_dir/opensm-lfts.dump" --bounds="$permutations" --json |
		awk -F': ' '/"traffic"/ { n = ""; if (match($2, /n=[0-9]+/)) n = "," substr($2, RSTART + 2, RLENGTH - 2) }
			/"saturation_at_most"/ { line = line (line == "" ? "" : ",") sprintf("%.5g", $2) n }
			END { print line }'
}

# ibdmchk on OpenSM's dumps, one at a time; it crashes after its verdict.
judge() {
	local sls=()
	[ ! -s "$fabric_dir/path-sl.dump" ] || sls=(-c path-sl.dump -d opensm-sl2vl.dump)
	(
		flock 9
		cd "$fabric_dir" && timeout 900 ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs \
			"${sls[@]}" >ibdmchk.log 2>&1
	) 9>"${TMPDIR:-/tmp}/odonata-ibdmchk.lock" 2>/dev/null
	if grep -q "no credit loops found" "$fabric_dir/ibdmchk.log"; then
		echo ibdmchk
	else
		echo "no: can deadlock"
	fi
}

# verdict [OPTION]: our verifier on all tables, in JSON
verdict() {
	local tables=(--tables "$fabric_dir/opensm-lfts.dump")
	[ ! -s "$fabric_dir/opensm-sl2vl.dump" ] || tables+=(--tables "$fabric_dir/opensm-sl2vl.dump")
	[ ! -s "$fabric_dir/path-sl.dump" ] || tables+=(--tables "$fabric_dir/path-sl.dump")
	"$odonata" verify "$lst" "${tables[@]}" --json "$@"
}

# Sets $safe, $vls and $longest.
prove() {
	local all hosts
	all=$(verdict)
	hosts=$(verdict --hosts-only)
	vls=$(value vls <<<"$hosts")
	longest=$(value longest_path <<<"$hosts")
	if [ "$(value safe <<<"$all")" = true ]; then
		safe=yes
	elif [ "$(value safe <<<"$hosts")" = true ]; then
		safe=hosts
	elif [ "$(value delivers <<<"$hosts")" = false ]; then
		safe="no: does not deliver"
	elif [ "$(value deadlock_free <<<"$hosts")" = false ]; then
		safe=$(judge)
	else
		safe="unproved"
	fi
}

engine_ms() {
	sed -nE 's/.*odonata-timer: [^:]*: matrices ([0-9.]+) ms, tables ([0-9.]+) ms.*/\1 \2/p' "$sm_log" |
		awk '{ printf "%.1f", $1 + $2; exit }'
}

row() { # ENGINE
	local figures=,,,,,, entries=
	safe= vls= longest=
	if ! configure "$1" >"$fabric_dir/opensm.conf"; then
		return
	fi
	route "$1"
	lst=$fabric_dir/opensm-subnet.lst
	if [ "$result" = routed ]; then
		figures=$(bounds)
		prove
		entries=0
		[ "${vls:-1}" = 1 ] || entries=$(grep -cE '^[0-9]+ +[0-9]+ +:' "$fabric_dir/opensm-sl2vl.dump")
	fi
	echo "\"$spec\",$switches,$hosts,$1,$result,$figures,$safe,$vls,$longest,$entries,$(engine_ms),$commit" >>"$out"
	tail -n 1 "$out"
}

if ! [ -s "$out" ]; then
	{
		echo "# bench/bench_stock.sh BUILD $(basename "$out") $(basename "$list"); opensm 3.3.23, begun $(date +%F), commit $commit"
		echo "# Bounds: the load that each host can offer until a first cable is full. bench_stock.sh says what the columns are."
		echo "fabric,switches,hosts,engine,result,uniform,worst shift,shift by,complement,mean of 100,least of 100,worst permutation,safe,vls,longest path,sl2vl,engine ms,commit"
	} >"$out"
fi
i=0
while read -r -u 8 spec; do
	[ -n "$spec" ] && [ "${spec#\#}" = "$spec" ] || continue
	net=$FABRIC/net$i
	read -ra words <<<"$spec"
	if [ "${spec#site:}" != "$spec" ]; then
		dumps=$here/../tests/data/dumps
		awk -f "$dumps/dump.awk" "$dumps/${spec#site:}.structure" >"$net.topo" || fail "$spec"
		words=("$net.topo")
	fi
	"$odonata" generate "${words[@]}" -o "$net" 2>/dev/null || fail "generate $spec"
	switches=$(grep -c ^Switch "$net") hosts=$(grep -cE '^(Ca|Hca)' "$net")
	for engine; do
		grep -qF "\"$spec\",$switches,$hosts,$engine," "$out" && continue
		i=$((i + 1))
		fabric_start "$i" "$net"
		row "$engine"
		fabric_stop
		rm -rf "$fabric_dir"
	done
done 8<"$list"
