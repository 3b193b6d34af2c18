#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is read from the real ibsim's subnet is the fabric that ibsim was given; with OpenSM's
# LIDs once it ran. Without an adapter there is an error, not a crash.
set -u
tool=$1/tests/fabric_tool_fabric
live=$1/tests/live_tool_live
preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -1)
work=$(mktemp -d)
sim=
trap 'kill $sim 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
	echo "FAILED: $*"
	tail -5 ibsim.log live.log opensm.log 2>/dev/null
	exit 1
}

wait_for() { # PATTERN FILE
	for _ in $(seq 200); do
		grep -q "$1" "$2" 2>/dev/null && return 0
		sleep 0.05
	done
	return 1
}

# AddressSanitizer wants to be loaded first, and umad2sim reads past 288 bytes of its own.
asan=$(ldd "$live" | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
echo 'interceptor_via_lib:libumad2sim' >suppressions
[ -n "$asan" ] && export ASAN_OPTIONS="detect_leaks=0:suppressions=$work/suppressions"

read_live() {
	LD_PRELOAD="$asan $preload" timeout 60 "$live" "$@" >found 2>live.log
}

[ -n "$preload" ] || fail "ibsim's libumad2sim.so is not installed"
timeout 20 "$live" >/dev/null 2>live.log && fail "a subnet is found where there is none"
grep -q 'cannot discover the subnet at adapter (any)' live.log || fail "no clear error"

"$tool" write ibsim dragonfly:p=2,a=4,h=2,ports=10 5 >given || fail "cannot write"
sed 's/ lid [0-9]*/ lid 0/g' given >net # as after power-on
export IBSIM_SOCKNAME="odonata-$$-$RANDOM"
ibsim -s -n net >ibsim.log 2>&1 &
sim=$!
wait_for 'Network simulator ready' ibsim.log || fail "ibsim does not start"
read_live || fail "cannot read"
"$tool" same given found || fail "the subnet comes back different"
grep 'lid [1-9]' found && fail "LIDs before there is a subnet manager"

export OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
LD_PRELOAD=$preload timeout 60 opensm -o -e -f "$work/opensm.log" >opensm.out 2>&1
read_live || fail "cannot read after OpenSM"
"$tool" same given found || fail "the subnet comes back different after OpenSM"
ends=$(LD_PRELOAD=$preload timeout 60 ibnetdiscover | grep -oE '^\[.*# lid [1-9][0-9]*' |
	grep -oE '[0-9]+$' | sort -n)
ours=$(grep -oE '^\[.*# lid [1-9][0-9]*' found | grep -oE '[0-9]+$' | sort -n)
[ "$(echo "$ours" | wc -l)" = 72 ] || fail "not all hosts have LIDs"
[ "$ends" = "$ours" ] || fail "LIDs are not those that ibnetdiscover finds"
echo "36 switches and 72 hosts read live, with LIDs"
