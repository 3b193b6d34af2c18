# All SLs that the SA ever handed out to any port, and whether the tables that switches have are safe with
# them (tool_held.c). It asks the SA and the switches, and reads in the log who must reconnect; it knows
# nothing of what the plugin remembers. Source after fabric.sh and readback.sh.
#
#   held_judge               what is there now, by all SLs since the fabric was started; its answer is in $held
#   held_far NET SWITCH      the cables of a switch
held_of=${held_of:-$ODONATA_BUILD/tests/plugin_tool_held}
held_most=8000 # pairs asked at a time: of more, each time others

# Each host's port to every LID of hosts and switches. The N-th time the N-th of each STEP pairs.
held_pairs() { # MOST N
	awk -v most="$1" -v n="$2" '
		/^caguid/ { ca = 1 }
		/^\[/ { if (!ca) next
			for (i = 1; i < NF; i++) { if ($i == "#" && $(i + 1) == "lid") lid = $(i + 2)
				if ($i == "lmc") { lmc = $(i + 1); break } }
			from[++n_from] = lid
			for (i = 0; i < 2 ^ lmc; i++) to[++n_to] = lid + i }
		/^Switch/ { ca = 0; for (i = 1; i < NF; i++) if ($i == "lid") to[++n_to] = $(i + 1) }
		END { step = int(n_from * n_to / most) + 1
			for (a = 1; a <= n_from; a++) for (b = 1; b <= n_to; b++)
				if (from[a] != to[b] && (a * n_to + b) % step == n % step) print from[a], to[b], 0 }' \
		"$fabric_dir/discovered"
}

# An overloaded machine may lose an answer.
held_ask() { # FILE COMMAND...
	local to=$1 i
	shift
	for i in 1 2 3 4 5; do
		"$@" >"$to" && return
	done
	fail "cannot ask: $*"
}

# Each try reads the file from its beginning. Of 264 hosts there are 70,000 pairs: a busy machine needs minutes.
sls_of_pairs() { # FILE
	in_fabric_seconds=600 by_tool sls <"$1"
}

# Pairs that the log has reported since the last time; 0 stands for all LIDs, or for all switches.
held_told() {
	local lines
	lines=$(wc -l <"$sm_log")
	[ "$lines" -ge "${held_read:-0}" ] || held_read=0
	tail -n "+$((${held_read:-0} + 1))" "$sm_log" | awk '
		/must reconnect: hosts of switch/ { match($0, /\(0x[0-9a-f]+\)/)
			guid = substr($0, RSTART + 3, RLENGTH - 4); sub(/.* with LIDs /, "")
			if (/ and [0-9]* more/) print guid, 0
			else for (i = 1; i <= NF; i++) print guid, $i }
		/must reconnect: .* more pairs/ { print 0, 0 }'
	held_read=$lines
}

held_judge() {
	local tables=$fabric_dir
	held_n=$((${held_n:-0} + 1))
	held_ask "$tables/discovered" in_fabric ibnetdiscover
	held_ask "$tables/lfts.held" by_tool lfts
	held_ask "$tables/sl2vl.held" by_tool sl2vl
	held_pairs "$held_most" "$held_n" >"$tables/pairs.held"
	held_ask "$tables/sls.held" sls_of_pairs "$tables/pairs.held"
	held_told >"$tables/told.held"
	held=$("$held_of" "$tables/held" "$tables/discovered" "$tables/lfts.held" "$tables/sl2vl.held" \
		"$tables/sls.held" "$tables/told.held") || fail "cannot judge by all SLs handed out"
	[ -s "$tables/sls.held" ] || fail "no SLs read"
}

# Cables of a switch, a line "SWITCH"[PORT] OTHER switch|host each.
held_far() { # NET SWITCH
	awk -F'"' -v at="$2" '/^Switch/ { inside = $2 == at; is[$2] = 1 } /^(Hca|Ca|Rt)/ { inside = 0 }
		/^\[/ && inside { split($1, at_port, /[][]/); far[at_port[2]] = $2 }
		END { for (p in far) print "\"" at "\"[" p "]", far[p], far[p] in is ? "switch" : "host" }' "$1"
}
