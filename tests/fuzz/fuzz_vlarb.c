/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of VL arbitration. By what it takes an output serves VLs that wait, and only
 * those. */
#include "emulator/vlarb.h"
#include "fabric/topology/topology.h"
#include "fuzz.h"

static void serve(const odo_vlarb_row *row)
{
	odo_vlarb_turn turn = {0};
	uint16_t served = odo_vlarb_served(row);
	for (unsigned i = 0; i < 64; i++) {
		uint16_t waiting = (uint16_t)(0x5A5A >> i % 8 | 1u << i % 16);
		unsigned table;
		int vl = odo_vlarb_next(row, &turn, waiting, &table);
		hold((vl >= 0) == ((served & waiting) != 0), "who has a weight and waits is served");
		if (vl < 0)
			continue;
		hold(waiting >> vl & 1, "a VL that waits");
		odo_vlarb_sent(row, &turn, (unsigned)vl, table, 33);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static odo_fabric *f;
	odo_error err = {0};
	odo_vlarb *v = NULL;
	char *text = fuzz_text(data, size);
	hold(f || !odo_topology_generate("flatfly:k=3,c=1", 0, &f, NULL, &err), "a fabric");
	if (!fuzz_refused(odo_vlarb_parse(text, size, "fuzz", f, &v, &err), &err))
		for (uint32_t i = 0; i < v->n_rows; i++)
			serve(&v->rows[i]);
	odo_vlarb_free(v);
	free(text);
	return 0;
}
