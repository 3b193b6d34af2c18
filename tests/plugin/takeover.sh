# Managers that follow each other: a standby whose master dies, a restart, stock opensm and back.
# Source after fabric.sh and readback.sh, with a fabric in use.

# LFTs, SL2VL maps and the SLs of some paths, as switches and manager give them, into NAME.*
read_all() { # NAME
	local what
	for what in lfts sl2vl; do
		by_tool "$what" | sort >"$fabric_dir/$1.$what"
	done
	by_tool sls <"$takeover_pairs" | sort >"$fabric_dir/$1.sls"
	for what in lfts sl2vl sls; do
		[ -s "$fabric_dir/$1.$what" ] || fail "$1: no $what read back"
	done
}

# Fails if any entry differs.
differ() { # WHAT BEFORE AFTER
	local what n line=$1:
	for what in lfts sl2vl sls; do
		n=$(comm -13 "$2.$what" "$3.$what" | wc -l)
		line+=" $n of $(wc -l <"$2.$what") $what,"
		[ "$n" -eq 0 ] || fail "$1: $n $what differ: $(diff "$2.$what" "$3.$what" | head -n 4)"
	done
	echo "  ${line%,} differ"
}

# Waits until opensm has swept and rests.
settle() { # SWEEPS BEFORE
	sm_wait_up $(($1 + 1))
	sm_rests || fail "sweeps do not end"
}

# take_over SPEC CUTS HOW: cuts cables one at a time under a master, kills it, and then a standby, a restarted
# manager, and one after stock minhop follow. They share the folder of caches (HOW is `no`), or each has its own
# (`yes`); with `copied` the standby gets a copy of the master's files.
take_over() {
	local spec=$1 cuts=$2 alone=$3 sm_cache= net=$FABRIC/net-$RANDOM name=take-$RANDOM dir last end sweeps
	"$odonata" generate "$spec" --shuffle 31 -o "$net" || fail "generate $spec"
	fabric_start "$name" "$net"
	dir=$fabric_dir
	[ "$alone" != no ] || sm_cache=$dir
	last=$(awk -F'"' '/^(Hca|Ca)[ \t]/ { name = $2 } END { print name }' "$net")
	sm_start "sm_priority 10"
	sm_wait_up 1
	settle 0
	for end in $(switch_cables "$net" | shuf -n "$cuts" --random-source=<(yes)); do
		sweeps=$(grep -c "SUBNET UP" "$sm_log")
		console "Unlink $end"
		settle "$sweeps"
	done
	in_fabric ibnetdiscover >"$dir/found" || fail ibnetdiscover
	takeover_pairs=$dir/pairs
	awk '/^\[/ && ca { match($0, /# lid [0-9]+/); print substr($0, RSTART + 6, RLENGTH - 6); ca = 0 }
		/^Ca/ { ca = 1 } /^Switch/ { ca = 0 }' "$dir/found" |
		awk '{ lid[NR] = $1 } END { for (i = 1; i <= NR; i++) for (j = 1; j <= NR; j += 3)
			if (lid[i] != lid[j]) print lid[i], lid[j], 0 }' >"$takeover_pairs"
	read_all master
	echo "$spec, $cuts cables cut: $(grep -o 'engine [a-z-]*, [0-9]* VLs\?, [0-9]* SLs\?' "$sm_log" | tail -n 1)"
	local master
	master=$(cat "$fabric_dir/sm.pid")
	fabric_dir=$dir/standby fabric_host=$last sm_log=$dir/standby/osm.log
	mkdir "$fabric_dir"
	sm_start "sm_priority 5" "sminfo_polling_timeout 500" "polling_retry_number 2"
	sm_wait_log 1 "Entering STANDBY"
	[ "$alone" != copied ] || cp "$dir"/odonata-*.past "$fabric_dir"
	kill -9 "$master"
	# umad2sim now and then loses a MAD to the dead host: a new manager has to do then.
	if ! wait_for 40 log_has 1 "SUBNET UP"; then
		sm_stop
		sm_start "sm_priority 5"
	fi
	settle 0
	read_all standby
	differ "standby" "$dir/master" "$fabric_dir/standby"
	sm_stop
	sm_start "sm_priority 5"
	settle 0
	read_all again
	differ "restarted" "$fabric_dir/standby" "$fabric_dir/again"
	sm_stop
	sm_start "routing_engine minhop" "qos FALSE"
	settle 0
	grep -q "minhop tables configured" "$sm_log" || fail "$spec: stock opensm did not take over"
	sm_stop
	sm_start "sm_priority 5"
	settle 0
	read_all back
	differ "back from minhop" "$fabric_dir/again" "$fabric_dir/back"
	sm_stop
	fabric_use "$name"
	fabric_stop
}
