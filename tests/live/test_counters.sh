#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Port counters of a live subnet, which the real ibsim keeps: totals, and what came in an interval, beside
# what a traffic would have put on each cable.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

answer=$FABRIC/answer
analyze() { # OPTION...
	in_fabric "$odonata" analyze live "$@" >"$answer" 2>"$answer.err" ||
		fail "analyze $*: $(cat "$answer.err")"
}
holds() { # PYTHON: of `a`, the answer, and `rows`, by name and port
	python3 -c '
import json, sys
a = json.load(open(sys.argv[1]))
rows = {(r["from"], r["from_port"]): r for r in a["counters"]}
order = [r["sent_mb"] for r in a["counters"]]
assert order == sorted(order, reverse=True), "not worst first"
assert '"$1"', [a["counters"][:4], len(rows)]' "$answer" || fail "$1"
}
# Between the two readings of analyze --counters=N, which sleeps then.
sleeps() { grep -q nanosleep "/proc/$1/wchan"; } # PID
analyze_while() { # FUNCTION OPTION...
	local between=$1 status=0
	shift
	exec_in_fabric "$odonata" analyze live "$@" >"$answer" 2>"$answer.err" &
	wait_for 60 sleeps $! || fail "it does not wait"
	$between
	wait $! || fail "analyze $*: $(cat "$answer.err")"
}
count() { # NODE[PORT] COUNTER=VALUE
	console "PerformanceSet $1 $2"
	wait_for 5 grep -q "${2%=*} has been set to ${2#*=}" "$fabric_dir/ibsim.log" || fail "ibsim does not count $2"
}

"$odonata" generate dragonfly:p=1,a=3,h=2 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start
sm_wait_up 1
count '"g0r0"[2]' PortCountersExtended.PortXmitData=50000000
count '"g0r0"[2]' PortCounters.PortXmitWait=1000
count '"g0r0"[3]' PortCounters.SymbolErrorCounter=7
count '"g1r0"[3]' PortCounters.LinkDownedCounter=3
count '"H3_0"[1]' PortCountersExtended.PortXmitData=6000000000
analyze --counters --json
# Each cable twice, once from each end; MADs are counted, too. Words of 4 bytes.
holds 'len(rows) == 2 * 63 and a["seconds"] is None and "not_read" not in a'
holds 'abs(rows["g0r0", 2]["sent_mb"] - 200) < 5 and rows["g0r0", 2]["wait"] == 1000'
holds 'rows["g0r0", 3]["symbol_errors"] == 7 and rows["g1r0", 3]["link_downed"] == 3'
holds 'a["counters"][0]["from"] == "H3_0" and abs(a["counters"][0]["sent_mb"] - 24000) < 5'
# As much is predicted as was sent, and uniform traffic loads all hosts alike.
holds 'abs(sum(r["predicted_mb"] for r in rows.values()) / sum(order) - 1) < 0.001'
holds 'len({round(r["predicted_mb"], 3) for (n, p), r in rows.items() if n[0] == "H"}) == 1'
holds '"load" not in rows["g0r0", 2]'
# Counters above their thresholds, those that infiniband-diags ships or a file's, the most above first.
count '"g1r0"[2]' PortCounters.PortXmitDiscards=1500
count '"g2r0"[1]' PortCounters.LinkErrorRecoveryCounter=250
analyze --counters --json
holds '[(r["from"], r["from_port"], r["counter"], r["count"], r["threshold"]) for r in a["errors"]] == [
	("g2r0", 1, "LinkErrorRecoveryCounter", 250, 10), ("g1r0", 2, "PortXmitDiscards", 1500, 100)]'
printf '# ours\nSymbolErrorCounter = 6\nPortXmitDiscards=2000 # much\nLinkErrorRecoveryCounter=250\n' >"$FABRIC/thresholds"
analyze --counters --thresholds "$FABRIC/thresholds" --json
holds '[(r["from"], r["counter"], r["threshold"]) for r in a["errors"]] == [("g0r0", "SymbolErrorCounter", 6)]'
echo SymbolErrors=6 >"$FABRIC/thresholds"
in_fabric "$odonata" analyze live --counters --thresholds "$FABRIC/thresholds" >"$answer" 2>&1
[ $? -eq 3 ] && grep -q 'thresholds:1: expected a counter of ibqueryerrors' "$answer" || fail "bad thresholds: $(cat "$answer")"

# Series of Prometheus, named as other exporters name them; each has its head once, and each port one value.
analyze --counters --prometheus
python3 - "$answer" <<'END' || fail "series: $(head -20 "$answer")"
import re, sys
values, types = {}, []
for line in open(sys.argv[1]):
    head = re.fullmatch(r"# (HELP|TYPE) (\S+) .*\n", line)
    if head:
        types += [head[2]] if head[1] == "TYPE" else []
        continue
    name, labels, value = re.fullmatch(r'(\w+)\{(.*)\} (\S+)\n', line).groups()
    label = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
    key = name, label.get("switch", label.get("hca")), int(label["port"])
    assert key not in values and name in types, key
    values[key] = float(value)
assert len(types) == len(set(types)) == 2 * 16, types
assert len(values) == 16 * 2 * 63, len(values)
port = "infiniband_switch_port_"
assert values[port + "symbol_error_total", "g0r0", 3] == 7
assert values[port + "link_downed_total", "g1r0", 3] == 3
assert values[port + "transmit_discards_total", "g1r0", 2] == 1500
assert values[port + "transmit_wait_total", "g0r0", 2] == 1000
assert abs(values[port + "transmit_data_bytes_total", "g0r0", 2] - 2e8) < 5e6
assert values[port + "rate_bytes_per_second", "g0r0", 2] == 4e9
assert abs(values["infiniband_hca_port_transmit_data_bytes_total", "H3_0", 1] - 2.4e10) < 5e6
assert abs(values["odonata_hca_port_predicted_load", "H3_0", 1] - 1) < 1e-9
END
in_fabric "$odonata" analyze live --counters=2 --prometheus >"$answer" 2>&1
[ $? -eq 2 ] || fail "rates are no counters: $(cat "$answer")"

analyze --counters
grep -qE '^  H3_0 .* 24000 ' "$answer" || fail "no table: $(cat "$answer")"

# In an interval only what came in it, as a share of what the cable carries: 100 MB of 4x QDR, 32 Gb/s.
more() { count '"g0r0"[2]' PortCountersExtended.PortXmitData=75000000; }
analyze_while more --counters=4 --json
holds '4 <= a["seconds"] and abs(rows["g0r0", 2]["sent_mb"] - 100) < 5'
holds 'rows["g0r0", 2]["wait"] == 0 and rows["g0r0", 3]["symbol_errors"] == 0 and rows["H3_0", 1]["sent_mb"] < 5'
holds 'abs(rows["g0r0", 2]["load"] * 32e9 * a["seconds"] / 8e6 - rows["g0r0", 2]["sent_mb"]) < 0.01'

# A flow that is known: each port on its way, as ibtracert has it, counts 400 MB, and that is what the tables
# let expect there, and nothing elsewhere. Were a cable's two ends or directions mixed up, they would differ.
printf '%s\n' 'flows 1' '0x0d0a000000400016 0x0d0a000000400019' >"$FABRIC/one.flows"
in_fabric ibtracert 22 25 2>/dev/null | sed -nE 's/^(From|\[([0-9]+)\] ->) .*"([^"]*)"$/\2 \3/p' | awk '
	NR > 1 { printf "\"%s\"[%s]\n", from, $1 } { from = $NF }' >"$FABRIC/way"
[ "$(wc -l <"$FABRIC/way")" -ge 3 ] || fail "no way: $(cat "$FABRIC/way")"
flow() {
	while read -r port; do console_done "PerformanceSet $port PortCountersExtended.PortXmitData=7000000000"; done <"$FABRIC/way"
}
while read -r port; do count "$port" PortCountersExtended.PortXmitData=6900000000; done <"$FABRIC/way"
analyze_while flow --counters=4 --pattern "flows:$FABRIC/one.flows" --json
way="set(open('$FABRIC/way').read().split())"
holds "{f'\"{n}\"[{p}]' for (n, p), r in rows.items() if abs(r['predicted_mb'] - 400) < 5} == $way"
holds "all(abs(r['sent_mb'] - r['predicted_mb']) < 5 and (r['sent_mb'] > 5) == (r['predicted_mb'] > 5) for r in rows.values())"

# Where the extended counters (attribute 29) do not answer, the others do; a host of which neither does
# (18) is named.
console 'Error "g0r1" 100 29'
console 'Error "H2_0" 100 18'
count '"g0r1"[2]' PortCounters.PortXmitData=25000000
analyze --counters --json
holds 'abs(rows["g0r1", 2]["sent_mb"] - 100) < 5'
holds '[(x["table"], x["of"]) for x in a["not_read"]] == [("port counters", "H2_0")] and ("H2_0", 1) not in rows'

# Where they cease to answer within the interval, nothing is taken from them.
deaf() { console_done 'Error "g0r2" 100 29'; }
analyze_while deaf --counters=4 --json
holds '("port counters", "g0r2") in [(x["table"], x["of"]) for x in a["not_read"]]'
holds 'not any(n == "g0r2" for n, p in rows) and ("g0r1", 2) in rows'
sm_stop

"$odonata" analyze "$FABRIC/dragonfly.net" --counters 2>"$answer.err" && fail "counters of a file"
grep -q '^odonata analyze: --counters: expected the FABRIC live' "$answer.err" || fail "$(cat "$answer.err")"
echo "counters are read, of a time and since they were cleared, and set beside what is predicted"
