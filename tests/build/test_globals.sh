#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No mutable globals: no variable of ours lies in a section that can be written. Sanitizers and coverage put their own
# there, so builds with them are let through.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Variables in .data, .bss and what compilers put beside them; constants that the loader relocates are in .data.rel.ro.
globals() {
	objdump -t "$@" | grep -E '[[:space:]](\.t?(data|bss)[a-z._]*|\*COM\*)[[:space:]]' |
		grep -vE ' d  |\.data\.rel\.ro| osm_event_plugin$' || true # OpenSM wants that one so
}

# The check itself: it must see a variable of every sort, and let constants pass.
cat >"$work/mutable.c" <<'C'
static int zero, one = 1;
static const char *pointer = "text";
static int *local = &one;
static _Thread_local int own;
int common;
int *use(void) { static int count; local = &zero; return pointer ? pointer = 0, &common : count++ ? local : &own; }
C
cat >"$work/constant.c" <<'C'
static const int one = 1;
const char *const texts[] = {"text", 0};
const int *const numbers[] = {&one, 0};
C
cc -fPIC -O0 -c -o "$work/mutable.o" "$work/mutable.c"
cc -fPIC -O0 -fcommon -c -o "$work/common.o" "$work/mutable.c"
cc -fPIC -O0 -c -o "$work/constant.o" "$work/constant.c"
for name in zero one pointer local own common count; do
	globals "$work/mutable.o" | grep -qE "[[:space:]]$name(\.[0-9]+)?$" ||
		{ echo "this script no longer sees the variable \"$name\""; exit 1; }
done
globals "$work/common.o" | grep -q ' common$' || { echo "this script no longer sees common variables"; exit 1; }
[ -z "$(globals "$work/constant.o")" ] || { echo "this script takes constants for variables"; exit 1; }

libraries=("$build/libodonata-core.a" "$build/live/libodonata-live.a" "$build/cli/libodonata-commands.a")
ls "${libraries[@]}" >"$work/there"
find "$build/api" "$build/plugin" -name '*.o' >"$work/objects"
[ "$(grep -c . "$work/objects")" -ge 5 ] || { echo "expected the objects of the C library, found none"; exit 1; }
! nm "${libraries[0]}" 2>"$work/nm" | grep -qE 'U __(asan|gcov|sancov|llvm_prof)' || exit 0
found=$(globals "${libraries[@]}"; mapfile -t objects <"$work/objects"; globals "${objects[@]}")
[ -z "$found" ] || { echo "mutable globals:"; echo "$found"; exit 1; }

# A function that one test file replaces would be replaced for all files of its folder, which are one program.
cd "$build/tests"
found=$(grep -H . files/*/files.h |
	sed -E 's|files/(.*)/files.h:TEST_FILE.(.*).$|CMakeFiles/\1_tests.dir/\1/test_\2.c.o|' | xargs nm -A --defined-only |
	grep -E ' [A-TV-Z] ' | grep -vE ' T test_[a-z0-9_]+_main$' || true)
[ -z "$found" ] || { echo "not static, though one of several test files:"; echo "$found"; exit 1; }
