/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Select the parts that fail. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "experiment/loss/loss.h"

enum { DRAW_LOSSES = 0x1055 }; /* stream of random numbers */

static bool is_switch_cable(const odo_fabric *f, uint32_t slot)
{
	return f->owner[slot] < f->n_switches && odo_next_switch(f, slot) != ODO_NONE &&
	       slot < f->peer[slot];
}

/* List all parts that can fail: switches, then cables. */
static int list_parts(const odo_fabric *f, odo_lost_part **part, uint32_t *n, odo_error *err)
{
	uint32_t n_slots = f->first_slot[f->n_switches];
	*part = odo_new((size_t)f->n_switches + n_slots / 2 + 1, sizeof **part);
	*n = 0;
	if (!*part)
		return odo_fail(err, ODO_ENOMEM, "no memory for losses");
	for (uint32_t s = 0; s < f->n_switches; s++)
		(*part)[(*n)++] = (odo_lost_part){.node = s, .slot = ODO_NONE};
	for (uint32_t slot = 0; slot < n_slots; slot++)
		if (is_switch_cable(f, slot))
			(*part)[(*n)++] = (odo_lost_part){.node = ODO_NONE, .slot = slot};
	return 0;
}

int odo_losses_single(const odo_fabric *f, odo_lost_part **part, odo_loss **loss, uint32_t *n,
		      odo_error *err)
{
	*loss = NULL;
	int status = list_parts(f, part, n, err);
	if (!status && !(*loss = odo_new(*n, sizeof **loss)))
		status = odo_fail(err, ODO_ENOMEM, "no memory for losses");
	for (uint32_t i = 0; i < *n && !status; i++)
		(*loss)[i] = (odo_loss){.part = &(*part)[i], .n = 1};
	return status;
}

/* Draw the parts of a loss, each from the parts not drawn yet. */
static void draw_parts(odo_lost_part *all, uint32_t n_all, uint32_t together, odo_rng *rng,
		       odo_lost_part *into)
{
	for (uint32_t k = 0; k < together; k++) {
		uint32_t at = k + odo_rng_below(rng, n_all - k);
		odo_lost_part held = all[at];
		all[at] = all[k];
		all[k] = into[k] = held;
	}
}

int odo_losses_random(const odo_fabric *f, uint32_t n, uint32_t together, uint64_t seed,
		      odo_lost_part **part, odo_loss **loss, odo_error *err)
{
	odo_lost_part *all;
	uint32_t n_all;
	odo_rng rng = odo_rng_make(seed, DRAW_LOSSES);
	*part = NULL;
	*loss = NULL;
	int status = list_parts(f, &all, &n_all, err);
	if (!status && together > n_all)
		status = odo_fail(err, ODO_EINPUT,
				  "expected up to %u switches and cables to fail, found %u", n_all,
				  together);
	if (!status) {
		*part = odo_new((size_t)n * together, sizeof **part);
		*loss = odo_new(n, sizeof **loss);
		if (!*part || !*loss)
			status = odo_fail(err, ODO_ENOMEM, "no memory for losses");
	}
	for (uint32_t i = 0; i < n && !status; i++) {
		odo_lost_part *into = *part + (size_t)i * together;
		draw_parts(all, n_all, together, &rng, into);
		(*loss)[i] = (odo_loss){.part = into, .n = together};
	}
	free(all);
	return status;
}
