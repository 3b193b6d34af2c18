#!/usr/bin/env bash
# Each option of the plugin, set in event_plugin_options and in the file named there, does under the
# stock opensm what docs/guide/opensm.md says; and what is wrong with them is said, with nothing routed
# (test_refused.sh says how that ends).
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

routed_with() { # EXPECTED [CONFIGURATION...]: what the log says of engine, VLs and SLs
	local expected=$1
	shift
	sm_forget
	sm_start "$@"
	sm_wait_up 1
	expect_routed
	grep -q "odonata: .*engine $expected, proved" "$sm_log" ||
		fail "expected $expected of '$*', found $(grep -o 'engine .*proved' "$sm_log")"
	echo "$*: $expected"
}

"$odonata" generate flatfly:k=3x3,c=2 --shuffle 3 -o "$FABRIC/flatfly.net" || fail generate
fabric_start flatfly "$FABRIC/flatfly.net"

routed_with "dor, 1 VLs, 1 SLs"
sm_stop
# Named twice it is set up once, and serves multicast as ever.
routed_with "dor, 1 VLs, 1 SLs" "routing_engine odonata,odonata"
grep -q "odonata: multicast tree, safe beside unicast" "$sm_log" || fail "named twice: no multicast"
sm_stop
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options engine=updown"
sm_stop
routed_with "mixed-dor, 2 VLs, 2 SLs" "event_plugin_options engine=mixed-dor"
sm_stop
routed_with "mixed-dor, 1 VLs, 1 SLs" "event_plugin_options engine=mixed-dor max_vls=1"
sm_stop
routed_with "layered, 3 VLs, 3 SLs" "event_plugin_options engine=layered max_vls=3"
sm_stop
# A VL without weight in VL arbitration would never send.
routed_with "mixed-dor, 1 VLs, 1 SLs" "event_plugin_options engine=mixed-dor" "qos_vlarb_high 0:4" "qos_vlarb_low 0:4"
grep -q "odonata: options qos_swe_vlarb_high .* give VL 1 no weight, .*: at most 1 VLs are used" "$sm_log" ||
	fail "the log does not say that VL 1 never sends"
sm_stop
routed_with "layered, 2 VLs, 2 SLs" "event_plugin_options engine=layered" "qos_ca_vlarb_high 0:4,1:0" \
	"qos_ca_vlarb_low 0:0,1:1,3:255,2:256,4:1"
grep -q "odonata: options qos_ca_vlarb_high .* give VL 2 no weight" "$sm_log" || fail "nor that VL 2 does not"
sm_stop
routed_with "mixed-dor, 2 VLs, 2 SLs" "event_plugin_options engine=mixed-dor" "qos_vlarb_low 1:4,0:255"
sm_stop

# SLs that are left to others: every path keeps to ours, and theirs are mapped like SL 0.
routed_with "layered, 2 VLs, 2 SLs" "event_plugin_options engine=layered max_sls=2"
expect_tables layered
awk '$3 > 1 { exit 1 }' <(by_tool sls <"$fabric_dir/sls") || fail "a path has an SL above 1"
by_tool sl2vl >"$fabric_dir/maps"
[ -s "$fabric_dir/maps" ] || fail "no SL2VL maps read back"
awk '{ for (i = 6; i <= NF; i++) if ($i != $4) exit 1 }' "$fabric_dir/maps" ||
	fail "an SL that is not ours is not mapped like SL 0"
sm_stop

# Where any SL is safe it is the partition's, and elsewhere ours.
printf 'Default=0x7fff, ipoib, sl=3 : ALL=full ;\n' >"$FABRIC/partitions"
sls_asked() {
	expect_tables "$1"
	by_tool sls <"$fabric_dir/sls" | cut -d' ' -f3 | sort -u | xargs
}
routed_with "dor, 1 VLs, 1 SLs" "partition_config_file $FABRIC/partitions"
[ "$(sls_asked dor)" = 3 ] || fail "the partition's SL is not kept: $(sls_asked dor)"
sm_stop
routed_with "layered, 2 VLs, 2 SLs" "partition_config_file $FABRIC/partitions" \
	"event_plugin_options engine=layered max_sls=2"
[ "$(sls_asked layered)" = "0 1" ] || fail "the partition's SL is not ours: $(sls_asked layered)"
sm_stop

# LIDs of one host lead different ways only where that is asked for and there are several.
routed_with "dor, 1 VLs, 1 SLs" "lmc 1"
sm_stop
routed_with "mixed-dor, 2 VLs, 2 SLs" "lmc 1" "event_plugin_options spread_lids=1"
sm_stop
routed_with "dor, 1 VLs, 1 SLs" "lmc 0" "event_plugin_options spread_lids=1"
sm_stop

# A file, a comment in it, and a later word that wins.
printf '# ours\nengine=layered\n\nmax_vls=4 max_sls=3 # SLs\n' >"$FABRIC/conf"
routed_with "layered, 3 VLs, 3 SLs" "event_plugin_options conf=$FABRIC/conf"
sm_stop
routed_with "layered, 2 VLs, 2 SLs" "event_plugin_options conf=$FABRIC/conf max_vls=2"
sm_stop

# Strictness: a FlatFly without a cable contradicts itself, and is routed around it unless forbidden.
"$odonata" generate flatfly:k=5x5,c=1 --damage 0,3,3 -o "$FABRIC/hurt.net" || fail generate
fabric_start hurt "$FABRIC/hurt.net"
routed_with "dor, 1 VLs, 1 SLs" "event_plugin_options strict=0"
sm_stop
# A tie goes to the engine that needs no SLs.
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options strict=1"
sm_stop
declined "contradictions" "event_plugin_options strict=1 no_fallback=1"

# The root of up*/down* paths is the first that is there of OpenSM's own list of roots, in which names may
# follow GUIDs, and which has as many lines as a large tree has spines.
fabric_use flatfly
in_fabric ibnetdiscover >"$FABRIC/discovered" || fail "ibnetdiscover"
awk -F= 'BEGIN { print "# none such"; for (i = 1; i <= 300; i++) printf "0x%x spine %d\n", i, i }
	/^switchguid/ { sub(/\(.*/, "", $2); if (++n == 3) print $2 }' "$FABRIC/discovered" >"$FABRIC/roots"
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options engine=updown" "root_guid_file $FABRIC/roots"
expect_tables updown
"$odonata" export --engine updown --roots "$FABRIC/roots" -f lfts "$fabric_dir/discovered" |
	lfts_of >"$FABRIC/rooted"
same lfts "$FABRIC/rooted" by_tool lfts
cmp -s <(sort "$FABRIC/rooted") <(sort "$fabric_dir/lfts") && fail "the root changes nothing"
sm_stop
echo 0x1 >"$FABRIC/roots"
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options engine=updown" "root_guid_file $FABRIC/roots"
grep -q "root_guid_file: none of its 1 GUIDs belongs to a switch" "$sm_log" || fail "a list without a switch is not told"
sm_stop
echo "# none" >"$FABRIC/roots"
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options engine=updown" "root_guid_file $FABRIC/roots"
grep -q "root_guid_file: none of its 0 GUIDs belongs to a switch" "$sm_log" || fail "an empty list is not told"
sm_stop
echo 0x1 >"$FABRIC/ports"
routed_with "updown, 1 VLs, 1 SLs" "event_plugin_options engine=updown" "cn_guid_file $FABRIC/ports" \
	"io_guid_file $FABRIC/ports"
sm_stop
# Compute nodes are those of OpenSM's list: they are dealt out over the spines first, as by the command.
"$odonata" generate pgft:m=6x4,w=1x3 --shuffle 5 -o "$FABRIC/tree.net" || fail generate
fabric_start tree "$FABRIC/tree.net"
in_fabric ibnetdiscover >"$FABRIC/discovered" || fail "ibnetdiscover"
awk '/^(Ca|Switch)/ { adapter = /^Ca/ } adapter && match($0, /^\[1\]\([0-9a-f]+\)/) && n++ % 3 {
	print "0x" substr($0, RSTART + 4, RLENGTH - 5), "node", n }' "$FABRIC/discovered" >"$FABRIC/compute"
routed_with "fattree, 1 VLs, 1 SLs" "cn_guid_file $FABRIC/compute"
expect_tables fattree
"$odonata" export --engine fattree --compute "$FABRIC/compute" -f lfts "$fabric_dir/discovered" |
	lfts_of >"$FABRIC/dealt"
same lfts "$FABRIC/dealt" by_tool lfts
cmp -s <(sort "$FABRIC/dealt") <(sort "$fabric_dir/lfts") && fail "the list of compute nodes changes nothing"
sm_stop
fabric_use flatfly
echo 0xroot >"$FABRIC/roots"
refused 'root_guid_file: .*roots:1: expected a GUID' "root_guid_file $FABRIC/roots"
refused 'io_guid_file: .*missing' "io_guid_file $FABRIC/missing"

# Texts that are wrong are in test_texts.c.
refused 'max_vls from 1 to 15, found 0' "event_plugin_options max_vls=0"
printf 'max_vls=4 # enough\nstrict=maybe\n' >"$FABRIC/conf"
refused 'conf:2: expected strict=a number from 0 to 1, found "maybe"' "event_plugin_options conf=$FABRIC/conf"
refused 'cannot read "missing": No such file' "event_plugin_options conf=missing max_vls=2"
