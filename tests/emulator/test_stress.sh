# The first cases of slow_stress.sh: ten of each policy.
"$1/tests/emulator_tool_stress" 1 160
