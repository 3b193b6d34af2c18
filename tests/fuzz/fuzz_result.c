/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of results, the CSV of an experiment. */
#include "experiment/result.h"
#include "fuzz.h"

static void ask(const odo_result *r)
{
	for (uint32_t i = 0; i < r->n_points; i++) {
		double figure = 0;
		odo_result_number(r, i, "accepted", &figure);
		odo_result_outcome(r, i);
		odo_result_work(r, i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	odo_result r = {0};
	int file = fuzz_file(data, size, path);
	if (!fuzz_refused(odo_result_read(path, &r, &err), &err)) {
		ask(&r);
		odo_result_free(&r);
	}
	close(file);
	return 0;
}
