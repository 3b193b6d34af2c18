#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs are built against the installed tree alone, wherever it has been moved to: by pkg-config
# in C and C++, and by find_package() of CMake. They print what docs/reference/api.md shows, and
# write the tables that the command writes.
set -u
build=$1
# A program that is not instrumented cannot load a library that is.
nm -D "$build/api/libodonata-api.so" | grep -qE ' (U|w) __(asan|tsan)' && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
	echo "$@"
	failed=1
}

# Installed under a folder for packagers, then carried elsewhere. What is built sees no more of it.
DESTDIR=$work/root cmake --install "$build" --prefix /opt/there >"$work/log" 2>&1 ||
	{ cat "$work/log"; exit 1; }
mv "$work/root/opt/there" "$work/tree"
rm -r "$work/root"
cp -r "$ODONATA_SOURCE/examples" "$work/examples"
cd "$work" || exit 1
export PATH=$work/tree/bin:$PATH
pc=$(find tree -name odonata.pc)
export PKG_CONFIG_PATH=$work/${pc%/*}
library=$(pkg-config --variable=libdir odonata)

# The tree: public headers alone; the library beside the plugin, which opensm loads by its name.
(cd "$ODONATA_SOURCE/include" && find . -name '*.h' | sort) >headers
(cd tree/include && find . -type f | sort) | diff headers - || fail "not the public headers"
find tree -name '*.a' | grep . && fail "the core is installed"
[ -L "$library/libodonata-api.so.0" ] || fail "no libodonata-api.so.0 in $library"
version=$(awk -F'"' '/^#define ODONATA_VERSION/ { print $2 }' tree/include/odonata/base.h)
[ "$(pkg-config --modversion odonata)" = "$version" ] || fail "pkg-config: another version"

# What the page shows of a command, up to the next.
shown() {
	awk -v line="\$ $1" '$0 == line { on = 1; next } /^(\$|```)/ { on = 0 } on' \
		"$ODONATA_SOURCE/docs/reference/api.md"
}
# run HOW FOLDER: both examples, built in FOLDER, against the page and the command.
run() {
	local how=$1 bin=$2 line
	cp "$bin/route_and_verify" "$bin/saturation" . || { fail "$how: not built"; return; }
	line="./route_and_verify fabric.net fabric.lfts"
	$line >out 2>&1 || fail "$how: $line: $(cat out)"
	shown "$line" | diff - out || fail "$how: the page (<) shows another answer (>)"
	cmp fabric.lfts expected.lfts || fail "$how: not the tables of 'odonata export'"
	line="./saturation dragonfly:p=2,a=4,h=2 advg:n=1"
	$line >out 2>&1 || fail "$how: $line: $(cat out)"
	shown "$line" | diff - out || fail "$how: the page (<) shows another answer (>)"
	./route_and_verify no-such-file fabric.lfts >out 2>err && fail "$how: reads what is not there"
	grep -q 'no-such-file: cannot open' err || fail "$how: $(cat err)"
	rm -f route_and_verify saturation fabric.lfts
}

made=$(sed -n 's/^\$ \(odonata generate .*\)/\1/p' "$ODONATA_SOURCE/docs/reference/api.md")
$made || fail "$made"
odonata export fabric.net --format lfts -o expected.lfts || fail "odonata export"

# by_hand NAME COMPILER...
by_hand() {
	local name=$1 example
	shift
	mkdir "$name"
	for example in route_and_verify saturation; do
		# shellcheck disable=SC2046
		"$@" -Wall -Werror -pedantic "examples/$example.c" -o "$name/$example" \
			$(pkg-config --cflags --libs odonata)
	done
	LD_LIBRARY_PATH=$library run "$name" "$name"
}
by_hand c "${CC:-cc}" -std=c11 -x c
by_hand c++ "${CXX:-c++}" -std=c++20 -x c++

by_cmake() {
	cmake -S examples -B cmake -DCMAKE_PREFIX_PATH="$work/tree" >log 2>&1 &&
		cmake --build cmake >>log 2>&1 || { cat log; fail "find_package"; }
	run cmake cmake
}
by_cmake
sed -i 's/Odonata 0.2/Odonata 9.0/' examples/CMakeLists.txt
cmake -S examples -B later -DCMAKE_PREFIX_PATH="$work/tree" >log 2>&1 && fail "CMake takes any version"
grep -q 'not compatible\|none of which\|compatible with requested version' log || cat log
exit $failed
