#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The guides that need a subnet: their commands, from beginning to end, in an empty folder, with the stock
# opensm and ibsim. What needs root or real hardware is listed; tests/build/slow_start.sh runs the former.
set -u
build=$1
. "$(dirname "$0")/../cli/pages.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$build/cli:$PATH:/usr/sbin:/sbin LC_ALL=C
export LD_LIBRARY_PATH=$build/plugin
failed=0
# A second time if need be: once in a while umad2sim loses a MAD, and opensm waits for ever.
for page in docs/guide/{start,operation,opensm,wrong}.md; do
	for try in 1 2; do
		mkdir -p "$work/$page.$try"
		cd "$work/$page.$try" || exit 1
		export IBSIM_SOCKNAME=$(basename "$work")-${page##*/}-$try
		run_page "$page" >"$work/said" && break
		[ $try -eq 1 ] || failed=1
	done
	cat "$work/said"
done

# The packages that the first page installs are those that ./check and ./demo install to build and to run.
. "$ODONATA_SOURCE/tools/packages.sh"
sed -n 's/^# apt-get install -y --no-install-recommends//p' "$ODONATA_SOURCE/docs/guide/start.md" |
	tr ' ' '\n' | sort -u >"$work/page"
printf '%s\n' '' $ODONATA_BUILD_PACKAGES opensm ibsim-utils infiniband-diags | sort -u |
	diff "$work/page" - || { echo "docs/guide/start.md installs other packages"; failed=1; }
exit $failed
