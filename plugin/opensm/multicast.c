/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/multicast.h"

#include <opensm/osm_mcm_port.h>
#include <opensm/osm_multicast.h>

#include <stdlib.h>

#include "base/memory.h"
#include "plugin/opensm/translate.h"

typedef struct members {
	uint32_t *slot;      /* ports of switches with adapters that are members */
	uint32_t *switch_id; /* switches whose port 0 is a member */
	uint32_t n_slots, n_switches;
} members;

static unsigned group_sl(const osm_mgrp_t *group)
{
	uint8_t sl, hop;
	uint32_t flow;
	ib_member_get_sl_flow_hop(group->mcmember_rec.sl_flow_hop, &sl, &flow, &hop);
	return sl % ODO_N_SLS;
}

/* Return the SLs of all groups of an MLID. Groups that share an MLID share its ports. */
static unsigned sls_of_groups(const osm_mgrp_box_t *box)
{
	unsigned sls = 0;
	for (cl_list_item_t *item = cl_qlist_head(&box->mgrp_list);
	     item != cl_qlist_end(&box->mgrp_list); item = cl_qlist_next(item)) {
		const osm_mgrp_t *g = cl_item_obj(item, g, list_item);
		sls |= 1u << group_sl(g);
	}
	return sls;
}

unsigned odo_groups_sls(const osm_subn_t *subn)
{
	unsigned sls = 0;
	for (uint32_t mlid = IB_LID_MCAST_START_HO; mlid <= subn->max_mcast_lid_ho; mlid++) {
		const osm_mgrp_box_t *box = osm_get_mbox_by_mlid(subn, cl_hton16((uint16_t)mlid));
		sls |= box ? sls_of_groups(box) : 0;
	}
	return sls ? sls : 1u << OSM_DEFAULT_SL;
}

/* Find a tree that is safe beside all packets, or otherwise beside new ones only: OpenSM's own tree
 * is safe beside neither. It replaces the present tree. */
static int find_tree(odo_routed *routed, unsigned sls, odo_error *err)
{
	odo_mcast *tree = NULL;
	odo_tables now = *routed->tables;
	bool holds = now.held_of_lid || now.held_of_pair, beside_new = false;
	int status = odo_mcast_create(routed->tables, sls, &tree, err);
	if (status && status != ODO_ENOMEM && holds) {
		now.held_of_lid = now.held_of_pair = NULL;
		beside_new = true;
		status = odo_mcast_create(&now, sls, &tree, err);
	}
	if (status)
		return status;
	odo_mcast_free(routed->mcast);
	routed->mcast = tree;
	routed->mcast_beside_new = beside_new;
	err->status = 0; /* of the tree beside all packets */
	return 0;
}

static unsigned served_sls(const odo_routed *routed)
{
	return routed->mcast ? routed->mcast->sls : 0;
}

int odo_multicast_prepare(odo_routed *routed, unsigned sls, unsigned *spare, odo_error *err)
{
	odo_error why;
	*spare = ODO_N_SLS;
	routed->mcast_judged = routed->any_sl ? (1u << ODO_N_SLS) - 1 : sls;
	if (routed->any_sl)
		sls = 1;
	int status = find_tree(routed, sls, err);
	for (unsigned left = sls; status == ODO_EDECLINE && left; left &= left - 1)
		if (find_tree(routed, served_sls(routed) | (left & -left), &why) == ODO_ENOMEM)
			status = ODO_ENOMEM;
	for (unsigned sl = 0; status == ODO_EDECLINE && *spare == ODO_N_SLS && sl < ODO_N_SLS; sl++)
		if (!(sls >> sl & 1) && !find_tree(routed, served_sls(routed) | 1u << sl, &why))
			*spare = sl;
	return routed->mcast && status == ODO_EDECLINE ? 0 : status;
}

static uint32_t known_switch(const odo_fabric *f, const osm_node_t *node)
{
	return odo_translated_node(f, cl_ntoh64(osm_node_get_node_guid(node)), true);
}

static void add_group_member(const odo_fabric *f, const osm_port_t *port, members *m)
{
	const osm_physp_t *own = port->p_physp, *far = own ? own->p_remote_physp : NULL;
	if (port->p_node->sw) {
		uint32_t v = known_switch(f, port->p_node);
		if (v != ODO_NONE)
			m->switch_id[m->n_switches++] = v;
	} else if (far && far->p_node->sw) {
		uint32_t v = known_switch(f, far->p_node);
		unsigned p = osm_physp_get_port_num(far);
		if (v != ODO_NONE && p >= 1 && p <= odo_n_ports(f, v))
			m->slot[m->n_slots++] = odo_slot(f, v, p);
	}
}

static size_t count_group_members(const osm_mgrp_box_t *group)
{
	size_t n = 0;
	for (cl_list_item_t *item = cl_qlist_head(&group->mgrp_list);
	     item != cl_qlist_end(&group->mgrp_list); item = cl_qlist_next(item)) {
		const osm_mgrp_t *g = cl_item_obj(item, g, list_item);
		n += cl_qmap_count(&g->mcm_port_tbl);
	}
	return n;
}

static void list_group_members(const odo_fabric *f, const osm_mgrp_box_t *group, members *m)
{
	for (cl_list_item_t *item = cl_qlist_head(&group->mgrp_list);
	     item != cl_qlist_end(&group->mgrp_list); item = cl_qlist_next(item)) {
		const osm_mgrp_t *g = cl_item_obj(item, g, list_item);
		for (const cl_map_item_t *p = cl_qmap_head(&g->mcm_port_tbl);
		     p != cl_qmap_end(&g->mcm_port_tbl); p = cl_qmap_next(p))
			add_group_member(f, ((const osm_mcm_port_t *)p)->port, m);
	}
}

/* Mark a block as used. OpenSM sends no block of a table in which nothing was ever set, so a switch
 * outside of all trees would keep entries of an earlier manager, which form no tree with the
 * present ones. */
static void claim_block(osm_switch_t *sw, uint16_t mlid)
{
	if (!sw->mcast_tbl.p_mask_tbl || mlid > sw->mcast_tbl.max_mlid_ho)
		return;
	osm_mcast_tbl_set(&sw->mcast_tbl, mlid, 0);
	osm_mcast_tbl_clear_mlid(&sw->mcast_tbl, mlid);
}

static void claim_blocks(const osm_subn_t *subn, uint16_t mlid)
{
	const cl_qmap_t *map = &subn->sw_guid_tbl;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item))
		claim_block((osm_switch_t *)item, mlid);
}

static void set_ports(const odo_fabric *f, const osm_subn_t *subn, uint16_t mlid, const uint8_t *on)
{
	const cl_qmap_t *map = &subn->sw_guid_tbl;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_switch_t *sw = (osm_switch_t *)item;
		uint32_t v = known_switch(f, sw->p_node);
		for (unsigned p = 1; v != ODO_NONE && p <= odo_n_ports(f, v); p++)
			if (on[odo_slot(f, v, p)] && p < sw->num_ports)
				osm_mcast_tbl_set(&sw->mcast_tbl, mlid, (uint8_t)p);
	}
}

static void set_own_ports(const odo_fabric *f, const osm_subn_t *subn, uint16_t mlid,
			  const members *m)
{
	for (uint32_t i = 0; i < m->n_switches; i++) {
		ib_net64_t guid = cl_hton64(f->node_guid[m->switch_id[i]]);
		cl_map_item_t *item = cl_qmap_get(&subn->sw_guid_tbl, guid);
		if (item != cl_qmap_end(&subn->sw_guid_tbl))
			osm_mcast_tbl_set(&((osm_switch_t *)item)->mcast_tbl, mlid, 0);
	}
}

int odo_install_group(const odo_routed *routed, const osm_subn_t *subn, const osm_mgrp_box_t *group,
		      odo_error *err)
{
	const odo_fabric *f = routed->fabric;
	size_t n = count_group_members(group);
	members m = {.slot = odo_new(n, sizeof *m.slot),
		     .switch_id = odo_new(n, sizeof *m.switch_id)};
	uint8_t *on = odo_new(f->first_slot[f->n_switches], 1);
	int status = m.slot && m.switch_id && on ? 0 : odo_fail(err, ODO_ENOMEM, "no memory");
	claim_blocks(subn, group->mlid);
	if (!status)
		list_group_members(f, group, &m);
	if (!status && m.n_slots + m.n_switches < 2)
		goto done; /* nobody to send to */
	if (!status)
		status = odo_mcast_ports(routed->mcast, m.slot, m.n_slots, m.switch_id,
					 m.n_switches, on, err);
	if (!status) {
		set_ports(f, subn, group->mlid, on);
		set_own_ports(f, subn, group->mlid, &m);
		status = (sls_of_groups(group) & ~routed->mcast_judged) != 0;
	}
done:
	free(m.slot);
	free(m.switch_id);
	free(on);
	return status;
}
