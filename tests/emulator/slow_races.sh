#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Threads and MPI ranks under ThreadSanitizer: random emulations on several threads (tool_stress.c), the commands that
# take --threads, and a run on several ranks, with threads in each. A race of ours fails the test; MPI's own
# libraries are not looked at. To see that it can fail: the last step runs a program with a race.
#
#   tests/emulator/slow_races.sh BUILD
#
# ODONATA_STRESS=N   random emulations [150]
set -euo pipefail
mkdir -p "$1/thread"
build=$(realpath "$1/thread")
source=$(cd "$(dirname "$0")/../.." && pwd)
export ODONATA_SOURCE=$source
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DODONATA_PLUGIN=OFF -DODONATA_WERROR=OFF \
	-DCMAKE_C_FLAGS="-fsanitize=thread -O1 -g1" >/dev/null
nice cmake --build "$build" --target odonata emulator_tool_stress emulator_tests experiment_tests \
	>"$work/log" || { tail "$work/log"; exit 1; }
printf 'race:%s\n' libmpi libopen- libpmix libevent mca_ >"$work/suppressions"
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ignore_noninstrumented_modules=1 suppressions=$work/suppressions"

# On a kernel that lays out memory at random in more bits than ThreadSanitizer knows it does not start.
plain="setarch $(uname -m) -R"
$plain true 2>/dev/null || plain=

try() { # COMMAND...
	$plain "$@" >"$work/out" 2>&1 || { tail -n 60 "$work/out"; echo "FAILED: $*"; exit 1; }
	n=$((n + 1))
}
n=0
try "$build/tests/emulator_tool_stress" 1 "${ODONATA_STRESS:-150}"
grep -E '^cases' "$work/out"
odonata=$build/cli/odonata
for policy in $("$odonata" list policies --json | sed -n 's/.*"name": "\(.*\)".*/\1/p'); do
	for fabric in dragonfly:p=2,a=4,h=2 flatfly:k=3x3,c=2 fattree:k=4,levels=3 \
		dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=4; do
		$plain "$odonata" emulate $fabric --policy "$policy" --cycles 10 --warmup 10 >"$work/out" 2>&1 ||
			continue # not a policy for this fabric
		try "$odonata" emulate $fabric --policy "$policy" --cycles 600 --warmup 200 --load 0.5 --threads 3
	done
done
[ "$n" -gt 20 ] || { echo "only $n runs"; exit 1; }
try "$odonata" emulate dragonfly:p=2,a=4,h=2 --cycles 600 --warmup 200 --load 0.1:0.9:0.2 --threads 3
try "$odonata" whatif dragonfly:p=2,a=4,h=2 --threads 3
try "$build/tests/emulator" idle
try "$build/tests/experiment" sweep
try bash "$source/tests/emulator/test_ranks.sh" "$build"

cat >"$work/race.c" <<'C'
#include <pthread.h>
static int shared;
static void *add(void *unused) { for (int i = 0; i < 1000; i++) shared++; return unused; }
int main(void) {
	pthread_t one, other;
	return pthread_create(&one, 0, add, 0) || pthread_create(&other, 0, add, 0) ||
	       pthread_join(one, 0) || pthread_join(other, 0);
}
C
cc -fsanitize=thread -O1 "$work/race.c" -o "$work/race"
! $plain "$work/race" >/dev/null 2>&1 || { echo "ThreadSanitizer does not see a race"; exit 1; }
echo "$n runs on threads and ranks, no race"
