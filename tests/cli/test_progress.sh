#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What takes longer than five seconds tells so on a terminal, with the time left where it is known; and nowhere
# else. The commands would take minutes, and are ended as soon as they have told.
export PATH=$1/cli:$PATH
exec python3 - <<'END'
import atexit, concurrent.futures, os, pty, re, shutil, signal, subprocess, tempfile, time

def talk(words, wanted):
    """What a command tells a terminal, up to the wanted text."""
    here, there = pty.openpty()
    child = subprocess.Popen(words.split(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=there)
    os.close(there)
    told = ""
    while not re.search(wanted, told):
        try:
            more = os.read(here, 1000).decode()
        except OSError:
            break
        told += more
    child.send_signal(signal.SIGTERM)
    child.wait()
    os.close(here)
    assert re.search(wanted, told), f"{words}: expected {wanted}, found {told!r}"

folder = tempfile.mkdtemp()
atexit.register(shutil.rmtree, folder)
with open(folder + "/search.yaml", "w") as f:
    f.write("""name: search
title: One search
fabric: paper-flatfly
curves: [{name: dor, routing: "tables:dor"}]
patterns: [uniform]
measure: saturation
warmup: 2000
measured: 4000
""")

with open(folder + "/papers.yaml", "w") as f:
    f.write("""papers: [{number: "001", title: A paper, authors: Somebody}]
figures:
  - {name: search, paper: "001", figure: Table 1, title: One, config: search.yaml, results: search.csv}
  - {name: same, paper: "001", figure: Table 2, title: The same, config: search.yaml, experiment: search, results: search.csv}
""")

losses = "odonata whatif torus:k=8x8x8,c=2"
compare = "odonata compare torus:k=12x12x12,c=2 --engines updown,torus,updown,torus,updown,torus"
plan = "odonata plan -n 4000 -r 64 --tables 5000"
report = "odonata report --json --emulate dragonfly:p=4,a=8,h=4"
bounds = "odonata analyze --bounds dragonfly:p=4,a=16,h=8"
left = ", [0-9]+ (s|min|h) left"
wanted = {
    losses: r"\r[0-9]+ of 2048 losses" + left,
    "odonata map dragonfly:a=64,h=32,p=0,g=450 --miscable 5% --shuffle 1": r"\rmapping, at most [0-9]+ s left",
    "odonata route random:n=9000,d=20,c=1 -e layered": r"\r(pricing layered paths|routing, layered)" + left,
    "odonata analyze paper-flatfly -e updown -p worst":
        r"\rlooking for the worst permutation, at most [0-9]+ s left",
    "odonata export flatfly:k=16x16x16,c=4 -f fdbs -o /dev/null": r"\rwriting LFTs with hops" + left,
    "odonata emulate paper-flatfly -l saturation":
        r"\rsearching for saturation, load [0-9]+ of at most [0-9]+" + left,
    "odonata experiment %s/search.yaml --folder %s" % (folder, folder): r"\r0 of 1 points" + left,
    "odonata reproduce --manifest %s/papers.yaml" % folder: r"points to run: 1, figures: 1; ",
    compare: r"\r(updown, [135]|torus, [246]) of 6" + left, # in this order
    plan: r"\r[a-z-]+:\S+, [2-9] of [0-9]+" + left,
    report: r"\remulating uniform, 1 of [0-9]+" + left,
    bounds: r"\rfinding bounds" + left,
}
with concurrent.futures.ThreadPoolExecutor(len(wanted)) as pool:
    list(pool.map(talk, wanted, wanted.values()))

each = [bounds, losses, compare, plan, report]
quiet = [subprocess.Popen(words.split(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for words in each]
time.sleep(8)
for words, child in zip(each, quiet):
    child.terminate()
    told = child.stderr.read()
    assert not told, f"{words} without a terminal: {told!r}"
END
