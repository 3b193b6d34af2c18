#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is computed for a live subnet does not pass for what OpenSM has installed there: the real
# OpenSM's minhop on a dragonfly, in the real ibsim, can deadlock.
set -u
odonata=$1/cli/odonata
preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -1)
work=$(mktemp -d)
sim=
trap 'kill $sim 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	tail -5 out err opensm.out 2>/dev/null
	exit 1
}

# AddressSanitizer wants to be loaded first, and umad2sim reads past 288 bytes of its own.
asan=$(ldd "$odonata" | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
echo 'interceptor_via_lib:libumad2sim' >suppressions
[ -n "$asan" ] && export ASAN_OPTIONS="detect_leaks=0:suppressions=$work/suppressions"

expect() { # CODE COMMAND...
	local code=$1
	shift
	LD_PRELOAD="$asan $preload" timeout 60 "$odonata" "$@" >out 2>all
	local found=$?
	grep -v "^ibwarn: " all >err # umad2sim tells that it is there
	[ $found = "$code" ] || fail "odonata $*: expected exit code $code, found $found"
}

first_line() { # PATTERN FILE WHAT
	head -1 "$2" | grep -qE "$1" || fail "$3: the first line does not say so"
}

[ -n "$preload" ] || fail "ibsim's libumad2sim.so is not installed"
"$odonata" generate dragonfly:p=1,a=3,h=2 -o net || fail "cannot generate"
export IBSIM_SOCKNAME="odonata-installed-$$-$RANDOM" OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
ibsim -s -n net >ibsim.log 2>&1 &
sim=$!
for _ in $(seq 200); do
	grep -q 'Network simulator ready' ibsim.log && break
	sleep 0.05
done
LD_PRELOAD=$preload timeout 60 opensm -o -e -R minhop -D 0x43 -f "$work/opensm.log" >opensm.out 2>&1
[ -s opensm-lfts.dump ] || fail "OpenSM has no dump of its tables"
LD_PRELOAD=$preload timeout 60 dump_fts >fts.dump 2>dump_fts.log || fail "dump_fts"

# The trap: our tables are safe, those installed are not.
expect 0 verify live --engine dragonfly
first_line '^tables +computed by Odonata, not those installed' out "verify --engine"
grep -q '^safe  *yes' out || fail "the dragonfly's own engine is not safe"
for dump in opensm-lfts.dump fts.dump; do
	expect 1 verify live --hosts-only --tables $dump
	grep -q '^safe  *no' out || fail "minhop is safe, by $dump"
	grep -q '^failure  *deadlock' out || fail "minhop does not deadlock, by $dump"
	grep -q 'computed' out && fail "tables that are read are called computed"
done
expect 0 analyze live --tables fts.dump
expect 0 emulate live --tables fts.dump --load 0.01 --warmup 0 --cycles 100
expect 0 export live --tables fts.dump --format lfts
grep -q computed err && fail "export: tables that are read are called computed"

# Nothing is computed unasked, with or without a subnet, nor where other options speak of routing.
for command in verify analyze export emulate; do
	for words in "" "--json" "--vls 4" "--damage 5%,5%"; do
		expect 2 $command live $words
		first_line "^odonata $command: live: .*--tables FILE .*--engine NAME .*found neither" \
			err "$command $words"
		[ -s out ] && fail "$command $words: data beside the refusal"
	done
	expect 2 $command live:mlx5_0:1
done

# What is asked for by name is computed, and says so first: in JSON as a field.
for command in "verify live" "analyze live" "export live --format lfts" \
	"emulate live --load 0.01 --warmup 0 --cycles 100"; do
	expect 0 $command --engine dragonfly --json
	python3 -c 'import json, sys
answer = json.load(open("out"))
assert next(iter(answer)) == "tables", answer
assert answer["tables"] == "computed by Odonata, not those installed on the subnet"' ||
		fail "$command --json: no field"
done
expect 0 analyze live --engine dragonfly
first_line '^tables +computed by Odonata, not' out analyze
expect 0 emulate live --engine dragonfly --load 0.01 --warmup 0 --cycles 100
first_line '^tables +computed by Odonata, not' out emulate
expect 0 export live --engine dragonfly --format lfts
first_line '^odonata: export: these tables are computed by Odonata, not' err export
grep -q computed out && fail "export: a note in the data"
mkdir folder
expect 0 export live --engine dragonfly -o folder
first_line '^odonata: export: these tables are computed' err "export to a folder"

# Routing computes by nature, and says so; mapping and policies have no tables.
expect 0 route live
first_line '^tables +computed by Odonata, not' out route
expect 0 map live
grep -q computed out && fail "map speaks of tables"
expect 0 emulate live --policy min --load 0.01 --warmup 0 --cycles 100
grep -q computed out && fail "a policy speaks of tables"
echo "verify, analyze, export and emulate tell installed tables from computed ones"
