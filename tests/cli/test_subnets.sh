#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Several subnets in one call: each is treated by itself, with its own LIDs, and the answers are summed up.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAIL: $*"
	exit 1
}

# Planes whose ports have the same LIDs: a tree, another kind, and a tree that lacks a cable.
odonata generate fattree:k=8,levels=2 | sed 's/"\(H[0-9_]*\)"/"\1 mlx5_0"/g' >a.net
odonata generate flatfly:k=3x3 | sed 's/"H/"node/g; s/"S/"U/g; s/d0a0000/d0b0000/g' >b.net
sed 's/mlx5_0/mlx5_1/g; s/"S/"T/g; s/d0a0000/d0c0000/g' a.net >c.net
cat a.net b.net c.net >one.net

for input in "a.net b.net c.net" one.net; do
	for command in map route verify analyze compare emulate; do
		more=
		[ $command = emulate ] && more="--cycles 100 --warmup 100"
		# shellcheck disable=SC2086
		odonata $command $input $more --json >$command.json 2>err || fail "$command $input: $(cat err)"
		[ ! -s err ] || fail "$command $input warns of equal LIDs: $(cat err)"
	done
	python3 - "$input" <<'END' || fail "sums of $input"
import json, sys
names = ["map", "route", "verify", "analyze", "compare", "emulate"]
answer = {name: json.load(open(name + ".json")) for name in names}
for name, a in answer.items():
    assert [row["part"] for row in a["parts"]] == [1, 2, 3], name
    assert sorted(row["first_switch"] for row in a["parts"]) == ["S0", "T0", "U0_0"], name
for key in "switches", "hosts", "cables":
    assert answer["map"][key] == sum(row[key] for row in answer["map"]["parts"]), key
assert sorted(row["topology"] for row in answer["map"]["parts"]) == ["fattree", "fattree", "flatfly"]
assert "topology" not in answer["map"]
assert answer["verify"]["safe"] is True
assert answer["verify"]["pairs"] == sum(row["pairs"] for row in answer["verify"]["parts"])
assert answer["verify"]["longest_path"] == 2
assert answer["analyze"]["saturation_at_most"] == min(row["saturation_at_most"] for row in answer["analyze"]["parts"])
assert all(row["points"][0]["outcome"] == "done" for row in answer["emulate"]["parts"])
END
done

# The worst verdict counts: tables of one plane are wrong. A part that fails does not hide the others.
odonata verify a.net c.net --engine flatfly >out 2>err && fail "no engine, and exit code 0"
odonata route a.net b.net --engine fattree >out 2>err
[ $? -eq 4 ] || fail "expected exit code 4 where one part is declined"
grep -q '^odonata: part 2: fattree: does not route' err || fail "the part is not named: $(cat err)"
grep -q 'a.net .* fattree' out || fail "the other part is not answered"

# Tables of all planes, in one file or in one for each, are read back, each by its own switches.
for format in lfts sl2vl; do
	odonata export one.net -f $format -o all.$format 2>err || fail "export $format: $(cat err)"
done
odonata verify one.net --tables all.lfts --tables all.sl2vl >out 2>err || fail "tables read back: $(cat out err)"
for choice in "--part 2" "--adapters mlx5_1"; do
	# shellcheck disable=SC2086
	odonata verify one.net $choice --tables all.lfts --tables all.sl2vl >out 2>err ||
		fail "tables of all, of $choice: $(cat out err)"
done
mkdir folder
odonata export a.net b.net c.net -o folder >out 2>err || fail "export of all formats: $(cat err)"
for part in 1 2 3; do
	tables=folder/odonata-part$part
	set -- "${@}" --tables $tables.lfts --tables $tables.sl2vl --tables $tables.psl
done
shift
odonata verify one.net "$@" >out 2>err || fail "tables of each part: $(cat out err)"
odonata verify one.net --tables folder/odonata-part1.lfts >out 2>err && fail "two planes without tables"
grep -q '^safe *incomplete' out || fail "some tables lack, and still: $(head -1 out)"
odonata export one.net -f certificate >out 2>err
[ $? -eq 4 ] || fail "expected code 4 for two certificates in one file"
sed '/^0x0001 /s/ 00[0-9] / 250 /' folder/odonata-part2.lfts >wrong.lfts
odonata verify b.net --tables wrong.lfts >out 2>&1
alone=$?
odonata verify one.net "${@/folder\/odonata-part2.lfts/wrong.lfts}" >out 2>&1
[ $? -ne 0 ] && [ $alone -ne 0 ] || fail "wrong entries of one part: $(cat out)"

# Slurm has one file for all of them, with a root for each plane that has nodes.
odonata export a.net b.net c.net -f slurm >out 2>err || fail "slurm: $(cat err)"
grep -q '^SwitchName=fabric-S' out && grep -q '^SwitchName=group-U0_0 Nodes=node' out || fail "slurm: $(cat out)"
odonata export one.net -f slurm 2>err | cmp -s - out || fail "slurm of one file is another"

# The report is one page, or one document, about all of them.
odonata report one.net --json >out 2>err || fail "report: $(cat err)"
python3 - <<'END' || fail "the document: $(head -c 400 out)"
import json
report = json.load(open("out"))
assert sorted(part["map"]["topology"] for part in report["parts"]) == ["fattree", "fattree", "flatfly"]
assert report["wrong_rails"] == [] and all(part["proof"]["safe"] for part in report["parts"])
END
if odonata report one.net -o page.html 2>err; then
	[ "$(grep -c '^<iframe ' page.html)" -eq 3 ] || fail "the page has not three parts"
else
	grep -q 'without d3' err || fail "page: $(cat err)"
fi

# A wrong command line is told once, as one object.
odonata export a.net b.net --json >out 2>err </dev/null
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && python3 -c 'import json; json.load(open("out"))["error"]' ||
	fail "no format: $(cat out err)"

# Two subnets have no switch in common.
odonata map a.net a.net >out 2>err && fail "one subnet twice is accepted"
grep -q 'expected inputs of different subnets, found switch "S0"' err || fail "$(cat err)"
odonata map a.net b.net --part 1 >out 2>err && fail "--part of several inputs is accepted"

# A swapped cable between planes is found, and --strict tells it.
sed 's/"H1_0 mlx5_0"/"x"/g; s/"H1_0 mlx5_1"/"H1_0 mlx5_0"/g; s/"x"/"H1_0 mlx5_1"/g' one.net >swapped.net
odonata map one.net --strict >out 2>&1 || fail "sound planes: $(cat out)"
odonata map swapped.net --strict --json >out 2>err
[ $? -eq 1 ] || fail "expected exit code 1 for a swapped adapter"
python3 - <<'END' || fail "swapped adapters: $(cat out)"
import json
rows = json.load(open("out"))["wrong_rails"]
assert {(r["adapter"], r["port"], r["to"], r["belongs_to"]) for r in rows} == {
    ("H1_0 mlx5_1", 1, "S1", "T1"), ("H1_0 mlx5_0", 1, "T1", "S1")}, rows
END

# An adapter with a port in each plane is one adapter, in two scans.
scan() { # NAME GUID PORT: a switch with one port of the adapter
	printf 'switchguid=0x%s(%s)\nSwitch\t2 "S-%s"\t# "%s" base port 0 lid 1 lmc 0\n' "$2" "$2" "$2" "$1"
	printf '[1]\t"H-e5"[%d](e5%d)\t# "n1 mlx5_0" lid 3 4xHDR\n\n' "$3" "$3"
	printf 'caguid=0xe5\nCa\t2 "H-e5"\t# "n1 mlx5_0"\n'
	printf '[%d](e5%d)\t"S-%s"[1]\t# lid 3 lmc 0 "%s" lid 1 4xHDR\n' "$3" "$3" "$2" "$1"
}
scan left a1 1 >left.net
scan right a2 2 >right.net
odonata map left.net right.net >out 2>err || fail "an adapter of two planes: $(cat err)"
odonata map left.net left.net >out 2>err && fail "one plane twice"

# Chosen adapters send; the others are still routed, and a part without a chosen one is left out.
sed 's/mlx5_0/mlx5_2/g; s/"S/"D/g; s/d0a0000/d0d0000/g' a.net | awk '/"H[4-7]_/ && /^Ca/ { sub(/mlx5_2/, "mlx5_7") }
	{ gsub(/"H[4-7]_[0-9] mlx5_2"/, "&"); print }' | sed 's/\("H[4-7]_[0-9]\) mlx5_2/\1 mlx5_7/g' >d.net
cat a.net c.net d.net >rails.net
odonata map rails.net >out 2>/dev/null || fail "three planes"
chosen() { # LIST PARTS HOSTS OTHERS
	odonata verify rails.net --adapters "$1" --json >verify.json 2>err || fail "--adapters $1: $(cat err)"
	odonata map rails.net --adapters "$1" --json >map.json 2>err || fail "map --adapters $1: $(cat err)"
	python3 - "$@" <<'END' || fail "--adapters $1"
import json, sys
map, verify = json.load(open("map.json")), json.load(open("verify.json"))
n, hosts, others = (int(word) for word in sys.argv[2:])
assert isinstance(map["left_out"], str) and verify["safe"] is True
assert len(map["parts"]) == n if n > 1 else "parts" not in map, map
assert (map["hosts"], map.get("other_adapters", 0)) == (hosts, others), map
# Entries for all LIDs are proved, those of other adapters, too.
assert verify["pairs"] == n * 12 * (12 + 32), verify["pairs"]
END
}
chosen mlx5_0 1 32 0
chosen 'mlx5_[0-1]' 2 64 0
chosen ^mlx5_0 2 64 0
chosen mlx5_2 1 16 16
chosen HCA-3 1 16 16
chosen rail:1 1 32 0
odonata map rails.net --adapters rail:1 2>/dev/null | grep -q '^topology *fattree' || fail "the chosen rail is mapped"
awk '/^Ca/ { print "0x" substr(guid, 10) } { guid = $0 }' a.net | head -5 >guids
chosen file:guids 1 5 27
for list in mlx9 rail:x rail:9 0xzz '' '^mlx5_[0-7]' file:none '^'; do
	odonata map rails.net --adapters "$list" >out 2>err && fail "--adapters '$list' is accepted"
	[ "$(wc -l <err)" -le 3 ] && grep -qE 'adapters|host list|none' err || fail "--adapters '$list': $(cat err)"
done

# Names by GUID, as of ibnetdiscover, in whatever names a node; comments and GUIDs of others are passed over.
printf '# names\n0x%s "leaf one"  # north\n%s quoted"\n0x1 nobody\n' d0a000000200000 "$(head -1 guids) \"n77" >names
odonata map a.net --coordinates --node-name-map names >out 2>err || fail "names: $(cat err)"
grep -q '^  leaf one  *0x0d0a000000200000' out || fail "the name is not used: $(cat out)"
odonata analyze a.net --worst 99 --node-name-map names 2>/dev/null | grep -q ' n77 ' || fail "a host's name"
printf 'one two\n' >names
odonata map a.net --node-name-map names >out 2>err
[ $? -eq 3 ] && grep -q '^odonata: names:1: expected a GUID in hexadecimal and a name' err || fail "bad names: $(cat err)"

# One fabric in pieces is one fabric, in which cables are missing.
odonata generate flatfly:k=6x6 | sed 's/ lid [0-9]*/ lid 0/g' >whole.net
sed '/^\[.*\]\t"S/{/"S0_0"/d}; /^Switch.*"S0_0"/,/^$/{/^\[.*"S[0-9]/d}' whole.net >cut.net
odonata map cut.net >out 2>err
grep -q '^topology *flatfly' out || fail "a cut off switch: $(cat out err)"
# Pieces that nothing shows to be several subnets may be one fabric that lost cables: it is said how many hosts are apart.
odonata generate torus:k=8,l=1,c=2 --damage 0,30%,2 >torn.net
apart() { # COMMAND...: 10 and 6 hosts
	odonata "$@" --json >out 2>err
	python3 -c 'import json; a = json.load(open("out")); assert a["unconnected_host_pairs"] == 60 and a.get("cut_pairs") is None' ||
		fail "$*: hosts of two pieces: $(cat out err)"
}
for command in map route verify analyze compare report; do apart $command torn.net; done
odonata map torn.net --strict >out 2>&1 && fail "two pieces are no fault: $(cat out)"
odonata report torn.net -o page.html 2>err && { grep -q '<b>60 pairs of hosts in different parts are not' page.html || fail "the page hides it"; }
grep -v '^\[.*"H' torn.net | sed '/^caguid/,/^$/d' >bare.net
odonata map bare.net --strict >out 2>&1 && fail "two pieces without hosts are no fault: $(cat out)"
for input in one.net "a.net b.net c.net" rails.net; do
	# shellcheck disable=SC2086
	odonata verify $input 2>/dev/null | grep unconnected && fail "$input: subnets that are known"
done
sed 's/ lid [0-9]*/ lid 0/g' rails.net >unnumbered.net
odonata map unnumbered.net --strict >out 2>&1 || fail "rails without LIDs are subnets: $(cat out)"
# A spec is one fabric.
odonata verify torus:k=8,l=1,c=2 --damage 0,30%,2 >out 2>&1
grep -q '^scope .*90 pairs that no cables connect' out || fail "a damaged spec: $(cat out)"
exit 0
