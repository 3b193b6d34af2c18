/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ways/offered.h"

#include <stdlib.h>

#include "base/memory.h"

int odo_policy_ways_create(const odo_policy_setup *setup, size_t size, void **out, odo_error *err)
{
	odo_ways **state = odo_new(1, size);
	if (!state)
		return odo_fail(err, ODO_ENOMEM, "no memory for a policy");
	int status = odo_ways_create(setup->fabric, setup->coordinates, state, err);
	if (status) {
		odo_policy_ways_free(state);
		return status;
	}
	*out = state;
	return 0;
}

void odo_policy_ways_free(void *state)
{
	odo_ways **ways = state;
	if (!ways)
		return;
	odo_ways_free(*ways);
	free(ways);
}
