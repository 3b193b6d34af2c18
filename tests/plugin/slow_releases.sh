#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plugin under another release of OpenSM: built against that release's headers, and run by its opensm
# through the plugin's tests. Without ODONATA_OPENSM_PREFIX it is the packaged one, in /usr.
#   ODONATA_OPENSM_PREFIX=FOLDER slow_releases.sh BUILD [ROWS.csv [TEST...]]
# FOLDER is where that release was installed: sbin/opensm, lib/, include/infiniband/opensm/. A row for each test
# is added to ROWS.csv.
set -u
prefix=${ODONATA_OPENSM_PREFIX:-/usr}
source=${ODONATA_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/odonata-releases.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
rows=${2:-$work/rows.csv}
fail() {
	echo "FAILED: $*" >&2
	exit 1
}

opensm=$prefix/sbin/opensm
headers=$prefix/include/infiniband
[ -x "$opensm" ] || fail "no $opensm"
[ -e "$headers/opensm/osm_config.h" ] || fail "no headers in $headers"
if [ "$prefix" != /usr ]; then
	export PATH=$prefix/sbin:$PATH opensm_libraries=$prefix/lib
fi
version=$(sed -nE 's/.*OSM_VERSION "OpenSM ([^"]*)".*/\1/p' "$headers/opensm/osm_version.h")
said=$(LD_LIBRARY_PATH=${opensm_libraries:-} opensm --version | sed -nE 's/.*OpenSM ([0-9.]+).*/\1/p' | head -n 1)
[ -n "$version" ] && [ "$version" = "$said" ] || fail "headers of '$version', an opensm that says '$said'"

cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DOPENSM_INCLUDE="$headers" \
	>"$work/built" 2>&1 &&
	cmake --build "$work/build" -j "$(nproc)" --target odonata-plugin odonata plugin_fault plugin_debug \
		plugin_no-perfmgr plugin_tool_readback plugin_tool_union >>"$work/built" 2>&1 ||
	fail "not built against $headers: $(tail -n 20 "$work/built")"

tests=${*:3}
if [ -z "$tests" ]; then
	for test in "$source"/tests/plugin/test_*.sh; do
		! grep -q '/fabric.sh"' "$test" || tests+=" $(basename "$test" .sh)"
	done
	tests+=" test_needs"
fi
# OpenSM 3.3.20 hears a trap of its own at its start, and sweeps once more: these tests count sweeps.
counting=" test_flaps test_keep test_keep_memory test_keep_not test_reroute test_shapes test_state "
older() { [ "$(printf '%s\n' "$version" "$1" | sort -V | head -n 1)" != "$1" ]; }
failed=0
[ -s "$rows" ] || echo opensm,test,result,seconds >"$rows"
for test in $tests; do
	began=$SECONDS result=passed
	if older 3.3.21 && [[ $counting = *" $test "* ]]; then
		echo "$version,$test,counts sweeps: left out,0" | tee -a "$rows"
		continue
	fi
	ODONATA_SOURCE=$source bash "$source/tests/plugin/$test.sh" "$work/build" >"$work/said" 2>&1 || {
		result=failed failed=1
		cat "$work/said"
	}
	echo "$version,$test,$result,$((SECONDS - began))" | tee -a "$rows"
done
exit $failed
