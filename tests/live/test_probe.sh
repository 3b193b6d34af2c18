#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What switches of the real ibsim can do is reported as ibsim has it; a trial writes one map and leaves what was
# there, as other programs read it; and a switch that does not answer for its maps is counted.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

answer=$FABRIC/answer
expect() { # CODE COMMAND...
	local code=$1 found=0
	shift
	in_fabric "$odonata" "$@" >"$answer" 2>"$answer.err" </dev/null || found=$?
	[ $found = "$code" ] || fail "odonata $*: expected exit code $code, found $found: $(cat "$answer" "$answer.err")"
}
says() { # JSON-CONDITION
	python3 -c "import json, sys; a = json.load(open(sys.argv[1])); assert $1, a" "$answer" || fail "not so: $1"
}

"$odonata" generate torus:k=4x3,c=1,ports=8 --damage 0%,5%,1 -o "$FABRIC/torus.net" || fail generate
fabric_start torus "$FABRIC/torus.net"
guid=$(sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' "$FABRIC/torus.net" | head -n 1)

expect 0 probe live --json
says 'a["switches"] == 12 and a["without_sl2vl"] == 0 and "trial" not in a'
says 'sum(m["switches"] for m in a["models"]) == 12 and len(a["models"]) > 1' # some have fewer cables
says 'all(m["ports"] == 8 and m["vls"] == 8 and m["lft_capacity"] == 30720 and m["sl2vl"] == "yes" for m in a["models"])'

# While a subnet manager runs, too: its maps distinguish SLs.
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
by_tool sl2vl | sort >"$FABRIC/before"
expect 0 probe live --write "$guid" --json
says 'a["trial"]["taken"] and a["trial"]["by_input"] and a["trial"]["restored"] and a["trial"]["output"] > 5'
by_tool sl2vl | sort | cmp - "$FABRIC/before" || fail "the trial left something"

# The switch of the trial answers for no map; then it says so of itself.
name=$(sed -n '/^switchguid/{n;s/^Switch[^"]*"\([^"]*\)".*/\1/p}' "$FABRIC/torus.net" | head -n 1)
console_done "Error \"$name\" 100 23"
expect 1 probe live --json
says 'a["without_sl2vl"] == 1 and [m["example"] for m in a["models"] if m["sl2vl"] == "no answer"] == ["'"$name"'"]'
expect 3 probe live --write "$guid"
grep -q 'maps no SLs: nothing was written' "$answer.err" || fail "$(cat "$answer.err")"
console_done "Error \"$name\" 0 23"

expect 3 probe live --write 0x77
expect 2 probe live --write nothing
expect 2 probe live --shuffle 3
expect 2 probe "$FABRIC/torus.net"
sm_stop

# A cable to an adapter that does not answer is a cable: packets may cross it.
"$odonata" generate torus:k=3x3,c=1,ports=5 -o "$FABRIC/full.net" || fail generate
fabric_start full "$FABRIC/full.net"
name=$(awk -F'"' '/^(Hca|Ca)[ \t]/ { last = $2 } END { print last }' "$FABRIC/full.net")
guid=$(awk -v host="$name" -F'[="(]' '/^switchguid/ { guid = $2 } index($0, "\"" host "\"") { print guid; exit }' \
	"$FABRIC/full.net")
console_done "Error \"$name\" 100"
expect 3 probe live --write "$guid"
grep -q 'has no port without a cable: nothing was written' "$answer.err" || fail "$(cat "$answer.err")"
