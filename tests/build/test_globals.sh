#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No mutable globals: nothing of ours lies in .data or .bss. Sanitizers and coverage put their own
# there, so builds with them are let through.
set -u
build=$1
nm "$build/libodonata-core.a" 2>/dev/null | grep -qE 'U __(asan|gcov|sancov|llvm_prof)' && exit 0
found=$({ objdump -t "$build/libodonata-core.a" "$build/cli/libodonata-commands.a"
	find "$build/api" -name '*.o' -exec objdump -t {} +; } 2>/dev/null |
	grep -E '[[:space:]]\.(data|bss)(\.[a-z_]+)?[[:space:]]' |
	grep -vE '[[:space:]]\.(data|bss)$|\.data\.rel\.ro' || true)
[ -z "$found" ] && exit 0
echo "mutable globals:"
echo "$found"
exit 1
