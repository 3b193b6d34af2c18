#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/guide/log.md has an entry for each line that the plugin can log and for each reason that it gives itself,
# and no entry without its line. In the sources these are the formats of osm_log(), syslog() and odo_fail(),
# with their level; on the page, `line` | level | or, of reasons, `reason` |. What is put in stands there as <word>.
set -u
page=$ODONATA_SOURCE/docs/guide/log.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Formats of the calls in files, a line each: "error|info|reason", a tab, the text with <> for what is put in.
formats() {
	awk '
		# Add the string literal that begins at `at`, and go behind it.
		function literal(   c) {
			for (at++; (c = substr(text, at, 1)) != "\"" && c != ""; at++)
				if (c != "\\") format = format c
				else if ((c = substr(text, ++at, 1)) != "n") format = format c
			at++
		}
		# From the opening parenthesis: the level, then literals side by side, with macros between them.
		function call(   c, word, depth) {
			level = "reason"
			format = ""
			for (depth = 0; at <= length(text); ) {
				c = substr(text, at, 1)
				if (c == "\"") { literal(); continue }
				if (match(substr(text, at), /^[A-Za-z_][A-Za-z_0-9]*/)) {
					word = substr(text, at, RLENGTH)
					at += RLENGTH
					if (word ~ /^(OSM_LOG|LOG)_ERR/) level = "error"
					if (word ~ /^OSM_LOG_INFO/) level = "info"
					if (word == "PRIu64" || word == "PRIx64") format = format "u"
					if (word == "ORIGIN") format = format "event_plugin_options"
					continue
				}
				if (c == "," && format != "") break
				depth += (c == "(") - (c == ")")
				at++
				if (!depth) break
			}
			if (format == "") return
			gsub(/%[-0-9.]*(l|ll|z)?[a-zA-Z]/, "<>", format)
			print level "\t" format
		}
		FNR == 1 { scan(); text = "" }
		{ sub(/\/\/.*/, ""); sub(/^[ \t]+/, " "); text = text $0 }
		END { scan() }
		function scan() {
			gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
			for (at = 1; match(substr(text, at), /[^a-z_](osm_log|syslog|odo_fail|fail_contradiction)\(/); ) {
				at += RSTART + RLENGTH - 2
				call()
			}
		}' "$@" | sort -u
}

# The same of the page.
entries() {
	sed -nE 's/^\| `([^`]*)` \| (error|info) \|.*/\2\t\1/p; s/^\| `([^`]*)` \| ([^|]*)\|$/reason\t\1/p' "$1" |
		sed -E 's/<[^>]*>/<>/g' | sort -u
}

formats "$ODONATA_SOURCE"/plugin/*.c "$ODONATA_SOURCE"/plugin/*/*.c "$ODONATA_SOURCE"/base/{replace,seal}.c "$ODONATA_SOURCE"/routing/reroute/{front,connections}.c >"$work/code"
if [ "${1:-}" = list ]; then cat "$work/code"; exit 0; fi
entries "$page" >"$work/page"

# The check itself: it must see a new line, a changed one, and one that is gone.
printf '%s\n' 'void f(void) { osm_log(&x, OSM_LOG_ERROR,' '"a: %u of %" PRIu64' '" b\n", 1); }' >"$work/x.c"
[ "$(formats "$work/x.c")" = "error	a: <> of <> b" ] || { echo "this script no longer finds formats"; exit 1; }
[ "$(grep -c -v '^reason' "$work/code")" -gt 25 ] || { echo "too few lines found in the sources"; exit 1; }
# What the page says of OpenSM's own lines is in opensm: the longest piece between what is put in.
sed -nE 's/^\| `([^`]*)` \| OpenSM \|.*/\1/p' "$page" | awk -F "<[^>]*>|['\"]" '{
	for (i = longest = 1; i <= NF; i++) if (length($i) > length($longest)) longest = i
	print $longest }' >"$work/pieces"
[ -s "$work/pieces" ] || { echo "no lines of OpenSM on the page"; exit 1; }
while IFS= read -r piece; do
	grep -aqF -e "$piece" "$(PATH=$PATH:/usr/sbin:/sbin command -v opensm)" || { echo "no line of opensm: $piece"; exit 1; }
done <"$work/pieces"
diff "$work/code" "$work/page" >"$work/differ" && exit 0
sed -n 's/^< /plugin\/ has, and docs\/guide\/log.md lacks: /p; s/^> /docs\/guide\/log.md has, and plugin\/ lacks: /p' \
	"$work/differ"
exit 1
