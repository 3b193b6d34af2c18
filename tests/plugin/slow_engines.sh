# As test_engines.sh, every engine for stock switches on three shapes or more, up to 512 switches.
export ODONATA_BUILD=$1 ODONATA_WIDE=1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/engines.sh"

while read -r engine spec lmc; do
	engine_holds "$spec" "$engine" "$lmc"
done <<'END'
dor flatfly:k=4x4x4,c=2 0
dor hypercube:n=6,c=1 0
dor flatfly:k=8x8x8,c=1 0
mixed-dor flatfly:k=4x4x4,c=2 1
mixed-dor hypercube:n=6,c=2 0
mixed-dor slimfly-flatfly:q=4,k=4,c=1 0
mixed-dor flatfly:k=8x8x8,c=1 0
dragonfly dragonfly:p=2,a=4,h=2 0
dragonfly dragonfly:p=1,a=8,h=4,g=20 0
dragonfly dragonfly:p=1,a=8,h=4 0
dragonfly-valiant dragonfly:p=2,a=4,h=2 1
dragonfly-valiant dragonfly:p=1,a=4,h=2 2
dragonfly-valiant dragonfly:p=1,a=8,h=4,g=20 1
slimfly slimfly:q=5,c=2 0
slimfly slimfly:q=7,c=1 0
slimfly slimfly-flatfly:q=4,k=4,c=1 0
torus torus:k=5x6,c=2 0
torus torus:k=5x6x4,c=1 0
torus torus:k=8x8x8,c=1 0
layered random:n=100,d=6,c=1 0
layered torus:k=6x6,c=1 1
layered flatfly:k=6x6x6,c=1 0
updown random:n=100,d=6,c=1 0
updown dragonfly:p=1,a=8,h=4 0
updown flatfly:k=6x6,c=2 1
END
echo ok
