#!/usr/bin/env bash
# Three cables are cut under a master, and it dies. Its file was copied to the machine of the standby, as the guide has
# it: the standby, restarted and after stock minhop too, installs the same tables and SLs, byte for byte.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/takeover.sh"
. <(sed -n '/^switch_cables()/,/^}/p' "$(dirname "$0")/handed.sh")
take_over random:n=24,d=5,c=1 3 copied
echo ok
