/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that OpenSM offers to plugins, as far as ours uses them. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

#include <opensm/osm_log.h>
#include <opensm/osm_sm.h>
#include <opensm/osm_subnet.h>

volatile unsigned int osm_exit_flag;
sim_world *sim_now;

/* Tell the judge what a line of the log says to applications. */
static void hear_reconnects(const char *line)
{
	const odo_fabric *f = sim_now->hw.f;
	const char *at = strstr(line, "must reconnect: hosts of switch");
	uint64_t guid;
	if (!at) {
		if (strstr(line, "must reconnect: ") && strstr(line, " more pairs"))
			sim_judge_told(&sim_now->judge, ODO_NONE, 0);
		return;
	}
	const char *lids = strstr(at, ") with LIDs");
	while (lids && strstr(lids + 1, ") with LIDs")) /* a name may look like it */
		lids = strstr(lids + 1, ") with LIDs");
	for (uint32_t s = 0; lids && s < f->n_switches; s++) {
		if (sscanf(lids - 18, "0x%" SCNx64, &guid) != 1 || f->node_guid[s] != guid)
			continue;
		sim_now->n_told++;
		if (strstr(lids, " more"))
			sim_judge_told(&sim_now->judge, s, 0);
		char *end;
		for (const char *lid = lids + strlen(") with LIDs");; lid = end) {
			unsigned long number = strtoul(lid, &end, 10);
			if (end == lid || !number || number >= f->lid_count)
				break;
			sim_judge_told(&sim_now->judge, s, (uint32_t)number);
		}
	}
}

/* Note what the log says that the plugin cannot promise. */
static void hear_limits(const char *line)
{
	sim_now->is_unsaved |= strstr(line, "the next manager will not know") != NULL;
	sim_now->is_warned |= strstr(line, "may deadlock with unicast") ||
			      strstr(line, "except for connections that keep an earlier SL");
}

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	char line[4096];
	va_list args;
	(void)log;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	hear_reconnects(line);
	hear_limits(line);
	if (sim_now->log)
		fprintf(sim_now->log, "%02x %s", level, line);
	/* The folder's name is another one each time. */
	for (char *at; (at = strstr(line, sim_now->folder));)
		memset(at, '-', strlen(sim_now->folder));
	sim_digest(sim_now, line, strlen(line));
}

cl_status_t osm_register_external_routing_engine(osm_opensm_t *osm,
						 const external_routing_engine_module_t *module,
						 void *context)
{
	struct osm_routing_engine *slot = &sim_now->manager->slot;
	if (strcmp(module->name, "odonata"))
		return CL_SUCCESS;
	*slot = (struct osm_routing_engine){.name = module->name, .context = context};
	return module->setup(slot, osm) ? CL_ERROR : CL_SUCCESS;
}

osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	cl_map_item_t *item = cl_qmap_get(&subn->node_guid_tbl, guid);
	return item == cl_qmap_end(&subn->node_guid_tbl) ? NULL : (osm_node_t *)item;
}

osm_port_t *osm_get_port_by_lid_ho(const osm_subn_t *subn, uint16_t lid)
{
	(void)subn;
	const sim_hardware *hw = &sim_now->hw;
	uint32_t v = lid < hw->f->lid_count ? hw->owner[lid] : ODO_NONE;
	return v != ODO_NONE && sim_now->manager->is_known[v] ? &sim_now->manager->port[v] : NULL;
}

boolean_t osm_link_is_healthy(const osm_physp_t *port)
{
	return port->healthy && port->p_remote_physp && port->p_remote_physp->healthy;
}

void osm_port_get_lid_range_ho(const osm_port_t *port, uint16_t *least, uint16_t *most)
{
	*least = cl_ntoh16(port->lid);
	*most = (uint16_t)(*least + sim_n_lids(&sim_now->hw, sim_number_of(port->p_node)) - 1);
}

void osm_sm_signal(osm_sm_t *sm, osm_signal_t signal)
{
	(void)sm;
	(void)signal;
	sim_now->manager->sweep_again = true;
}

void osm_sm_reroute_mlid(osm_sm_t *sm, ib_net16_t mlid)
{
	(void)sm;
	sim_now->manager->is_due[cl_ntoh16(mlid) - IB_LID_MCAST_START_HO] = true;
}

/* The switch that a table is part of. */
static uint32_t switch_of_table(osm_mcast_tbl_t *table)
{
	osm_switch_t *sw = (osm_switch_t *)(void *)((char *)table -
						    offsetof(osm_switch_t, mcast_tbl));
	return sim_number_of(sw->p_node);
}

static bool *ports_of_group(osm_mcast_tbl_t *table, uint16_t mlid)
{
	const sim_hardware *hw = &sim_now->hw;
	bool *first = sim_mft_of(hw, mlid - IB_LID_MCAST_START_HO, switch_of_table(table));
	return sim_now->manager->mft + (first - hw->mft);
}

void osm_mcast_tbl_set(osm_mcast_tbl_t *table, uint16_t mlid, uint8_t port)
{
	ports_of_group(table, mlid)[port] = true;
	sim_now->manager->has_mft[switch_of_table(table)] = true;
}

void osm_mcast_tbl_clear_mlid(osm_mcast_tbl_t *table, uint16_t mlid)
{
	memset(ports_of_group(table, mlid), 0,
	       odo_n_ports(sim_now->hw.f, switch_of_table(table)) + 1);
}

void osm_purge_mtree(struct osm_sm *sm, osm_mgrp_box_t *group)
{
	(void)sm;
	(void)group;
}

cl_status_t osm_switch_set_hops(osm_switch_t *sw, uint16_t lid, uint8_t port, uint8_t hops)
{
	if (!sw->hops[lid])
		sw->hops[lid] = memset(sim_new(sw->num_ports, 1), OSM_NO_PATH, sw->num_ports);
	sw->hops[lid][port] = hops;
	return CL_SUCCESS;
}

void osm_switch_clear_hops(osm_switch_t *sw)
{
	for (unsigned lid = 0; lid < sw->num_hops; lid++)
		if (sw->hops[lid])
			memset(sw->hops[lid], OSM_NO_PATH, sw->num_ports);
}

/* A query is answered at once, into the manager's own copy of the table, as OpenSM does. */
ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path, ib_net16_t what,
			    ib_net32_t modifier, boolean_t find_key, ib_net64_t key,
			    uint32_t timeout, cl_disp_msgid_t message,
			    const osm_madw_context_t *context)
{
	const sim_hardware *hw = &sim_now->hw;
	uint32_t number = cl_ntoh32(modifier);
	osm_opensm_t *osm = sim_now->manager->osm;
	(void)sm, (void)path, (void)find_key, (void)key, (void)timeout, (void)message;
	if (what == IB_MAD_ATTR_LIN_FWD_TBL) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn, context->lft_context.node_guid);
		uint32_t s = sim_number_of(node), from = number * SIM_BLOCK;
		if (!hw->on[s])
			return IB_SUCCESS; /* no answer */
		for (uint32_t i = from; i < from + SIM_BLOCK && i < hw->f->lid_count; i++)
			node->sw->lft[i] = hw->lft[(size_t)s * hw->f->lid_count + i];
		sim_report(OSM_EVENT_ID_LFT_CHANGE, NULL);
	} else if (what == IB_MAD_ATTR_SLVL_TABLE) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn,
							context->slvl_context.node_guid);
		uint32_t v = sim_number_of(node);
		unsigned in = number >> 8 & 255, out = node->sw ? number & 255 : 1;
		ib_slvl_table_t *copy = osm_physp_get_slvl_tbl(&node->physp_table[out],
							       (uint8_t)(node->sw ? in : 0));
		const uint8_t *map = node->sw ? sim_map_of(hw, v, in, out) : hw->host_map[v];
		for (uint8_t sl = 0; sl < SIM_SLS && hw->on[v]; sl++)
			ib_slvl_table_set(copy, sl, map[sl]);
	} else if (what == IB_MAD_ATTR_VL_ARBITRATION) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn, context->vla_context.node_guid);
		osm_physp_t *port = &node->physp_table[node->sw ? number & 255 : 1];
		memset(&port->vl_arb[0], 0, sizeof port->vl_arb[0]); /* nobody writes any */
	}
	return IB_SUCCESS;
}
