/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/nearest.h"

#include <stdio.h>

/* As "of 8x8 switches", or the number of groups and of the switches of each. */
static void write_shape(const odo_finding *h, char *text, size_t room)
{
	const odo_placement *placement = &h->placement;
	size_t used = 0;
	text[0] = 0;
	if (odo_finding_grouped(h)) {
		snprintf(text, room, "%u groups of up to %zu", placement->size[0],
			 placement->n_positions / placement->size[0]);
		return;
	}
	for (unsigned i = 0; i < placement->n_dims && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%u", i ? "x" : "",
					 placement->size[i]);
	if (used < room)
		snprintf(text + used, room - used, " switches");
}

/* One group, or groups of one switch, are near to nothing. */
static bool has_a_shape(const odo_finding *h)
{
	const uint32_t *size = h->placement.size;
	if (!h->placement.n_dims || !h->placement.n_positions || !h->n_placed)
		return false;
	return !odo_finding_grouped(h) || (size[0] > 1 && size[1] > 1);
}

void odo_nearest_offer(const odo_finding *h, const char *why)
{
	odo_nearest *nearest = h->g->nearest;
	char shape[64];
	if (!nearest || !has_a_shape(h))
		return;
	double saving = odo_finding_saving(h);
	if (nearest->text[0] && saving <= nearest->saving)
		return;
	nearest->saving = saving;
	write_shape(h, shape, sizeof shape);
	snprintf(nearest->text, sizeof nearest->text, "a %s of %s, but %s", odo_kind_name(h->kind),
		 shape, why);
}

void odo_nearest_tell(const odo_nearest *nearest, char *text, size_t size)
{
	if (nearest->text[0])
		snprintf(text, size, "no known topology; nearest is %s", nearest->text);
	else
		snprintf(text, size, "no known topology, and none is near: cables form no pattern");
}
