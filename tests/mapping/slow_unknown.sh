#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A thousand random regular graphs, and many more without structure: nothing is found in any.
set -eu
ODONATA_ALL_SEEDS=1 "$1/tests/mapping_test_unknown"
