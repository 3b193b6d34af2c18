#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An answer of `odonata emulate` suffices to repeat its run: options are built from its fields alone, and the second
# answer has the same bytes. A file whose contents changed is seen from the answer. Figures agree with each other.
set -u
build=$(cd "$1" && pwd)
export LC_ALL=C PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

odonata generate dragonfly:p=2,a=4,h=2,speed=ndr --format ibnetdiscover -o whole.net || exit 1
guids=$(grep -o 'd0a[0-9a-f]*' whole.net | sort -u)
printf '0x%s\n' "$(sed 1q <<<"$guids")" >guids
odonata export whole.net -f lfts -o whole.lfts || exit 1
odonata analyze whole.net --pattern worst --flows some.flows >/dev/null || exit 1
printf 'trace 1\nranks 2\nrank 0\ncompute 10us\nsend 1 65536 after 1\nrank 1\nrecv 0 65536\n' >two.trace
printf 'qos_vlarb_high 0:64,1:1\nqos_vlarb_low 0:1,1:64\n' >vlarb.conf

cat >repeat.py <<'END'
import json, subprocess, sys

def emulate(words):
    done = subprocess.run(["odonata", "emulate", *words, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stdout, (words, done.stderr)
    return done.stdout

def options(a):
    words = [a["fabric"]] + a.get("fabric_changes", "").split() + a.get("routing_options", "").split()
    words += ["--model", a["model"], "--seed", a["seed"], "--cycles", str(a["cycles_asked"])]
    for key in "pattern", "workload", "policy", "vlarb", "ranks", "placement":
        if key in a:
            words += ["--" + key, str(a[key])]
    if "burst" in a:
        words += ["--burst", str(a["burst"])]
    elif "burst_bytes" in a:
        words += ["--burst", f"{a['burst_bytes'] // 1024}KiB"]
    elif "workload" not in a:
        words += ["--load", a["load_asked"], "--warmup", str(a["warmup_asked"])]
    return words + ["--steady"] * a.get("steady", False)

def near(a, b):
    return abs(a - b) <= 2e-5 * max(abs(a), abs(b))

def check_figures(a):
    """Packets, loads and times are three ways to tell the same."""
    for p in a.get("points", []):
        units = a.get("units")
        if not units:
            assert "seconds" in a["times_are"], a
            continue
        assert "times_are" not in a
        seconds = p["measured_cycles"] * units["cycle_ns"] * 1e-9
        sent = p["accepted"] * units["load_1_GB_per_s"] * 1e9 * seconds * a["active_hosts"]
        if "pattern" in a:
            assert near(sent, p["packets"] * units["packet_bytes"]), (sent, p)
        assert near(p["real"]["measured_us"], seconds * 1e6)
        assert near(p["real"]["packets_per_s"] * seconds * a["active_hosts"], p["packets"]), p
        assert near(p["real"]["latency_us"]["mean"], p["latency"]["mean"] * units["cycle_ns"] * 1e-3)

failed = without = 0
for line in open("lines"):
    words = line.split()
    first = emulate(words)
    a = json.loads(first)
    again = emulate(options(a))
    if again != first:
        failed += 1
        print("not repeated:", line.strip(), "by", *options(a))
    check_figures(a)
    if a.pop("routing_options", None):
        without += json.loads(emulate(options(a)))["points"] != a["points"]
# Were the routing's options of no effect, their absence would go unnoticed above.
assert without >= 3, without
before = json.loads(emulate(["whole.net", "--load", "0.1", "--cycles", "100"]))["contents"]
open("whole.net", "a").write("# a comment\n")
after = json.loads(emulate(["whole.net", "--load", "0.1", "--cycles", "100"]))["contents"]
assert before != after and before.startswith("whole.net: "), (before, after)
sys.exit(failed > 0)
END
cat >lines <<'END'
whole.net --vls 1 --load 0.333333333333 --cycles 1000 --warmup 500
whole.net --sls any --load 0.4 --cycles 1000 --warmup 500
whole.net --engine updown --roots guids --load 0.4 --cycles 1000 --warmup 500
whole.net --tables whole.lfts --load 20%,0.1 --cycles 1000 --warmup 500
dragonfly:p=2,a=4,h=2 --lmc 1 --spread-lids --load 0.5 --cycles 1000 --warmup 500
whole.net --model infiniband --load 10GB/s --warmup 3us --cycles 5us --seed 18446744073709551615
whole.net --model infiniband:packet=4KiB,pipeline=100ns --pattern flows:some.flows --load 0.2 --cycles 5us
whole.net --model infiniband --workload trace:two.trace --ranks 2 --placement random --seed 3
whole.net --policy ofar --pattern advg:n=1 --load 0.2 --cycles 1000 --steady
whole.net --vlarb vlarb.conf --load 0.3 --cycles 1000
whole.net --load saturation --cycles 500 --warmup 500
dragonfly:p=2,a=4,h=2,speed=ndr --damage 5%,5%,2 --miscable 1%,3 --shuffle 4 --load 0.3 --cycles 1000
torus:k=4x6,c=1,speed=edr,host-speed=fdr --model infiniband --pattern complement --load 50% --cycles 20us
torus:k=4x6,c=1 --workload ring:bytes=4096 --ranks 5 --placement group
torus:k=4x6,c=1 --burst 10 --pattern complement
torus:k=4x6,c=1 --burst 64KiB --model infiniband
END
python3 repeat.py
