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
	expect "yes: $((senders * lids)) paths climb; 0 pairs" "$engine on $fabric"
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
END
for engine in $("$odonata" list engines | awk '$2 == "ib" { print $1 }'); do
	[[ " $tried " == *" $engine "* ]] || fail "engine $engine is not tried here"
done

# A fabric in parts: no cables lead between some pairs.
export_all random:n=14,d=3,c=2 --damage 0%,30%,3 -e updown
expect "yes: 1170 paths climb; 198 pairs of switch and LID have no cables" "a fabric in parts"

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
changed "a LID left out" certificate 's/^lid 60 .*\n//m'
changed "a switch left out" certificate 's/^(lid 60 \S+ \S+)\*\d+/$1*1/m'
changed "a level lowered" certificate 's/^(channel .*) \d+$/$1 0/mg'
changed "a LID of another owner" certificate 's/^(lid 60) \S+/$1 0x1/m'
changed "a switch twice in place of another" certificate 's/^(switch \S+)\nswitch \S+\n/$1\n$1\n/m'
changed "a cable's end cut off" lst 's/ PN:01 } \{.*//' "cannot check: "
changed "every SL left out" certificate 's/^(lid \d+ \S+) .*/$1 0*99999/mg'
changed "a host's SLs left out at one switch" certificate 's/^(lid 60 \S+ )(\w+)\*(\d+)/$1 . "0*1 $2*" . ($3 - 1)/me'
changed "SLs that no packet has" certificate 's/^(lid \d+ \S+) .*/$1 10000*99999/mg'
changed "no switches" lst 's/.*//s' "cannot check: "
# Each LID has its own levels, so that every path climbs, although channels wait for each other in a cycle.
every_path_alone() {
	python3 - <<'PYTHON'
import re
peer, home, lft, base = {}, {}, {}, {}
for line in open("lst"):
    ends = [(k, int(g, 16), int(p, 16), int(l, 16), int(n, 16)) for k, g, p, l, n in re.findall(
        r"\{ (\w+) Ports.*?NodeGUID:(\w+) PortGUID:(\w+).*?\} LID:(\w+) PN:(\w+) \}", line)]
    for a, b in (ends, ends[::-1]):
        base[a[3]] = (a[1] if a[0] == "SW" else a[2], a[1] if a[0] == "SW" else b[1])
        if a[0] == "SW":
            peer[a[1], a[4]] = b
for line in open("lfts"):
    if m := re.match(r"Unicast .* guid (\w+)", line):
        now = lft[int(m[1], 16)] = {}
    elif m := re.match(r"0x(\w+) (\d+)", line):
        now[int(m[1], 16)] = int(m[2])
with open("certificate", "w") as to:
    for s in lft:
        print("switch 0x%016x" % s, file=to)
    for lid, (owner, at) in sorted(base.items()):
        hops = {at: 0}
        for s in lft:
            way, x = [], s
            while x not in hops:
                way.append(x)
                x = peer[x, lft[x][lid]][1]
            for n, y in enumerate(reversed(way)):
                hops[y] = hops[x] + n + 1
        for s in lft:
            if s != at:
                print("channel 0x%016x %u 0 %d" % (s, lft[s][lid], 1000 - hops[s]), file=to)
        print("lid %u 0x%016x 1*%u" % (lid, owner, len(lft)), file=to)
PYTHON
}
sed -i 's/: .*/: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0/' sl2vl
every_path_alone
expect "no: a level follows" "levels for each LID alone"
