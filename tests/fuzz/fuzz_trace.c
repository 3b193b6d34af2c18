/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of message traces. In what it takes every operation names ranks and
 * dependents that there are. */
#include "emulator/traffic/workload_trace.h"
#include "fuzz.h"

static void check_trace(const odo_trace *t)
{
	hold(t->first[t->n_ranks] == t->n_ops, "each operation belongs to a rank");
	for (uint32_t r = 0; r < t->n_ranks; r++)
		for (size_t i = t->first[r]; i < t->first[r + 1]; i++) {
			const odo_op *op = &t->op[i];
			hold(op->peer < t->n_ranks, "ranks that there are");
			for (size_t d = t->first_later[i]; d < t->first_later[i + 1]; d++)
				hold(t->later[d] < t->first[r + 1] - t->first[r],
				     "dependents that there are");
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	odo_error err = {0};
	odo_trace *trace = NULL;
	char *text = fuzz_text(data, size);
	if (!fuzz_refused(odo_trace_parse("fuzz", text, size, size % 2 ? 1.28 : 0, &trace, &err),
			  &err))
		check_trace(trace);
	odo_trace_free(trace);
	free(text);
	return 0;
}
