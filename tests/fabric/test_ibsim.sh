#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The real ibsim reads what we write, and we read what the real ibnetdiscover finds there: the
# same fabric, up to LIDs; so is OpenSM's own list of cables. Each fabric has its own ibsim; the socket's name keeps them apart.
set -u
tool=$1/tests/fabric_tool_fabric
preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -1)
work=$(mktemp -d)
sim=
trap 'kill $sim 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
	echo "FAILED: $*"
	tail -5 ibsim.log discovered 2>/dev/null
	exit 1
}

wait_for() { # PATTERN FILE
	for _ in $(seq 200); do
		grep -q "$1" "$2" 2>/dev/null && return 0
		sleep 0.05
	done
	return 1
}

check() { # FORMAT SPEC [SEED]
	"$tool" write "$1" "$2" ${3:-} >net || fail "cannot write $2 as $1"
	export IBSIM_SOCKNAME="odonata-$$-$RANDOM"
	rm -f ibsim.log
	ibsim -s -n -S 4096 -N 30000 -P 200000 net >ibsim.log 2>&1 &
	sim=$!
	wait_for 'Network simulator ready' ibsim.log || fail "ibsim does not take $2 as $1"
	grep -i 'warn\|cannot\|fatal' ibsim.log && fail "ibsim complains about $2 as $1"
	LD_PRELOAD=$preload timeout 60 ibnetdiscover >discovered 2>discover.log ||
		fail "ibnetdiscover fails on $2"
	LD_PRELOAD=$preload timeout 60 ibnetdiscover -f -g >full 2>discover.log ||
		fail "ibnetdiscover -f -g fails on $2"
	rm -f opensm*
	OSM_TMP_DIR=$work OSM_CACHE_DIR=$work LD_PRELOAD=$preload timeout 60 \
		opensm -o -e -f "$work/opensm.log" -D 0x43 >opensm.out 2>&1
	kill $sim
	wait $sim 2>/dev/null
	"$tool" same net discovered || fail "$2 as $1 comes back different"
	"$tool" write ibsim discovered >again && "$tool" same net again ||
		fail "$2 is lost on the way from ibnetdiscover to ibsim"
	"$tool" same net full || fail "$2 as $1 comes back different with -f -g"
	"$tool" same net opensm-subnet.lst || fail "$2 comes back different from OpenSM"
	echo "$2 as $1${3:+ shuffled}: same"
}

[ -n "$preload" ] || fail "ibsim's libumad2sim.so is not installed"
check ibsim flatfly:k=4x4x4,c=4
check ibsim dragonfly:p=2,a=4,h=2
check ibsim dragonfly:p=2,a=4,h=2 7
check ibnetdiscover flatfly:k=3x3,l=2x1,c=2 8
check ibsim dragonfly:p=1,a=8,h=4,g=9,ports=36
