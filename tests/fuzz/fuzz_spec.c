/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of specs, and what it takes is written back as it was meant. */
#include "fabric/topology/topology.h"
#include "fuzz.h"

static void check_written_back(const odo_topology *row, const odo_value *value)
{
	const odo_topology *again;
	odo_value values[ODO_MAX_OPTIONS];
	odo_error err;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	odo_topology_write(row, value, to);
	fclose(to);
	hold(!odo_topology_parse(text, &again, values, &err), "what is written is a spec");
	hold(again == row, "and of the same topology");
	for (unsigned i = 0; row->options[i].name; i++)
		hold(value[i].n == values[i].n && !memcmp(value[i].number, values[i].number,
							  value[i].n * sizeof(uint32_t)),
		     "with the same values");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const odo_topology *row;
	odo_value value[ODO_MAX_OPTIONS];
	odo_error err = {0};
	char *text = fuzz_text(data, size);
	if (!fuzz_refused(odo_topology_parse(text, &row, value, &err), &err))
		check_written_back(row, value);
	free(text);
	return 0;
}
