#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Compare the answers of two builds: some 2,000 runs of all commands that need no subnet (1,100 with an answer,
# the rest refused by both), by the bytes of their JSON, tables and fabrics, and by their exit codes. A change
# that only rewrites code changes none of them.
#
# Usage: tools/same_answers.sh OLD NEW [REGEX]    OLD, NEW: builds (build/cli/odonata inside) or commands
# Environment: JOBS (2) runs at a time; CASES, a folder of further fabrics, which are mapped, routed and verified.
# Not compared: text for people, seconds, and the version in the provenance.
set -eu
command_of() { [ -d "$1" ] && realpath "$1/cli/odonata" || realpath "$1"; }
old=$(command_of "$1") new=$(command_of "$2") only=${3:-.}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

whole="demo-flatfly demo-hypercube demo-torus demo-dragonfly demo-slimfly mesh:k=4x5,c=2 torus:k=5x4x3,c=2
	torus:k=9,c=2 slimfly-flatfly:q=4,k=3,c=2 fattree:k=8,levels=3 fattree:k=4,levels=2
	dragonfly-plus:p=3,leaves=3,spines=3,h=3,g=4 random:n=40,d=5,c=2 bipartite:n=24,d=4,c=2
	pgft:m=4x6x3,w=1x2x2,p=1x2x1 flatfly:k=4x3,l=2x1,c=3 dragonfly:p=2,a=6,h=2,g=5,cables=2"
# Fabrics that engines of the kinds accept, one of each kind.
few="demo-flatfly demo-hypercube demo-torus demo-dragonfly demo-slimfly fattree:k=8,levels=3
	dragonfly-plus:p=3,leaves=3,spines=3,h=3,g=4 slimfly-flatfly:q=4,k=3,c=2 mesh:k=4x5,c=2"
runs() {
	local f e p t d
	for f in $whole; do
		for d in "" "--shuffle 3" "--damage 3%,3%,1" "--damage 10%,8%,2 --shuffle 5" "--miscable 3%,4" \
			"--damage 2%,4%,6 --miscable 2%,7"; do
			echo "map $f $d --coordinates --json"
			echo "route $f $d --json"
		done
		echo "map $f --svg --damage 2%,2%,1"
		echo "generate $f --damage 2%,2%,3 --lmc 1"
		echo "generate $f -f ibnetdiscover --shuffle 9"
		for t in lfts fdbs sl2vl psl json; do
			echo "export $f --damage 3%,3%,1 -f $t"
		done
		echo "export $f -f json --vls 4 --sls any"
		echo "export $f -f json --lmc 1 --spread-lids --damage 0%,4%,2"
		echo "export $f -f slurm"
		echo "export $f -f lid-matrix"
		echo "analyze $f --damage 1%,3%,2 --json --bounds=5 --bisections 2"
		echo "analyze $f --pattern worst --json"
		echo "compare $f --damage 2%,2%,2 --json"
		echo "whatif $f --random 6 --seed 2 --json"
		echo "whatif $f --random 4 --together 3 --seed 4 --json --damage 2%,2%,5"
		echo "transition $f --random 6 --seed 3 --json"
		echo "transition $f --random 3 --together 2 --seed 3 --json --sls any"
		echo "emulate $f --damage 1%,2%,2 --warmup 300 --cycles 600 --json -l 0.3,0.9 --channels 3 --switches"
		echo "emulate $f --burst 4 --json --histogram --pattern permutation"
		echo "verify $f --json"
	done
	for e in $("$old" list engines --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
		for f in $few; do
			echo "export $f -e $e -f json --damage 0%,2%,3"
			echo "emulate $f -e $e --warmup 200 --cycles 400 --json -l 0.5"
		done
	done
	for p in $("$old" list policies --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
		for f in demo-dragonfly demo-flatfly demo-hypercube fattree:k=8,levels=3 \
			dragonfly-plus:p=3,leaves=3,spines=3,h=3,g=4; do
			echo "emulate $f --policy $p --warmup 200 --cycles 500 --json -l 0.2,0.7 --pattern advg:n=1 --threads 2"
			echo "emulate $f --policy $p --warmup 200 --cycles 500 --json -l 0.4 --series 100"
		done
	done
	for p in $("$old" list patterns --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
		for f in demo-dragonfly demo-torus demo-hypercube; do
			echo "emulate $f --pattern $p --warmup 200 --cycles 500 --json -l 0.6"
			echo "analyze $f --pattern $p --json"
		done
	done
	for p in $("$old" list models --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
		echo "emulate demo-dragonfly --model $p --warmup 300 --cycles 500 --json -l 0.4 --pattern uniform"
		echo "emulate demo-torus --model $p --json --burst 6"
	done
	for p in $("$old" list workloads --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
		echo "emulate demo-flatfly --workload $p --json --ranks 32"
	done
	echo "plan --hosts 300 --radix 24 --json --each 2"
	echo "plan --hosts 1000 --radix 36 --json --tables 0"
	echo "plan --hosts 128 --radix 24 --cabling /dev/stdout --candidate 2"
	echo "report demo-flatfly --damage 2%,2%,1 --json"
	for f in ${CASES:-}/*.topo ${CASES:-}/sites/*; do
		[ -f "$f" ] || continue
		echo "map $f --json"
		echo "route $f --json"
		echo "export $f -f json"
		echo "generate $f"
	done
}
# Keep exit code and output, without what differs from run to run.
answer() { # COMMAND RUN...
	local code=0 command=$1
	shift
	timeout 300 "$command" "$@" >"$out" 2>/dev/null || code=$?
	sed -E -e '/"(version|commit|seconds|[a-z_]*seconds|rate_per_second)":/d' -e 's/ by odonata [0-9][^ ]*//' "$out"
	echo "exit $code"
}
one() { # NUMBER RUN
	local out=$work/$1.out
	answer "$old" $2 >"$work/$1.old"
	answer "$new" $2 >"$work/$1.new"
	if cmp -s "$work/$1.old" "$work/$1.new"; then
		echo "same $(tail -1 "$work/$1.old")" >"$work/$1.verdict"
	else
		{ echo "DIFFERS: odonata $2"; diff "$work/$1.old" "$work/$1.new" | head -6; } >"$work/$1.verdict"
	fi
	rm -f "$work/$1.old" "$work/$1.new" "$out"
}
export -f one answer
export old new work
runs | grep -E -- "$only" | awk '{ print NR "\t" $0 }' |
	xargs -P "${JOBS:-2}" -d '\n' -I{} bash -c 'line=$1; one "${line%%	*}" "${line#*	}"' - {}
cat "$work"/*.verdict | grep -v '^same' || true
cat "$work"/*.verdict | sort | uniq -c | grep ' same exit' || true
! grep -lq '^DIFFERS' "$work"/*.verdict
