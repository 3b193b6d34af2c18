#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every gcc and clang of this machine builds everything without a warning, and the programs so built pass the tests of
# routing and export: rows for docs/guide/supported.md. Some minutes for each compiler.
#
#   tests/build/slow_compilers.sh BUILD [COMPILER...]
set -u
launcher=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[^=]*=//p' "$1/CMakeCache.txt")
source=${ODONATA_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
shift
if [ $# -eq 0 ]; then
	mapfile -t compilers < <(compgen -c | grep -xE '(gcc|clang)-[0-9]+' | sort -uV)
	set -- "${compilers[@]}"
fi
[ $# -gt 0 ] || { echo "expected gcc-N or clang-N on the PATH, found none"; exit 1; }
failed=0
for compiler in "$@"; do
	result="builds without a warning; tests of routing and export pass"
	if ! CC=$compiler cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
		-DCMAKE_C_COMPILER_LAUNCHER="$launcher" >"$work/log" 2>&1 ||
		! nice cmake --build "$work/build" >"$work/log" 2>&1; then
		grep -E 'error|warning' "$work/log" | head -n 20
		result="does not build" failed=1
	elif ! nice ctest --test-dir "$work/build" -R '^(routing|export)_test_' --output-on-failure >"$work/log" 2>&1; then
		grep -E '\*\*\*|Failed' "$work/log"
		result="builds; tests fail" failed=1
	fi
	echo "$("$compiler" --version | head -n 1): $result"
	rm -rf "$work/build"
done
exit $failed
