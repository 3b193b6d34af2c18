# The first cases of slow_stress.sh: every second one of OFAR, three of each other policy.
"$1/tests/emulator_tool_stress" 1 100
