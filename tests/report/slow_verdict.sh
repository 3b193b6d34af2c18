#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How the page opens, in headless Chromium: one sentence on the routing, one on the cables, and a picture in which
# colour is for faults.
set -u
. "$(dirname "$0")/browse.sh"

# The page opens with a verdict: for whom the routing is safe, whose tables were judged, what is to be repaired.
odonata generate dragonfly:p=2,a=4,h=2 -o sound.net && odonata export sound.net -f lfts -o sound.lfts || fail export
verdict() { # TEXT ARGUMENT...
	odonata report "${@:2}" -o verdict.html 2>error
	[ $? -le 1 ] || fail "report ${*:2}: $(cat error)"
	browse verdict.html
	sed -n '/<div id="verdict">/,/<main>/p' dom | sed 's/<[^>]*>//g' >opening
	grep -qF "$1" opening || fail "report ${*:2}: expected '$1', found: $(head -c 900 opening)"
}
verdict "✓Safe for all applications" sound.net
verdict "✓No cable contradicts the kind of fabric." sound.net
verdict "Judged: the tables that Odonata makes (engine dragonfly)." sound.net
verdict "Not looked at: the tables that are installed; multicast" sound.net
verdict "✗Not safe: packets can wait for each other for ever (deadlock)." sound.net --tables sound.lfts
verdict "Judged: the tables given." sound.net --tables sound.lfts
verdict "!Safe for applications that send on the service level (SL) of their path record." torus:k=5x5,c=1
verdict "✗1 cable missing." fattree:k=8,levels=2 --damage 0,4,3
verdict "; perhaps a whole switch is missing, too." fattree:k=8,levels=2 --damage 9,4,3
verdict "!No cable was judged: the fabric is of no known kind." random:n=16,d=4,c=1
odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 --damage 5%,5% | sed 's/ lid [0-9]*/ lid 0/g' >part.net
sed 's/"N/"Y/g; s/d0a8000000/d0a9000000/g' part.net | cat part.net - >parts.net
verdict "Each of the 2 parts stands alone: no cable joins them." parts.net
verdict "✗No routing was judged" dragonfly:p=2,a=4,h=2 --engine torus
verdict "paths between hosts" sound.net --tables-limit 0

# Of a long list eight rows are shown at first, on a phone, too.
odonata report dragonfly:p=2,a=4,h=2 --damage 0,10,1 -o long.html || fail "report long"
phone long.html "setTimeout(() => measure = () => [...document.querySelectorAll('#faults tbody tr')]
	.filter(row => row.offsetHeight).length + ' rows', 300)"
grep -q '<title>8 rows</title>' dom || fail "a long list on a phone: $(grep -o '<title>[^<]*' dom)"

# Spines of a tree are no planes. Colour is for faults until loads are asked for.
odonata report fattree:k=12,levels=2 -o spines.html || fail "report spines"
browse spines.html
grep -q "fattree: 12 leaves, 6 spines" dom || fail "the page does not count spines"
if sed '/<script/,/<\/script>/d' dom | grep -q plane; then fail "the page has planes in a tree of two levels"; fi
[ "$(grep -cE '<path class="wire[^>]*stroke: rgb' dom)" = 0 ] || fail "a sound tree has colours"
sed 's|</body>|<script>const s = document.getElementById("traffic"); s.value = 0; s.dispatchEvent(new Event("change"));</script></body>|' \
	spines.html >asked.html
browse asked.html
[ "$(grep -oE '<path class="wire[^>]*stroke: rgb' dom | wc -l)" = 72 ] || fail "loads that are asked for have no colours"
[ -z "$(console)" ] || fail "the console says: $(console)"
