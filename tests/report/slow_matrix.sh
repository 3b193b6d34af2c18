#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The fabric as a matrix, in headless Chromium: its cells have the cables of the document, whatever the size of the
# fabric, and a cell opens down to ports.
set -u
. "$(dirname "$0")/browse.sh"

# matrix TEXT HASH ARGUMENT...: what the page says of its matrix, or of the chosen cell
matrix() {
	odonata report "${@:3}" -o matrix.html 2>error
	[ $? -le 1 ] || fail "report ${*:3}: $(cat error)"
	browse "matrix.html$2"
	[ -z "$(console)" ] || fail "${*:3}: the console says: $(console)"
	sed '/<script/,/<\/script>/d' dom >drawn
	sed 's/<[^>]*>/ /g' drawn | grep -qF "$1" || fail "${*:3} $2: expected '$1', found: $(grep -o 'class="words">[^<]*' drawn)"
}
shown() { grep -q "id=\"picture\" data-view=\"$1\"" dom || fail "expected $1, found $(grep -o '<section id="picture"[^>]*' dom)"; }

odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 --damage 0%,3% --miscable 2% -o groups.net || fail generate
matrix "9 rows, 9 columns" "" groups.net
shown lines
matrix "with a wrong cable" "#cell=0,0" groups.net
shown matrix
matrix "4 rows, 5 columns, 20 cells with cables; no fault." "#cell=9,9" fattree:k=4,levels=3
matrix "pod 1 – spine 1.0: 1 cable" "#cell=1,3" fattree:k=4,levels=3
matrix "8 rows, 4 columns, 32 cells with cables; no fault." "#cell=9,9" fattree:k=8,levels=2
matrix "leaf 3 – spine 2: 1 cable" "#cell=3,2" fattree:k=8,levels=2
matrix "64 rows, 64 columns, 192 cells with cables; no fault." "#cell=99,9" torus:k=8x8x8,c=1 --engine torus
matrix "cells with cables; no fault." "#cell=99,9" random:n=100,d=4,c=1

# More lines than a picture can hold are no lines: the matrix comes first. Its sides are bounded.
matrix "65 rows, 65 columns, 2,145 cells with cables; no fault." "" dragonfly:p=1,a=8,h=8 --engine dragonfly
shown matrix
matrix "200 rows, 200 columns" "#cell=999,9" torus:k=600,c=1 --engine torus

# A missing switch is seen, and names of a fabric stay text.
matrix "1 missing switch" "#cell=9,9" dragonfly:p=2,a=4,h=2 --damage 3%,0
sed 's/"g0r0"/"<img src=x onerror=alert(1)>"/g' <(odonata generate dragonfly:p=2,a=4,h=2) >hostile.net
matrix "&lt;img src=x onerror=alert(1)&gt; – itself: 0 cables" "#cell=0,0,0,0" hostile.net
if grep -q '<img' dom; then fail "a name became markup"; fi

# Cables of cells, with their ports, against the document.
odonata report groups.net --json >groups.json
odonata report groups.net -o matrix.html
for cell in 0,1 2,7 8,3 5,5; do
	browse "matrix.html#cell=$cell"
	python3 - "$cell" <<'END' || fail "cell $cell has other cables than the document"
import html, json, re, sys
row, column = map(int, sys.argv[1].split(","))
d = json.load(open("groups.json"))
group = [at[0] for at in d["switches"]["at"]]
c, name = d["cables"], d["switches"]["name"]
expected = {(name[a], p, name[b], q) for a, p, b, q in zip(c["from"], c["from_port"], c["to"], c["to_port"])
            if {group[a], group[b]} == {row, column} and (group[a] != group[b]) == (row != column)}
panel = open("dom").read().split('class="details"')[1].split("</svg>")[0]
found = {(html.unescape(a), int(p), html.unescape(b), int(q)) for a, p, b, q in re.findall(
    r'<tr><td>(?:<button[^>]*>)([^<]*)</button><span> port (\d+)</span></td><td><button[^>]*>([^<]*)</button><span> port (\d+)', panel)}
assert expected and found == expected, (sorted(found), sorted(expected))
END
done

# As wide as a phone.
odonata report groups.net -o matrix.html
phone "matrix.html" "document.getElementById('view-matrix').click();"
grep -q '<title>360, too wide by 0, 0 outside</title>' dom || fail "on a phone: $(grep -o '<title>[^<]*' dom)"
