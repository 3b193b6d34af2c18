#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The page in headless Chromium: no error on its console, nothing asked of any address, no wider than a
# phone, and paths as the tables that are exported have them.
set -u
. "$(dirname "$0")/browse.sh"
expect_quiet() { # PAGE
	[ -z "$(console)" ] || fail "$1: the console says: $(console)"
	for section in summary picture faults; do
		grep -q "<section id=\"$section\"" dom || fail "$1: no section $section"
	done
	grep -qE '<(circle|rect) [^>]*class="(dot|tile)' dom || fail "$1: nothing is drawn"
	[ "$(grep -o '<a href="#' dom | wc -l)" = "$(grep -o '<section id=' dom | wc -l)" ] || fail "$1: sections and their links differ"
}

# The console is heard, and the policy forbids addresses.
odonata report dragonfly:p=1,a=3,h=1 -o plain.html || fail report
sed 's|</body>|<img src="http://192.0.2.1/x.png" alt=""></body>|' plain.html >asks.html
browse asks.html
console | grep -q "Content Security Policy" || fail "a page that asks for an address goes unnoticed: $(console)"
sed 's|"use strict";|"use strict"; missing();|' plain.html >broken.html
browse broken.html
[ -n "$(console)" ] || fail "a page with an error goes unnoticed"

odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 --damage 5%,5% -o whole.net
sed "s|\"N2\"|\"</script><script>alert(1)</script>\"|g; s|\"N7\"|\"<img src=x onerror=alert(1)>\"|g" whole.net >hostile.net
sed 's/"N/"Y/g; s/d0a8000000/d0a9000000/g; s/ lid [0-9]*/ lid 0/g' whole.net |
	cat <(sed 's/ lid [0-9]*/ lid 0/g' whole.net) - >parts.net
n=0
printf 'Ca\t1 "H0"\n' >none.net
odonata report none.net -o none.html || fail "report none.net"
browse none.html
[ -z "$(console)" ] && grep -q "There are no switches" dom || fail "no switches: $(console)"
sed 's/"N/"Y/g; s/d0a8000000/d0a9000000/g' whole.net >other.net
odonata report whole.net other.net -o subnets.html || fail "report whole.net other.net"
browse subnets.html
[ -z "$(console)" ] && grep -q "2 subnets that no cable connects" dom || fail "subnets: $(console)"
printf 'Switch\t3 "S0"\n[1]\t"S1"[1]\n\nSwitch\t3 "S1"\n[1]\t"S0"[1]\n' >bare.net
while read -r fabric; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	odonata report $fabric -o "$n.html" 2>error
	[ $? -le 1 ] || fail "report $fabric: $(cat error)"
	browse "$n.html"
	expect_quiet "$fabric"
	if grep -q '<img' dom; then fail "$fabric: a name became markup"; fi
	echo "$fabric: $(stat -c %s "$n.html") bytes"
done <<'END'
whole.net
hostile.net
parts.net
bare.net
dragonfly:p=4,a=8,h=4 --damage 2%,2% --miscable 1%
dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5 --emulate
fattree:k=16,levels=3 --damage 1%,2%
fattree:k=8,levels=2 --lmc 2
flatfly:k=8x8,c=8
hypercube:n=9,c=1
torus:k=8x8x8,c=1
mesh:k=4x4,c=1 --whatif=3
slimfly:q=9,c=2
slimfly-flatfly:q=4,k=4x4,c=1
random:n=64,d=5,c=2
random:n=1200,d=8,c=1 --tables-limit 1
flatfly:k=3x3,c=1 --engine ador
dragonfly:p=2,a=4,h=2 --engine torus
dragonfly:p=10,a=20,h=10
END
[ $n = 19 ] || fail "$n fabrics"

# The page says which switches and links were emulated, and whether a cycle has a length.
says() { # SENTENCE ARGUMENT...
	odonata report torus:k=3x3,c=1,speed=ndr --emulate "${@:2}" -o model.html || fail "report ${*:2}"
	browse model.html
	grep -qF "</h3><p>Packets were sent" dom && grep -qF "$1" dom || fail "report ${*:2}: the page does not say: $1"
}
says "those of model ofar (paper 000, Table 1), which knows neither bytes nor time. Seed 1;"
says "and a cycle is 1.28 ns. Seed 7; the first run of each load measures 4000 cycles after 2000." --model infiniband --seed 7

# As wide as a phone, once it is turned.
for page in 2 5 7 9; do
	phone $page.html
	grep -q '<title>360, too wide by 0, 0 outside</title>' dom ||
		fail "$page.html on a phone: $(grep -o '<title>[^<]*' dom)"
done

# Paths, against the tables as they are exported.
odonata report whole.net --json >whole.json
for format in lfts sl2vl psl; do
	odonata export whole.net -f $format >whole.$format || fail "export $format"
done
python3 - <<'END' >pairs
import json, random
random.seed(1)
names = json.load(open("whole.json"))["hosts"]["name"]
for _ in range(6):
    print(*random.sample(names, 2))
END
while read -r from to; do
	browse "1.html#from=$from&to=$to"
	expect_quiet "$from to $to"
	python3 - "$from" "$to" <<'END' || fail "the path from $from to $to"
import html.parser, json, re, sys

class Hops(html.parser.HTMLParser):
    """Rows of the table of hops."""
    def __init__(self):
        super().__init__()
        self.depth, self.rows, self.cell = 0, [], None
    def handle_starttag(self, tag, attrs):
        if dict(attrs).get("id") == "hops" or (self.depth and tag == "div"):
            self.depth += 1
        elif self.depth and tag == "tr":
            self.rows.append([])
        elif self.depth and tag == "td":
            self.rows[-1].append("")
            self.cell = True
    def handle_endtag(self, tag):
        if self.depth and tag == "div":
            self.depth -= 1
        elif tag == "td":
            self.cell = False
    def handle_data(self, text):
        if self.depth and self.cell:
            self.rows[-1][-1] += text

hops = Hops()
hops.feed(open("dom").read())
shown = [row[1:2] + row[3:6] for row in hops.rows if row and row[0] == "switch"]

d = json.load(open("whole.json"))
host = {n: i for i, n in enumerate(d["hosts"]["name"])}
source, target = host[sys.argv[1]], host[sys.argv[2]]
lid = d["hosts"]["lid"][target]
lft, guid = {}, None
for line in open("whole.lfts"):
    if m := re.match(r"Unicast lids .* guid 0x([0-9a-f]+)", line):
        guid = int(m.group(1), 16)
    elif m := re.match(r"0x([0-9a-f]+) +(\d+)", line):
        lft[guid, int(m.group(1), 16)] = int(m.group(2))
sl2vl, guid = {}, None
for line in open("whole.sl2vl"):
    if m := re.match(r"Switch 0x([0-9a-f]+)", line):
        guid = int(m.group(1), 16)
    elif m := re.match(r"(\d+) +(\d+) +: (.*)", line):
        sl2vl[guid, int(m.group(1)), int(m.group(2))] = m.group(3).split()
node, sl = int(d["hosts"]["guid"][source], 16) - 1, 0 # an adapter's GUID is that of its port less 1
for line in open("whole.psl"):
    word = line.split()
    if len(word) >= 3 and word[0].startswith("0x") and int(word[0], 16) == node and int(word[1]) == lid:
        sl = int(word[2])
ends = {}
c = d["cables"]
for a, p, b, q in zip(c["from"], c["from_port"], c["to"], c["to_port"]):
    ends[a, p], ends[b, q] = (b, q), (a, p)
s, into = d["hosts"]["switch"][source], d["hosts"]["port"][source]
followed = []
while True:
    guid = int(d["switches"]["guid"][s], 16)
    out = lft[guid, lid]
    followed.append([d["switches"]["name"][s], str(into), str(out), sl2vl[guid, into, out][sl]])
    if (s, out) not in ends:
        break
    s, into = ends[s, out]
assert shown == followed, (shown, followed)
assert s == d["hosts"]["switch"][target] and out == d["hosts"]["port"][target]
print(sys.argv[1:], "by", len(followed), "switches, SL", sl, "VLs", [row[3] for row in shown])
END
done <pairs
