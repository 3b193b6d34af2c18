#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# odonata watch prints what changes in a file and nothing else; a look that fails is told and passed over.
set -u
PATH=$1/cli:$PATH
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
fail() {
	echo "FAILED: $*" >&2
	cat watched complaints >&2
	exit 1
}
lines() { # N: wait for so many
	for ((i = 0; i < 300; i++)); do
		[ "$(cat watched complaints | wc -l)" -lt "$1" ] || return 0
		sleep 0.1
	done
	fail "$1 lines do not come"
}

odonata generate dragonfly:p=2,a=4,h=2 -o whole.net && odonata generate whole.net --damage 0%,2%,1 -o less.net || fail generate
cp whole.net now.net
: >watched >complaints
odonata watch now.net --interval 1 --json >watched 2>complaints &
watcher=$!
trap 'kill $watcher 2>/dev/null; rm -rf "$PWD"' EXIT
lines 1
grep -q '"topology":"dragonfly".*"safe":true' watched || fail "no summary"
cp less.net next.net && mv next.net now.net
lines 2
sed -n 2p watched | grep -q '"cables_gone":\[.*"entries_changed":[1-9].*"safe":true' || fail "the loss is not told"
sleep 2.5
[ "$(wc -l <watched)" = 2 ] || fail "nothing has changed, and it says so"
mv now.net away.net
lines 3
grep -q 'now.net' complaints || fail "the file is gone, and it does not say so"
sleep 1.5
[ "$(wc -l <complaints)" = 1 ] || fail "it complains of the same again"
cp whole.net next.net && mv next.net now.net
lines 5
sed -n 3p watched | grep -q '"cables_new":' || fail "the repair is not told"
grep -q 'can be read again' complaints || fail "it does not say that all is well again"
kill $watcher
# Without changes it ends with 0.
odonata watch whole.net --interval 1 --count 2 >watched || fail "code $? where nothing changes"
