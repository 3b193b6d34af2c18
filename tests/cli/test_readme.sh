#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the README and the guides show is what comes out: every page in a folder of its own. Pages that need
# an OpenSM are run by tests/plugin/test_guides.sh.
set -u
build=$1
export PATH=$build/cli:$PATH LC_ALL=C PAGES_EXACT=1
. "$(dirname "$0")/pages.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for page in README.md docs/guide/{certificate,engines,export,fabric,path-sls,plan,researchers,validate}.md \
	docs/guide/{fat-tree,dragonfly,dragonfly-plus,hyperx,planes}.md docs/design/{mapping,routing,choice,change}.md; do
	mkdir -p "$work/$page"
	cd "$work/$page" || exit 1
	run_page "$page" || failed=1
done
exit $failed
