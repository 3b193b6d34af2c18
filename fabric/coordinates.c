/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/coordinates.h"

#include <stdlib.h>

#include "base/memory.h"

int odo_coordinates_create(const odo_fabric *f, unsigned n_dims, odo_coordinates **out,
			   odo_error *err)
{
	odo_coordinates *c = odo_new(1, sizeof *c);
	if (!c)
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	c->n_dims = n_dims;
	c->n_switches = f->n_switches;
	c->at = odo_new((size_t)f->n_switches * n_dims, sizeof *c->at);
	c->port_class = odo_new(f->n_slots, sizeof *c->port_class);
	if (!c->at || !c->port_class) {
		odo_coordinates_free(c);
		return odo_fail(err, ODO_ENOMEM, "no memory for coordinates");
	}
	for (size_t i = 0; i < (size_t)f->n_switches * n_dims; i++)
		c->at[i] = ODO_NONE;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		bool host = !odo_is_switch(f, f->owner[slot]) ||
			    odo_next_switch(f, slot) == ODO_NONE;
		c->port_class[slot] = f->peer[slot] == ODO_NONE ? ODO_PORT_FREE
				      : host                    ? ODO_PORT_HOST
								: ODO_PORT_WRONG;
	}
	*out = c;
	return 0;
}

const char *odo_certainty_name(odo_certainty certainty)
{
	static const char *const names[] = {"certain", "likely", "nearest"};
	return names[certainty];
}

void odo_coordinates_free(odo_coordinates *c)
{
	if (!c)
		return;
	free(c->at);
	free(c->port_class);
	free(c->faults);
	free(c);
}
