#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# 100,000 events under the simulated OpenSM, by another seed each day; a failure prints its seed. Tori of 512 switches
# are apart, because an event there takes seconds.
set -u
seed=${ODONATA_SEED:-$(date +%Y%m%d)}
echo "seed $seed"
"$1/tests/sim" --seed "$seed" --runs 4167 --certify 24 || exit 1
"$1/tests/sim" --seed "$seed" --runs 2 --spec torus:k=8x8x8,c=1,ports=9 --certify 24
