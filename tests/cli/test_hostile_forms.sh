#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each name of a fabric means harm to some form of output (tests/forms.py). Every writer is asked, and what it writes
# is read by parsers without our code.
set -u
odonata=$(realpath "$1/cli/odonata")
tests=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C SOURCE_DATE_EPOCH=1
cd "$work" || exit 1
failed=0 n=0

is() { # FORM FILE WHAT: is judged at the end
	n=$((n + 1))
	mv "$2" "$n.$1"
	printf '%s\t%s\t%s\n' "$1" "$n.$1" "$3" >>forms
}
writes() { # FORM ARGUMENT...
	"$odonata" "${@:2}" >out 2>err </dev/null
	local code=$?
	[ $code -le 4 ] && [ -s out ] || { echo "odonata ${*:2}: exit code $code: $(head -c 300 err)"; failed=1; }
	is "$1" out "odonata ${*:2}"
	is text err "odonata ${*:2}, standard error"
}

"$odonata" generate dragonfly:p=1,a=4,h=2 --miscable 5%,3 >whole.net
python3 "$tests/forms.py" hostile whole.net >names.net
while read -r command; do
	writes json $command --json
done <<'END'
map names.net --coordinates
map names.net --diff whole.net
route names.net
verify names.net
analyze names.net
compare names.net
emulate names.net --cycles=100 --warmup=10 --channels=3 --switches
watch names.net --count=1
accept names.net
diff names.net whole.net
END
writes json report names.net --json
writes xml map names.net --svg
"$odonata" report names.net --output report.html 2>err || { echo "report: $(cat err)"; failed=1; }
is html report.html report
mkdir tables
"$odonata" export names.net --output tables >out 2>err || { echo "export: $(cat err)"; failed=1; }
is json tables/odonata.json "export, json"
is dot tables/odonata.dot "export, dot"
is slurm tables/odonata.topology.conf "export, slurm"
for file in tables/*; do
	is text "$file" "export, ${file##*/}"
done
writes text plan --hosts=64 --radix=16 --cabling=cables.csv
is csv cables.csv "plan --cabling"

# What is written is read again as the same fabric.
for format in $("$odonata" list formats --json | sed -n 's/.*"name": "\(.*\)".*/\1/p' | sort -u); do
	"$odonata" generate names.net --format "$format" --output "again.$format" 2>/dev/null || continue
	"$odonata" diff names.net "again.$format" >out 2>err || { echo "$format is not read again: $(head -n 3 out err)"; failed=1; }
	is text "again.$format" "generate --format $format"
done

# Names of curves go into fields of CSV and into scripts.
curve() { # NAME: an experiment with such a curve
	python3 -c 'import json, sys
print("name: it\ntitle: T\nfabric: dragonfly:p=1,a=2,h=1\nmodel: ofar\nmeasure: load\npatterns: [uniform]\nloads: [0.1]"
      "\nwarmup: 10\nmeasured: 20\nseeds: 1\ncurves: [{name: %s, routing: min}]" % json.dumps(sys.argv[1]))' "$1" >it.yaml
	rm -f it.csv
	"$odonata" experiment it.yaml >out 2>err
}
for name in "x=1" "a|b <i>"; do
	curve "$name" || { echo "curve $name: $(cat err)"; failed=1; }
	is csv it.csv "an experiment with curve $name"
done
for name in '=1+1' '+1' '-1' '@SUM(A1)' ' =1' 'a,b' 'a"b' "a'b" 'a;b' '`id`' '$(id)' 'a\b' $'a\tb' $'a\nb'; do
	! curve "$name" && [ ! -e it.csv ] && [ "$(wc -l <err)" = 1 ] || { echo "curve $name: taken"; failed=1; }
done
python3 "$tests/forms.py" all forms || failed=1
[ "$n" -gt 40 ] || { echo "only $n files"; failed=1; }
echo "$n files"
exit $failed
