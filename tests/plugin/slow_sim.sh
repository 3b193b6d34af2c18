#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# 100,000 events under the simulated OpenSM, by another seed each day; a failure prints its seed.
set -u
seed=${ODONATA_SEED:-$(date +%Y%m%d)}
echo "seed $seed"
"$1/tests/sim" --seed "$seed" --runs 4167
