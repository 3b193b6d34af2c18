#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/guide/fabric.md explains every line that `odonata map` prints, and no other.
set -u
cd "$ODONATA_SOURCE" || exit 1
# Fields of the answer itself: "cli_put(answer, ...)", not those of rows.
said=$(sed -n '/^void cli_answer_fabric/,/^}/p; /^void cli_answer_parts/,/^}/p' cli/answers.c |
	cat - cli/command.c cli/commands/map.c cli/parts/rails.c | tr '\n' ' ' |
	grep -oE '(cli_put[a-z_]*|put_fault_rows|json_object_set(_new)?)\((a|answer),[[:space:]]*"[a-z_]+"' |
	sed 's/.*"\(.*\)"/\1/; s/_/ /g' | sort -u)
told=$(sed -n '/^## Every line of the report/,/^## Slow/p' docs/guide/fabric.md | sed -n 's/^| \(`[^|]*\) |.*/\1/p' |
	grep -o '`[^`]*`' | tr -d '`' | sort -u)
[ "$(wc -l <<<"$said")" -ge 15 ] || { echo "found too few lines: $said"; exit 1; }
diff <(echo "$said") <(echo "$told") || { echo "left: printed by odonata map; right: in docs/guide/fabric.md"; exit 1; }
