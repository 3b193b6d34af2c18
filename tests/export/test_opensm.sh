# Our files before independent judges: OpenSM's own file engine loads our LFTs and holds, byte for
# byte, what we wrote; ibdmchk finds every path and no credit loop, and does find the loop where
# the VLs are kept from it.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

judge dragonfly:p=2,a=4,h=2 dragonfly unsafe
judge flatfly:k=4x3,c=2 dor safe
judge torus:k=4x5,c=1 torus unsafe
if [ "${ODONATA_WIDE:-}" ]; then
	judge flatfly:k=4x3x3,c=2 mixed-dor unsafe
	judge random:n=24,d=4,c=2 updown safe
	judge slimfly:q=5,c=1 slimfly unsafe
fi
lmc=1
judge flatfly:k=4x3x3,c=2 mixed-dor maybe
[ -z "${ODONATA_WIDE:-}" ] || judge dragonfly:p=2,a=4,h=2 dragonfly unsafe
lmc=2
[ -z "${ODONATA_WIDE:-}" ] || judge dragonfly:p=1,a=4,h=2 dragonfly-valiant maybe
echo ok
