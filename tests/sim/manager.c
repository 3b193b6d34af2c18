/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

#include <opensm/osm_subnet.h>
#include <opensm/osm_version.h>

enum { MOST_SWEEPS = 40, MOST_LOSSY = 3 };

void sim_digest(sim_world *of, const void *bytes, size_t n)
{
	const char *at = bytes;
	for (; n; n -= n < 8 ? n : 8, at += 8) {
		uint64_t word = n;
		memcpy(&word, at, n < 8 ? n : 8);
		of->digest = (of->digest ^ word) * 0x9E3779B97F4A7C15u;
		of->digest ^= of->digest >> 32;
	}
}

/* ---- Writing ---- */

unsigned sim_draw_loss(void)
{
	if (!sim_now->lost || odo_rng_next(&sim_now->rng) % 1000 >= sim_now->lost)
		return 0;
	return 1 + odo_rng_next(&sim_now->rng) % 2;
}

/* Draw an answer's fate. A MAD of which no answer comes makes OpenSM sweep again. */
static unsigned send_mad(bool on)
{
	unsigned loss = on ? sim_draw_loss() : 1;
	if (loss)
		sim_now->manager->osm->subn.subnet_initialization_error = TRUE;
	return loss;
}

void sim_report(osm_epi_event_id_t event, void *data)
{
	osm_event_plugin.report(sim_now->manager->plugin, event, data);
}

static void write_block(osm_node_t *node, uint32_t s, unsigned block)
{
	sim_hardware *hw = &sim_now->hw;
	osm_switch_t *sw = node->sw;
	uint32_t from = block * SIM_BLOCK,
		 n = hw->f->lid_count - from < SIM_BLOCK ? hw->f->lid_count - from : SIM_BLOCK;
	if (!sw->need_update && !sim_now->manager->osm->subn.need_update &&
	    !memcmp(sw->lft + from, sw->new_lft + from, n))
		return;
	memset(sw->lft + from, 0, n); /* until an answer comes */
	unsigned loss = send_mad(hw->on[s]);
	if (loss != 1)
		memcpy(hw->lft + (size_t)s * hw->f->lid_count + from, sw->new_lft + from, n);
	if (loss)
		return;
	memcpy(sw->lft + from, sw->new_lft + from, n);
	sim_report(OSM_EVENT_ID_LFT_CHANGE, NULL);
}

/* @return false if the manager dies there */
static bool pass_point(sim_point point)
{
	sim_now->at_point(sim_now, point);
	return !sim_now->is_dead;
}

/* Switches in an order of their own: MADs to many switches are on their way at a time. */
static void write_lfts(sim_manager *m)
{
	const odo_fabric *f = sim_now->hw.f;
	uint32_t *order = sim_new(f->n_switches, sizeof *order);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t other = odo_rng_next(&sim_now->rng) % (s + 1);
		order[s] = order[other];
		order[other] = s;
	}
	for (uint32_t i = 0; i < f->n_switches; i++) {
		if (i == f->n_switches / 2 && !pass_point(SIM_HALF))
			break;
		for (unsigned block = 0; m->node[order[i]] && block * SIM_BLOCK < f->lid_count;
		     block++)
			write_block(m->node[order[i]], order[i], block);
	}
	free(order);
}

static ib_slvl_table_t wanted_map(const sim_manager *m, const osm_node_t *node, unsigned in,
				  unsigned out)
{
	ib_slvl_table_t wanted = {{0}};
	for (uint8_t sl = 0; sl < SIM_SLS; sl++)
		ib_slvl_table_set(&wanted, sl, sl % 8);
	if (m->slot.update_sl2vl)
		m->slot.update_sl2vl(m->slot.context, (osm_physp_t *)&node->physp_table[out],
				     (uint8_t)in, (uint8_t)(node->sw ? out : 0), &wanted);
	return wanted;
}

static void write_map(sim_manager *m, uint32_t v, unsigned in, unsigned out)
{
	sim_hardware *hw = &sim_now->hw;
	osm_node_t *node = m->node[v];
	osm_physp_t *port = &node->physp_table[out];
	ib_slvl_table_t wanted = wanted_map(m, node, in, out),
			*copy = osm_physp_get_slvl_tbl(port, (uint8_t)in);
	if (!port->need_update && !m->osm->subn.need_update &&
	    !memcmp(&wanted, copy, sizeof wanted))
		return;
	*copy = (ib_slvl_table_t){{0}}; /* until an answer comes */
	unsigned loss = send_mad(hw->on[v]);
	uint8_t *map = node->sw ? sim_map_of(hw, v, in, out) : hw->host_map[v];
	for (uint8_t sl = 0; sl < SIM_SLS && loss != 1; sl++)
		map[sl] = ib_slvl_table_get(&wanted, sl);
	if (!loss)
		*copy = wanted;
}

static void write_maps(sim_manager *m)
{
	const odo_fabric *f = sim_now->hw.f;
	for (uint32_t v = 0; v < f->n_nodes; v++)
		for (unsigned out = 1; m->node[v] && out < m->node[v]->physp_tbl_size; out++)
			if (m->node[v]->physp_table[out].p_remote_physp)
				for (unsigned in = 0;
				     in < (m->node[v]->sw ? m->node[v]->physp_tbl_size : 1); in++)
					write_map(m, v, in, out);
}

/* ---- A sweep ---- */

/* Links that came up or went since the last discovery: a trap makes OpenSM sweep again. */
static bool has_trap(const sim_manager *m)
{
	const sim_hardware *hw = &sim_now->hw;
	for (uint32_t v = 0; v < hw->f->n_nodes; v++)
		for (unsigned p = 1; m->node[v] && p < m->node[v]->physp_tbl_size; p++) {
			uint32_t slot = odo_slot(hw->f, v, p);
			bool up = sim_is_up(hw, slot);
			if (up != (m->node[v]->physp_table[p].p_remote_physp != NULL) ||
			    (up && hw->changed[slot]))
				return true;
		}
	return false;
}

static void find_fabric(sim_manager *m)
{
	sim_discover(m);
	sim_list_members(m);
}

/* @return false if tables were not made */
static bool route_fabric(sim_manager *m)
{
	osm_opensm_t *osm = m->osm;
	for (uint32_t s = 0; s < sim_now->hw.f->n_switches; s++)
		if (m->node[s])
			sim_prepare_switch(m->node[s]->sw);
	cl_plock_excl_acquire(&osm->lock);
	osm->routing_engine_used = NULL;
	int status = m->slot.ucast_build_fwd_tables(m->slot.context);
	osm->routing_engine_used = status ? NULL : &m->slot;
	cl_plock_release(&osm->lock);
	sim_now->refused = status != 0; /* as with no_fallback: nothing is written */
	return !status;
}

/* @return false if the manager dies meanwhile */
static bool write_tables(sim_manager *m, uintptr_t how)
{
	if (!pass_point(SIM_ROUTED))
		return false;
	write_lfts(m);
	if (sim_now->is_dead || !pass_point(SIM_FORWARDED))
		return false;
	write_maps(m);
	if (!pass_point(SIM_MAPPED))
		return false;
	sim_now->is_unsaved = sim_now->is_warned = false;
	sim_report(OSM_EVENT_ID_UCAST_ROUTING_DONE, (void *)how);
	return pass_point(SIM_SAVED);
}

/* A trap that comes before the end of the discovery makes OpenSM begin again. */
static void discover_until_steady(sim_manager *m)
{
	for (unsigned i = 0; i < MOST_LOSSY; i++) {
		m->osm->subn.force_heavy_sweep = FALSE;
		m->osm->subn.subnet_initialization_error = FALSE;
		m->sweep_again = false;
		find_fabric(m);
		sim_now->at_point(sim_now, SIM_FOUND);
		if (sim_now->is_dead || (!m->sweep_again && (!has_trap(m) || sim_now->is_late)))
			break;
	}
}

/* @return false if tables were not made, or not all of them were written */
static bool sweep_once(sim_manager *m)
{
	osm_opensm_t *osm = m->osm;
	sim_now->n_sweeps++;
	sim_report(OSM_EVENT_ID_HEAVY_SWEEP_START, NULL);
	discover_until_steady(m);
	if (sim_now->is_dead)
		return false;
	sim_report(OSM_EVENT_ID_HEAVY_SWEEP_DONE, NULL);
	if (!pass_point(SIM_DISCOVERED) || !route_fabric(m) ||
	    !write_tables(m, UCAST_ROUTING_HEAVY_SWEEP))
		return false;
	sim_write_groups(m, true);
	if (osm->subn.subnet_initialization_error)
		return false;
	osm->subn.need_update = 0;
	sim_report(OSM_EVENT_ID_SUBNET_UP, NULL);
	return true;
}

/* Groups that were asked for: between sweeps OpenSM builds these alone. */
static void build_due_groups(sim_manager *m)
{
	bool is_due = false;
	for (unsigned group = 0; group < SIM_GROUPS; group++)
		is_due |= m->is_due[group];
	if (is_due && m->osm->routing_engine_used)
		sim_write_groups(m, false);
}

void sim_manager_join(sim_world *of, unsigned group, uint32_t node)
{
	sim_now = of;
	sim_manager *m = of->manager;
	of->is_member[group * of->hw.f->n_nodes + node] ^= true;
	sim_list_members(m);
	m->is_due[group] = true;
	build_due_groups(m);
	m->sweep_again |= m->osm->subn.subnet_initialization_error;
}

void sim_manager_reroute(sim_world *of)
{
	sim_now = of;
	sim_manager *m = of->manager;
	if (route_fabric(m) && write_tables(m, UCAST_ROUTING_REROUTE))
		build_due_groups(m);
}

bool sim_manager_has_trap(const sim_world *of)
{
	return has_trap(of->manager);
}

bool sim_manager_is_asked(const sim_world *of)
{
	return of->manager->sweep_again;
}

bool sim_manager_sweep(sim_world *of)
{
	sim_now = of;
	sim_manager *m = of->manager;
	for (unsigned i = 0; i < MOST_SWEEPS; i++) {
		if (i == MOST_LOSSY)
			of->lost = 0; /* a new manager writes everything until nothing is lost */
		bool whole = sweep_once(m);
		if (of->is_dead) {
			of->is_dead = false;
			sim_manager_stop(of);
			sim_manager_start(of);
			m = of->manager;
			continue;
		}
		build_due_groups(m);
		if (of->refused || (whole && !m->sweep_again && !has_trap(m)))
			return true;
	}
	return false;
}

void sim_manager_ask(sim_world *of, unsigned share)
{
	sim_now = of;
	const sim_manager *m = of->manager;
	const odo_fabric *f = of->hw.f;
	if (!m || m->osm->routing_engine_used != &m->slot)
		return;
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++) {
		uint32_t first = 1 + odo_rng_next(&of->rng) % share;
		for (uint32_t lid = first; m->is_known[v] && lid < f->lid_count; lid += share) {
			uint16_t from = (uint16_t)(of->hw.lid[v] + lid % sim_n_lids(&of->hw, v));
			if (of->hw.owner[lid] == v ||
			    !osm_get_port_by_lid_ho(&m->osm->subn, (uint16_t)lid))
				continue;
			uint8_t sl = m->slot.path_sl(m->slot.context, 0, cl_hton16(from),
						     cl_hton16((uint16_t)lid));
			of->n_asked++;
			sim_digest(of, &sl, 1);
			sim_judge_answered(&of->judge, v, lid, sl);
		}
	}
}

bool sim_manager_knows(const sim_world *of, uint32_t node)
{
	return of->manager->is_known[node];
}

bool sim_manager_has_maps(const sim_world *of)
{
	return of->manager->slot.update_sl2vl != NULL;
}

const bool *sim_manager_trees(const sim_world *of)
{
	return of->manager->is_plugins;
}

static bool holds_maps(const sim_manager *m, uint32_t s, unsigned out)
{
	const osm_node_t *node = m->node[s];
	osm_physp_t *port = &m->node[s]->physp_table[out];
	for (unsigned in = 0; port->p_remote_physp && in < node->physp_tbl_size; in++) {
		const uint8_t *map = sim_map_of(&sim_now->hw, s, in, out);
		ib_slvl_table_t wanted = wanted_map(m, node, in, out);
		for (uint8_t sl = 0; sl < SIM_SLS; sl++)
			if (map[sl] != ib_slvl_table_get(&wanted, sl))
				return false;
	}
	return true;
}

bool sim_manager_is_installed(sim_world *of)
{
	sim_now = of;
	const sim_manager *m = of->manager;
	const sim_hardware *hw = &of->hw;
	bool same = true;
	for (uint32_t s = 0; s < hw->f->n_switches && same; s++) {
		same = !m->node[s] || !memcmp(hw->lft + (size_t)s * hw->f->lid_count,
					      m->node[s]->sw->new_lft, hw->f->lid_count);
		for (unsigned group = 0; group < SIM_GROUPS && m->node[s] && same; group++) {
			const bool *is = sim_mft_of(hw, group, s);
			same = !m->has_mft[s] ||
			       !memcmp(is, m->mft + (is - hw->mft), odo_n_ports(hw->f, s) + 1);
		}
		for (unsigned p = 1; m->node[s] && p < m->node[s]->physp_tbl_size && same; p++)
			same = holds_maps(m, s, p);
	}
	return same;
}

/* ---- Start and end ---- */

static void set_up_opensm(osm_opensm_t *osm)
{
	osm->osm_version = OSM_VERSION;
	osm->subn.p_osm = osm;
	osm->sm.p_subn = osm->sm.ucast_mgr.p_subn = osm->sa.p_subn = osm->vl15.p_subn = &osm->subn;
	osm->sa.sm = &osm->sm;
	osm->sm.p_log = osm->vl15.p_log = &osm->log;
	osm->sm.p_disp = &osm->disp;
	osm->sm.p_lock = &osm->lock;
	cl_plock_construct(&osm->lock);
	cl_plock_init(&osm->lock);
	pthread_mutex_init(&osm->stats.mutex, NULL);
	pthread_cond_init(&osm->stats.cond, NULL);
	cl_qmap_init(&osm->subn.node_guid_tbl);
	cl_qmap_init(&osm->subn.sw_guid_tbl);
	cl_qmap_init(&osm->subn.port_guid_tbl);
	osm->subn.opt.qos = TRUE;
	osm->subn.opt.max_op_vls = SIM_VL_CODE;
	osm->subn.opt.dump_files_dir = (char *)(uintptr_t)sim_now->folder;
	osm->subn.opt.event_plugin_options = (char *)(uintptr_t)sim_now->options;
	osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	osm->subn.need_update = 1;
	osm->subn.max_mcast_lid_ho = IB_LID_MCAST_START_HO + SIM_GROUPS - 1;
	osm->subn.opt.lmc = (uint8_t)sim_now->hw.lmc;
	osm->no_fallback_routing_engine = TRUE;
}

void sim_manager_start(sim_world *of)
{
	sim_now = of;
	const odo_fabric *f = of->hw.f;
	sim_manager *m = of->manager = sim_new(1, sizeof *m);
	m->osm = sim_new(1, sizeof *m->osm);
	m->node = sim_new(f->n_nodes, sizeof(osm_node_t *));
	m->port = sim_new(f->n_nodes, sizeof *m->port);
	m->is_known = sim_new(f->n_nodes, sizeof *m->is_known);
	m->has_mft = sim_new(f->n_switches, sizeof *m->has_mft);
	m->mft = sim_new(SIM_GROUPS * (f->first_slot[f->n_switches] + f->n_switches),
			 sizeof *m->mft);
	of->judge.is_known = m->is_known;
	set_up_opensm(m->osm);
	m->osm->subn.sm_port_guid = cl_hton64(f->port_guid[f->first_slot[of->at]]);
	m->plugin = osm_event_plugin.create(m->osm);
	if (!m->plugin) {
		fputs("sim: the plugin does not start\n", stderr);
		exit(2);
	}
}

void sim_manager_stop(sim_world *of)
{
	sim_now = of;
	sim_manager *m = of->manager;
	if (m->slot.destroy)
		m->slot.destroy(m->slot.context);
	osm_event_plugin.delete(m->plugin);
	for (uint32_t v = 0; v < of->hw.f->n_nodes; v++)
		sim_free_node(m->node[v]);
	cl_plock_destroy(&m->osm->lock);
	free(m->osm);
	free(m->node);
	free(m->port);
	free(m->is_known);
	free(m->has_mft);
	free(m->mft);
	sim_free_groups(m);
	of->judge.is_known = NULL;
	free(m);
	of->manager = NULL;
}
