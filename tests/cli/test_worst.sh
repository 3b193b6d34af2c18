#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The worst permutation goes round: analyze names it and writes its flows, analyze reads them back to the same
# bound, and emulate sends them: their hosts get what the bound says, and no more.
set -u
build=$1
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
	echo "$@"
	failed=1
}

# value KEY: the first of an answer in JSON
value() { awk -F': ' -v key="\"$1\"" '{ sub(/^ +/, "", $1) } $1 == key { sub(/,$/, "", $2); print $2; exit }'; }

# round SPEC [ARGUMENT...]
round() {
	odonata analyze "$@" --pattern worst --flows flows --bisections 0 --json >worst || fail "analyze $*"
	odonata analyze "$@" --pattern flows:flows --bisections 0 --json >again || fail "analyze flows of $*"
	odonata emulate "$@" --pattern flows:flows --load 1 --json >sent || fail "emulate flows of $*"
	local bound n hosts accepted
	bound=$(value saturation_at_most <worst)
	n=$(grep -c '^0x' flows) # flows over the worst cable
	hosts=$(odonata analyze "$@" --bisections 0 | awk '/host to switch/ { print $4 }')
	accepted=$(value accepted <sent)
	echo "$*: $n flows of $hosts hosts, bound $bound, accepted $accepted by each that sends"
	[ "$bound" = "$(value saturation_at_most <again)" ] || fail "$*: read back as another"
	[ "$n" = "$(value flows <worst)" ] || fail "$*: $n flows in the file"
	awk -v bound="$bound" -v n="$n" -v got="$accepted" 'BEGIN {
		exit !(n > 1 && bound > 0 && got > bound * 0.9 && got < bound * 1.02) }' ||
		fail "$*: each of the flows should get $bound"
}

round dragonfly:p=2,a=4,h=2
round torus:k=4x5,c=2
round pgft:m=8x4,w=1x4
round fattree:k=8,levels=3 --damage 2%,4%,1
round dragonfly:p=2,a=4,h=2 --engine updown
exit $failed
