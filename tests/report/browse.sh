# Pages in headless Chromium. Source this: it goes to a folder of its own, which is deleted at the end.
build=$1
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
	echo "FAILED: $*"
	exit 1
}
. "$(dirname "${BASH_SOURCE[0]}")/../chromium.sh"
cd "$work" || exit 1

# phone PAGE [SCRIPT]: the page on a phone that is turned: the title of `dom` says how much is out of sight. Chromium's
# window cannot be that narrow, a frame in it can.
phone() {
	python3 - "$1" "${2:-}" <<'END'
import sys
page = open(sys.argv[1]).read()
script = """<script>@MORE@; measure = () => {
	const e = document.documentElement, box = document.querySelector('#picture .stage > svg').getBoundingClientRect();
	const isOut = b => b.width && (b.left < box.left - 1 || b.right > box.right + 1);
	const shapes = [...document.querySelectorAll('#picture .stage .tiles rect, #picture .stage .dots circle')];
	return innerWidth + ', too wide by ' + (e.scrollWidth - e.clientWidth) + ', ' +
		shapes.filter(s => isOut(s.getBoundingClientRect())).length + ' outside';
}</script></body>"""
page = page.replace("</body>", script.replace("@MORE@", sys.argv[2]))
page = page.replace("&", "&amp;").replace('"', "&quot;")
frame = f'<iframe id="f" style="width:700px;height:640px;border:0" srcdoc="{page}"></iframe>'
tell = """<script>onload = () => {
	const f = document.getElementById("f");
	f.style.width = "360px";
	setTimeout(() => document.title = f.contentWindow.measure(), 1000);
};</script>"""
open("phone.html", "w").write(frame + tell)
END
	browse phone.html
}
