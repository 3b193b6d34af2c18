/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Multicast groups: members, and the trees that the plugin builds for them. */
#include <opensm/osm_config.h>

#include <opensm/osm_mcm_port.h>

#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

static void forget_members(osm_mgrp_t *group)
{
	cl_map_item_t *item;
	while ((item = cl_qmap_head(&group->mcm_port_tbl)) != cl_qmap_end(&group->mcm_port_tbl)) {
		cl_qmap_remove_item(&group->mcm_port_tbl, item);
		free(item);
	}
}

static void set_up_group(sim_manager *m, unsigned group)
{
	osm_mgrp_box_t *box = m->box[group] = sim_new(1, sizeof *box);
	osm_mgrp_t *only = m->group[group] = sim_new(1, sizeof *only);
	box->mlid = (uint16_t)(IB_LID_MCAST_START_HO + group);
	only->mlid = cl_hton16(box->mlid);
	only->mcmember_rec.sl_flow_hop = ib_member_set_sl_flow_hop(sim_now->group_sl[group], 0, 0);
	cl_qmap_init(&only->mcm_port_tbl);
	cl_qlist_init(&box->mgrp_list);
	cl_qlist_insert_tail(&box->mgrp_list, &only->list_item);
	m->osm->subn.mboxes[group] = box;
}

/* Members that the manager does not know any more have left; they join again when they return. */
void sim_list_members(sim_manager *m)
{
	const odo_fabric *f = sim_now->hw.f;
	for (unsigned group = 0; group < SIM_GROUPS; group++) {
		if (!m->box[group])
			set_up_group(m, group);
		forget_members(m->group[group]);
		for (uint32_t v = f->n_switches; v < f->n_nodes; v++) {
			if (!m->is_known[v] || !sim_now->is_member[group * f->n_nodes + v])
				continue;
			osm_mcm_port_t *member = sim_new(1, sizeof *member);
			member->port = &m->port[v];
			cl_qmap_insert(&m->group[group]->mcm_port_tbl, m->port[v].guid,
				       &member->map_item);
		}
	}
}

void sim_free_groups(sim_manager *m)
{
	for (unsigned group = 0; group < SIM_GROUPS && m->box[group]; group++) {
		forget_members(m->group[group]);
		free(m->group[group]);
		free(m->box[group]);
	}
}

/* Without a tree of the plugin OpenSM builds its own, which is not simulated. */
static void build_group(sim_manager *m, unsigned group)
{
	const odo_fabric *f = sim_now->hw.f;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (m->node[s])
			osm_mcast_tbl_clear_mlid(&m->node[s]->sw->mcast_tbl,
						 (uint16_t)(IB_LID_MCAST_START_HO + group));
	m->is_due[group] = false;
	m->is_plugins[group] = m->slot.mcast_build_stree != NULL &&
			       m->slot.mcast_build_stree(m->slot.context, m->box[group]) ==
				       IB_SUCCESS;
}

/* OpenSM writes the tables of all groups, whatever has changed. */
static void write_mft(sim_manager *m, uint32_t s)
{
	sim_hardware *hw = &sim_now->hw;
	unsigned loss = sim_draw_loss();
	if (loss || !hw->on[s])
		m->osm->subn.subnet_initialization_error = TRUE;
	for (unsigned group = 0; group < SIM_GROUPS && loss != 1 && hw->on[s]; group++) {
		bool *to = sim_mft_of(hw, group, s);
		memcpy(to, m->mft + (to - hw->mft), odo_n_ports(hw->f, s) + 1);
	}
}

void sim_write_groups(sim_manager *m, bool all)
{
	const odo_fabric *f = sim_now->hw.f;
	cl_plock_excl_acquire(&m->osm->lock);
	for (unsigned group = 0; group < SIM_GROUPS; group++)
		if (all || m->is_due[group])
			build_group(m, group);
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (m->node[s] && m->has_mft[s])
			write_mft(m, s);
	cl_plock_release(&m->osm->lock);
}
