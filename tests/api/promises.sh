# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the public headers promise, a line each: "function NAME PROTOTYPE", "struct NAME", "member
# STRUCT NAME", "constant NAME". Sourced; ODONATA_SOURCE is set.

# Sees the code as the compiler does, so that comments and macros are gone.
promises() {
	local include=$ODONATA_SOURCE/include
	"${CC:-cc}" -E -P -I"$include" "$include/odonata/odonata.h" | tr '\n\t' '  ' | sed 's/  */ /g' |
		awk -v RS=';' '
		!depth { code = "" }
		{ code = code $0 ";"; depth += gsub(/{/, "{") - gsub(/}/, "}") }
		depth { next }
		code ~ /visibility/ && match(code, / \**odonata_[a-z_]+\(/) {
			name = substr(code, RSTART + 1, RLENGTH - 2)
			sub(/^\*/, "", name)
			sub(/.*visibility[^ ]* /, "", code)
			print "function", name, code
		}
		code ~ /enum[a-z_ ]* {/ {
			while (match(code, /ODONATA_[A-Z_]+/)) {
				print "constant", substr(code, RSTART, RLENGTH)
				code = substr(code, RSTART + RLENGTH)
			}
		}
		match(code, /struct odonata_[a-z_]+ {/) {
			name = substr(code, RSTART + 7, RLENGTH - 9)
			print "struct", name
			sub(/^[^{]*{/, "", code)
			sub(/}[^}]*$/, "", code)
			n = split(code, part, /[;,]/)
			for (i = 1; i < n; i++) {
				sub(/\[.*/, "", part[i])
				match(part[i], /[a-z0-9_]+ *$/)
				print "member", name, substr(part[i], RSTART)
			}
		}'
	"${CC:-cc}" -E -dM -I"$include" "$include/odonata/odonata.h" |
		awk '$2 ~ /^ODONATA_/ && $2 !~ /_H$|^ODONATA_(API|VERSION)$/ && NF > 2 { print "constant", $2 }' | sort
}
