#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No reader takes time with the square of its input: instructions are counted (valgrind) for files that a repeated line,
# a long word or many brackets make 12 KB longer, and four times as much.
#   slow_linear.sh BUILD [READER...]
set -u
build=$(realpath "$1")
shift
corpus=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")/tests/data/corpus
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v valgrind >/dev/null || { echo "valgrind is missing" >&2; exit 1; }
[ $# -gt 0 ] || set -- $(cd "$corpus" && ls)
python3 - "$build/tests" "$corpus" "$work" "$@" <<'PYTHON'
import os
import re
import subprocess
import sys

programs, corpus, work, readers = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
MOST = 8       # times as many instructions for four times as much; a square is 16
LEAST = 20000  # instructions below which the start of a program counts for more


def count(reader, text):
    with open(work + "/input", "wb") as to:
        to.write(text)
    ran = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          "%s/fuzz_%s" % (programs, reader), "0", work + "/input"], capture_output=True, cwd=work)
    found = re.search(rb"Collected : (\d+)", ran.stderr)
    assert found, "%s: valgrind counted nothing: %s" % (reader, ran.stderr[-300:])
    return int(found[1])


def line_again(text, n):
    lines = text.splitlines(True)
    middle = lines[len(lines) // 2] if lines else b"a\n"
    at = len(lines) // 2
    return b"".join(lines[:at]) + middle * (n // len(middle) + 1) + b"".join(lines[at:])


def inserted(what):
    def make(text, n):
        at = len(text) // 2
        return text[:at] + what * (n // len(what)) + text[at:]
    return make


KINDS = {"a line again": line_again, "whole text again": lambda text, n: text * (n // max(1, len(text)) + 1)}
for what in b"a", b" ", b"9", b"[", b"{", b'{"a":', b"- ", b"a,", b"\\", b'"', b"\n", b"#":
    KINDS[repr(what.decode())] = inserted(what)

bad = 0
for reader in readers:
    seeds = sorted((os.path.getsize(e.path), e.path) for e in os.scandir("%s/%s" % (corpus, reader)))
    seed = open(seeds[len(seeds) // 2][1], "rb").read()[:8000]
    least = count(reader, seed)
    worst = (0, "")
    for kind, make in KINDS.items():
        few, many = (count(reader, make(seed, n)) - least for n in (12000, 48000))
        if many > LEAST * 4:
            worst = max(worst, (many / max(few, LEAST), kind))
    print("%s: at most %.1f times (%s)" % (reader, *worst), flush=True)
    bad += worst[0] > MOST
sys.exit(bad > 0)
PYTHON
