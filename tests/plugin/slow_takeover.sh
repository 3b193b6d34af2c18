#!/usr/bin/env bash
# A master routes a fabric of each family, whole and with cables cut one at a time, and dies. A standby on
# another host, a restarted manager and one that follows stock minhop install the same: LFTs and SL2VL maps
# read back from the switches, and the SLs of paths. On a whole fabric they need to know nothing of each
# other; else they share the folder of OpenSM's caches.
#   slow_takeover.sh BUILD [SPEC...]
export ODONATA_BUILD=$(realpath "$1")
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/takeover.sh"
. <(sed -n '/^switch_cables()/,/^}/p' "$(dirname "$0")/handed.sh")
shift
[ $# -gt 0 ] || set -- flatfly:k=4x4,c=1 dragonfly:p=1,a=4,h=2 torus:k=4x4,c=1 slimfly:q=3,c=1 \
	fattree:k=6,levels=3 dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5 random:n=24,d=5,c=1
for spec; do
	take_over "$spec" 0 yes
	take_over "$spec" 3 no
	take_over "$spec" 3 copied
done
