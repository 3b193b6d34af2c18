#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# manual.sh ODONATA ODONATA-MANUAL FOLDER: write manual pages and completion into FOLDER.
set -euo pipefail
odonata=$1 manual=$2 to=$3
mkdir -p "$to/man1"
"$manual" man >"$to/man1/odonata.1"
for command in $("$odonata" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	"$manual" man "$command" >"$to/man1/odonata-$command.1"
done
"$manual" bash >"$to/odonata"
"$manual" zsh >"$to/_odonata"
