# topology.conf as topology.conf(5) has it: a line each of SwitchName and Nodes or Switches, which are
# Slurm's host lists; every node in one leaf, all leaves in one switch, no line above 1,024 characters.
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

check() { # FABRIC LEAVES
	"$odonata" export "$1" -f slurm >"$work/conf" || fail "cannot be exported"
	grep -vE '^#|^SwitchName=leaf[0-9]+ Nodes=[^ ]+$|^SwitchName=(fabric|pod[0-9]+) Switches=[^ ]+$' "$work/conf" &&
		fail "no line of topology.conf"
	awk 'length > 1024 { exit 1 }' "$work/conf" || fail "a line is too long"
	sed -n 's/.* Nodes=//p' "$work/conf" | expand | sort >"$work/nodes"
	awk -F'"' '/^Ca/ { print $2 }' "$1" | sort | cmp -s - "$work/nodes" ||
		fail "$1: the nodes are not those of the fabric, each once"
	sed -n 's/.* Switches=//p' "$work/conf" | expand | sort >"$work/under"
	sed -n 's/^SwitchName=\([a-z]*[0-9][0-9]*\) .*/\1/p' "$work/conf" | sort | cmp -s - "$work/under" ||
		fail "$1: the leaves are not all under one switch"
	[ "$(wc -l <"$work/under")" -eq "$2" ] || fail "$1: $(wc -l <"$work/under") leaves, not $2"
	echo "$(wc -l <"$work/nodes") nodes in $2 leaves"
}

"$odonata" generate dragonfly:p=2,a=4,h=2 -o "$work/net" && check "$work/net" 9
"$odonata" generate dragonfly:p=8,a=16,h=8,g=20 -o "$work/net" && check "$work/net" 20
"$odonata" generate flatfly:k=4x3,c=2 -o "$work/net" && check "$work/net" 3
"$odonata" generate random:n=16,d=4,c=3 -o "$work/net" && check "$work/net" 16
# Leaves of a fat tree, and pods above them.
"$odonata" generate fattree:k=8,levels=2 -o "$work/net" && check "$work/net" 8
"$odonata" generate fattree:k=6,levels=3 -o "$work/net" && check "$work/net" $((18 + 6))
grep -qx 'SwitchName=pod5 Switches=leaf\[15-17\]' "$work/conf" || fail "$(cat "$work/conf")"
grep -qx 'SwitchName=fabric Switches=pod\[0-5\]' "$work/conf" || fail "$(cat "$work/conf")"
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
