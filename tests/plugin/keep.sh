# What tests ask of tables that were kept, and memory that fails. Sources fabric.sh, readback.sh and nets.sh.
. "$(dirname "${BASH_SOURCE[0]}")/fabric.sh"
. "$(dirname "${BASH_SOURCE[0]}")/readback.sh"
. "$(dirname "${BASH_SOURCE[0]}")/nets.sh"

# From here on opensm loads our plugin with its allocations wrapped (tests/fault.c).
with_faults() {
	plugin_path=$ODONATA_BUILD/tests/fault
	export ODONATA_FAULT=$FABRIC/fault ODONATA_FAULT_COUNT=$FABRIC/count
}

# The plugin has done its work after the last SUBNET UP, which ends with a certificate of installed tables, and the
# state file after it. Clocks of files are coarse.
is_certified() {
	local line up written
	tac "$sm_log" | grep -m 1 -E "odonata: (declined|[0-9]+ switches, |no new routes)" | grep -q declined && return
	line=$(grep "SUBNET UP" "$sm_log" | tail -n 1)
	up=$(date -d "${line:0:15}" +%s).${line:16:6}
	written=$(stat -c %.6Y "$fabric_dir"/odonata-*.certificate 2>/dev/null) || return
	awk -v up="$up" -v written="$written" -v stated="$(stat -c %.6Y "$fabric_dir"/odonata-*.json)" \
		'BEGIN { exit !(written + .02 >= up && stated >= written) }'
}

# Its allocations fail from the next on, each after so many that succeed; or one, or all from one `on`.
allocations_fail() { # N... | N on
	wait_for 20 is_certified || fail "no certificate after the last SUBNET UP"
	echo "$*" >"$ODONATA_FAULT.new"
	mv "$ODONATA_FAULT.new" "$ODONATA_FAULT"
}

routed_last() { # ENGINE
	grep -E "tables configured" "$sm_log" | tail -n 1 | grep -q ": $1 tables" ||
		fail "$1 did not route last"
}

# The last sweep that asked for another has got it.
steps_are_done() {
	awk '/odonata: .*sweeping again/ { asked = 1; up = 0 }
		/SUBNET UP/ { up++ }
		END { exit asked && up < 2 }' "$sm_log"
}

# The manager holds what the switches do, in files that can be judged.
judge_installed() { # WHAT
	wait_for 60 steps_are_done || fail "$1: a sweep that was asked for does not come"
	by_tool lfts | sort >"$fabric_dir/lfts.now"
	lfts_of "$fabric_dir/opensm-lfts.dump" | sort | cmp -s - "$fabric_dir/lfts.now" ||
		fail "$1: the dump is not what the switches hold"
	in_fabric ibnetdiscover >"$fabric_dir/discovered" || fail "ibnetdiscover"
	"$odonata" verify --tables "$fabric_dir/opensm-lfts.dump" --tables "$fabric_dir/opensm-sl2vl.dump" \
		"$fabric_dir/discovered" >"$fabric_dir/verdict"
}

# They cannot deadlock, and leave out as many pairs as the log says: (switches * LIDs) - entries.
kept() { # WHAT
	routed_last odonata
	said=$(grep "odonata: no new routes .* are kept" "$sm_log" | tail -n 1)
	[ -n "$said" ] || fail "$1: the log does not say what is kept"
	judge_installed "$1"
	grep -q "^deadlock free *yes" "$fabric_dir/verdict" || fail "$1: $(cat "$fabric_dir/verdict")"
	local pairs
	pairs=$(($(cut -d' ' -f1 "$fabric_dir/lfts.now" | sort -u | wc -l) *
		$(cut -d' ' -f2 "$fabric_dir/lfts.now" | sort -u | wc -l)))
	cut=$((pairs - $(wc -l <"$fabric_dir/lfts.now")))
	echo "$said" | grep -q "cut off $cut of $pairs pairs" ||
		fail "$1: $cut of $pairs pairs are cut off, and the log says: $said"
	echo "$1: $cut of $pairs pairs cut off"
}

as_at_the_start() {
	by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "LFTs are not those of the start"
	by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl.start" || fail "SL2VL is not that of the start"
}

reconfigured() { # SED: after which a heavy sweep reads the file again
	sed -i "$1" "$fabric_dir/opensm.conf"
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
}

# A whole dragonfly, routed by an opensm that will not route it once a cable contradicts it.
strict="event_plugin_options strict=1 no_fallback=1"
start_dragonfly() { # NAME [CONFIGURATION...]
	local name=$1
	shift
	"$odonata" generate dragonfly:p=2,a=4,h=2 --shuffle 22 >"$FABRIC/dragonfly.net" || fail generate
	link=$(some_link "$FABRIC/dragonfly.net" 20)
	fabric_start "$name" "$FABRIC/dragonfly.net"
	sm_start "$strict" "$@"
	sm_wait_up 1
	expect_routed
	by_tool lfts | sort >"$FABRIC/lfts.start"
	by_tool sl2vl | sort >"$FABRIC/sl2vl.start"
}
