#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Multicast tables of random fabrics, whole and damaged, with one LID for each host and with several, judged by
# programs without our code: each member is reached once from each other, and unicast and multicast together keep one
# order of channels. Tables that were changed afterwards are refused.
set -eu
build=$(realpath "$1")
source=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
	echo "$*" >&2
	exit 1
}
cc -O1 -o check "$source/tools/check_certificate.c"
judge() { # ANSWER WHAT [MCFDBS]
	local said
	said=$(python3 "$source/tools/check_multicast.py" certificate lst "${3:-mcfdbs}" sl2vl) || true
	[[ $said == $1* ]] || fail "$2: expected $1, found $said"
}

n=0 declined=0
while read -r spec lmc switches links; do
	for seed in 1 ${ODONATA_WIDE:+2 3 4 5 6 7 8 9 10 11 12}; do
		what="$spec, LMC $lmc, damage $switches $links, seed $seed"
		n=$((n + 1)) sl=$((seed % 3 * (seed % 2)))
		"$build/tests/export_tool_groups" "${spec/SEED/$seed}" "$lmc" "$switches" "$links" "$seed" $sl . 2>log || {
			[ $? = 4 ] || fail "$what: $(cat log)"
			declined=$((declined + 1))
			continue
		}
		said=$(./check certificate lst lfts sl2vl) || fail "$what: $said"
		judge "yes: [3-6] groups, [1-9]" "$what"
	done
done <<'END'
random:n=24,d=4,c=2,seed=SEED 0 0 0
random:n=24,d=4,c=2,seed=SEED 0 0.05 0.1
random:n=20,d=5,c=1,seed=SEED 2 0 0
random:n=20,d=5,c=1,seed=SEED 1 0.1 0.1
random:n=14,d=3,c=2,seed=SEED 0 0 0.3
bipartite:n=8,d=4,c=2,seed=SEED 1 0 0.1
flatfly:k=4x3,l=2x1,c=2 1 0.1 0.1
torus:k=5x4,c=1 0 0 0.1
dragonfly:p=2,a=4,h=2 1 0.05 0.1
fattree:k=4,levels=3 2 0.1 0.1
END
[ "$declined" -lt $((n / 4)) ] || fail "$declined of $n fabrics have no tree"
echo "$n fabrics, $declined without a safe tree"

"$build/tests/export_tool_groups" torus:k=5x4,c=1 0 0 0 1 0 .
judge "yes: " torus
changed() { # WHAT FILE SCRIPT
	cp "$2" whole
	perl -0pi -e "$3" "$2"
	! cmp -s whole "$2" || fail "$1: nothing was changed"
	judge "${4:-no: }" "$1"
	mv whole "$2"
}
changed "a member left out" mcfdbs 's/^(0xC000 : 0x\w+ ).*/$1/m'
changed "a cable used from one end" mcfdbs 's/^(0xC000 : .*) 0x\w+ *$/$1/m'
changed "another cable, which closes a loop" mcfdbs 's/^0xC000 :.*/0xC000 : 0x001  0x002  0x003  0x004  0x005 /mg'
changed "groups without members in their middle" mcfdbs 's/^(0xC00\d :)(?: 0x00[2-5] ){2,}$/$1/m'
changed "no order" certificate 's/^channel.*\n//mg'
changed "the order backwards" certificate 's/((?:^channel.*\n)+)/join("", reverse(split(m{^}m, $1)))/me'
changed "VLs that drop" sl2vl 's/^(\d+ +\d+ +:) \d+/$1 15/mg'
changed "maps that are missing" sl2vl 's/^\d+ +1 +:.*\n//mg'
changed "nothing about multicast" certificate 's/^multicast.*\n//m' "cannot check: "
changed "a cable's end cut off" lst 's/ PN:01 \} \{.*//' "cannot check: "

# The same tables as ibroute prints them.
python3 - <<'PYTHON'
import re
with open("ibroute", "w") as to:
    for line in open("mcfdbs"):
        if found := re.match(r"Switch 0x(\w+)", line):
            print("Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x%s ('it'):" % found[1], file=to)
            print("            0\n     Ports: 0 1 2 3 4 5 \n MLid", file=to)
        elif line.startswith("0xC"):
            on = {int(p, 16) for p in line.split(":")[1].split()}
            print(line[:6].lower() + "      " + "".join("x " if p in on else "  " for p in range(6)), file=to)
PYTHON
judge "$(python3 "$source/tools/check_multicast.py" certificate lst mcfdbs sl2vl)" "as ibroute prints it" ibroute
