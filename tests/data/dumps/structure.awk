# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# awk -f structure.awk DUMP: the structure of what ibnetdiscover or ibdiagnet wrote, without a name or
# a GUID of it. README.md has the format.

function node(id) { # number of a node, by its id in the file
	return id in number ? number[id] : number[id] = n++
}

function quoted(text) { # up to the last quote
	sub(/^[^"]*"/, "", text)
	sub(/"[^"]*$/, "", text)
	return text
}

# What a description tells besides names: vendor, model and chip, the adapter of a machine.
function kind(description, machine) {
	if (description ~ /Aggregation Node/)
		return "aggregation"
	if (description ~ /^MF0;[^:]*:[^:]*$/) {
		machine = description
		sub(/^MF0;/, "", machine)
		sub(/:.*/, "", machine)
		sub(/^[^:]*:/, "", description)
		return "model " description " " name(machine)
	}
	if (description ~ /Mellanox Technologies|Voltaire/)
		return "vendor"
	if (description ~ / (HCA-|mlx)[^ ]*$/) {
		machine = description
		sub(/ [^ ]*$/, "", machine)
		sub(/.* /, "", description)
		return "machine " name(machine) " " description
	}
	return "machine " name(description)
}

function name(text) {
	return text in names ? names[text] : names[text] = ++n_names
}

BEGIN { style = "ibnetdiscover" }
{ if (sub(/\r$/, "")) crlf = 1 }
/^# .*IBDIAG/ { style = "ibdiagnet" }
!begun && /@.*#/ { head = head "prompt\n" }
!begun && /^src\// { head = head "warning\n" }
/^(Switch|Ca|Rt)[ \t]/ {
	begun = 1
	split($0, part, "\"")
	own = node(part[2])
	comment = $0
	sub(/^[^#]*#/, "", comment)
	line[own] = "node " own " " $1 " " $2 ($0 ~ /enhanced port 0/ ? " enhanced " : " ") kind(quoted(comment))
	order[m++] = own
}
/^\[[0-9]/ {
	split($0, part, "\"")
	far = node(part[2])
	port = $0 + 0
	match($0, /^\[[0-9]+/)
	port = substr($0, 2, RLENGTH - 1)
	match(part[3], /^\[[0-9]+/)
	far_port = substr(part[3], 2, RLENGTH - 1)
	here = own " " port
	there = far " " far_port
	rate[here] = $NF
	if (rate[there] != "" && listed[there] == here)
		both[there] = 1
	else {
		listed[here] = there
		cables[n_cables++] = here
	}
}
END {
	print "style " style (crlf ? " crlf" : "")
	printf "%s", head
	for (i = 0; i < m; i++)
		print line[order[i]]
	for (i = 0; i < n_cables; i++) {
		here = cables[i]
		if (rate[here] != last)
			print "rate " (last = rate[here])
		print here " " listed[here] (here in both ? "" : " once")
	}
}
