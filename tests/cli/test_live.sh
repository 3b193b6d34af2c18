#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# `live` as a FABRIC is the subnet that the real ibsim plays.
set -u
export PATH=$1/cli:$PATH
preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -1)
work=$(mktemp -d)
# A command with AddressSanitizer needs its runtime first; umad2sim over-reads by itself.
asan=$(ldd "$1/cli/odonata" | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
printf 'interceptor_via_lib:%s\n' libumad2sim libibumad >"$work/suppressions"
[ -z "$asan" ] || export ASAN_OPTIONS="detect_leaks=0:suppressions=$work/suppressions"
sim=
trap 'kill $sim 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	exit 1
}

timeout 20 odonata generate live 2>error
[ $? = 5 ] || fail "exit code without an adapter"
grep -q '^odonata: ' error || fail "no clear error"
odonata generate live:mlx5_0:0 2>error
[ $? = 3 ] || fail "exit code for a port that cannot be"

odonata generate dragonfly:p=2,a=4,h=2 --damage 5%,5% -o given.net || fail "generate"
export IBSIM_SOCKNAME="odonata-cli-$$-$RANDOM"
ibsim -s -n given.net >ibsim.log 2>&1 &
sim=$!
for _ in $(seq 200); do
	grep -q 'Network simulator ready' ibsim.log && break
	sleep 0.05
done
LD_PRELOAD="$asan $preload" timeout 60 odonata generate live --json >found || fail "cannot read"
odonata generate given.net --json >given
diff <(head -4 given) <(head -4 found) || fail "the subnet comes back different"
