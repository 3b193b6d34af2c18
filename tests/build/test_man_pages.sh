#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Manual pages that are written by hand: groff has no warning, and odonata.conf(5) has the options of the plugin and
# of the sample, with the limits and defaults of plugin/config/options.c. The others are written by the build (cli/manual.c).
set -u
cd "$ODONATA_SOURCE/packaging" || exit 1
failed=0
fail() { echo "$@"; failed=1; }
for page in man/*; do
	! command -v groff >/dev/null || warnings=$(LC_ALL=C groff -man -ww -z "$page" 2>&1)
	[ -z "${warnings:-}" ] || fail "$page: $warnings"
	[[ ${page##*/} = *.[57] ]] && head -n 2 "$page" | grep -q '^\.TH ' || fail "$page: no .TH"
done
sample=$(sed -n 's/^#\([a-z_]*\)=.*/\1/p' odonata.conf | sort)
options=$(sed -nE '/^\.SH OPTIONS/,/^\.SH EXAMPLE/ s/^\.BI? ([a-z_]*)=.*/\1/p' man/odonata.conf.5 | sort)
[ -n "$options" ] && diff <(echo "$sample") <(echo "$options") || fail "odonata.conf (<) and its page (>) differ"
for name in $(sed -nE 's/.*\.name = "([a-z_]+)".*/\1/p' ../plugin/config/options.c); do
	grep -qx "$name" <<<"$options" || fail "odonata.conf(5) lacks $name"
done
for name in flap_limit flap_window flap_hold read_back_seconds read_back_rate; do
	value=$(sed -n "s/^#$name=//p" odonata.conf)
	grep -A 9 "^\.BI $name=" man/odonata.conf.5 | grep -q "^Default: $value\.$" || fail "$name: expected default $value"
done
exit $failed
