# As test_opensm.sh, for every engine that stock switches can run, on larger shapes, up to 512
# switches. Some minutes: run by hand, or by ./check --slow.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/export/judges.sh"

for spec in flatfly:k=4x4x4,c=2 flatfly:k=8x8x8,c=1 hypercube:n=6,c=2; do
	judge $spec dor safe
	judge $spec mixed-dor maybe
done
for spec in dragonfly:p=2,a=4,h=2 dragonfly:p=1,a=8,h=4,g=20 dragonfly:p=1,a=8,h=4; do
	judge $spec dragonfly unsafe
done
for spec in torus:k=5x6,c=2 torus:k=5x6x4,c=1 torus:k=8x8x8,c=1; do
	judge $spec torus unsafe
done
for spec in slimfly:q=5,c=2 slimfly:q=7,c=1 slimfly-flatfly:q=4,k=4,c=1; do
	judge $spec slimfly unsafe
	judge $spec mixed-dor maybe
done
for spec in random:n=100,d=6,c=1 flatfly:k=6x6x6,c=1 dragonfly:p=1,a=8,h=4; do
	judge $spec layered maybe
	judge $spec updown safe
done
echo ok
