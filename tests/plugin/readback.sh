# What emulated switches hold, read back with infiniband-diags and compared entry by entry with
# what `odonata export` makes of the same fabric as ibnetdiscover sees it: apart from OpenSM, from
# the plugin and from the file that ibsim read. Source after fabric.sh, with a fabric in use.
#
# Everything is brought into lines to be sorted and compared:
#   lfts    switch GUID, LID, port
#   sl2vl   GUID of a switch or an adapter's port, input port, output port, VL of SL 0 .. 15
#   sls     source LID, destination LID, SL

odonata=$ODONATA_BUILD/cli/odonata
readback=$ODONATA_BUILD/tests/plugin_tool_readback

lfts_of() { # dumps of OpenSM's form, which is dump_fts's, too
	awk '/^Unicast lids/ { match($0, /guid 0x[0-9a-f]+/)
			       guid = substr($0, RSTART + 7, RLENGTH - 7) }
	     /^0x/ { print guid, $1, $2 }' "$@"
}

# Tables into $fabric_dir/ours, and from them the files lfts, sl2vl, sls, and ports: the GUID, LID
# and output port of each group of lines of sl2vl, which is how smpquery is asked.
expect_tables() { # [ENGINE]
	local ours=$fabric_dir/ours
	mkdir -p "$ours"
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	"$odonata" export ${1:+--engine "$1"} --output "$ours" "$fabric_dir/discovered" >/dev/null ||
		fail "cannot route what ibnetdiscover found"
	"$odonata" route ${1:+--engine "$1"} "$fabric_dir/discovered" >"$fabric_dir/route" ||
		fail "cannot route what ibnetdiscover found"
	summary=$(awk '/^(topology|engine|vls|sls) / { print $1 "=" $2 }' "$fabric_dir/route" | xargs)
	lfts_of "$ours/odonata.lfts" >"$fabric_dir/lfts"
	awk -v ports="$fabric_dir/ports" '
		/^(Switch|Channel)/ { match($0, /0x[0-9a-f]+/)
			guid = substr($0, RSTART + 2, RLENGTH - 2)
			match($0, /LID [0-9]+/); lid = substr($0, RSTART + 4, RLENGTH - 4) }
		/^[0-9]/ { line = guid " " $1 " " $2
			for (i = 4; i <= NF; i++) line = line " " $i
			print line
			if (!asked[guid " " $2]++) print guid, lid, $2 >ports }' \
		"$ours/odonata.sl2vl" >"$fabric_dir/sl2vl"
	# Paths are named by node GUID there; a switch's line, or an adapter's first one, says what LID it has.
	awk 'FNR == NR { if (/^(ca|switch)guid/) { guid = $0; sub(/.*=0x0*/, "", guid); sub(/\(.*/, "", guid) }
			 if (/^Switch/) { match($0, / lid [0-9]+/)
				lid[guid] = substr($0, RSTART + 5, RLENGTH - 5); guid = "" }
			 if (/^\[/ && guid) { match($0, /# lid [0-9]+/)
				lid[guid] = substr($0, RSTART + 6, RLENGTH - 6); guid = "" }
			 next }
	     /^0x/ { sub(/^0x0*/, "", $1); if (lid[$1] != $2) print lid[$1], $2, $3 }' \
		"$fabric_dir/discovered" "$ours/odonata.psl" >"$fabric_dir/sls"
}

by_dump_fts() {
	in_fabric dump_fts | lfts_of
}

by_smpquery() { # SL2VL, one port of a node at a time
	local guid lid port
	while read -r guid lid port; do
		echo "node $guid"
		in_fabric smpquery sl2vl "$lid" "$port"
	done <"$fabric_dir/ports" | awk '
		/^node/ { guid = $2 }
		/^ports:/ { gsub(/[|,:]/, " ")
			    line = guid " " $3 " " $5
			    for (i = 6; i <= NF; i++) line = line " " $i
			    print line }'
}

# Each N-th group of lines of sl2vl is left, and nothing else, in ports and in sl2vl.
sample_ports() { # N
	awk -v n="$1" 'NR % n == 1' "$fabric_dir/ports" >"$fabric_dir/ports.some"
	awk 'NR == FNR { keep[$1 " " $3]; next } ($1 " " $3) in keep' \
		"$fabric_dir/ports.some" "$fabric_dir/sl2vl" >"$fabric_dir/sl2vl.some"
	mv "$fabric_dir/ports.some" "$fabric_dir/ports"
	mv "$fabric_dir/sl2vl.some" "$fabric_dir/sl2vl"
}

by_tool() { # lfts | sl2vl | sls <pairs
	in_fabric "$readback" "$1"
}

same() { # WHAT FILE COMMAND...: what the command reads is FILE, entry by entry
	local what=$1 file=$2
	shift 2
	"$@" | sort >"$fabric_dir/$what.read"
	sort "$file" >"$fabric_dir/$what.expected"
	[ -s "$fabric_dir/$what.read" ] || fail "$what $*: nothing read back"
	cmp -s "$fabric_dir/$what.read" "$fabric_dir/$what.expected" ||
		fail "$what $*: $(diff "$fabric_dir/$what.read" "$fabric_dir/$what.expected" | head -n 5)"
	echo "  $what, $*: $(wc -l <"$file") entries are ours"
}

# dump_fts leaves out the highest LID where that is a multiple of 64.
same_dumped_lfts() {
	local top
	top=$(($(cut -d' ' -f2 "$fabric_dir/lfts" | sort -u | tail -n 1)))
	grep -v " $(printf '0x%04x' $((top % 64 ? 0 : top))) " "$fabric_dir/lfts" >"$fabric_dir/lfts.dump"
	same dumped-lfts "$fabric_dir/lfts.dump" by_dump_fts
}

same_lfts() {
	same lfts "$fabric_dir/lfts" by_tool lfts
	same_dumped_lfts
}

# OpenSM answers some 10,000 times a second at best: many pairs are asked in part.
same_sls() {
	local most=4000
	[ -z "${ODONATA_WIDE:-}" ] || most=50000
	awk -v step=$(($(wc -l <"$fabric_dir/sls") / most + 1)) 'NR % step == 0' "$fabric_dir/sls" \
		>"$fabric_dir/asked"
	same sls "$fabric_dir/asked" by_tool sls <"$fabric_dir/asked"
}

# The judge: OpenSM's dumps, and the SL of every path. It always ends with a crash after its
# verdict, so only what it says counts; and it writes to one shared file, hence the lock.
run_ibdmchk() { # REPORT [ARGUMENT...]
	local said=$1
	shift
	(
		flock 9
		cd "$fabric_dir" && timeout 120 ibdmchk -s "${subnet:-opensm-subnet.lst}" -f opensm.fdbs \
			-m opensm.mcfdbs "$@" >"$said" 2>&1
	) 9>"${TMPDIR:-/tmp}/odonata-ibdmchk.lock" 2>/dev/null
}

judge() {
	local said=$fabric_dir/ibdmchk.log
	run_ibdmchk "$said" -c ours/odonata.psl -d opensm-sl2vl.dump
	grep -q "no credit loops found" "$said" ||
		fail "ibdmchk: $(grep -E 'loop|-E-' "$said" | head -n 5)"
	! grep -E -- "^-E-|Dead end" "$said" >&2 || fail "ibdmchk found errors"
}

# The same LFTs with every packet on one VL must not pass: the judge can fail.
judge_without_vls() {
	run_ibdmchk "$fabric_dir/ibdmchk-one-vl.log"
	grep -q "Found credit loop" "$fabric_dir/ibdmchk-one-vl.log" ||
		fail "ibdmchk sees no loop even on one VL"
}
