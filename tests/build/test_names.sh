#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Files that pages, comments and messages name are there: those of C, of shells and of awk, with as much of
# their folder as is said. Files are moved and renamed more often than what is written of them is read.
set -u
cd "$ODONATA_SOURCE" || exit 1
# Of others, or made by an example, a test or the build.
outside='opensm/osm_config.h osm_opensm.h osm_version.h src/query_smp.c emulator/policy/lightest.c ours.c version.c'
ours() {
	find . \( -name '.?*' -o -type d -name 'build*' \) -not -path ./tests/build -prune -o -type f -printf '%P\n'
}
named='([a-z0-9_-]+/)*[a-z0-9][a-z0-9_-]+\.(c|h|sh|awk)'
{
	printf 'has %s\n' $outside
	ours | sed 's/^/has /'
	ours | grep -E '\.(c|h|md|txt|cmake|awk)$|CMakeLists' | grep -v CHANGELOG.md |
		xargs grep -nE "$named" | grep -vE ':#include ' | sed 's/^/says /'
	ours | grep '\.sh$' | xargs grep -nE "^[[:space:]]*#.*$named" | grep -vE '#include ' | sed 's/^/says /'
} | awk -v named="$named" '
$1 == "has" {
	path = $2
	there[path]
	while (sub(/^[^\/]*\//, "", path))
		there[path]
	next
}
{
	match($0, /^says [^:]*:[0-9]*:/)
	at = substr($0, 6, RLENGTH - 6)
	text = substr($0, RLENGTH + 1)
	while (match(text, "(^|[^a-zA-Z0-9_./$<>*{-])" named "([^a-zA-Z0-9_(.]|[.]?$|[.][^a-z])")) {
		found = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH - 1)
		match(found, named)
		found = substr(found, RSTART, RLENGTH)
		names++
		if (!(found in there)) {
			print at ": no such file: " found
			failed = 1
		}
	}
}
END {
	if (names < 500)
		print "only " names + 0 " names found"
	exit failed || names < 500
}'
