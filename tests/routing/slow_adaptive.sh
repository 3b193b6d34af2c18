# Every engine on the reference systems of paper 004, whole and damaged: its tables are proved, or
# it declines for want of VLs. What comes out is kept in docs/results/routing. Some minutes: run by
# hand, or with ctest -C slow -L slow.
build=$1
status=0
for spec in paper-flatfly paper-hypercube paper-dragonfly paper-slimfly-1; do
	for damage in "0 0 1" "0 0.01 1" "0.01 0.03 2"; do
		"$build/tests/routing_tool_prove" "$spec" $damage || status=1
		echo
	done
done
exit $status
