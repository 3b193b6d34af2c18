/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of an engine that OpenSM calls. */
#include "plugin/sweep/engine.h"

#include "plugin/sweep/sweep.h"

void odo_sweep_update_sl2vl(void *context, osm_physp_t *port, uint8_t in, uint8_t out,
			    ib_slvl_table_t *table)
{
	const odo_osm_engine *engine = context;
	if (engine->routed)
		odo_install_sl2vl(engine->routed, port, in, out, table);
}

/* Answer a path query. */
static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	const odo_osm_engine *engine = context;
	if (!engine->routed)
		return hint;
	return odo_connections_answer(engine->connections, engine->routed->tables,
				      engine->routed->any_sl, hint, cl_ntoh16(slid),
				      cl_ntoh16(dlid));
}

static void release_slot(void *context)
{
	odo_osm_engine *engine = context;
	engine->slot = NULL;
}

/* The hop matrices are filled once the LFTs are sent (follow_up.c). */
static int leave_matrices(void *context)
{
	(void)context;
	return 0;
}

int odo_osm_engine_setup(struct osm_routing_engine *slot, osm_opensm_t *osm)
{
	(void)osm;
	odo_osm_engine *engine = slot->context;
	if (engine->slot)
		return -1; /* named twice */
	engine->slot = slot;
	slot->build_lid_matrices = leave_matrices;
	slot->ucast_build_fwd_tables = odo_sweep_build_tables;
	slot->update_sl2vl = odo_sweep_update_sl2vl;
	slot->path_sl = path_sl;
	slot->destroy = release_slot;
	return 0;
}
