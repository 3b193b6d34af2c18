/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of prices, and what it takes makes finite sums. */
#include <math.h>

#include "fuzz.h"
#include "plan/prices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	odo_plan_prices p;
	int file = fuzz_file(data, size, path);
	if (!fuzz_refused(odo_plan_prices_read(path, &p, &err), &err)) {
		hold(isfinite(odo_plan_cable_price(&p, 30)), "a price");
		hold(odo_plan_cable_price(&p, 30) >= 0 && odo_plan_inside_price(&p) >= 0,
		     "nobody pays for taking a cable");
	}
	close(file);
	return 0;
}
