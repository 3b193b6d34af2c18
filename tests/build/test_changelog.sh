#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A release has a screenful in CHANGELOG.md, and the version of the newest release there is that of the headers.
set -u
cd "$ODONATA_SOURCE" || exit 1
failed=0
awk '/^## / { name = $2 } name { n[name]++ }
	END { for (name in n) if (n[name] > 42) { print "CHANGELOG.md: " name " has " n[name] " lines, at most 42"; bad = 1 }
		exit bad }' CHANGELOG.md || failed=1
version=$(sed -n 's/^#define ODONATA_VERSION "\(.*\)"/\1/p' include/odonata/base.h)
newest=$(sed -nE 's/^## ([0-9.]+) \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$/\1/p' CHANGELOG.md | head -n 1)
[ "$newest" = "$version" ] || { echo "CHANGELOG.md: newest release is ${newest:-none}, the headers are of $version"; failed=1; }
exit $failed
