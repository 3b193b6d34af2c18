#!/usr/bin/env bash
# Certificates prove the tables of every engine for common switches to a checker that has none of our code
# (tools/check_certificate.c), also on damaged fabrics; and the checker finds tables that were changed afterwards.
set -eu
odonata=$(realpath "$1/cli/odonata")
source=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
	echo "$*" >&2
	exit 1
}
cc -O1 -Wall -Wextra -Werror -o check "$source/tools/check_certificate.c"

export_all() { # FABRIC [OPTION...]
	for form in certificate lst lfts sl2vl; do
		"$odonata" export "$@" -f $form -o $form 2>log || fail "$*, $form: $(cat log)"
	done
}
expect() { # ANSWER WHAT
	local said
	said=$(./check certificate lst lfts sl2vl) || true
	[[ $said == "$1"* ]] || fail "$2: expected $1, found $said"
}

while read -r engine fabric; do
	export_all $fabric -e "$engine"
	expect "yes: " "$engine on $fabric"
	senders=$(grep -oE '\{ (CA|SW) [^{]*PortGUID:[0-9a-f]*' lst | sort -u | wc -l)
	lids=$(awk '/^Unicast/ && n++ { exit } /^0x/ { lids++ } END { print lids }' lfts)
	expect "yes: $((senders * lids)) paths in order, with these SL2VL maps; 0 pairs" "$engine on $fabric"
	tried="${tried:-} $engine"
done <<'END'
dor demo-flatfly --damage 0%,2%,1
mixed-dor flatfly:k=3x3,c=2 --lmc 1
dragonfly demo-dragonfly --damage 2%,2%,1
dragonfly-valiant demo-dragonfly --lmc 1
slimfly demo-slimfly --damage 2%,2%,3
torus demo-torus --damage 0%,3%,1
fattree fattree:k=4,levels=3
fattree-shifts pgft:m=4x2x2,w=1x3x2
dragonfly-plus dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5
dragonfly-plus-valiant dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5
layered random:n=20,d=4,c=2 --lmc 2
updown random:n=20,d=4,c=2 --damage 5%,5%,2
turns random:n=16,d=4,c=1 --lmc 1
END
for engine in $("$odonata" list engines | awk '$2 == "ib" { print $1 }'); do
	[[ " $tried " == *" $engine "* ]] || fail "engine $engine is not tried here"
done

# A fabric in parts: no cables lead between some pairs.
"$odonata" generate flatfly:k=4x4 >whole.net
sed '/^\[.*\]\t"S/{/"S0_0"/d}; /^Switch.*"S0_0"/,/^$/{/^\[.*"S[0-9]/d}' whole.net >cut.net
export_all cut.net -e updown
expect "yes: 904 paths in order, with these SL2VL maps; 60 pairs have no cables" "a fabric in parts"

# Adaptive tables have no such proof.
! "$odonata" export demo-dragonfly -e ofar-tree -f certificate >/dev/null 2>log || fail "adaptive tables are certified"
grep -q adaptive log || fail "adaptive: $(cat log)"

mkdir folder
"$odonata" export demo-dragonfly -e ofar-tree -o folder >log 2>&1 || fail "adaptive tables, to a folder: $(cat log)"
[ -s folder/odonata.json ] && [ -s folder/odonata.topology.conf ] && [ ! -e folder/odonata.certificate ] ||
	fail "adaptive tables, to a folder: $(ls folder)"

# Each change of tables or of the certificate is found.
changed() { # WHAT FILE SCRIPT
	cp "$2" whole
	perl -0pi -e "$3" "$2"
	! cmp -s whole "$2" || fail "$1: nothing was changed"
	expect "${4:-no: }" "$1"
	mv whole "$2"
}
export_all demo-torus
expect "yes: " torus
grep -q '^channel' certificate || fail "the torus has no levels"
changed "an entry missing" lfts 's/0x0030 \d+/0x0030 255/'
changed "an entry to another port" lfts 's/0x0030 002/0x0030 004/ || s/0x0030 001/0x0030 003/ || s/0x0030 003/0x0030 001/'
changed "everything on VL 0" sl2vl 's/: .*/": " . "0  " x 16/ge'
changed "packets that are dropped" sl2vl 's/^(\d+ +\d+ +:) \d+/$1 15/mg'
changed "rows of SL2VL that are missing" sl2vl 's/^\d+ +1 +:.*\n//mg'
changed "a LID left out" certificate 's/^path 60 .*\n//mg'
changed "a switch left out" certificate 's/^(path 60 \S+) (\d+)/"$1 " . ($2 - 1)/me'
changed "more switches than there are" certificate 's/^(path 60 \S+) (\d+)/"$1 " . ($2 + 1)/me'
changed "no order" certificate 's/^channel.*\n//mg'
changed "the order backwards" certificate 's/((?:^channel.*\n)+)/join("", reverse(split(m{^}m, $1)))/me'
changed "a channel in its first and its last place" certificate 's/^(channel.*\n)((?:^channel.*\n)+)/$1$2$1/m'
changed "channels of no VL" certificate 's/^(channel \d+ \d+) \d+/$1 15/mg'
changed "two hosts with each other's LID" lst 's/LID:003([CD])/"LID:003" . ($1 eq "C" ? "D" : "C")/ge'
changed "a LID of two ports" lst 's/LID:003C/LID:003D/g' "cannot check: "
changed "a switch twice in place of another" certificate 's/^(switch .*)\nswitch .*\n/$1\n$1\n/m'
changed "a switch of another part" certificate 's/^(switch \S+) 1/$1 2/m'
changed "a cable's end cut off" lst 's/ PN:01 \} \{.*//' "cannot check: "
changed "a name that gives another LID" lst 's/\{H0_0\} LID/{H0_0\} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=10} LID/' "cannot check: "
changed "every SL left out" certificate 's/^(path \d+) \S+/$1 0/mg'
changed "a host's SLs left out at one switch" certificate 's/^(path 60) (\S+) (\d+)/"$1 0 1\n$1 $2 " . ($3 - 1)/me'
changed "SLs that no packet has" certificate 's/^(path \d+) \S+/$1 10000/mg'
changed "no switches" lst 's/.*//s'
changed "nothing at all" certificate 's/.*//s'
# A file that ends too early is no proof, wherever it ends; what hosts map does not matter.
sed -i '/^Channel/,$d' sl2vl
for file in certificate lst lfts sl2vl; do
	cp $file whole
	size=$(stat -c %s $file)
	for ((part = 1; part < 12; part++)); do
		head -c $((size * part / 12 - part % 5)) whole >$file
		! ./check certificate lst lfts sl2vl >said || fail "$file, cut after $part of 12: $(cat said)"
	done
	mv whole $file
done
expect "yes: " "whole files"
# Each LID has its own order, so that every path keeps it, although channels wait for each other in a cycle.
order_of_each_lid() {
	python3 - <<'PYTHON'
import re
peer, lft, base = {}, {}, {}
for line in open("lst"):
    ends = [(k, int(g, 16), int(p, 16), int(l, 16), int(n, 16)) for k, g, p, l, n in re.findall(
        r"\{ (\w+) Ports.*?NodeGUID:(\w+) PortGUID:(\w+).*?\} LID:(\w+) PN:(\w+) \}", line)]
    for a, b in (ends, ends[::-1]):
        base[a[3]] = a[1] if a[0] == "SW" else b[1]
        if a[0] == "SW":
            peer[a[1], a[4]] = b
for line in open("lfts"):
    if m := re.match(r"Unicast .* guid (\w+)", line):
        now = lft[int(m[1], 16)] = {}
    elif m := re.match(r"0x(\w+) (\d+)", line):
        now[int(m[1], 16)] = int(m[2])
column = {s: n for n, s in enumerate(lft)}
with open("certificate", "w") as to:
    for s in lft:
        print("switch 0x%016x 1" % s, file=to)
    for lid, at in sorted(base.items()):
        hops = {at: 0}
        for s in lft:
            way, x = [], s
            while x not in hops:
                way.append(x)
                x = peer[x, lft[x][lid]][1]
            for n, y in enumerate(reversed(way)):
                hops[y] = hops[x] + n + 1
        for s in sorted(lft, key=hops.get, reverse=True):
            if s != at:
                print("channel %u %u 0" % (column[s], lft[s][lid]), file=to)
        print("path %u 1 %u" % (lid, len(lft)), file=to)
PYTHON
}
sed -i 's/: .*/: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0/' sl2vl
order_of_each_lid
expect "no: " "an order for each LID alone"

# The guide shows what comes out.
export_all dragonfly:p=2,a=4,h=2
expect "$(grep '^    yes: ' "$source/docs/guide/certificate.md" | sed 's/^ *//')" "the guide"
[ "$(wc -l <"$source/tools/check_certificate.c")" -le 150 ] || fail "the checker is too long to be read"
! grep '#include "' "$source/tools/check_certificate.c" || fail "the checker includes something of ours"
