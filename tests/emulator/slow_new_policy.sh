#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/guide/researchers.md with the policy that it adds to the sources: in a copy of them.
set -u
build=$1
. "$ODONATA_SOURCE/tests/cli/pages.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$build/cli:$PATH LC_ALL=C
CMAKE_C_COMPILER_LAUNCHER=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[^=]*=//p' "$build/CMakeCache.txt")
export CMAKE_C_COMPILER_LAUNCHER
(cd "$ODONATA_SOURCE" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$work"
cd "$work" || exit 1
PAGES_RUN=sources run_page docs/guide/researchers.md
