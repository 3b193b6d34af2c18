# topology.conf as topology.conf(5) has it: a line each of SwitchName and Nodes or Switches, which are
# Slurm's host lists; every node in one leaf, all leaves of a part below one switch, no line above 1,024
# characters, and the same bytes whatever the order of the fabric's file.
ODONATA_BUILD=$1
odonata=$ODONATA_BUILD/cli/odonata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

expand() { # host lists, one a line, to names: n[01-03],m to n01 n02 n03 m
	local list
	while read -r list; do
		[[ $list =~ ^[][A-Za-z0-9_.,-]+$ ]] || fail "no host list: $list"
		list=$(sed -E 's/\[([0-9]+)-([0-9]+)\]/{\1..\2}/g' <<<"$list")
		[[ $list == *,* ]] && list="{$list}"
		eval "printf '%s\n' $list"
	done
}

# Blocks of a file in another order: nodes, and the ports of each.
reorder() { # FILE SEED
	python3 - "$1" "$2" <<'END'
import random, sys
blocks = open(sys.argv[1]).read().strip().split("\n\n")
draw = random.Random(int(sys.argv[2]))
head = [b for b in blocks if "\n[" not in "\n" + b and not b.lstrip("#").count('"')]
rest = [b for b in blocks if b not in head]
draw.shuffle(rest)
for i, block in enumerate(rest):
    lines = block.split("\n")
    ports = [l for l in lines if l.startswith("[")]
    draw.shuffle(ports)
    rest[i] = "\n".join([l for l in lines if not l.startswith("[")] + ports)
print("\n\n".join(head + rest) + "\n")
END
}

slurm() { # CODE FABRIC [OPTION...]: into conf and told
	local code=$1 found=0
	shift
	"$odonata" export "$@" -f slurm >"$work/conf" 2>"$work/told" || found=$?
	[ $found = "$code" ] || fail "export $*: expected $code, found $found: $(cat "$work/told")"
}
tells() { grep -qF -- "$1" "$work/told" || fail "expected \"$1\", found: $(cat "$work/told")"; }
has() { grep -qxF -- "$1" "$work/conf" || fail "expected \"$1\", found: $(cat "$work/conf")"; }
silent() { [ ! -s "$work/told" ] || fail "expected no warning, found: $(cat "$work/told")"; }

check() { # FABRIC LEAVES: whose nodes are all named, each by its first word
	slurm 0 "$1"
	silent
	grep -vE '^#|^SwitchName=[A-Za-z0-9_.-]+ Nodes=[^ ]+$|^SwitchName=[A-Za-z0-9_.-]+ Switches=[^ ]+$' "$work/conf" &&
		fail "no line of topology.conf"
	awk 'length > 1024 { exit 1 }' "$work/conf" || fail "a line is too long"
	sed -n 's/.* Nodes=//p' "$work/conf" | expand | sort >"$work/nodes"
	awk -F'"' '/^Ca/ { print $2 }' "$1" | sort | cmp -s - "$work/nodes" ||
		fail "$1: the nodes are not those of the fabric, each once"
	sed -n 's/.* Switches=//p' "$work/conf" | expand | sort >"$work/under"
	sed -n 's/^SwitchName=\([^ ]*\) .*/\1/p' "$work/conf" | grep -vx fabric | sort | cmp -s - "$work/under" ||
		fail "$1: the leaves are not all under one switch"
	[ "$(wc -l <"$work/under")" -eq "$2" ] || fail "$1: $(wc -l <"$work/under") leaves, not $2"
	echo "$(wc -l <"$work/nodes") nodes in $2 leaves"
}
# The same bytes for other orders of the file.
check_order() { # FABRIC
	slurm 0 "$1"
	cp "$work/conf" "$work/first"
	for seed in 1 2 3; do
		reorder "$1" $seed >"$work/reordered"
		slurm 0 "$work/reordered"
		cmp "$work/first" "$work/conf" || fail "$1: another order of the file, another topology.conf"
	done
}

"$odonata" generate dragonfly:p=2,a=4,h=2 -o "$work/net" && check "$work/net" 9 && check_order "$work/net"
"$odonata" generate dragonfly:p=4,a=8,h=4,g=20 -o "$work/net" && check "$work/net" 20
"$odonata" generate flatfly:k=4x3,c=2 -o "$work/net" && check "$work/net" 3 && check_order "$work/net"
"$odonata" generate random:n=16,d=4,c=3 -o "$work/net" && check "$work/net" 16 && check_order "$work/net"
# Leaves of a fat tree, and pods above them.
"$odonata" generate fattree:k=8,levels=2 -o "$work/net" && check "$work/net" 8 && check_order "$work/net"
"$odonata" generate fattree:k=6,levels=3 -o "$work/net" && check "$work/net" $((18 + 6)) && check_order "$work/net"
has 'SwitchName=pod-S33 Switches=S[15-17]'
has 'SwitchName=fabric Switches=pod-S18,pod-S21,pod-S24,pod-S27,pod-S30,pod-S33'
"$odonata" generate dragonfly-plus:p=2,leaves=4,spines=4,h=2,g=9 -o "$work/net" && check "$work/net" 9
# Names with leading zeros keep them, and gaps are kept.
"$odonata" generate flatfly:k=5,c=4 -o "$work/net"
awk '{ while (match($0, /"H[0-9]+_[0-9]+"/)) {
	 split(substr($0, RSTART + 2, RLENGTH - 3), of, "_")
	 n = of[1] * 4 + of[2]
	 $0 = substr($0, 1, RSTART) sprintf("node%03d", n * (n > 6 ? 11 : 1)) \
		substr($0, RSTART + RLENGTH - 1) } print }' "$work/net" >"$work/named"
check "$work/named" 1
grep -q 'Nodes=node\[000-006\],node077,node088' "$work/conf" || fail "$(cat "$work/conf")"

# A fat tree of leaves and hosts as sites have them. Lines of `leaf host-description...`.
tree() { # FILE: from standard input; "-" for a leaf that is down, "isle NAME ..." for one without spines
	python3 - >"$1" 3<&0 <<'END'
import os, sys
guid, out, hosts, spines = 0x1000, [], [], {"top-1": [], "top-2": []}
for i, line in enumerate(os.fdopen(3).read().strip().split("\n")):
    name, *ends = [w.strip() for w in line.split("|")]
    isle = name.startswith("isle ")
    name = name.removeprefix("isle ")
    sid = f"S-{0x100 + i:x}"
    if name == "-":
        continue
    out.append(f'switchguid=0x{0x100 + i:x}\nSwitch 40 "{sid}" # "{name}" base port 0 lid 0 lmc 0')
    for p, end in enumerate(ends, 1):
        kind = "Rt" if end.startswith("Rt ") else "Ca"
        end = end.removeprefix("Rt ")
        g = 0x10000 + 0x1000 * i + 0x10 * p
        out.append(f'[{p}] "H-{g:x}"[1]')
        hosts.append(f'{"rt" if kind == "Rt" else "ca"}guid=0x{g:x}\n{kind} 1 "H-{g:x}" # "{end}"\n[1]({g:x}) "{sid}"[{p}]\n')
    for k, spine in enumerate(spines if not isle else []):
        out.append(f'[{30 + k}] "{spine}"[{i + 1}]')
        spines[spine].append(f'[{i + 1}] "{sid}"[{30 + k}]')
    out.append("")
for k, (spine, ports) in enumerate(spines.items()):
    if ports:
        out.append(f'switchguid=0x{0x900 + k:x}\nSwitch 40 "{spine}" # "{spine}"\n' + "\n".join(ports) + "\n")
print("\n".join(out + hosts))
END
}

# The host's name wherever it stands.
tree "$work/net" <<'END'
edge-a|HCA-1 cn01|mlx5_0 cn02|cn03 mlx5_ib0|cn04.cluster.example mlx5_3
edge-b|cn05,mlx5_0|[cn06] HCA-1|cn07 (mlx5_0)|cn08
END
slurm 0 "$work/net"
silent
has 'SwitchName=edge-a Nodes=cn[01-04]'
has 'SwitchName=edge-b Nodes=cn[05-08]'
has 'SwitchName=fabric Switches=edge-a,edge-b'
check_order "$work/net"

# Domains stay where hosts would be one without.
tree "$work/net" <<'END'
edge-a|n1.east.example mlx5_0|n2.east.example mlx5_0
edge-b|n1.west.example mlx5_0|10.1.2.3 mlx5_0
END
slurm 0 "$work/net"
has 'SwitchName=edge-a Nodes=n2,n1.east.example'
has 'SwitchName=edge-b Nodes=10.1.2.3,n1.west.example'

# What names no host is left out, and named; routers and aggregation nodes run no jobs.
tree "$work/net" <<'END'
edge-a|cn01 mlx5_0|localhost mlx5_0|MT4119 ConnectX-5 Mellanox|Mellanox Technologies Aggregation Node|ib0
edge-b|cn02 mlx5_0|localhost.localdomain mlx5_0|(none)||cn[001] mlx5_0|Rt gw1
END
slurm 0 "$work/net"
has 'SwitchName=edge-a Nodes=cn01'
has 'SwitchName=edge-b Nodes=cn02'
for left in 'localhost mlx5_0' 'MT4119 ConnectX-5 Mellanox' ib0 'localhost.localdomain mlx5_0' '(none)' 'cn[001] mlx5_0' '""'; do
	tells "$left"
done
grep -qE 'Aggregation|gw1' "$work/told" "$work/conf" && fail "what is no host is told: $(cat "$work/told")"
check_order "$work/net"
printf '%s\n' '# names' '0x10020 cn11' '10030 "cn12 mlx5_0"' 0x11020\ cn13 0x11030\ cn14 0x11040\ cn15 0x11050\ cn16 0x10050\ cn17 >"$work/names"
slurm 0 "$work/net" --names "$work/names"
silent
has 'SwitchName=edge-a Nodes=cn01,cn[11-12],cn17'
has 'SwitchName=edge-b Nodes=cn02,cn[13-16]'
slurm 0 "$work/net" --nodes 'cn[01-02],cn09'
tells 'left out, not seen: cn09'

# One name for many: left out on several leaves, and told on one. Nothing left is an error.
tree "$work/net" <<'END'
edge-a|node1 HCA-1|node1 HCA-1|cn01 HCA-1
edge-b|node1 HCA-1|cn02 HCA-1|spare HCA-1|spare HCA-1
END
slurm 0 "$work/net"
tells 'left out: name "node1", which 3 adapters on several leaves share: 0x0000000000010010 "node1 HCA-1", 0x'
tells 'taken for one node: name "spare", which 2 adapters on one leaf share'
has 'SwitchName=edge-a Nodes=cn01'
has 'SwitchName=edge-b Nodes=cn02,spare'
slurm 0 "$work/net" --json
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["warnings"]) == 2' "$work/conf" || fail "$(cat "$work/conf")"
tree "$work/net" <<'END'
edge-a|localhost mlx5_0|ib0
edge-b|localhost mlx5_0
END
slurm 3 "$work/net"
tells 'expected hosts with a name for Slurm, found none'
mkdir "$work/all" && "$odonata" export "$work/net" -o "$work/all" >/dev/null 2>&1 || fail "other formats hang on Slurm's"

# Several adapters a host: the same one counts for all, that of the most leaves; or what is asked for.
tree "$work/net" <<'END'
isle storage|a mlx5_0|b mlx5_0|c mlx5_0|d mlx5_0
edge-a|a mlx5_1|b mlx5_1
edge-b|c mlx5_1|d mlx5_1
END
slurm 0 "$work/net"
tells 'on several leaves, placed by adapter "mlx5_1" port 1'
tells ': a,b,c,d'
has 'SwitchName=edge-a Nodes=a,b'
has 'SwitchName=edge-b Nodes=c,d'
check_order "$work/net"
slurm 0 "$work/net" --adapters mlx5_0
silent
has 'SwitchName=storage Nodes=a,b,c,d'
slurm 0 "$work/net" --adapters HCA-2
silent
has 'SwitchName=edge-a Nodes=a,b'
printf '%s\n' 0x11010 0x11020 0x10030 >"$work/guids"
slurm 0 "$work/net" --adapters "file:$work/guids"
silent
has 'SwitchName=edge-a Nodes=a,b'
has 'SwitchName=storage Nodes=c'

# Blocks do not keep jobs apart between which there is no cable.
"$odonata" generate fattree:k=4,levels=2 --output "$work/one.net"
sed 's/"\([SH]\)\([0-9_]*"\)/"\1x\2/g; s/d0a0000/d0b0000/g' "$work/one.net" >"$work/two.net"
"$odonata" export "$work/one.net" "$work/two.net" -f slurm --block >"$work/block" 2>"$work/err" || fail "blocks of two"
grep -q '^# Warning: no cable connects some of the blocks, which are of 2 fabrics' "$work/block" || fail "two fabrics"
"$odonata" export "$work/one.net" -f slurm --block 2>&1 | grep -q Warning && fail "one fabric"

# The same leaves as blocks, and in YAML.
"$odonata" export "$work/net" -f slurm --adapters mlx5_1 --block >"$work/block" 2>/dev/null || fail "blocks"
diff - "$work/block" <<'END' || fail "blocks: see above"
# Slurm topology.conf (TopologyPlugin=topology/block)
# Node names are hosts' names in InfiniBand node descriptions.
BlockName=edge-a Nodes=a,b
BlockName=edge-b Nodes=c,d
BlockSizes=2
END
for form in "" --block; do
	"$odonata" export "$work/net" -f slurm --adapters mlx5_1 --yaml $form >"$work/yaml$form" 2>/dev/null || fail "YAML"
done
python3 - "$work/yaml" <<'END' || fail "YAML: $(cat "$work/yaml" "$work/yaml--block")"
import sys
try:
    import yaml
except ImportError:
    sys.exit(0)
tree, block = (yaml.safe_load(open(sys.argv[1] + form)) for form in ("", "--block"))
top = tree[0]["tree"]["switches"]
assert list(tree[0]) == ["topology", "cluster_default", "tree"] and tree[0]["cluster_default"] is True
assert {s["switch"]: s.get("nodes") for s in top if "nodes" in s} == {"edge-a": "a,b", "edge-b": "c,d"}
assert any(s.get("children") == "edge-a,edge-b" for s in top)
assert block[0]["block"] == {"blocks": [{"block": "edge-a", "nodes": "a,b"}, {"block": "edge-b", "nodes": "c,d"}],
                             "block_sizes": [2]}
END

# Parts that no cable connects have a top each.
tree "$work/net" <<'END'
isle east|e1|e2
isle west|w1|w2
END
slurm 0 "$work/net"
has 'SwitchName=fabric-east Switches=east'
has 'SwitchName=fabric-west Switches=west'
grep -q 'SwitchName=fabric ' "$work/conf" && fail "one top for two fabrics: $(cat "$work/conf")"

# One leaf that is down renames no other; switches without a name of their own have that of their GUID.
leaves() { # EDGE-B
	printf '%s\n' 'MF0;edge-a:MQM8700/U1|cn1|cn2' "$1" 'Quantum Mellanox Technologies|cn5|cn6' 'twin|cn7' 'twin|cn8'
}
leaves 'edge-b|cn3|cn4' | tree "$work/net"
slurm 0 "$work/net"
cp "$work/conf" "$work/whole"
has 'SwitchName=edge-a Nodes=cn[1-2]'
has 'SwitchName=switch-0000000000000102 Nodes=cn[5-6]'
has 'SwitchName=switch-0000000000000104 Nodes=cn8'
leaves - | tree "$work/net"
slurm 0 "$work/net"
diff "$work/whole" "$work/conf" | grep '^[<>]' >"$work/changed"
[ "$(wc -l <"$work/changed")" = 3 ] && [ "$(grep -c edge-b "$work/changed")" = 2 ] || fail "a dead leaf changed: $(cat "$work/changed")"
# A host or a leaf that is down stays where it was, and names of before stay.
slurm 0 "$work/net" --was "$work/whole"
tells 'not seen, kept where they were: cn[3-4]'
diff <(grep -v '^#' "$work/whole") <(grep -v '^#' "$work/conf") || fail "what is down was not kept"
sed -E 's/=([^ ]+)/="\1"/g' "$work/whole" >"$work/quoted" # as Slurm allows
slurm 0 "$work/net" --was "$work/quoted"
diff <(grep -v '^#' "$work/whole") <(grep -v '^#' "$work/conf") || fail "quotes were read as names"
sed 's/edge-a/rack1/g; s/fabric/all/' "$work/whole" >"$work/renamed"
slurm 0 "$work/net" --was "$work/renamed"
has 'SwitchName=rack1 Nodes=cn[1-2]'
grep -q '^SwitchName=all ' "$work/conf" || fail "the top's name was not kept: $(cat "$work/conf")"
slurm 0 "$work/net" --was "$work/whole" --nodes 'cn[1-3]'
tells 'not seen, kept where they were: cn3'
grep -qE 'cn[4-8]' "$work/conf" && fail "not asked for: $(cat "$work/conf")"

# Two planes have a top each, which is called after a spine: a leaf that dies renames none.
plane() { # LETTER LEAVES
	for l in $2; do
		printf 'Switch\t8 "%s-l%s"\n[1]\t"%s%s"[1]\n[7]\t"%s-s"[%s]\n\n' "$1" "$l" "$1" "$l" "$1" "$l"
	done
	printf 'Switch\t8 "%s-s"\n\n' "$1"
	for l in $2; do printf 'Ca\t1 "%s%s"\n[1]\t"%s-l%s"[1]\n\n' "$1" "$l" "$1" "$l"; done
}
{ plane a '1 2 3' && plane b '1 2 3'; } >"$work/net"
slurm 0 "$work/net"
grep -q '^SwitchName=fabric-a-s ' "$work/conf" && grep -q '^SwitchName=fabric-b-s ' "$work/conf" || fail "tops: $(cat "$work/conf")"
{ plane a '2 3' && plane b '1 2 3'; } >"$work/net"
slurm 0 "$work/net"
grep -q '^SwitchName=fabric-a-s ' "$work/conf" || fail "a dead leaf renamed the top: $(cat "$work/conf")"

# A file that lost lines makes no file that looks whole.
grep -v '"b-l2"\[1\]' "$work/net" >"$work/lost"
slurm 0 "$work/lost"
grep -q '^# Warning: .*took a cable that only one of its ends lists' "$work/conf" || fail "looks whole: $(cat "$work/conf")"

# What is wrong in a list is told, with its line.
echo 'Nodes=x' >"$work/bad"
slurm 3 "$work/net" --was "$work/bad"
tells 'bad:1: expected a line of topology.conf'
echo 'SwitchName=x Nodes=n[1-' >"$work/bad"
slurm 3 "$work/net" --was "$work/bad"
tells 'bad:1: expected a host list'
echo 'SwitchName=a"b Nodes=n1' >"$work/bad"
slurm 3 "$work/net" --was "$work/bad"
tells 'bad:1: expected names of letters'
echo 'cn1 0x1' >"$work/bad"
slurm 3 "$work/net" --names "$work/bad"
tells 'bad:1: expected a GUID in hexadecimal and a name'
slurm 3 "$work/net" --nodes 'n[1-4],n[4-1]'
tells '--nodes: expected a host list'
"$odonata" export "$work/net" -f lfts --nodes cn1 >/dev/null 2>"$work/told" && fail "--nodes without slurm"
tells '--nodes: expected --format slurm, found lfts'

# An adapter with two ports is one node, and a router is none.
cat >"$work/odd" <<'N'
Switch	4 "S0"
[1]	"A"[1]
[2]	"D"[1]
[3]	"R"[1]
[4]	"S1"[4]

Switch	4 "S1"
[1]	"B"[1]
[2]	"D"[2]
[4]	"S0"[4]

Ca	1 "A"
[1]	"S0"[1]

Ca	1 "B"
[1]	"S1"[1]

Ca	2 "D"
[1]	"S0"[2]
[2]	"S1"[2]

rtguid=0x300000
Rt	1 "R"
[1]	"S0"[3]

N
check "$work/odd" 1
