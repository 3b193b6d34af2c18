# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs without our code judge the tables that OpenSM dumps, by the certificate that the plugin has written
# beside them. Source after fabric.sh.

# Fabrics that need one VL have OpenSM's own maps, and their certificates hold for any. No answer about multicast
# where the certificate says nothing of it: no tree is safe beside all connections.
certificate_holds() { # VLS: the answers in $certified and $groups_certified
	local tools=${ODONATA_SOURCE:-$(dirname "$0")/../..}/tools check=$FABRIC/check_certificate certificate maps=
	[ -x "$check" ] || cc -O1 -o "$check" "$tools/check_certificate.c" || fail "no checker"
	certificate=$(ls "$fabric_dir"/odonata-*.certificate 2>&1) || { certified=$certificate; return 1; }
	[ "$1" = 1 ] || maps=$fabric_dir/opensm-sl2vl.dump
	groups_certified=
	certified=$("$check" "$certificate" "$fabric_dir/opensm-subnet.lst" "$fabric_dir/opensm-lfts.dump" $maps) ||
		return 1
	! grep -q '^multicast' "$certificate" || [ ! -s "$fabric_dir/opensm.mcfdbs" ] ||
		groups_certified=$(python3 "$tools/check_multicast.py" "$certificate" "$fabric_dir/opensm-subnet.lst" \
			"$fabric_dir/opensm.mcfdbs" $maps)
}

judge_certificate() { # WHAT VLS
	certificate_holds "$2" || fail "$1: the certificate is refused: $certified; $groups_certified"
	[[ $certified == *"; 0 pairs"* ]] || fail "$1: pairs are left out: $certified"
}
