# What the emulated switches hold, read by infiniband-diags and put into the form of
# tool_fabric. Source after fabric.sh, with a fabric in use.

odonata=$ODONATA_BUILD/cli/odonata
readback=$ODONATA_BUILD/tests/plugin_tool_readback

# What our core makes of the fabric as ibnetdiscover sees it, apart from OpenSM and the plugin.
expect_tables() { # [ENGINE]
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	"$ODONATA_BUILD/tests/plugin_tool_fabric" "$fabric_dir/discovered" "${1:--}" "$fabric_dir" >"$fabric_dir/summary" ||
		fail "cannot route what ibnetdiscover found"
}

by_dump_fts() {
	in_fabric dump_fts | awk '
		/^Unicast lids/ { guid = ""; if (match($0, /guid 0x[0-9a-f]+/))
				  guid = substr($0, RSTART + 7, RLENGTH - 7) }
		/^0x/ { print guid, $1, $2 }'
}

by_smpquery() { # SL2VL, one port of a node at a time
	local guid lid port
	while read -r guid lid port; do
		in_fabric smpquery sl2vl "$lid" "$port" | awk -v guid="$guid" '
			/^ports:/ { gsub(/[|,:]/, " ")
				    line = guid " " $3 " " $5
				    for (i = 6; i <= NF; i++) line = line " " $i
				    print line }'
	done <"$fabric_dir/ports"
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
same_lfts() {
	local top
	same lfts "$fabric_dir/lfts" by_tool lfts
	top=$(($(cut -d' ' -f2 "$fabric_dir/lfts" | sort -u | tail -n 1)))
	grep -v " $(printf '0x%04x' $((top % 64 ? 0 : top))) " "$fabric_dir/lfts" >"$fabric_dir/lfts.dump"
	same dumped-lfts "$fabric_dir/lfts.dump" by_dump_fts
}

# The judge: OpenSM's dumps, and the SL of every path. It always ends with a crash after its
# verdict, so only what it says counts; and it writes to one shared file, hence the lock.
judge() {
	local said=$fabric_dir/ibdmchk.log
	(
		flock 9
		cd "$fabric_dir" && timeout 120 ibdmchk -s opensm-subnet.lst -f opensm.fdbs \
			-m opensm.mcfdbs -c paths.psl -d opensm-sl2vl.dump >"$said" 2>&1
	) 9>"${TMPDIR:-/tmp}/odonata-ibdmchk.lock" 2>/dev/null
	grep -q "no credit loops found" "$said" || fail "ibdmchk: $(grep -E 'loop|-E-' "$said" | head -n 5)"
	! grep -E -- "^-E-|Dead end" "$said" >&2 || fail "ibdmchk found errors"
}

# The same LFTs with every packet on one VL must not pass: the judge can fail.
judge_without_vls() {
	local said=$fabric_dir/ibdmchk-one-vl.log
	(
		flock 9
		cd "$fabric_dir" && timeout 120 ibdmchk -s opensm-subnet.lst -f opensm.fdbs \
			-m opensm.mcfdbs >"$said" 2>&1
	) 9>"${TMPDIR:-/tmp}/odonata-ibdmchk.lock" 2>/dev/null
	grep -q "Found credit loop" "$said" || fail "ibdmchk sees no loop even on one VL"
}
