#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables of docs/guide/researchers.md that tell what a parameter of BookSim2 or FOGSim is called here: every
# option and every name in their second column is one that the emulator knows.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
names() { # of the rows of a list
	odonata list "$@" | awk 'NR > 1 && NF { print $1 }'
}
known=$(
	names models ofar | sed 's/$/=/'
	for sort in policies topologies; do
		for name in $(names $sort); do names $sort "$name" | sed 's/$/=/'; echo "$name:"; done
	done
	for sort in patterns workloads; do names $sort | sed 's/$/:/'; done
)
[ "$(wc -l <<<"$known")" -gt 100 ] || { echo "too few names: $known"; exit 1; }
# "NAME:a=x,b=y" asks for NAME: and a= and b=, "a=x,b=y" for the options alone. Mixes and changes of patterns are
# taken apart. A word without either is an option of the model, or a name.
asked=$(awk -F ' \\| ' '/^\| `/ { print $2 }' "$ODONATA_SOURCE/docs/guide/researchers.md" | grep -o '`[^`]*`' |
	tr -d '`' | grep -v -e 'trace:FILE' -e '^--\(load\|warmup\|cycles\|steady\|seed\|burst\)' -e '^\(num_vcs\|seeds\|CYCLE\)$' |
	sed 's/^--workload //; s/[A-Z]%//g' | tr '+/' '\n\n' | grep -v '^[A-Z]*$' |
	sed -E 's/^([a-z][a-z0-9-]*):(.*)/\1:\n\2/' | tr ',' '\n' | sed 's/=.*/=/' | grep '[a-z]' | sort -u)
[ "$(wc -l <<<"$asked")" -gt 60 ] || { echo "too few names on the page: $asked"; exit 1; }
failed=0
for name in $asked; do
	case $name in
	*[:=]) grep -qxF -e "$name" <<<"$known" ;;
	*) grep -qxF -e "$name=" -e "$name:" <<<"$known" ;;
	esac || { echo "docs/guide/researchers.md: the emulator knows no \"$name\""; failed=1; }
done
exit $failed
