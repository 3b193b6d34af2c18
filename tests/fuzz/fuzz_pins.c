/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of pins. Those that it takes are of switches, and relabelling by them is
 * done or refused. */
#include "fabric/topology/topology.h"
#include "fuzz.h"
#include "mapping/labels/pins.h"
#include "mapping/mapping.h"

static void apply(const odo_pins *pins, const odo_fabric *f)
{
	odo_error err = {0};
	odo_coordinates *c = NULL;
	for (uint32_t i = 0; i < pins->n; i++)
		hold(pins->pin[i].node < f->n_switches, "a pin is of a switch");
	hold(!odo_map(f, &c, &err), "the fabric is mapped");
	fuzz_refused(odo_pins_apply(pins, f, c, &err), &err);
	odo_coordinates_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static odo_fabric *f;
	odo_error err = {0};
	odo_pins pins = {0};
	char *text = fuzz_text(data, size);
	hold(f || !odo_topology_generate("flatfly:k=3x2,c=1", 0, &f, NULL, &err), "a fabric");
	if (!fuzz_refused(odo_pins_read(f, text, "fuzz", &pins, &err), &err)) {
		apply(&pins, f);
		odo_pins_clear(&pins);
	}
	free(text);
	return 0;
}
