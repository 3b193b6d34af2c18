#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In every kind of fabric, and where none is found, one slow cable and one that leads back to its switch
# are named with both ends by `odonata map`; --strict and --diff exit with 1 and tell them.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# ends FILE: a cable between two switches, both ends in the order in which a report has them.
ends() {
	awk -F'"' 'FNR == NR { if (/^Switch/) is[$2]; next }
	/^Switch/ { from = $2 }
	from && /^\[/ && $2 in is && from != $2 {
		split($1, port, /[][]/); split($3, far, /[][]/); print from, port[2], $2, far[2]; exit
	}' "$1" "$1"
}

# slow FROM PORT TO PORT FILE: both ends of that cable run at 1xSDR.
slow() {
	awk -F'"' -v from="$1" -v port="[$2]" -v to="$3" -v far="[$4]" '/^(Switch|Ca)/ { at = $2 }
	at == from && index($0, port) == 1 || at == to && index($0, far) == 1 { sub(/4xHDR/, "1xSDR") }
	{ print }' "$5"
}

# loop FILE: the first switch has two more ports, cabled to each other. Prints its name to fd 3.
loop() {
	awk -F'"' '/^Switch/ && !name { name = $2; split($1, w, /[\t ]+/); n = w[2]; sub(n, n + 2)
		print; printf "[%d]\t\"%s\"[%d]\t# 4xHDR\n[%d]\t\"%s\"[%d]\t# 4xHDR\n", n + 1, name, n + 2,
			n + 2, name, n + 1; print name, n + 1, name, n + 2 >"/dev/fd/3"; next } { print }' "$1"
}

failed=0
# told WHAT TITLE ENDS: the row under TITLE, in the report and in the comparison.
told() {
	# shellcheck disable=SC2086
	set -- "$1" "$2" $3
	local row="^ *$3 +0x[0-9a-f]+ +$4 +$5 +0x[0-9a-f]+ +$6( |$)"
	local turned="^ *$5 +0x[0-9a-f]+ +$6 +$3 +0x[0-9a-f]+ +$4( |$)"
	odonata map bad.net >report
	odonata map bad.net --strict >strict
	[ $? -eq 1 ] || { echo "$1: --strict does not exit with 1"; failed=1; }
	odonata map --diff whole.net bad.net >difference
	[ $? -eq 1 ] || { echo "$1: --diff does not exit with 1"; failed=1; }
	for file in report strict; do
		sed -n "/^$2/,\$p" $file | grep -qE "$row|$turned" || { echo "$1: no $2 in $file:"; cat $file; failed=1; }
	done
	grep -qE "$row|$turned" difference || { echo "$1: --diff does not tell"; cat difference; failed=1; }
}

for spec in mesh:k=4x4x4,c=1 torus:k=5x5,c=1 torus:k=5,c=1 hypercube:n=5,c=1 flatfly:k=5x5,c=1 \
	dragonfly:p=1,a=4,h=2 dragonfly:p=1,a=2x3,h=2,g=7 slimfly:q=5,c=1 slimfly-flatfly:q=5,k=3,c=1 \
	fattree:k=12,levels=2 fattree:k=6,levels=3 pgft:m=6x12,w=1x6,rails=2 \
	dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9 random:n=30,d=4,c=1 bipartite:n=40,d=5,c=1; do
	odonata generate $spec --shuffle 3 | sed s/4xQDR/4xHDR/ >whole.net
	odonata map whole.net --strict >strict
	case $? in 0) ;; *) grep -q 'topology  *unknown' strict || { echo "$spec: not sound"; failed=1; } ;; esac
	cable=$(ends whole.net)
	# shellcheck disable=SC2086
	slow $cable whole.net >bad.net
	told $spec "slow cables" "$cable"
	loop whole.net 3>cable >bad.net
	told $spec "wrong cables" "$(cat cable)"
done
exit $failed
