/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Common code of policies that use odo_ways: their state begins with a pointer to odo_ways. */
#ifndef ODONATA_EMULATOR_POLICY_WAYS_OFFERED_H
#define ODONATA_EMULATOR_POLICY_WAYS_OFFERED_H

#include "emulator/policy.h"
#include "emulator/policy/ways/ways.h"

/**
 * Allocate a state of `size` bytes: the ways, then zeros.
 * @param out for odo_policy_ways_free()
 * Errors: ODO_ENOMEM, and those of odo_ways_create().
 */
int odo_policy_ways_create(const odo_policy_setup *setup, size_t size, void **out, odo_error *err);
/** free() of such a policy; `state` may be NULL. */
void odo_policy_ways_free(void *state);

#endif
