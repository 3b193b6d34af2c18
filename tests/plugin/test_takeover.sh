#!/usr/bin/env bash
# Three cables are cut under a master, and it dies. A standby, a restarted manager and one after stock minhop
# install the same tables and SLs, byte for byte, where `layered` depends on what was before.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/takeover.sh"
. <(sed -n '/^switch_cables()/,/^}/p' "$(dirname "$0")/handed.sh")
take_over random:n=24,d=5,c=1 3 no
echo ok
