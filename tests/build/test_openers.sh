#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Comments name who acts: few of their sentences begin with a pronoun in place of a noun (docs/conventions.md). The
# ceiling is the share of today, in hundredths of a percent. It goes down, never up.
ceiling=50
cd "${ODONATA_SOURCE:-$(dirname "$0")/../..}" || exit 1
python3 - "$ceiling" <<'END'
import re, subprocess, sys

OPENER = re.compile(r"(What|Who|Where|Whose|Whether|Of|One|All|Those|Such|That|Nothing|Nor|Others?)\b")
files = subprocess.run(["git", "ls-files", "*.[ch]"], capture_output=True, text=True).stdout.split()
sentences, openers = 0, []
for name in files:
    if name.startswith(("tests/", "bench/")):
        continue
    text = open(name, errors="replace").read()
    for comment in re.finditer(r"/\*(.*?)\*/", text, re.S):
        words = " ".join(re.sub(r"^\s*\*+", " ", comment.group(1), flags=re.M).lstrip("*< \n\t").split())
        for sentence in re.split(r"(?<=[.:;!?]) ", words):
            if len(sentence.split()) < 3 or sentence.startswith(("SPDX", "@")):
                continue
            sentences += 1
            if OPENER.match(sentence):
                openers.append("%s:%d: %s" % (name, text.count("\n", 0, comment.start()) + 1, sentence[:100]))
share = 10000 * len(openers) / max(sentences, 1)
print("%d of %d sentences (%.2f %%) begin with a pronoun, at most %.2f %%" % (len(openers), sentences, share / 100,
      int(sys.argv[1]) / 100))
if share > int(sys.argv[1]):
    print("\n".join(openers))
    sys.exit(1)
END
