#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plugin under other releases of OpenSM: built against their headers, and run by their opensm through the
# plugin's tests. The oldest and the newest release run all tests, those between some. OpenSM is built from the
# repository ODONATA_OPENSM_GIT, upstream's if not given. Where that cannot be had, the packaged OpenSM is tried.
#   slow_releases.sh BUILD [ROWS.csv [TEST...]]
# A row for each test is added to ROWS.csv. With ODONATA_OPENSM_PREFIX=FOLDER the release that was installed there is
# tried alone: sbin/opensm, lib/, include/infiniband/opensm/.
set -u
source=${ODONATA_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/odonata-releases.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
rows=${2:-$work/rows.csv}
fail() {
	echo "FAILED: $*" >&2
	exit 1
}

build_release() { # NAME of a tag: into $work/NAME
	# A version of its own for sources that git finds changed is nothing that anybody runs.
	git clone -q --branch "$1" "$work/git" "$work/$1.source" && rm -rf "$work/$1.source/.git" &&
		cd "$work/$1.source" && autoreconf -fi -I config && ./configure --prefix="$work/$1" &&
		make -j "$(nproc)" && make install
}
repository=${ODONATA_OPENSM_GIT:-https://github.com/linux-rdma/opensm.git}
if [ -z "${ODONATA_OPENSM_PREFIX:-}" ] && git clone -q "$repository" "$work/git"; then
	failed=0
	for release in opensm-3.3.20 3.3.21 3.3.22 3.3.24; do
		(build_release $release) >"$work/built" 2>&1 || fail "OpenSM $release: $(tail -n 5 "$work/built")"
		tests=${*:3}
		case $release in 3.3.21 | 3.3.22) tests=${tests:-test_engines test_install test_options_anew test_needs} ;; esac
		# shellcheck disable=SC2086
		ODONATA_OPENSM_PREFIX=$work/$release bash "$0" "$1" "$rows" $tests || failed=1
		rm -rf "${work:?}/$release" "$work/$release.source"
	done
	exit $failed
fi
prefix=${ODONATA_OPENSM_PREFIX:-/usr}
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
counting=" test_flaps test_keep test_keep_memory test_keep_not test_options_anew test_reroute test_shapes test_state "
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
