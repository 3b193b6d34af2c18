/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* MIN (paper 001, section 4.1): local, global, local, by coordinates instead of tables. */
#include <assert.h>
#include <stddef.h>

#include "emulator/policy/ways/ladder.h"
#include "emulator/policy/option_rows.h"
#include "emulator/policy/policies.h"
#include "emulator/policy/ways/offered.h"

typedef struct minimal {
	odo_ways *ways;
	odo_ladder ladder;
} minimal;
static_assert(offsetof(minimal, ways) == 0, "as offered.h says");

/* Header: the target's switch in `word`, rungs used up in byte[0]. */
enum { RUNGS };

static int minimal_create(odo_policy_setup *setup, void **state, odo_error *err)
{
	int status = odo_policy_ways_create(setup, sizeof(minimal), state, err);
	if (status)
		return status;
	minimal *m = *state;
	m->ladder = odo_ladder_make("lgl");
	setup->vls[0] = m->ladder.n_vls[0];
	setup->vls[1] = m->ladder.n_vls[1];
	setup->for_good = true;
	return 0;
}

static void minimal_generate(const void *state, odo_packet *p, odo_rng *host_stream)
{
	const minimal *m = state;
	(void)host_stream;
	p->word = m->ways->home[p->target];
}

static bool minimal_route(const void *state, const odo_view *v, odo_packet *p, unsigned in_port,
			  unsigned in_vl, odo_way *way)
{
	const minimal *m = state;
	(void)in_port;
	(void)in_vl;
	way->again = ODO_ASK_NEVER;
	if (v->node == p->word) {
		way->port = m->ways->host_port[p->target];
		way->vl = p->byte[RUNGS] > 1; /* matters with channels: the VL of the path's half */
		return true;
	}
	odo_link_class class;
	way->port = odo_ways_minimal(m->ways, v->node, p->word, p->source, &class);
	odo_ladder_climb(&m->ladder, class, &p->byte[RUNGS]);
	way->vl = m->ladder.vl[p->byte[RUNGS] - 1];
	return true;
}

const odo_policy odo_policy_minimal = {
	.name = "min",
	.summary = "minimal: local, global, local",
	.paper = "001, section 4.1",
	.deadlock = "VLs grow along the path: local 0, global 0, local 1",
	.options = odo_no_options,
	.kinds = 1u << ODO_KIND_DRAGONFLY,
	.create = minimal_create,
	.free = odo_policy_ways_free,
	.generate = minimal_generate,
	.route = minimal_route,
};
