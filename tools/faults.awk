# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Small faults that could be put into C sources, in a random order that depends on the seed alone. tools/faults.sh
# runs it.
#
#   awk -v seed=N -f tools/faults.awk FILE.c ... > FAULTS
#
# One line for each fault, fields separated by tabs: FILE LINE KIND COLUMN LENGTH NEW. The LENGTH characters
# from COLUMN on (from 1) become NEW. At most one fault in each line of code, drawn from all that it could have;
# with every=1 all of them.

# Park and Miller's generator: the same on every awk.
function draw(n) {
	state = (state * 16807) % 2147483647
	return state % n
}

function add(kind, column, length_of_old, new) {
	fault[faults++] = kind "\t" column "\t" length_of_old "\t" new
}

# Every place of an operator between spaces.
function operators(line, old, new, kind,    from, at) {
	from = 1
	while ((at = index(substr(line, from), " " old " ")) > 0) {
		add(kind, from + at, length(old), new)
		from += at + length(old)
	}
}

# Every whole number of one to six digits, one more and one less.
function constants(line,    from, number, at) {
	from = 1
	while (match(substr(line, from), /[^A-Za-z0-9_."'\\][0-9]+/)) {
		at = from + RSTART
		number = substr(line, at, RLENGTH - 1)
		from = at + RLENGTH - 1
		if (length(number) > 6 || number ~ /^0./ || substr(line, from, 1) ~ /[xX.]/)
			continue
		add("constant", at, length(number), number + 1)
		if (number > 0)
			add("constant", at, length(number), number - 1)
	}
}

function words(line, old, new, kind,    from, at, before, after) {
	from = 1
	while ((at = index(substr(line, from), old)) > 0) {
		at += from - 1
		before = at > 1 ? substr(line, at - 1, 1) : " "
		after = substr(line, at + length(old), 1)
		if (before !~ /[A-Za-z0-9_]/ && after !~ /[A-Za-z0-9_]/)
			add(kind, at, length(old), new)
		from = at + length(old)
	}
}

# f(a, b): the arguments change places. If their types differ it is not built.
function arguments(line,    from, text, comma, at) {
	from = 1
	while (match(substr(line, from), /[a-z_]\([A-Za-z0-9_.>-]+, [A-Za-z0-9_.>-]+\)/)) {
		at = from + RSTART + 1
		text = substr(line, at, RLENGTH - 3)
		comma = index(text, ", ")
		add("arguments", at, length(text), substr(text, comma + 2) ", " substr(text, 1, comma - 1))
		from = at + length(text)
	}
}

# A statement of one line that does something.
function statement(line, before,    text) {
	if (before !~ /([;{}:)]|else)$/ || line !~ /^\t+.*;$/)
		return
	text = line
	sub(/^\t+/, "", text)
	if (text ~ /^(return|goto|case|default|break;|continue;|for|if|while|do |else|static|const|struct|enum)/) {
		if (text ~ /^(break|continue);/)
			add("dropped", index(line, text), length(text), ";")
		return
	}
	if (text ~ /^[a-z_0-9]+ \**[a-z_0-9]+(\[.*\])?( = .*)?;$/ || text ~ /^[a-z_0-9]+ \**[a-z_0-9]+(, | = )/)
		return # a declaration
	if (text ~ /[=(]|\+\+|--/)
		add("dropped", index(line, text), length(text), ";")
}

function condition(line,    at, depth, i, c) {
	if (!match(line, /^\t+(} )?(else )?(if|while) \(/) || line !~ /\)( \{)?$/)
		return
	at = RSTART + RLENGTH
	depth = 1
	for (i = at; i <= length(line) && depth; i++) {
		c = substr(line, i, 1)
		depth += (c == "(") - (c == ")")
	}
	if (!depth)
		add("negated", at, i - at - 1, "!(" substr($0, at, i - at - 1) ")")
}

function early(line,    text) {
	if (!match(line, /^\t+return [^;]+;$/))
		return
	text = line
	sub(/^\t+return /, "", text)
	sub(/;$/, "", text)
	if (text !~ /^(0|NULL|true|false)$/)
		add("returned", index(line, "return ") + 7, length(text), "0")
}

# Texts are blanked, so that nothing is found in them; what is returned has the same columns.
function blanked(line,    out, i, c, quote) {
	out = quote = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (!quote) {
			if (c == "\"" || c == "'")
				quote = c
			out = out c
		} else if (c == "\\") {
			out = out "__"
			i++
		} else {
			out = out (c == quote ? c : "_")
			if (c == quote)
				quote = ""
		}
	}
	return out
}

BEGIN {
	state = (seed * 2654435 + 12345) % 2147483646 + 1
	for (i = 0; i < 10; i++)
		draw(2)
}

FNR == 1 { comment = 0; continued = 0; before = "" }

{
	sub(/\r$/, "")
	if (comment) {
		if (index($0, "*/"))
			comment = 0
		next
	}
	if (/^#/ || continued) {
		continued = /\\$/
		next
	}
	line = blanked($0)
	if ((at = index(line, "/*")) > 0) {
		comment = !index(substr(line, at), "*/")
		line = substr(line, 1, at - 1)
	}
	if ((at = index(line, "//")) > 0)
		line = substr(line, 1, at - 1)
	sub(/[ \t]+$/, "", line)
	if (line == "")
		next
	faults = 0
	if (line !~ /(assert|ASSERT)/ && line ~ /^\t/) {
		operators(line, "<", "<=", "comparison"); operators(line, "<=", "<", "comparison")
		operators(line, ">", ">=", "comparison"); operators(line, ">=", ">", "comparison")
		operators(line, "==", "!=", "comparison"); operators(line, "!=", "==", "comparison")
		operators(line, "&&", "||", "logic"); operators(line, "||", "&&", "logic")
		operators(line, "+", "-", "arithmetic"); operators(line, "-", "+", "arithmetic")
		operators(line, "/", "*", "arithmetic"); operators(line, "%", "/", "arithmetic")
		operators(line, "+=", "-=", "arithmetic"); operators(line, "-=", "+=", "arithmetic")
		operators(line, "|=", "=", "arithmetic"); operators(line, "&", "|", "arithmetic")
		words(line, "true", "false", "constant"); words(line, "false", "true", "constant")
		constants(line)
		arguments(line)
		statement(line, before)
		condition(line)
		early(line)
	}
	before = line
	if (!faults)
		next
	if (every) {
		for (i = 0; i < faults; i++)
			printf "%s\t%d\t%s\n", FILENAME, FNR, fault[i]
		next
	}
	order = draw(2147483646)
	printf "%d\t%s\t%d\t%s\n", order, FILENAME, FNR, fault[draw(faults)] | "sort -n | cut -f 2-"
}
