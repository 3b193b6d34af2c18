# Pages in headless Chromium. Source this: it goes to a folder of its own, which is deleted at the end.
build=$1
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	exit 1
}
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
