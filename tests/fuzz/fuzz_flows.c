/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of flows, and what it takes is a traffic among the fabric's hosts. */
#include "emulator/traffic/flows.h"
#include "fabric/topology/topology.h"
#include "fuzz.h"

static void check_draw(const odo_order *o, const odo_draw *draw)
{
	for (uint32_t h = 0; h < o->n_hosts; h++) {
		odo_rng rng = odo_rng_make(1, h);
		uint32_t to = odo_draw_destination(o, draw, h, &rng);
		hold(to == ODO_NONE || (to < o->n_hosts && to != h), "sent to another host");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static odo_fabric *f; /* made once: most of the time went there */
	static odo_order *o;
	odo_error err = {0};
	odo_draw draw = {0};
	char *text = fuzz_text(data, size);
	hold(f || !odo_topology_generate("flatfly:k=3,c=1", 0, &f, NULL, &err), "a fabric");
	hold(o || !odo_order_create(f, NULL, &o, &err), "an order of its hosts");
	if (!fuzz_refused(odo_flows_parse("fuzz", text, size, o, &draw, &err), &err))
		check_draw(o, &draw);
	free(draw.range_of);
	free(draw.ranges);
	free(text);
	return 0;
}
