# Runs what a page shows, and compares what comes out. Source this, then
#
#   run_page PAGE     in the present folder; 1 if something else came out than the page says
#
# Every ```console block of the page counts, in order. Lines that begin with "$ " are commands. All of a
# page run in one shell, so what one exports, defines or starts is there for the next. Lines of "..." stand
# for output that is left out. Numbers may be off by a quarter, so that a change in how detours or the
# emulator work leaves the page true; with $PAGES_EXACT they may not. A block that begins with ```yaml NAME, or
# another language, is a file.
#
# Some blocks are not run, but listed, unless $PAGES_RUN has their word: ```console root (packages, services;
# lines begin with "# ", and no output is compared), ```console sources (builds in the folder of the sources)
# and ```console fabric (a real subnet: tests/build/as_real.sh).

# Compare what came out with a block's lines, where "..." matches any number of lines.
matches() {
	awk -v exact="${PAGES_EXACT:-}" 'NR == FNR { want[++n] = $0; next } { got[++m] = $0 }
	     function same(a, b,   x, y, n, i) {
		     if (a == b) return 1
		     n = split(a, x, " ")
		     if (split(b, y, " ") != n) return 0
		     for (i = 1; i <= n; i++)
			     if (x[i] != y[i] && !(!exact && x[i] ~ /^[0-9.]+$/ && y[i] ~ /^[0-9.]+$/ &&
				 x[i] <= y[i] * 1.25 && y[i] <= x[i] * 1.25)) return 0
		     return 1
	     }
	     function match_from(i, j,   k) {
		     if (i > n) return j > m
		     if (want[i] == "...") {
			     for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1
			     return 0
		     }
		     return j <= m && same(want[i], got[j]) && match_from(i + 1, j + 1)
	     }
	     END { exit !match_from(1, 1) }' "$1" "$2"
}

# Run the command held, if there is one.
page_check() {
	[ -n "$page_command" ] || return 0
	page_ran=$((page_ran + 1))
	eval "$page_command" >"$page_work/out" 2>&1 </dev/null
	local code=$?
	if [ "$page_kind" = root ]; then
		[ $code -eq 0 ] || { echo "$page: # $page_command: $code"; tail -n 20 "$page_work/out"; page_failed=1; }
	elif ! matches "$page_work/want" "$page_work/out"; then
		echo "$page: $page_command"
		diff -u "$page_work/want" "$page_work/out"
		page_failed=1
	fi
	page_command=
}

page_hold() { # LINE
	page_check
	: >"$page_work/want"
	case " ${PAGES_RUN:-} " in
	*" $page_kind "*) page_command=${1#[\$#] } ;;
	*) [ -n "$page_kind" ] && echo "not run: $page: $1" || page_command=${1#[\$#] } ;;
	esac
}

page_lines() {
	local page_command= page_kind= page_block= page_line
	while IFS= read -r page_line <&9; do
		case $page_block:$page_line in
		:'```console'*)
			page_block=console page_kind=${page_line#'```console'}
			page_kind=${page_kind# }
			;;
		:'```'[a-z]*' '*)
			page_block=file page_file=${page_line#* }
			mkdir -p "$(dirname "$page_file")"
			: >"$page_file"
			;;
		:'```'*) page_block=other ;;
		*:'```')
			page_check
			page_block=
			;;
		console:'$ '*) page_hold "$page_line" ;;
		console:'# '*)
			case $page_kind in
			root | fabric) page_hold "$page_line" ;;
			*) printf '%s\n' "$page_line" >>"$page_work/want" ;;
			esac
			;;
		console:*) printf '%s\n' "$page_line" >>"$page_work/want" ;;
		file:*) printf '%s\n' "$page_line" >>"$page_file" ;;
		esac
	done 9<"$ODONATA_SOURCE/$page"
}

run_page() (
	page=$1
	page_failed=0 page_ran=0 page_work=$(mktemp -d)
	set +u
	page_lines
	[ $page_ran -gt 0 ] || { echo "$page: no commands"; page_failed=1; }
	# What the page has left running: asked, and a moment later made to end.
	page_jobs=$(jobs -p)
	if [ -n "$page_jobs" ]; then
		kill $page_jobs 2>/dev/null
		(sleep 5; kill -9 $page_jobs) 2>/dev/null &
		wait $page_jobs 2>/dev/null
		kill $! 2>/dev/null
	fi
	rm -rf "$page_work"
	exit $page_failed
)
