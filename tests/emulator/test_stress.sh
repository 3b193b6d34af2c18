# The first cases of slow_stress.sh: every second one of OFAR, five of each other policy.
"$1/tests/emulator_tool_stress" 1 160
