# Pages in headless Chromium. Source this where `work` is a folder, and `fail` ends the test.
command -v chromium >/dev/null || fail "expected chromium, found none"

# browse PAGE[#WHAT] [OPTION...]: `dom` is what the page has become. Names have no address here.
browse() {
	local page=$1
	shift
	timeout 120 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=20000 \
		--user-data-dir="$work/profile" --host-resolver-rules="MAP * ~NOTFOUND" --disable-background-networking \
		"$@" --dump-dom "file://$work/$page" >dom 2>log || fail "$page: $(tail -n 3 log)"
}
console() { grep -E 'CONSOLE|Uncaught|Refused to' log; }
