# Small ibsim nets for the odd cases, on standard output. Source after fabric.sh.

# Switches S0 .. S(n-1), all cabled to each other by ports 5 .. , hosts on ports 1 .. 3 as listed:
# "S0 S0 S2" is two hosts on S0 and one on S2. Names take a prefix, so that nets can be joined.
complete() { # SWITCHES PREFIX [SWITCH OF EACH HOST]
	local n=$1 x=$2 s t i=0
	shift 2
	local -A used=()
	local cables=() hosts=()
	for s in "$@"; do
		used[$s]=$((${used[$s]:-0} + 1))
		cables+=("$s [${used[$s]}]	\"${x}H$i\"[1]")
		hosts+=("Ca	1 \"${x}H$i\"		# \"${x}H$i\""$'\n'"[1]	\"$x$s\"[${used[$s]}]"$'\n')
		i=$((i + 1))
	done
	for ((s = 0; s < n; s++)); do
		echo "Switch	$((4 + n)) \"${x}S$s\"		# \"${x}S$s\" ${port0:-base port 0} lid 0 lmc 0"
		printf '%s\n' "${cables[@]:-}" | sed -n "s/^S$s //p"
		[ -z "${extra:-}" ] || sed -n "s/^S$s //p" <<<"$extra"
		for ((t = 0; t < n; t++)); do
			[ $t -eq $s ] || echo "[$((5 + t))]	\"${x}S$t\"[$((5 + s))]"
		done
		echo
	done
	printf '%s\n' "${hosts[@]:-}"
}

# A link between two switches of a written net, as ibsim's console wants it: "NODE"[PORT]
some_link() { # NET [WHICH]
	awk -F'"' -v wanted="${2:-1}" '
		/^Switch/ { name = $2; is[$2] = 1 }
		/^(Ca|Rt)/ { name = "" }
		/^\[/ && name { split($1, p, /[][]/); line[++n] = name; port[n] = p[2]; far[n] = $2 }
		END { for (i = 1; i <= n; i++)
			if (is[far[i]] && ++found == wanted) { print "\"" line[i] "\"[" port[i] "]"; exit } }' "$1"
}
