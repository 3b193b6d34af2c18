/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* OpenSM keeps a copy of each table that it has written, and stores the answer to a Get there as it
 * stores the answer to a Set. So a Get suffices to read back: the next sweep writes a table again
 * if its copy differs from the table that was written. */
#include "plugin/opensm/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Switches that each sweep reads back without a reason, in turn, so that tables which are lost
 * without a sign are found after some sweeps. A switch costs a MAD for a block of its LFT and two
 * for each port: 2,400 MADs for 32 switches of 36 ports, less than writing all tables of two
 * switches. */
enum { READ_IN_TURN = 32 };

/* Maximum consecutive sweeps for a node that does not keep its tables. */
enum { MAX_AGAIN = 3 };

/* Copies of a node's tables as OpenSM has written them, made before the queries. */
typedef struct slvl_copy {
	bool asked;
	ib_slvl_table_t table;
} slvl_copy;
typedef struct vlarb_copy {
	bool asked;
	ib_vl_arb_table_t block; /* the first one */
} vlarb_copy;
typedef struct copies {
	unsigned n_ports;  /* of the node, with port 0 */
	unsigned n_blocks; /* queried blocks of its LFT */
	slvl_copy *slvl;   /* [output * n_ports + input] */
	vlarb_copy *vlarb; /* [output] */
} copies;

void odo_confirm_clear(odo_confirm *confirm)
{
	free(confirm->list);
	free(confirm->spare);
	*confirm = (odo_confirm){0};
}

size_t odo_confirm_unknown(const odo_confirm *confirm)
{
	size_t n = 0;
	for (size_t i = 0; i < confirm->n; i++)
		n += confirm->list[i].kind != ODO_DOUBT_NONE;
	return n;
}

static osm_physp_t *valid_port(osm_node_t *node, unsigned port)
{
	osm_physp_t *p = port < node->physp_tbl_size ? &node->physp_table[port] : NULL;
	return p && osm_physp_is_valid(p) ? p : NULL;
}

static bool is_up(const osm_physp_t *p)
{
	return ib_port_info_get_port_state(&p->port_info) != IB_LINK_DOWN;
}

/* Return true if OpenSM has marked a port as having been down, or the switch as having reported
 * PortStateChange. */
static bool has_changed(osm_node_t *node)
{
	bool changed = node->sw && node->sw->need_update;
	for (unsigned i = 0; i < node->physp_tbl_size && !changed; i++) {
		const osm_physp_t *p = valid_port(node, i);
		changed = p && p->need_update;
	}
	return changed;
}

/* Make OpenSM write every table of the node in this sweep, as after a reset, whatever its copies
 * contain. */
static void write_anew(osm_node_t *node)
{
	if (node->sw)
		node->sw->need_update = 1;
	for (unsigned i = 0; i < node->physp_tbl_size; i++) {
		osm_physp_t *p = valid_port(node, i);
		if (p && is_up(p))
			p->need_update = 1;
	}
}

/*
 * Find a node in the list. List and OpenSM's table of nodes are sorted by GUID in network order.
 * @param at first entry that may be the node's; moved on
 * @return its entry, or NULL
 */
static const odo_doubt *find_doubt(const odo_confirm *confirm, uint64_t key, size_t *at)
{
	while (*at < confirm->n && cl_hton64(confirm->list[*at].guid) < key)
		++*at;
	bool found = *at < confirm->n && cl_hton64(confirm->list[*at].guid) == key;
	return found ? &confirm->list[*at] : NULL;
}

static bool is_in_turn(const odo_confirm *confirm, size_t i, size_t n)
{
	return (i + n - (size_t)confirm->turn * READ_IN_TURN % n) % n < READ_IN_TURN;
}

static void add_doubt(odo_confirm *now, osm_node_t *node, const odo_doubt *before,
		      odo_doubt_kind kind)
{
	if (odo_grow(&now->list, &now->room, now->n + 1, sizeof *now->list)) {
		now->blind |= kind != ODO_DOUBT_NONE;
		return;
	}
	odo_doubt *doubt = &now->list[now->n++];
	*doubt = before ? *before : (odo_doubt){0};
	doubt->guid = cl_ntoh64(osm_node_get_node_guid(node));
	if (kind > doubt->kind)
		doubt->kind = kind;
	snprintf(doubt->name, sizeof doubt->name, "%s", node->print_desc);
}

/* List nodes in doubt. Those of the last list stay, unless they have disappeared. */
static void list_doubts(const odo_confirm *before, const osm_subn_t *subn, odo_confirm *now)
{
	const cl_qmap_t *map = &subn->node_guid_tbl;
	size_t at = 0, i_switch = 0, n_switches = cl_qmap_count(&subn->sw_guid_tbl);
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_node_t *node = (osm_node_t *)item;
		const odo_doubt *doubt = find_doubt(before, cl_qmap_key(item), &at);
		/* A new master writes all tables: losses after that show in the next sweep. */
		bool changed = !subn->need_update && has_changed(node);
		bool due = node->sw && is_in_turn(now, i_switch++, n_switches);
		if (node->discovery_count && (doubt || changed || due))
			add_doubt(now, node, doubt, changed ? ODO_DOUBT_CHANGED : ODO_DOUBT_NONE);
		if (doubt && doubt->kind == ODO_DOUBT_LOST)
			write_anew(node);
	}
}

void odo_confirm_discovered(odo_confirm *confirm, osm_opensm_t *osm)
{
	odo_confirm now = {
		.list = confirm->spare, .room = confirm->spare_room, .turn = confirm->turn + 1};
	cl_plock_excl_acquire(&osm->lock);
	list_doubts(confirm, &osm->subn, &now);
	cl_plock_release(&osm->lock);
	confirm->spare = confirm->list;
	confirm->spare_room = confirm->room;
	confirm->list = now.list;
	confirm->n = now.n;
	confirm->room = now.room;
	confirm->turn = now.turn;
	confirm->blind = now.blind;
	confirm->up = false;
}

static void ask_table(osm_opensm_t *osm, const osm_physp_t *p, ib_net16_t what, uint32_t modifier,
		      const osm_madw_context_t *context)
{
	osm_node_t *node = osm_physp_get_node_ptr(p);
	const osm_physp_t *owner = node->sw ? valid_port(node, 0) : p;
	osm_req_get(&osm->sm, osm_physp_get_dr_path_ptr(p), what, cl_hton32(modifier), FALSE,
		    ib_port_info_get_m_key(&(owner ? owner : p)->port_info), 0, CL_DISP_MSGID_NONE,
		    context);
}

/* Query an SL2VL table, and spoil OpenSM's copy, so that it differs unless an answer comes. */
static void ask_slvl(osm_opensm_t *osm, osm_physp_t *p, unsigned in, unsigned out, slvl_copy *copy)
{
	osm_madw_context_t context = {0};
	ib_slvl_table_t *table = osm_physp_get_slvl_tbl(p, (uint8_t)in);
	context.slvl_context.node_guid = osm_node_get_node_guid(osm_physp_get_node_ptr(p));
	context.slvl_context.port_guid = osm_physp_get_port_guid(p);
	*copy = (slvl_copy){true, *table};
	for (size_t i = 0; i < sizeof table->raw_vl_by_sl; i++)
		table->raw_vl_by_sl[i] ^= 0xff;
	ask_table(osm, p, IB_MAD_ATTR_SLVL_TABLE, in << 8 | out, &context);
}

static void ask_vlarb(osm_opensm_t *osm, osm_physp_t *p, unsigned out, vlarb_copy *copy)
{
	osm_madw_context_t context = {0};
	context.vla_context.node_guid = osm_node_get_node_guid(osm_physp_get_node_ptr(p));
	context.vla_context.port_guid = osm_physp_get_port_guid(p);
	*copy = (vlarb_copy){true, p->vl_arb[0]};
	p->vl_arb[0].vl_entry[0].weight ^= 0xff;
	ask_table(osm, p, IB_MAD_ATTR_VL_ARBITRATION, 1u << 16 | out, &context);
}

/* Return an input port whose table is not all zeroes, as it may be after a reset: another one each
 * time. */
static unsigned telling_input(const osm_physp_t *p, unsigned n_ports, unsigned first)
{
	static const ib_slvl_table_t zeroes;
	for (unsigned i = 0; i < n_ports; i++) {
		unsigned in = (first + i) % n_ports;
		if (memcmp(osm_physp_get_slvl_tbl(p, (uint8_t)in), &zeroes, sizeof zeroes))
			return in;
	}
	return first % n_ports;
}

/* Return true if OpenSM sends the switch one map for all ports, of which it keeps no copies. Only
 * one VL is in use then, which is safe under any map. */
static bool has_one_map(const osm_opensm_t *osm, osm_node_t *node)
{
	const struct osm_routing_engine *used = osm->routing_engine_used;
	return node->sw && osm->subn.opt.use_optimized_slvl && used && !used->update_sl2vl &&
	       ib_switch_info_get_opt_sl2vlmapping(&node->sw->switch_info);
}

/* Query all tables of a port of a changed node, otherwise one SL2VL table: a reset clears all of
 * them. */
static void ask_port(const odo_confirm *confirm, osm_opensm_t *osm, osm_node_t *node, unsigned port,
		     bool all, copies *c)
{
	osm_physp_t *p = valid_port(node, port);
	const osm_physp_t *owner = node->sw ? valid_port(node, 0) : p;
	unsigned out = node->sw ? port : 0, n_inputs = node->sw ? c->n_ports : 1;
	if (!p || !owner || !is_up(p))
		return;
	unsigned only = all ? 0 : telling_input(p, n_inputs, port + confirm->turn);
	if ((owner->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP) && !has_one_map(osm, node))
		for (unsigned in = 0; in < n_inputs; in++)
			if (all || in == only)
				ask_slvl(osm, p, in, out, &c->slvl[port * c->n_ports + in]);
	if (ib_port_info_get_vl_cap(&p->port_info) > 1 && p->port_info.vl_arb_low_cap)
		ask_vlarb(osm, p, out, &c->vlarb[port]);
}

/* @return the number of queried blocks */
static unsigned ask_lft(const odo_confirm *confirm, osm_opensm_t *osm, osm_switch_t *sw, bool all)
{
	osm_madw_context_t context = {0};
	unsigned n_blocks = sw->max_lid_ho / IB_SMP_DATA_SIZE + 1u, n = 0;
	const osm_physp_t *p = valid_port(sw->p_node, 0);
	context.lft_context.node_guid = osm_node_get_node_guid(sw->p_node);
	for (unsigned block = 0; block < n_blocks && p; block++)
		if (all || block == confirm->turn % n_blocks) {
			ask_table(osm, p, IB_MAD_ATTR_LIN_FWD_TBL, block, &context);
			n++;
		}
	return n;
}

/* Wait as OpenSM does between the parts of a sweep. */
static void wait_for_answers(osm_stats_t *stats)
{
	pthread_mutex_lock(&stats->mutex);
	while (stats->qp0_mads_outstanding && !osm_exit_flag)
		pthread_cond_wait(&stats->cond, &stats->mutex);
	pthread_mutex_unlock(&stats->mutex);
}

/* Return the bytes that OpenSM compares. A port may return anything in the rest of a block. */
static size_t vlarb_bytes(const ib_port_info_t *port)
{
	size_t n = port->vl_arb_low_cap;
	if (n > IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK)
		n = IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK;
	return n * sizeof(ib_vl_arb_element_t);
}

static bool has_kept_port(osm_node_t *node, unsigned port, const copies *c)
{
	const osm_physp_t *p = valid_port(node, port);
	const slvl_copy *slvl = &c->slvl[port * c->n_ports];
	const vlarb_copy *vlarb = &c->vlarb[port];
	bool same = !vlarb->asked ||
		    (p && !memcmp(&p->vl_arb[0], &vlarb->block, vlarb_bytes(&p->port_info)));
	for (unsigned in = 0; in < c->n_ports && same; in++)
		same = !slvl[in].asked || (p && !memcmp(osm_physp_get_slvl_tbl(p, (uint8_t)in),
							&slvl[in].table, sizeof slvl[in].table));
	return same;
}

static bool has_kept_all(osm_node_t *node, const copies *c)
{
	const osm_switch_t *sw = node->sw;
	bool same = node->physp_tbl_size == c->n_ports;
	if (same && sw && sw->new_lft)
		same = !memcmp(sw->lft, sw->new_lft, sw->max_lid_ho + 1u);
	for (unsigned port = 0; port < c->n_ports && same; port++)
		same = has_kept_port(node, port, c);
	return same;
}

/*
 * Query the tables of a node. Port 0 of a switch is omitted: only an enhanced one has tables.
 * @return 0, or ODO_ENOMEM: nothing was queried
 */
static int ask_node(const odo_confirm *confirm, osm_opensm_t *osm, osm_node_t *node, bool all,
		    copies *c)
{
	c->n_ports = node->physp_tbl_size;
	c->slvl = odo_new((size_t)c->n_ports * c->n_ports, sizeof *c->slvl);
	c->vlarb = odo_new(c->n_ports, sizeof *c->vlarb);
	if (!c->slvl || !c->vlarb)
		return ODO_ENOMEM;
	for (unsigned port = 1; port < c->n_ports && osm->subn.opt.qos; port++)
		ask_port(confirm, osm, node, port, all, c);
	if (node->sw)
		c->n_blocks = ask_lft(confirm, osm, node->sw, all);
	return 0;
}

typedef enum finding { KEPT, LOST, UNREAD } finding;

/* Read a node back. The lock is held while MADs are queued and while answers are compared, but not
 * while they travel. */
static finding read_back(odo_confirm *confirm, osm_opensm_t *osm, const odo_doubt *doubt)
{
	ib_net64_t guid = cl_hton64(doubt->guid);
	copies c = {0};
	atomic_store(&confirm->n_answers, 0);
	cl_plock_excl_acquire(&osm->lock);
	osm_node_t *node = osm_get_node_by_guid(&osm->subn, guid);
	int status = node ? ask_node(confirm, osm, node, doubt->kind != ODO_DOUBT_NONE, &c) : 0;
	cl_plock_release(&osm->lock);
	wait_for_answers(&osm->stats);
	cl_plock_acquire(&osm->lock);
	node = osm_get_node_by_guid(&osm->subn, guid);
	bool same = !node ||
		    (has_kept_all(node, &c) && atomic_load(&confirm->n_answers) >= c.n_blocks);
	cl_plock_release(&osm->lock);
	free(c.slvl);
	free(c.vlarb);
	return status ? UNREAD : same ? KEPT : LOST;
}

static void note_lost(odo_doubt *doubt, osm_opensm_t *osm)
{
	doubt->kind = ODO_DOUBT_LOST;
	doubt->n_lost++;
	osm_log(&osm->log, OSM_LOG_ERROR,
		"odonata: \"%s\" (0x%016" PRIx64
		") does not hold the tables that OpenSM wrote, or does "
		"not answer: %s\n",
		doubt->name, doubt->guid,
		doubt->n_lost <= MAX_AGAIN ? "the next sweep writes all its tables again"
					   : "later sweeps write all its tables again");
}

/* Return true if another sweep follows at once, which shows more. */
static bool is_disturbed(const osm_opensm_t *osm)
{
	return osm_exit_flag || osm->subn.force_heavy_sweep ||
	       osm->subn.subnet_initialization_error;
}

bool odo_confirm_read(odo_confirm *confirm, osm_opensm_t *osm)
{
	bool again = false;
	size_t n = 0, n_kept = 0, i = 0;
	for (; i < confirm->n && !is_disturbed(osm); i++) {
		odo_doubt doubt = confirm->list[i];
		finding found = read_back(confirm, osm, &doubt);
		n_kept += found == KEPT && doubt.kind != ODO_DOUBT_NONE;
		if (found == LOST)
			note_lost(&doubt, osm);
		again |= found == LOST && doubt.n_lost <= MAX_AGAIN;
		if (found != KEPT)
			confirm->list[n++] = doubt;
	}
	for (; i < confirm->n; i++)
		confirm->list[n++] = confirm->list[i];
	confirm->n = n;
	confirm->up = !is_disturbed(osm);
	/* Allocate room for the next list now, so that a sweep that starts without memory can
	 * continue. */
	(void)odo_grow(&confirm->spare, &confirm->spare_room, confirm->room,
		       sizeof *confirm->spare);
	if (n_kept)
		osm_log(&osm->log, OSM_LOG_INFO,
			"odonata: %zu changed switches and adapters hold the tables that OpenSM "
			"wrote; the tables of %zu are not confirmed\n",
			n_kept, odo_confirm_unknown(confirm));
	return again;
}
