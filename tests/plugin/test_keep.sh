#!/usr/bin/env bash
# Where our engine cannot route anew, the tables of the sweep before stay as long as they are proved on
# the fabric as it is now, instead of minhop's, which close cycles. Once the cause has gone routing
# goes on.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

start_dragonfly dragonfly

# A cable less contradicts a dragonfly, and strictness forbids to route that.
console "Unlink $link"
sm_wait_up 2
kept "a cable cut"
echo "$said" | grep -q "contradictions.*tables of sweep 1 are kept" || fail "no reason or sweep: $said"
[ $cut -gt 0 ] || fail "the cut changed nothing"
by_tool sl2vl | sort | comm -13 "$FABRIC/sl2vl.start" - >"$FABRIC/sl2vl.changed"
[ ! -s "$FABRIC/sl2vl.changed" ] || fail "SL2VL has changed: $(head -n 3 "$FABRIC/sl2vl.changed")"
log_has 2 "odonata: multicast tree, safe beside unicast" || fail "no multicast tree"

# A host that left and comes back while nothing can be routed follows its neighbour.
before=$cut
host=$(awk -F'"' '/^(Hca|Ca)[ \t]/ { name = $2 } END { print name }' "$FABRIC/dragonfly.net")
console "Unlink \"$host\""
sm_wait_up 3
kept "a host gone"
console "Relink \"$host\""
sm_wait_up 4
kept "the host back"
[ $cut -eq $before ] || fail "the host is back, and $cut pairs are cut off instead of $before"

console "Relink $link"
sm_wait_up 5
as_at_the_start
grep -q "proved; .*: sweep 5$" "$sm_log" || fail "the cable is back, and still nothing is routed"
echo "routed anew once the cable was back"
sm_stop
fabric_stop

# Paths with SLs by pair: those that stand keep theirs, and the SA gives them; the rest has none.
"$odonata" generate torus:k=5x5,c=1 --shuffle 24 >"$FABRIC/torus.net" || fail generate
fabric_start torus "$FABRIC/torus.net"
sm_start "event_plugin_options strict=1 no_fallback=1"
sm_wait_up 1
expect_tables
case $summary in *sls=1*) fail "one SL proves nothing: $summary" ;; esac
same sls "$fabric_dir/sls" by_tool sls <"$fabric_dir/sls"
console "Unlink $(some_link "$FABRIC/torus.net" 7)"
sm_wait_up 2
routed_last odonata
grep -q "tables of sweep 1 are kept" "$sm_log" || fail "not kept"
by_tool lfts | sort >"$FABRIC/lfts.kept"
# Pairs whose source's switch still has an entry: an adapter's line says which switch that is.
awk 'FILENAME ~ /discovered/ && /^Ca/ { inside = 1 }
     FILENAME ~ /discovered/ && /^\[/ && inside { match($0, /"S-[0-9a-f]+"/); s = substr($0, RSTART + 3, 16)
	match($0, /# lid [0-9]+/); at[substr($0, RSTART + 6, RLENGTH - 6)] = s; inside = 0 }
     FILENAME ~ /kept/ { entry[$1, $2] = 1 }
     FILENAME ~ /sls$/ { print > ((at[$1], sprintf("0x%04x", $2)) in entry ? stand : fallen) }' \
	stand="$FABRIC/sls.stand" fallen="$FABRIC/sls.fallen" \
	"$fabric_dir/discovered" "$FABRIC/lfts.kept" "$fabric_dir/sls"
same sls "$FABRIC/sls.stand" by_tool sls <"$FABRIC/sls.stand"
[ -s "$FABRIC/sls.fallen" ] || fail "no pair was cut off"
head -n 1 "$FABRIC/sls.fallen" | by_tool sls 2>"$FABRIC/asked" | grep -q . && fail "a path that does not exist"
grep -q "no path record" "$FABRIC/asked" || fail "not asked: $(cat "$FABRIC/asked")"
sm_stop
