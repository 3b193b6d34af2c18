#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A report that emulates names its model, and what it found is what `odonata emulate` finds with that model, seed and
# cycles. Without --emulate a model has no use.
set -u
build=$(cd "$1" && pwd)
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >same.py <<'END'
import json, subprocess, sys
fabric = "torus:k=3x3,c=1,speed=ndr"

def answer(*words):
    return json.loads(subprocess.run(["odonata", *words, "--json"], capture_output=True, text=True, check=True).stdout)

def check(seed, *model):
    report = answer("report", fabric, "--emulate", "--seed", seed, *model)
    emulation = report["emulation"]
    assert emulation["seed"] == seed, emulation
    for row in report["saturations"]:
        found = answer("emulate", fabric, "--pattern", row["traffic"], "--load", "saturation",
                       "--model", emulation["model"], "--seed", emulation["seed"],
                       "--warmup", str(emulation["warmup_asked"]), "--cycles", str(emulation["cycles_asked"]))
        for key in "model", "model_of", "model_changes", "units", "version", "seed":
            assert emulation.get(key) == found.get(key), (key, emulation, found)
        assert row["active_hosts"] == found["active_hosts"], (row, found)
        for mine, its in (("sustained_load", "sustained_load"), ("accepted_at_full_offer", "accepted_at_full_offer"),
                          ("latency_at_sustained", "latency_at_sustained")):
            assert row[mine] == found[its], (mine, row, found)
    assert min(row["active_hosts"] for row in report["saturations"]) == 8, "complement keeps a host silent"
    return emulation["model"], emulation.get("units", {}).get("cycle_ns")

assert check("1") == ("ofar", None)
assert check("18446744073709551615", "--model", "infiniband:packet=4KiB") == ("infiniband:packet=4KiB", 1.28)
END
python3 same.py || exit 1
odonata report torus:k=3x3,c=1 --model infiniband -o page.html 2>err
[ $? = 2 ] && grep -q -- '--model: expected --emulate beside it' err && [ ! -e page.html ] || exit 1

# A file with a line that is not understood may lack the cables between its parts, and stays one fabric. A traffic that
# crosses the parts is left out, and the others are emulated.
odonata generate torus:k=3x3,c=1 --format ibnetdiscover -o one.net || exit 1
sed 's/ lid [0-9]*//g' one.net >parts.net
sed 's/"\([A-Za-z]\)/"other-\1/g; s/0a000000/0b000000/g; s/ lid [0-9]*//g' one.net >>parts.net
echo 'a line that nobody understands' >>parts.net
odonata report parts.net --emulate --json -o parts.json || exit 1
python3 - <<'END'
import json
report = json.load(open("parts.json"))
assert [row["traffic"] for row in report["saturations"]] == ["uniform"], report["saturations"]
assert any(row["what"] == "emulating complement" and "--part N" in row["why"] for row in report["left_out"]), report["left_out"]
END
