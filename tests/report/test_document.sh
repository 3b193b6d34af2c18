#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The document of a report has what docs/reference/report.md says, no less and no more. The page holds the
# same document, in which names of a fabric cannot end their element; and it opens no address.
set -u
build=$1
export PATH=$build/cli:$PATH SOURCE_DATE_EPOCH=1700000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	exit 1
}
report() { # CODE NAME ARGUMENT...: the document and the page
	local code=$1 name=$2
	shift 2
	odonata report "$@" --json -o "$name.json" 2>error
	[ $? -eq "$code" ] || fail "report $*: expected exit code $code: $(cat error)"
	odonata report "$@" -o "$name.html" 2>error
	[ $? -eq "$code" ] || fail "page of $*: expected exit code $code: $(cat error)"
}

small="dragonfly:p=1,a=4,h=2"
report 0 dragonfly $small --damage 3%,2% --miscable 3% --shuffle 5 --whatif=3 --pattern tornado --vls 4
report 0 tree fattree:k=4,levels=3 --damage 5%,5% --lmc 1
report 0 room dragonfly:p=1,a=4,h=2,g=6,cables=1
odonata generate fattree:k=8,levels=2,rails=4 -o rails.net || fail generate
sed 's/"H0 mlx5_0"/"x"/g; s/"H0 mlx5_1"/"H0 mlx5_0"/g; s/"x"/"H0 mlx5_1"/g' rails.net >swapped.net
report 0 rails swapped.net
report 0 emulated hypercube:n=2,c=1 --emulate
report 0 timed hypercube:n=2,c=1 --emulate --model infiniband:iterations=2
report 0 one $small --vls 1
report 0 torus torus:k=4x4,c=1
report 0 random random:n=12,d=3,c=1
report 0 adaptive hypercube:n=3,c=1 --engine ador
report 1 none "$small" --engine torus
odonata generate "$small" -o whole.net && odonata export whole.net -f lfts -o whole.lfts || fail export
report 1 cycle whole.net --tables whole.lfts
odonata generate fattree:k=4,levels=2 -o tree.net && odonata export tree.net -f lfts -o tree.lfts || fail export
sed '/# Switch/d' tree.lfts >hosts.lfts
report 1 switches tree.net --tables hosts.lfts
sed -E '/"g0r1"\[2\]|"g0r0"\[2\]/s/4xQDR/1xSDR/' whole.net >slow.net
report 0 slow slow.net
sed '$d' whole.net | sed '$d' >cut.net # the last cable stands at its other end alone
report 0 cut cut.net
sed 's/"\([gH]\)/"other-\1/g; s/0a000000/0b000000/g; s/ lid [0-9]*//g' whole.net >other.net
sed 's/ lid [0-9]*//g' whole.net >same.net
cat same.net other.net >two.net
report 0 parts two.net
odonata generate flatfly:k=4x4 >square.net || fail generate
sed '/^\[.*\]\t"S/{/"S0_0"/d}; /^Switch.*"S0_0"/,/^$/{/^\[.*"S[0-9]/d}' square.net >pieces.net
report 0 pieces pieces.net

printf 'Switch\t2 "S0"\n[1]\t"S1"[1]\n\nSwitch\t2 "S1"\n[1]\t"S0"[1]\n' >bare.net
report 0 bare bare.net --whatif --emulate

# Fields that documents have, and fields that the page describes.
python3 - "$ODONATA_SOURCE/docs/reference/report.md" ./*.json <<'END' || fail "the document is not what its page says"
import json, re, sys
found = set()
def walk(value, path):
    if path:
        found.add(path)
    if isinstance(value, dict):
        for key in value:
            walk(value[key], f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for entry in value:
            walk(entry, path + "[]")
for name in sys.argv[2:]:
    document = json.load(open(name))
    if name == "./parts.json":  # parts, with a document in each
        assert [part["part"] for part in document["parts"]] == [1, 2]
        document = document["parts"][1]
        for key in "part", "first_switch":
            document.pop(key)
    assert document["schema"] == 1 and document["time_seconds"] == 1700000000, name
    for table in "switches", "hosts", "cables":
        assert len({len(column) for column in document[table].values()}) == 1, (name, table)
    for traffic in document.get("traffics", []):
        assert len(traffic["load"]) == len(document["cables"]["from"]) == len(traffic["load_back"])
    walk(document, "")
told = set()
for line in open(sys.argv[1]):
    if line.startswith("| `"):
        told |= set(re.findall(r"`([A-Za-z0-9_.\[\]]+)`", line.split("|")[1]))
leaves = {f for f in found if not f.endswith("[]") or f[:-2] not in told}
parents = {f for f in leaves if any(t.startswith((f + ".", f + "[]")) for t in told)}
print("not described:", sorted(leaves - told - parents))
# What these small fabrics do not have.
rare = {t for t in told if t in ("map.aggregation_nodes", "map.routers", "proof.tables", "proof.pairs_without_sl")}
# What only a live subnet has.
rare |= {t for t in told if t.startswith("proof.multicast_")}
rare |= {t for t in told if t in ("map.certainty", "map.suspects[]")}
rare |= {t for t in told if t in ("proof.not_read", "proof.vls_served", "proof.unserved")}
print("not found:", sorted(told - found - rare))
sys.exit(bool(leaves - told - parents) or bool(told - found - rare))
END

# Names that would be markup, or end the document's element; a host has the same.
hostile='</script><script>alert(1)</script><!-- "&amp; \x5c'
printf -v hostile "$hostile"
python3 - whole.net hostile.net "$hostile" <<'END'
import sys
text = open(sys.argv[1]).read()
name = sys.argv[3].replace('"', "'")
open(sys.argv[2], "w").write(text.replace('"g0r0"', f'"{name}"').replace('"H0_0"', f'"host {name}"'))
END
report 0 hostile hostile.net
python3 - <<'END' || fail "the page does not hold the document as it is"
import json, re
page = open("hostile.html").read()
plain = open("torus.html").read()
assert page.count("</script") == plain.count("</script") == 4, page.count("</script")
assert "<!-- \"" not in page and "alert(1)</" not in page
inside = re.search(r'<script type="application/json" id="document">(.*?)</script>', page, re.S).group(1)
assert "<" not in inside
assert json.loads(inside) == json.load(open("hostile.json"))
names = json.load(open("hostile.json"))["switches"]["name"]
assert any(n.startswith("</script><script>alert(1)") for n in names), names
END

# Several subnets: one verdict above the pages of all.
grep -qF "Routing: 2 of 2 are safe for applications that send on the SL of their path record. Cables: 2 of 2 without" parts.html ||
	fail "the page of several subnets opens without a verdict: $(grep -m1 -A1 '<h1>' parts.html | cut -c1-300)"

# No address: the policy forbids all, and nothing of ours asks.
grep -q "content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\"" torus.html ||
	fail "no policy in the page"
asked=$(grep -nE 'https?:|src=|url\(|@import|fetch\(|XMLHttp|innerHTML|\.html\([^"]' "$ODONATA_SOURCE"/report/*.{js,css,html})
[ -z "$asked" ] || fail "the page's files ask for addresses, or write markup: $asked"

# The verdict opens the page, then comes what is to be repaired, then the picture.
order=$(grep -oE 'id="(verdict|faults|picture|summary)"' torus.html | head -n 4 | tr '\n' ' ')
[ "$order" = 'id="verdict" id="faults" id="picture" id="summary" ' ] || fail "the page's order: $order"

# What is left out is said.
odonata report "$small" --tables-limit 0 --json | grep -q '"what":"paths between hosts","why":"the tables of ' ||
	fail "tables beyond the limit are not left out"
odonata report nothing.net -o kept.html 2>error
[ $? = 3 ] && [ ! -e kept.html ] || fail "a file that is not there"
exit 0
