# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands whose allocations fail, with fabrics small enough to run each some thousand times.

each_command() { # STEP
	no_memory "$1" odonata map dragonfly:p=1,a=2,h=1
	no_memory "$1" odonata route flatfly:k=2x2,c=1
	no_memory "$1" odonata verify flatfly:k=2x2,c=1
	no_memory "$1" odonata analyze flatfly:k=2x2,c=1
	no_memory "$1" odonata emulate flatfly:k=3x3,c=1 --workload alltoall --threads 1 --cycles 3000
}
