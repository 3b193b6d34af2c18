/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The policies, each in the file of its family. */
#ifndef ODONATA_EMULATOR_POLICIES_H
#define ODONATA_EMULATOR_POLICIES_H

#include "emulator/policy.h"

extern const odo_policy odo_policy_minimal;

#endif
