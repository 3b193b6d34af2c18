#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every example that --help and the manual show runs, and ends with the exit code it claims.
set -u
build=$1
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$ODONATA_SOURCE/configs/quick.yaml" .
cp "$ODONATA_SOURCE/tests/data/state.json" .
mkdir -p docs/results states
cp state.json states/odonata-0123456789abcdef.json
grep -q "name: kim-fig09" "$ODONATA_SOURCE/docs/results/papers.yaml" || exit 1
sed 's/name: quick/name: kim-fig09\n    experiment: quick/' "$ODONATA_SOURCE/tests/data/papers.yaml" >docs/results/papers.yaml
odonata-manual examples >examples || exit 1
failed=0
n=0
while IFS=$'\t' read -r expected line; do
	n=$((n + 1))
	bash -c "$line" >out 2>err </dev/null
	code=$?
	if [ "$code" -ne "$expected" ]; then
		echo "$line"
		echo "  expected exit code $expected, found $code: $(head -c 300 err)"
		failed=1
	elif [[ $line == *--json* ]] && ! odonata-manual json <out; then
		echo "$line"
		echo "  expected JSON, found: $(head -c 300 out)"
		failed=1
	fi
done <examples
[ $n -gt 0 ] || { echo "no examples"; failed=1; }
exit $failed
