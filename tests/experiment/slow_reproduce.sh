#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The papers' figures in one HTML file, in headless Chromium: no error on its console, nothing asked of any
# address, every picture there, the search box finds, no wider than a phone, dark where that is wanted. And
# dear points of the results, run again.
set -u
odonata=$1/cli/odonata
results=$ODONATA_SOURCE/docs/results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAILED: $*"
	exit 1
}
. "$(dirname "$0")/../chromium.sh"
"$odonata" reproduce --manifest "$results/papers.yaml" --html "$work/papers.html" || fail "no page"
cd "$work" || exit 1

# With a script at its end, which tells by the title.
with_script() { # SCRIPT TO
	python3 - "$1" "$2" <<'END'
import sys
page = open("papers.html").read()
open(sys.argv[2], "w").write(page.replace("</body>", "<script>" + sys.argv[1] + "</script></body>"))
END
}
title() { grep -o '<title>[^<]*' dom | head -1 | cut -c8-; }

browse papers.html
[ -z "$(console)" ] || fail "the console says: $(console)"
figures=$(grep -c '^  - name: ' "$results/papers.yaml")
[ "$(grep -o '<h2 id=' dom | wc -l)" = "$figures" ] || fail "expected $figures figures"
for link in $(grep -o 'href="#[^"]*' dom | cut -c8-); do
	grep -q "id=\"$link\"" dom || fail "the link #$link leads nowhere"
done
if grep -oE '(src|href)="(http|//)[^"]*' dom; then fail "addresses"; fi

sed 's|</body>|<img src="http://192.0.2.1/x.png" alt=""></body>|' papers.html >asks.html
browse asks.html
console | grep -q "Content Security Policy" || fail "a page that asks for an address goes unnoticed"

with_script 'onload = () => { const bad = [...document.images].filter(i => !i.complete || !i.naturalWidth); document.title = document.images.length + " pictures, bad " + bad.length; };' pictures.html
browse pictures.html
[[ $(title) =~ ^[2-9][0-9]" pictures, bad 0"$ ]] || fail "pictures: $(title)"

with_script 'document.title = [...document.querySelectorAll("section")].filter(s => !s.hidden).length + " shown";' found.html
browse 'found.html#find=starves%20R11'
[[ $(title) =~ ^[1-3]" shown"$ ]] || fail "search for two words: $(title)"
browse 'found.html#find=nothing-like-it'
[ "$(title)" = "0 shown" ] || fail "search for nothing: $(title)"

with_script 'document.title = getComputedStyle(document.body).backgroundColor;' dark.html
browse dark.html
light=$(title)
browse dark.html --force-dark-mode --blink-settings=preferredColorScheme=0
[ "$light" != "$(title)" ] || fail "dark and light are both $light"

# As wide as a phone. Chromium's window cannot be that narrow, a frame in it can.
with_script 'const e = document.documentElement; document.title = innerWidth + ", too wide by " + (e.scrollWidth - e.clientWidth);' wide.html
python3 - <<'END'
page = open("wide.html").read().replace("&", "&amp;").replace('"', "&quot;")
frame = f'<iframe id="f" style="width:360px;height:640px;border:0" srcdoc="{page}"></iframe>'
tell = '<script>onload = () => document.title = document.getElementById("f").contentDocument.title;</script>'
open("phone.html", "w").write(frame + tell)
END
browse phone.html
[ "$(title)" = "360, too wide by 0" ] || fail "on a phone: $(title)"

"$odonata" reproduce --manifest "$results/papers.yaml" --check --work 20000000 --seed 7 >out || fail "$(cat out)"
