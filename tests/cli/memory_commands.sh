# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands whose allocations fail, with fabrics small enough to run each some thousand times.

each_command() { # STEP
	no_memory "$1" odonata map dragonfly:p=2,a=4,h=2
	outputs=(out)
	no_memory "$1" odonata map flatfly:k=3x3,c=2 --json -o out
	outputs=()
	no_memory "$1" odonata emulate flatfly:k=3x3 --load 0.3 --threads 1 --warmup 100 --cycles 300
}
