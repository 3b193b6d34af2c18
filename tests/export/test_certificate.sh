#!/usr/bin/env bash
# Certificates prove the tables of every engine for common switches to a checker that has none of our code
# (tools/check_certificate.c), also on damaged fabrics; and the checker finds tables that were changed afterwards.
set -eu
odonata=$(realpath "$1/cli/odonata")
source=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
	echo "$*" >&2
	exit 1
}
cc -O1 -Wall -Wextra -Werror -o check "$source/tools/check_certificate.c"

export_all() { # FABRIC [OPTION...]
	for form in certificate lst lfts sl2vl; do
		"$odonata" export "$@" -f $form -o $form 2>log || fail "$*, $form: $(cat log)"
	done
}
expect() { # ANSWER WHAT
	local said
	said=$(./check certificate lst lfts sl2vl) || true
	[[ $said == "$1"* ]] || fail "$2: expected $1, found $said"
}

while read -r engine fabric; do
	export_all $fabric -e "$engine"
	expect "yes: " "$engine on $fabric"
	senders=$(grep -oE '\{ (CA|SW) [^{]*PortGUID:[0-9a-f]*' lst | sort -u | wc -l)
	lids=$(awk '/^Unicast/ && n++ { exit } /^0x/ { lids++ } END { print lids }' lfts)
	expect "yes: $((senders * lids)) paths climb; 0 pairs" "$engine on $fabric"
	tried="${tried:-} $engine"
done <<'END'
dor demo-flatfly --damage 0%,2%,1
mixed-dor flatfly:k=3x3,c=2 --lmc 1
dragonfly demo-dragonfly --damage 2%,2%,1
dragonfly-valiant demo-dragonfly --lmc 1
slimfly demo-slimfly --damage 2%,2%,3
torus demo-torus --damage 0%,3%,1
fattree fattree:k=4,levels=3
fattree-shifts pgft:m=4x2x2,w=1x3x2
dragonfly-plus dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5
dragonfly-plus-valiant dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5
layered random:n=20,d=4,c=2 --lmc 2
updown random:n=20,d=4,c=2 --damage 5%,5%,2
END
for engine in $("$odonata" list engines | awk '$2 == "ib" { print $1 }'); do
	[[ " $tried " == *" $engine "* ]] || fail "engine $engine is not tried here"
done

# Adaptive tables have no such proof.
! "$odonata" export demo-dragonfly -e ofar-tree -f certificate >/dev/null 2>log || fail "adaptive tables are certified"
grep -q adaptive log || fail "adaptive: $(cat log)"

# Each change of tables or of the certificate is found.
changed() { # WHAT FILE SCRIPT
	cp "$2" whole
	perl -0pi -e "$3" "$2"
	! cmp -s whole "$2" || fail "$1: nothing was changed"
	expect "${4:-no: }" "$1"
	mv whole "$2"
}
export_all demo-torus
expect "yes: " torus
grep -q '^channel' certificate || fail "the torus has no levels"
changed "an entry missing" lfts 's/0x0030 \d+/0x0030 255/'
changed "an entry to another port" lfts 's/0x0030 002/0x0030 004/ || s/0x0030 001/0x0030 003/ || s/0x0030 003/0x0030 001/'
changed "everything on VL 0" sl2vl 's/: .*/": " . "0  " x 16/ge'
changed "packets that are dropped" sl2vl 's/^(\d+ +\d+ +:) \d+/$1 15/mg'
changed "a LID left out" certificate 's/^lid 60 .*\n//m'
changed "a switch left out" certificate 's/^(lid 60 \S+ \S+)\*\d+/$1*1/m'
changed "a level lowered" certificate 's/^(channel .*) \d+$/$1 0/mg'
changed "a LID of another owner" certificate 's/^(lid 60) \S+/$1 0x1/m'
changed "a switch twice in place of another" certificate 's/^(switch \S+)\nswitch \S+\n/$1\n$1\n/m'
changed "a cable's end cut off" lst 's/ PN:01 } \{.*//' "cannot check: "
