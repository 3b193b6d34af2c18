# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A public header as a piece of Markdown: its first comment, then each declaration as a block of
# code with its comment behind it. Comments are in the form that .clang-format gives them.

# Lines of the comment held, and forget them. Parameters become a list.
function tell(   i, list, line) {
	print ""
	for (i = 1; i <= n; i++) {
		line = text[i]
		if (line ~ /^@param/) {
			sub(/^@param +/, "", line)
			sub(/ +/, "`: ", line)
			line = (list ? "" : "\n") "- `" line
			list = 1
		} else if (line ~ /^(@return|Errors:)/) {
			sub(/^@return/, "Returns", line)
			line = (list ? "\n" : "") line
			list = 0
		} else if (list) {
			line = "  " line
		}
		print line
	}
	n = 0
}

function declare() {
	sub(/^ODONATA_API /, "", code)
	if (code ~ /\);$/)
		gsub(/\n\t+ */, "\n    ", code)
	printf "\n```c\n%s\n```\n", code
	if (n)
		tell()
	code = ""
}

# A comment before a declaration.
!code && /^\/\*\*/ { inside = 1; n = 0; sub(/^\/\*\* ?/, "") }
inside {
	last = sub(/ ?\*\/$/, "")
	sub(/^ \* ?/, "")
	if ($0 != "" || (n && !last))
		text[++n] = $0
	inside = !last
	if (last && !introduced++)
		tell()
	next
}

/^#define .* / && n { code = $0; declare() }
code != "" || /^(ODONATA_API|typedef|enum)/ {
	code = code (code == "" ? "" : "\n") $0
	depth += gsub(/{/, "{") - gsub(/}/, "}")
	if (!depth && /;$/)
		declare()
}
