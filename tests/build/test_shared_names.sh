#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A stack trace can be read: few functions of different files have the same name (docs/conventions.md). Variants of a
# function in one file, between #ifdef and #else, count once. The ceiling is today's number. It goes down, never up.
ceiling=8
cd "${ODONATA_SOURCE:-$(dirname "$0")/../..}" || exit 1
python3 - "$ceiling" <<'END'
import collections, os, re, sys

FUNCTION = re.compile(r"^(?:static |ALWAYS_INLINE |NEVER_INLINE |inline |const )*[a-z_][\w ]*[ *]+(\w+)\([^;{]*\)\s*\{", re.M)
files = collections.defaultdict(set)
for folder, folders, names in os.walk("."):
    folders[:] = [f for f in folders if not f.startswith((".", "build")) and f not in ("tests", "tools")]
    for name in names:
        if name.endswith((".c", ".h")):
            path = os.path.join(folder, name)[2:]
            for function in FUNCTION.findall(open(path, errors="replace").read()):
                files[function].add(path)
files.pop("main", None)
shared = {name: paths for name, paths in files.items() if len(paths) > 1}
ceiling = int(sys.argv[1])
print("%d of %d function names are shared by several files, at most %d" % (len(shared), len(files), ceiling))
if len(files) < 3000:
    sys.exit("expected some thousand functions")
if len(shared) > ceiling:
    for name, paths in sorted(shared.items()):
        print(name + ": " + " ".join(sorted(paths)))
    sys.exit(1)
END
