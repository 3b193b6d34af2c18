#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What takes longer than five seconds tells so on a terminal, with the time left where it is known; and nowhere
# else. The commands would take minutes: they are stopped while the five seconds pass, which takes no processor
# time, and ended as soon as they have told.
export PATH=$1/cli:$PATH
exec python3 - <<'END'
import atexit, os, pty, re, select, shutil, signal, subprocess, tempfile, time

FIRST, RUN, STOP, ROUNDS = 0.4, 1.5, 5.5, 100  # s, s, s; a busy machine needs more rounds

class Talk:
    """A command, and what it tells a terminal."""
    def __init__(self, words, wanted):
        self.words, self.wanted, self.told = words, wanted, ""
        self.here, there = pty.openpty()
        self.child = subprocess.Popen(words.split(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=there, start_new_session=True)
        os.close(there)

    def read(self):
        while select.select([self.here], [], [], 0)[0]:
            try:
                self.told += os.read(self.here, 1000).decode()
            except OSError:  # it has ended
                break

    def is_over(self):
        ended = self.child.poll() is not None
        self.read()
        return ended or re.search(self.wanted, self.told)

def send(children, number):
    for child in children:
        if child.poll() is None:
            os.killpg(child.pid, number)

def end(child):
    send([child], signal.SIGKILL)
    child.wait()

folder = tempfile.mkdtemp()
os.mkdir(folder + "/own")
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
    "odonata map dragonfly:a=32,h=16,p=0,g=400 --miscable 5% --shuffle 1": r"\rmapping, at most [0-9]+ s left",
    "odonata route random:n=9000,d=20,c=1 -e layered": r"\r(pricing layered paths|routing, layered)" + left,
    "odonata analyze paper-flatfly -e updown -p worst":
        r"\rlooking for the worst permutation, at most [0-9]+ s left",
    "odonata export flatfly:k=16x16x16,c=4 -f fdbs -o /dev/null": r"\rwriting LFTs with hops" + left,
    "odonata emulate paper-flatfly -l saturation":
        r"\rsearching for saturation, load [0-9]+ of at most [0-9]+" + left,
    "odonata experiment %s/search.yaml --folder %s/own" % (folder, folder): r"\r0 of 1 points" + left,
    "odonata reproduce --manifest %s/papers.yaml" % folder: r"points to run: 1, figures: 1; ",
    compare: r"\r(updown, [135]|torus, [246]) of 6" + left, # in this order
    plan: r"\r[a-z-]+:\S+, [2-9] of [0-9]+" + left,
    report: r"\remulating uniform, 1 of [0-9]+" + left,
    bounds: r"\rfinding bounds" + left,
}
quiet = {words: subprocess.Popen(words.split(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 start_new_session=True) for words in (losses, report)}
talks = [Talk(*row) for row in wanted.items()]
left = talks
for n in range(ROUNDS):
    children = [talk.child for talk in left] + (list(quiet.values()) if n < 3 else [])
    send(children, signal.SIGCONT)
    time.sleep(RUN if n else FIRST)
    over = [talk for talk in left if talk.is_over()]
    left = [talk for talk in left if talk not in over]
    for talk in over:
        end(talk.child)
    if not left and n >= 2:
        break
    send(children, signal.SIGSTOP)
    time.sleep(STOP)
for child in [talk.child for talk in left] + list(quiet.values()):
    end(child)
for talk in talks:
    assert re.search(talk.wanted, talk.told), f"{talk.words}: expected {talk.wanted}, found {talk.told!r}"
for words, child in quiet.items():
    told = child.stderr.read()
    assert not told, f"{words} without a terminal: {told!r}"
END
