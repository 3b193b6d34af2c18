# Emulated fabrics for tests and for ./demo: ibsim plays the switches and adapters, and Debian's
# own opensm manages them with our plugin. Source this, then:
#
#   fabric_start NAME NET     an ibsim on a net file, in $FABRIC/NAME; becomes the one in use
#   fabric_use NAME           turn to another that runs already
#   in_fabric CMD...          run an InfiniBand program inside it, from host $fabric_host
#   console CMD               a line for ibsim's console, such as  Unlink "S1"[2]
#   console_done CMD          the same, and wait until ibsim has done it
#   is_still PID...           these processes have nothing to do
#   sm_rests                  no sweep is under way, and none follows at once
#   sm_start [LINE...]        opensm with these lines in its configuration, under the program $sm_under,
#                             with its caches in $sm_cache if that is set
#   sm_console CMD            a line for opensm's, if it was started with "console local"
#   sm_wait_up N              wait for the N-th SUBNET UP since sm_start
#   sm_wait_log N REGEX       wait until N lines of its log match
#   state_file json|prom      the one that the plugin has written about this fabric, or a name of none
#   sm_forget                 the next opensm is told nothing of what was before
#   sm_stop, fabric_stop      in this order; leaving the script does both for all
#
# Every fabric has its own folder, socket name and log, so any number run side by side.
set -u

[ -n "${ODONATA_BUILD:-}" ] || { echo "fabric.sh: ODONATA_BUILD is not set" >&2; exit 1; }
ODONATA_BUILD=$(realpath "$ODONATA_BUILD") # programs run in other folders
FABRIC=$(mktemp -d "${TMPDIR:-/tmp}/odonata-fabric.XXXXXX")
fabric_preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
fabric_pids=()   # ibsims, then opensms: stopped from the end
PATH=$PATH:/usr/sbin:/sbin
# A plugin with AddressSanitizer needs its runtime first; umad2sim over-reads by itself, and opensm
# frees a MAD that the thread sending it has not done with.
if ldd "$ODONATA_BUILD/plugin/libodonata.so" 2>/dev/null | grep -q libasan; then
	fabric_preload="$(gcc -print-file-name=libasan.so) $fabric_preload"
	printf 'interceptor_via_lib:%s\n' libumad2sim libibumad >"$FABRIC/asan"
	export ASAN_OPTIONS=detect_leaks=0:suppressions=$FABRIC/asan
fi

fail() {
	echo "FAILED: $*" >&2
	if [ -s "${sm_log:-}" ]; then
		echo "--- ${sm_log}:" >&2
		grep -E 'odonata|ERR|tables configured|SUBNET UP' "$sm_log" | tail -n 15 >&2
	fi
	exit 1
}

# Ask, wait, then insist: an opensm whose ibsim is gone ignores SIGTERM.
stop_pid() {
	local pid=$1 i
	kill -TERM "$pid" 2>/dev/null || return 0
	for ((i = 0; i < 50; i++)); do
		kill -0 "$pid" 2>/dev/null || { wait "$pid" 2>/dev/null; return 0; }
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

fabric_cleanup() {
	local status=$? i
	trap - EXIT INT TERM
	for ((i = ${#fabric_pids[@]} - 1; i >= 0; i--)); do
		stop_pid "${fabric_pids[i]}"
	done
	if [ -n "${FABRIC_KEEP:-}" ]; then echo "kept: $FABRIC" >&2; else rm -rf "$FABRIC"; fi
	exit "$status"
}
trap fabric_cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Counts what it asked, not the clock: a busy machine, where asking takes longer, has longer.
wait_for() { # SECONDS COMMAND...
	local tries=$(($1 * 5))
	shift
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.2 # asking costs more than what is waited for, where starting a program is slow
	done
}

fabric_use() {
	fabric_dir=$FABRIC/$1
	fabric_host=$(cat "$fabric_dir/host")
	sm_log=$fabric_dir/osm.log
	export IBSIM_SOCKNAME=$(basename "$FABRIC")-$1
}

fabric_start() {
	local dir=$FABRIC/$1 net=$2
	mkdir "$dir" && mkfifo "$dir/console" || fail "cannot make $dir"
	awk -F'"' '/^(Hca|Ca)[ \t]/ { print $2; exit }' "$net" >"$dir/host"
	fabric_use "$1"
	ibsim -s ${ibsim_limits:--S 4096 -N 30000 -P 200000} "$net" <>"$dir/console" >"$dir/ibsim.log" 2>&1 &
	echo $! >"$dir/ibsim.pid"
	fabric_pids+=($!)
	wait_for 60 grep -qs "Network simulator ready" "$dir/ibsim.log" ||
		fail "ibsim does not start on $net: $(tail -n 3 "$dir/ibsim.log")"
}

fabric_stop() {
	stop_pid "$(cat "$fabric_dir/ibsim.pid")"
}

# GUID of the first of the switches that have the most cables to switches.
fabric_most_cables() { # NET
	awk -F'[="(]' '
		NR == FNR { if (/^Switch/) is[$2] = 1; next }
		/^switchguid/ { guid = $2; n = 0 }
		/^caguid/ { exit }
		/^\[/ && $2 in is && ++n > most { most = n; root = guid }
		END { print root }' "$1" "$1"
}

console() {
	echo "$1" >"$fabric_dir/console"
}

prompts() { grep -ao 'sim> ' "$fabric_dir/ibsim.log" | wc -l; }
console_done() {
	local before
	before=$(prompts)
	console "$1"
	wait_for 60 eval "[ \$(prompts) -gt $before ]" || fail "ibsim does not answer to $1"
}

# Threads, each with its state and the processor time that it has used.
threads_of() { # PID...
	local pid
	for pid; do
		cat /proc/"$pid"/task/*/stat 2>/dev/null
	done | sed 's/.*) //' | cut -d' ' -f1,12,13
}

# For a second no thread has run, or waited for a processor: a busy machine makes it wait longer.
is_still() { # PID...
	local before
	before=$(threads_of "$@")
	[[ $before != *R* ]] || return 1
	sleep 1
	[ "$before" = "$(threads_of "$@")" ]
}

# Replaces the shell it is called in. umad2sim leaves a folder where it runs: the fabric's.
exec_in_fabric() {
	cd "$fabric_dir" || exit 1
	SIM_HOST=$fabric_host LD_PRELOAD=$fabric_preload \
		LD_LIBRARY_PATH=${plugin_path-$ODONATA_BUILD/plugin}:${opensm_libraries:-} exec "$@"
}

in_fabric() {
	(exec_in_fabric timeout "${in_fabric_seconds:-60}" "$@")
}

state_file() {
	local file
	for file in "$fabric_dir"/odonata-*."$1"; do
		echo "$file"
		return
	done
}

has_state() {
	[ -s "$(state_file json)" ]
}

sm_forget() {
	rm -f "${sm_cache:-$fabric_dir}"/*.past
}

sm_start() {
	local conf=$fabric_dir/opensm.conf
	rm -f "$sm_log"
	[ -p "$fabric_dir/sm.console" ] || mkfifo "$fabric_dir/sm.console" || fail "cannot make a console"
	printf '%s\n' "event_plugin_name odonata" "routing_engine odonata" "qos TRUE" \
		"force_log_flush TRUE" "dump_files_dir $fabric_dir" "$@" >"$conf"
	OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=${sm_cache:-$fabric_dir} \
		exec_in_fabric ${sm_under:-} opensm -e -f "$sm_log" -F "$conf" -D 0x43 \
		<>"$fabric_dir/sm.console" >"$fabric_dir/osm.out" 2>&1 &
	echo $! >"$fabric_dir/sm.pid"
	fabric_pids+=($!)
}

sm_console() {
	echo "$1" >"$fabric_dir/sm.console"
}

log_has() { # N REGEX
	[ -f "$sm_log" ] && [ "$(grep -c -E "$2" "$sm_log")" -ge "$1" ]
}

sm_wait_log() {
	wait_for "${3:-60}" log_has "$1" "$2" || fail "opensm's log lacks $1 x '$2'"
}

# Tables of switches that have changed are read back after that; with errors in the sweep they may not be.
sm_wait_up() {
	sm_wait_log "$1" "SUBNET UP" "${2:-120}"
	wait_for 5 sm_confirmed || true
}

sm_rests() {
	local sim=$fabric_dir/ibsim.pid # a second manager has a folder inside
	[ -f "$sim" ] || sim=${fabric_dir%/*}/ibsim.pid
	wait_for 120 is_still "$(cat "$fabric_dir/sm.pid")" "$(cat "$sim")"
}

# The plugin writes its state after that line, in a thread of its own.
sm_confirmed() {
	local sweep folder state
	sweep=$(sed -n 's/.*odonata: .*: sweep \([0-9]*\)$/\1/p' "$sm_log" | tail -n 1)
	[ "$sweep" ] || return 0
	folder=$(sed -n 's/^dump_files_dir //p' "$fabric_dir/opensm.conf" | tail -n 1)
	state=$(grep -ls "\"process\": $(cat "$fabric_dir/sm.pid")," "$folder"/odonata-*.json) || return 1
	[ "$(sed -n 's/^ *"sweep": \([0-9]*\),$/\1/p' "$state")" -ge "$sweep" ] 2>/dev/null &&
		! grep -qs '"outcome": "unconfirmed"' "$state"
}

sm_stop() {
	stop_pid "$(cat "$fabric_dir/sm.pid")"
}

# A stock engine took over after ours had said why it would not.
expect_declined() { # REASON [ENGINE THAT FOLLOWS]
	grep -E "odonata: declined as .*$1" "$sm_log" >/dev/null || fail "not declined for '$1'"
	grep -q "${2:-minhop} tables configured" "$sm_log" || fail "${2:-minhop} did not take over"
	! grep -q "odonata.* tables configured" "$sm_log" || fail "declined and installed"
}

expect_routed() { # [ENGINE]
	grep -q "${1:-odonata} tables configured" "$sm_log" || fail "${1:-odonata} did not route"
}

# The fabric in use comes up by a stock engine, and our log says why.
declined() { # REASON [CONFIGURATION...]
	local reason=$1
	shift
	sm_forget
	sm_start "$@"
	sm_wait_up 1
	expect_declined "$reason"
	sm_stop
	echo "declined: $reason"
}

# Nobody routes, and our log says which option is wrong.
refused() { # REASON [CONFIGURATION...]
	local reason=$1
	shift
	sm_forget
	sm_start "sweep_interval 1" "$@"
	sm_wait_log 1 "No routing engine able to"
	grep -q "odonata: declined as odonata: options are refused: .*$reason" "$sm_log" ||
		fail "not refused for '$reason'"
	! grep -q "tables configured" "$sm_log" || fail "refused and routed"
	sm_stop
	echo "refused: $reason"
}

# The same as `declined` where the plugin did not even offer its engines.
not_registered() { # REASON [CONFIGURATION...]
	local reason=$1
	shift
	sm_start "$@"
	sm_wait_up 1
	grep -E "odonata: not registered: .*$reason" "$sm_log" "$fabric_dir/osm.out" >/dev/null ||
		fail "registered in spite of '$reason'"
	grep -q "minhop tables configured" "$sm_log" || fail "minhop did not take over"
	sm_stop
	echo "not registered: $reason"
}
