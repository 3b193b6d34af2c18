#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each folder of sources is listed in folders.txt and includes only what that lets it, all of which
# stands above it there; and only the plugin and live/ know of InfiniBand's libraries.
# docs/includes.svg shows them: without an arrow where others lead the same way,
#
#   ODONATA_SOURCE=. bash tests/build/test_folders.sh --picture | tred | dot -Tsvg >docs/includes.svg
set -u
cd "$ODONATA_SOURCE" || exit 1
list=tests/build/folders.txt
outside='tests|bench|examples|tools'

# Ours are all sources but those of build folders.
sources() {
	find . \( -name '.?*' -o -name 'build*' \) -not -path ./tests/build -prune -o -name '*.[ch]' -printf '%P\n' |
		grep -vE "^($1)/" | sort
}

# FOLDER INCLUDED, a line for each file's include of another folder's file. Public headers are
# included as <odonata/...>.
includes() {
	sources "$outside" | xargs grep -HoE '^#include ("[^"]+|<odonata)/' |
		sed -E 's|<odonata/|"include/odonata/|; s|^(.*)/[^/]+:#include "(.*)/$|\1 \2|' |
		awk '$1 != $2'
}

if [ "${1:-}" = --picture ]; then
	echo 'digraph includes {'
	echo '	node [shape=box, fontname="sans"];'
	includes | sort -u | awk '{ printf "\t\"%s\" -> \"%s\";\n", $1, $2 }'
	echo '}'
	exit 0
fi

folders=$(sources "$outside" | sed 's|/[^/]*$||' | sort -u)
{
	printf '%s\n' "$folders" | sed 's/^/folder /'
	includes | sed 's/^/include /'
} | awk -v list="$list" '
BEGIN {
	while ((getline line < list) > 0) {
		if (line ~ /^#/)
			continue
		n = split(line, word, /:? +/)
		sub(/:$/, "", word[1])
		row[word[1]] = ++rows
		for (i = 2; i <= n; i++) {
			may[word[1], word[i]] = 1
			if (!(word[i] in row))
				wrong(word[1] " may include " word[i] ", which does not stand above it in " list)
		}
	}
	if (!rows)
		wrong("no folders in " list)
}
function wrong(what) { print what; failed = 1 }
$1 == "folder" { seen[$2] = 1; if (!($2 in row)) wrong($2 "/ is not listed in " list) }
$1 == "include" {
	used[$2, $3] = 1
	if (!(($2, $3) in may) && !told[$2, $3]++)
		wrong($2 "/ may not include " $3 "/")
}
END {
	for (f in row)
		if (!(f in seen))
			wrong(list ": no sources in " f "/")
	for (pair in may)
		if (!(pair in used)) {
			split(pair, word, SUBSEP)
			wrong(list ": " word[1] "/ includes nothing of " word[2] "/")
		}
	exit failed
}'
failed=$?
found=$(sources "$outside|plugin|live" | xargs grep -nE '#include <(infiniband|opensm|complib|iba)/')
[ -z "$found" ] || { echo "knows of InfiniBand libraries:"; echo "$found"; failed=1; }
# The picture has every folder, and no arrow that is gone.
drawn() { sed -nE 's|^<title>(.*)</title>$|\1|; T; s|&#45;&gt;| |; p' docs/includes.svg | sort; }
stale=$(comm -3 <(drawn | grep -vE ' |^includes$') <(printf '%s\n' "$folders") &&
	comm -23 <(drawn | grep ' ') <(includes | sort -u))
[ -z "$stale" ] || { echo "docs/includes.svg is stale:"; echo "$stale"; failed=1; }
exit $failed
