#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What approximations cost: OpenSM's engines, ours for standard and for adaptive switches, and adaptive
# yardsticks on the same fabric, emulated. A row of CSV for each fabric, routing and pattern; one that is
# there is not made again, so a run that was stopped goes on.
#
#   [ONLY=REGEX] bench/bench_approximations.sh BUILD OUT.csv [FABRIC...]
#   bench/bench_approximations.sh --page OUT.csv >docs/results/approximations.md
#
# ONLY takes the routings of these names alone: so two runs, each with an OUT.csv of its own, share the work.
#
# OpenSM's tables are those of the stock opensm on ibsim, taken from its dumps; they and ours are emulated on
# the subnet as OpenSM wrote it down. With several LIDs a host (LMC) the subnet is the generator's.
# Columns:
#   profile     stock; ib, ib-ar, ib-ext: what switches must be able to do; algorithmic: emulated only
#   proof       of `odonata verify`: yes; hosts: without paths to switches' own LIDs; no; or why there is none
#   sustained   searched: the highest load, to 1/128, at which what every host offers arrives
#   full        accepted where every host offers all it can
#   latency     mean at half of the load sustained, in cycles
set -u
here=$(realpath "$(dirname "$0")")
if [ "${1:-}" = --page ]; then
	exec awk -f "$here/approximations_page.awk" "$2"
fi
export ODONATA_BUILD=$(realpath "$1")
out=$(realpath -m "$2")
shift 2
[ $# -gt 0 ] || set -- dragonfly:p=4,a=8,h=4 flatfly:k=8x8x8,c=8 fattree:k=36,levels=2 paper-flatfly
. "$here/../tests/plugin/fabric.sh"
odonata=$ODONATA_BUILD/cli/odonata
seconds=${STOCK_SECONDS:-300}
mkdir "$FABRIC/lib" && ln -s "$ODONATA_BUILD/bench/libodonata-timer.so" "$FABRIC/lib"
plugin_path=$FABRIC/lib # it writes path-sl.dump
cycles=${CYCLES:-1000}

patterns() { # FABRIC: six, the last one adversarial
	echo uniform permutation complement transpose hotregion
	case $1 in
	dragonfly*) echo advg:n=1 ;;
	fattree*) echo shift:n=18 ;;
	*) echo neighbour ;;
	esac
}

# NAME|PROFILE|LMC|OPTIONS of ours and of yardsticks; stock engines go by their names.
ours() { # FABRIC
	case $1 in
	dragonfly*) cat <<-END ;;
		dragonfly|ib|0|-e dragonfly
		dragonfly-valiant|ib|1|-e dragonfly-valiant --spread-lids
		dragonfly-valiant|ib|2|-e dragonfly-valiant --spread-lids
		ofar-ar|ib-ar|0|-e ofar-ar
		dragonfly-gid|ib-ext|0|-e dragonfly-gid
		distance-based+2|ib-ext|0|-e distance-based+2
		ugal-l|algorithmic|0|--policy ugal-l
		val|algorithmic|0|--policy val
		ofar|algorithmic|0|--policy ofar
	END
	fattree*) cat <<-END ;;
		fattree|ib|0|-e fattree
		fattree|ib|1|-e fattree --spread-lids
		fattree|ib|2|-e fattree --spread-lids
		fattree-ar|ib-ar|0|-e fattree-ar
		distance-based|ib-ext|0|-e distance-based
		fattree-adaptive|algorithmic|0|--policy fattree-adaptive
		fattree-random|algorithmic|0|--policy fattree-random
	END
	*) cat <<-END ;;
		dor|ib|0|-e dor
		layered|ib|1|-e layered --spread-lids
		layered|ib|2|-e layered --spread-lids
		ador|ib-ext|0|-e ador
		distance-based+2|ib-ext|0|-e distance-based+2
		flatfly-ugal|algorithmic|0|--policy flatfly-ugal
		flatfly-val|algorithmic|0|--policy flatfly-val
		dal|algorithmic|0|--policy dal
	END
	esac
}

# One sweep of opensm, which leaves its dumps in $fabric_dir. @return not 0 where it makes no tables
route() { # ENGINE
	local qos=TRUE until=$((SECONDS + seconds))
	case $1 in minhop | updn | ftree) qos=FALSE ;; esac
	printf '%s\n' "event_plugin_name odonata-timer" "routing_engine $1,no_fallback" "qos $qos" "force_log_flush TRUE" \
		"dump_files_dir $fabric_dir" >"$fabric_dir/opensm.conf"
	if [ "$1" = updn ]; then # it sees no tree in other fabrics
		fabric_most_cables "$net" >"$fabric_dir/roots"
		echo "root_guid_file $fabric_dir/roots" >>"$fabric_dir/opensm.conf"
	fi
	[ "$1" != nue ] || echo "nue_max_num_vls 0" >>"$fabric_dir/opensm.conf"
	rm -f "$fabric_dir"/{opensm-*.dump,path-sl.dump,osm.log}
	OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric opensm -e -f "$sm_log" \
		-F "$fabric_dir/opensm.conf" -D 0x43 >"$fabric_dir/osm.out" 2>&1 &
	local pid=$!
	fabric_pids+=("$pid")
	until log_has 1 "odonata-timer: ends|No routing engine able|Failed to initialize routing engine"; do
		[ $SECONDS -lt $until ] && kill -0 $pid 2>/dev/null || break
		sleep 0.2
	done
	log_has 1 "odonata-timer: ends" && ! log_has 1 "No routing engine able|Failed to initialize routing engine"
	local status=$?
	stop_pid "$pid"
	[ $status = 0 ] && [ -s "$fabric_dir/opensm-lfts.dump" ]
}

# Hosts of a switch take the SL of the first of them: dfsssp draws one for each pair, all of them of layers in
# which the path closes no cycle, and the emulator knows one SL of a switch to a LID.
one_sl_each() { # LST PATH-SL
	awk '
	NR == FNR {
		if (/\{ CA/ && /\{ SW/) {
			match(substr($0, index($0, "{ SW")), /NodeGUID:[0-9a-f]+/)
			sw = substr(substr($0, index($0, "{ SW")), RSTART + 9, RLENGTH - 9)
			match(substr($0, index($0, "{ CA")), /NodeGUID:[0-9a-f]+/)
			ca = substr(substr($0, index($0, "{ CA")), RSTART + 9, RLENGTH - 9)
			at["0x" ca] = sw
		}
		next
	}
	{
		key = at[$1] " " $2
		if (!(key in sl)) sl[key] = $3
		print $1, $2, sl[key]
	}' "$1" "$2"
}

value() { # KEY, of an answer in JSON on standard input
	awk -F': ' -v key="\"$1\"" '{ sub(/^ +/, "", $1) } $1 == key { gsub(/[",]/, "", $2); print $2; exit }'
}

mean_latency() { # of an answer of one load
	awk -F': ' '/"latency": \{/ { within = 1 } within && /"mean"/ { sub(/,$/, "", $2); print $2; exit }'
}

# Sets $proof and $vls. verify_with FABRIC OPTION...
verify_with() {
	local all hosts
	all=$("$odonata" verify "$@" --json)
	hosts=$("$odonata" verify "$@" --hosts-only --json)
	vls=$(value vls <<<"$hosts")
	if [ "$(value safe <<<"$all")" = true ]; then
		proof=yes
	elif [ "$(value safe <<<"$hosts")" = true ]; then
		proof=hosts
	elif [ "$(value safe <<<"$hosts")" = false ]; then
		proof=no
	else
		proof=
	fi
}

# cells NAME PROFILE LMC FABRIC-FILE OPTION...: a row for each pattern that is missing
cells() {
	local name=$1 profile=$2 lmc=$3 file=$4 pattern answer sustained latency proof= vls=
	shift 4
	for pattern in $(patterns "$spec"); do
		! has "$name" "$lmc" "$pattern" || continue
		if [ "$profile" = algorithmic ]; then
			proof="by construction"
		elif [ -z "$proof" ]; then
			verify_with "$file" "$@"
		fi
		answer=$("$odonata" emulate "$file" "$@" --model daryin --pattern "$pattern" --load saturation \
			--warmup "$cycles" --cycles "$cycles" --json 2>"$FABRIC/why")
		sustained=$(value sustained_load <<<"$answer")
		if [ -z "$sustained" ]; then
			row "$name" "$profile" "$lmc" "$pattern" "$proof" "$vls" ",,," "$(head -c 200 "$FABRIC/why" | tr -d '"\n')"
			continue
		fi
		latency=$("$odonata" emulate "$file" "$@" --model daryin --pattern "$pattern" --json --warmup "$cycles" \
			--cycles "$cycles" --load "$(awk -v s="$sustained" 'BEGIN { print s / 2 }')" | mean_latency)
		row "$name" "$profile" "$lmc" "$pattern" "$proof" "$vls" \
			"$sustained,$(value accepted_at_full_offer <<<"$answer"),$latency," ""
	done
}

has() { # NAME LMC PATTERN
	grep -qF "\"$spec\",$1,$2,\"$3\"," "$out"
}

row() { # NAME PROFILE LMC PATTERN PROOF VLS FIGURES NOTE
	echo "\"$spec\",$1,$3,\"$4\",$2,$5,$6,$7\"$8\"" >>"$out"
	tail -n 1 "$out"
}

needless() { # NAME of a stock engine
	local pattern
	[[ $1 =~ ${ONLY:-.} ]] || return 0
	for pattern in $(patterns "$spec"); do
		has "$1" 0 "$pattern" || return 1
	done
}

if ! [ -s "$out" ]; then
	{
		echo "# bench/bench_approximations.sh; opensm 3.3.23, model daryin, from $cycles + $cycles cycles on, seed 1"
		echo "fabric,routing,lmc,pattern,profile,proof,vls,sustained,full,latency,note"
	} >"$out"
fi
for spec; do
	net=$FABRIC/net
	"$odonata" generate "$spec" -o "$net" || fail "generate $spec"
	lst=
	for engine in minhop updn ftree dfsssp nue; do
		needless "$engine" && [ -n "$lst" ] && continue
		[ -n "$lst" ] || { fabric_start "n$RANDOM" "$net"; }
		if route "$engine"; then
			lst=$FABRIC/subnet.lst
			cp "$fabric_dir/opensm-subnet.lst" "$lst"
			needless "$engine" && continue
			tables=(--tables "$fabric_dir/opensm-lfts.dump")
			[ ! -s "$fabric_dir/opensm-sl2vl.dump" ] || tables+=(--tables "$fabric_dir/opensm-sl2vl.dump")
			if [ -s "$fabric_dir/path-sl.dump" ]; then
				one_sl_each "$lst" "$fabric_dir/path-sl.dump" >"$fabric_dir/sls"
				tables+=(--tables "$fabric_dir/sls")
			fi
			cells "$engine" stock 0 "$lst" "${tables[@]}"
		elif ! needless "$engine"; then
			for pattern in $(patterns "$spec"); do
				has "$engine" 0 "$pattern" ||
					row "$engine" stock 0 "$pattern" "" "" ",,," "makes no tables, or not in $seconds s"
			done
		fi
	done
	[ -z "${fabric_dir:-}" ] || fabric_stop
	while IFS='|' read -r -u 7 name profile lmc options; do
		[[ $name =~ ${ONLY:-.} ]] || continue
		read -ra words <<<"$options"
		if [ "$lmc" = 0 ]; then
			cells "$name" "$profile" 0 "${lst:-$net}" "${words[@]}"
		else
			cells "$name" "$profile" "$lmc" "$spec" --lmc "$lmc" "${words[@]}"
		fi
	done 7< <(ours "$spec")
done
