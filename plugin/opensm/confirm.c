/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/confirm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

/* Maximum consecutive sweeps for a node that does not keep its tables. */
enum { MAX_AGAIN = 3 };

const char *const odo_doubt_names[ODO_N_DOUBTS] = {[ODO_DOUBT_NONE] = "",
						   [ODO_DOUBT_CHANGED] = "changed",
						   [ODO_DOUBT_LATE] = "not acknowledged",
						   [ODO_DOUBT_LOST] = "other tables"};

void odo_confirm_clear(odo_confirm *confirm)
{
	free(confirm->list);
	free(confirm->spare);
	odo_schedule_clear(&confirm->schedule);
	*confirm = (odo_confirm){0};
}

bool odo_confirm_all(const odo_confirm *confirm)
{
	return confirm->up && odo_confirm_known(confirm);
}

bool odo_confirm_known(const odo_confirm *confirm)
{
	return !confirm->blind && !confirm->n && !confirm->n_cut;
}

size_t odo_confirm_unknown(const odo_confirm *confirm)
{
	return confirm->n;
}

static void hold_schedule(odo_confirm *confirm)
{
	confirm->open = false;
	confirm->flight.n = 0;
}

void odo_confirm_hold(odo_confirm *confirm)
{
	pthread_mutex_lock(&confirm->mutex);
	hold_schedule(confirm);
	pthread_mutex_unlock(&confirm->mutex);
}

/* ---- Nodes in doubt, once OpenSM has read the subnet ---- */

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
		const osm_physp_t *p = odo_valid_port(node, i);
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
		osm_physp_t *p = odo_valid_port(node, i);
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

static void add_doubt(odo_confirm *now, osm_node_t *node, const odo_doubt *before,
		      odo_doubt_kind kind)
{
	if (odo_grow(&now->list, &now->room, now->n + 1, sizeof *now->list)) {
		now->blind = true;
		return;
	}
	odo_doubt *doubt = &now->list[now->n++];
	*doubt = before ? *before : (odo_doubt){0};
	doubt->guid = cl_ntoh64(osm_node_get_node_guid(node));
	if (kind > doubt->kind)
		doubt->kind = kind;
	doubt->n_lost += kind == ODO_DOUBT_LOST;
	snprintf(doubt->name, sizeof doubt->name, "%s", node->print_desc);
}

/* Return true if a switch was found with other tables since the last sweep. */
static bool is_found_wrong(const odo_confirm *confirm, const osm_node_t *node)
{
	const odo_reading *reading = odo_schedule_find(&confirm->schedule,
						       cl_ntoh64(osm_node_get_node_guid(node)));
	return reading && reading->doubt == ODO_DOUBT_LOST;
}

/* List nodes in doubt. Those of the last list stay, unless they have disappeared. */
static void list_doubts(const odo_confirm *before, const osm_subn_t *subn, odo_confirm *now)
{
	const cl_qmap_t *map = &subn->node_guid_tbl;
	size_t at = 0;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_node_t *node = (osm_node_t *)item;
		const odo_doubt *doubt = find_doubt(before, cl_qmap_key(item), &at);
		/* A new master writes all tables: losses after that show in the next sweep. */
		bool changed = !subn->need_update && has_changed(node);
		bool known = doubt && doubt->kind == ODO_DOUBT_LOST;
		bool found = !known && is_found_wrong(before, node);
		if (node->discovery_count && (doubt || changed || found))
			add_doubt(now, node, doubt,
				  found     ? ODO_DOUBT_LOST
				  : changed ? ODO_DOUBT_CHANGED
					    : ODO_DOUBT_NONE);
		if (known || found)
			write_anew(node);
	}
}

static void doubt_all_zeroes(osm_opensm_t *osm)
{
	const cl_qmap_t *map = &osm->subn.node_guid_tbl;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item))
		odo_doubt_zeroes(osm, (osm_node_t *)item);
}

void odo_confirm_discovered(odo_confirm *confirm, osm_opensm_t *osm)
{
	odo_confirm now = {.list = confirm->spare, .room = confirm->spare_room};
	cl_plock_excl_acquire(&osm->lock);
	if (!confirm->complete)
		doubt_all_zeroes(osm);
	confirm->complete = false;
	pthread_mutex_lock(&confirm->mutex);
	hold_schedule(confirm);
	list_doubts(confirm, &osm->subn, &now);
	pthread_mutex_unlock(&confirm->mutex);
	confirm->all_sent |= osm->subn.need_update;
	cl_plock_release(&osm->lock);
	confirm->spare = confirm->list;
	confirm->spare_room = confirm->room;
	confirm->list = now.list;
	confirm->n = now.n;
	confirm->room = now.room;
	confirm->blind = now.blind;
	confirm->up = false;
}

/* ---- Sent and acknowledged, once the sweep has ended ---- */

/* Find out whether OpenSM has all tables of the node as they should be, so that the node has
 * acknowledged them.
 * @param reading NULL, or gets the number of tables and their digests */
static bool is_acknowledged(osm_opensm_t *osm, osm_node_t *node, odo_reading *reading)
{
	bool all = true;
	unsigned n = odo_n_tables(node);
	odo_table table;
	for (unsigned i = 0; i < n; i++) {
		if (!odo_find_table(osm, node, i, &table))
			continue;
		all &= odo_is_as_expected(&table);
		if (!reading)
			continue;
		uint64_t hash = odo_hash_more(reading->digest[i % ODO_PARTS], &i, sizeof i);
		hash = odo_hash_more(hash, table.expected, table.n);
		reading->digest[i % ODO_PARTS] = (uint32_t)(hash ^ hash >> 32);
		reading->n_mads++;
	}
	return all;
}

static void look_at_switch(odo_confirm *confirm, osm_opensm_t *osm, osm_node_t *node, bool in_doubt,
			   odo_reading *reading)
{
	reading->guid = cl_ntoh64(osm_node_get_node_guid(node));
	snprintf(reading->name, sizeof reading->name, "%s", node->print_desc);
	reading->acknowledged = is_acknowledged(osm, node, reading);
	reading->all_sent = confirm->all_sent || in_doubt;
}

static int compare_readings(const void *a, const void *b)
{
	uint64_t x = ((const odo_reading *)a)->guid, y = ((const odo_reading *)b)->guid;
	return (x > y) - (x < y);
}

/* The list's order is that of OpenSM's table of nodes. */
static int compare_doubts(const void *a, const void *b)
{
	uint64_t x = cl_hton64(((const odo_doubt *)a)->guid);
	uint64_t y = cl_hton64(((const odo_doubt *)b)->guid);
	return (x > y) - (x < y);
}

/* Look at all nodes. Without memory for the schedule no switch counts as seen.
 * @param list [room] gets the switches
 * @return their number */
static size_t look_at_nodes(odo_confirm *confirm, osm_opensm_t *osm, bool again, odo_reading *list,
			    size_t room)
{
	const odo_confirm before = *confirm;
	const cl_qmap_t *map = &osm->subn.node_guid_tbl;
	size_t at = 0, n = 0;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_node_t *node = (osm_node_t *)item;
		bool in_doubt = find_doubt(&before, cl_qmap_key(item), &at);
		odo_reading *reading = node->sw && n < room ? &list[n++] : NULL;
		if (reading)
			look_at_switch(confirm, osm, node, in_doubt, reading);
		bool late = !(reading ? reading->acknowledged : is_acknowledged(osm, node, NULL));
		if (late && !again && !in_doubt)
			add_doubt(confirm, node, NULL, ODO_DOUBT_LATE);
	}
	return n;
}

/* Put doubts into the schedule. Its mutex is held. A switch without one has none there: it is new,
 * or was read right. */
static void show_doubts(odo_confirm *confirm)
{
	for (size_t i = 0; i < confirm->n; i++) {
		odo_reading *reading = odo_schedule_find(&confirm->schedule, confirm->list[i].guid);
		if (reading)
			reading->doubt = confirm->list[i].kind;
	}
}

static void begin_reading(odo_confirm *confirm, osm_opensm_t *osm, const odo_confirm_how *how)
{
	cl_plock_acquire(&osm->lock);
	size_t n = cl_qmap_count(&osm->subn.sw_guid_tbl);
	odo_reading *list = odo_new(n, sizeof *list);
	n = look_at_nodes(confirm, osm, how->again, list, list ? n : 0);
	cl_plock_release(&osm->lock);
	if (confirm->n)
		qsort(confirm->list, confirm->n, sizeof *confirm->list, compare_doubts);
	if (n)
		qsort(list, n, sizeof *list, compare_readings);
	confirm->all_sent = false;
	pthread_mutex_lock(&confirm->mutex);
	hold_schedule(confirm);
	confirm->schedule.period = (uint64_t)how->seconds * 1000;
	confirm->schedule.rate = how->a_second;
	odo_schedule_replace(&confirm->schedule, list, n, odo_steady_ms(), how->sweep);
	show_doubts(confirm);
	pthread_mutex_unlock(&confirm->mutex);
}

/* ---- Nodes in doubt are read back ---- */

/* Wait as OpenSM does between the parts of a sweep. Only its sweeper may: one thread is woken. */
static void wait_for_answers(osm_stats_t *stats)
{
	pthread_mutex_lock(&stats->mutex);
	while (stats->qp0_mads_outstanding && !osm_exit_flag)
		pthread_cond_wait(&stats->cond, &stats->mutex);
	pthread_mutex_unlock(&stats->mutex);
}

/* Return true if another sweep follows at once, which shows more. */
static bool is_disturbed(const osm_opensm_t *osm)
{
	return osm_exit_flag || osm->subn.force_heavy_sweep ||
	       osm->subn.subnet_initialization_error;
}

/* Wait until so many MADs may be sent, or a sweep is requested. */
static void wait_for_rate(odo_confirm *confirm, const osm_opensm_t *osm, unsigned n)
{
	enum { STEP = 10 };
	pthread_mutex_lock(&confirm->mutex);
	odo_schedule_credit(&confirm->schedule, odo_steady_ms());
	uint64_t ms = odo_schedule_pause(&confirm->schedule, n);
	pthread_mutex_unlock(&confirm->mutex);
	for (; ms && !is_disturbed(osm); ms -= ms < STEP ? ms : STEP)
		nanosleep(&(struct timespec){.tv_nsec = STEP * 1000000}, NULL);
}

static void note_asked(odo_confirm *confirm, unsigned n)
{
	pthread_mutex_lock(&confirm->mutex);
	odo_schedule_asked(&confirm->schedule, n, true);
	pthread_mutex_unlock(&confirm->mutex);
}

static void note_right(odo_confirm *confirm, uint64_t guid, uint64_t now)
{
	pthread_mutex_lock(&confirm->mutex);
	odo_reading *reading = odo_schedule_find(&confirm->schedule, guid);
	if (reading)
		odo_reading_is_right(reading, now);
	pthread_mutex_unlock(&confirm->mutex);
}

bool odo_is_read_right(const odo_confirm *confirm, osm_opensm_t *osm, uint64_t guid,
		       const odo_asked *list, unsigned n, unsigned n_blocks)
{
	osm_node_t *node = osm_get_node_by_guid(&osm->subn, cl_hton64(guid));
	return !node || (atomic_load(&confirm->n_answers) >= n_blocks &&
			 odo_all_answered_right(osm, node, list, n));
}

/* Tables of a node that are read together. */
enum { CHUNK = 64 };

/* Query tables from a number on. OpenSM's lock is held exclusively.
 * @param from moved on
 * @return the number of queries */
static unsigned ask_chunk(osm_opensm_t *osm, osm_node_t *node, unsigned *from, odo_asked *list,
			  unsigned most)
{
	unsigned n = 0;
	odo_table table;
	for (; *from < odo_n_tables(node) && n < most; ++*from)
		if (odo_find_table(osm, node, *from, &table))
			odo_ask_table(osm, *from, &table, &list[n++]);
	return n;
}

/* Read tables of a node. The lock is held while MADs are queued and while answers are compared, but
 * not while they travel.
 * @param from number of the first table, moved on; UINT_MAX after the last one */
static bool read_chunk(odo_confirm *confirm, osm_opensm_t *osm, uint64_t guid, unsigned *from)
{
	odo_asked list[CHUNK];
	unsigned rate = confirm->schedule.rate, n = 0;
	unsigned most = rate && rate < CHUNK ? rate : CHUNK;
	wait_for_rate(confirm, osm, most);
	atomic_store(&confirm->n_answers, 0);
	cl_plock_excl_acquire(&osm->lock);
	osm_node_t *node = osm_get_node_by_guid(&osm->subn, cl_hton64(guid));
	if (node)
		n = ask_chunk(osm, node, from, list, most);
	unsigned n_blocks = node ? odo_n_blocks_asked(node, list, n) : 0;
	if (!node || *from >= odo_n_tables(node))
		*from = UINT_MAX;
	cl_plock_release(&osm->lock);
	note_asked(confirm, n);
	wait_for_answers(&osm->stats);
	cl_plock_acquire(&osm->lock);
	bool right = odo_is_read_right(confirm, osm, guid, list, n, n_blocks);
	cl_plock_release(&osm->lock);
	return right;
}

/* Read a node back, unless a sweep is requested meanwhile. */
static odo_finding read_back(odo_confirm *confirm, osm_opensm_t *osm, uint64_t guid)
{
	uint64_t now = odo_steady_ms();
	bool right = true;
	unsigned from = 0;
	while (from != UINT_MAX && right && !is_disturbed(osm))
		right = read_chunk(confirm, osm, guid, &from);
	if (!right)
		return ODO_FOUND_LOST;
	if (from != UINT_MAX)
		return ODO_FOUND_UNREAD;
	note_right(confirm, guid, now);
	return ODO_FOUND_KEPT;
}

void odo_log_lost(osm_opensm_t *osm, const char *name, uint64_t guid, bool again)
{
	osm_log(&osm->log, OSM_LOG_ERROR,
		"odonata: \"%s\" (0x%016" PRIx64
		") does not hold the tables that OpenSM wrote, or does "
		"not answer: %s\n",
		name, guid,
		again ? "the next sweep writes all its tables again"
		      : "later sweeps write all its tables again");
}

/* @return true if a sweep is to be requested for it */
static bool note_lost(odo_confirm *confirm, osm_opensm_t *osm, odo_doubt *doubt)
{
	bool again = ++doubt->n_lost <= MAX_AGAIN;
	doubt->kind = ODO_DOUBT_LOST;
	pthread_mutex_lock(&confirm->mutex);
	confirm->n_alarms++;
	pthread_mutex_unlock(&confirm->mutex);
	odo_log_lost(osm, doubt->name, doubt->guid, again);
	return again;
}

/* Note the nodes that stay in doubt, and continue with the schedule. */
static void end_reading(odo_confirm *confirm, const osm_opensm_t *osm)
{
	confirm->up = !is_disturbed(osm);
	pthread_mutex_lock(&confirm->mutex);
	show_doubts(confirm);
	confirm->open = confirm->up;
	pthread_mutex_unlock(&confirm->mutex);
	/* Allocate room for the next list now, so that a sweep that starts without memory can
	 * continue. */
	(void)odo_grow(&confirm->spare, &confirm->spare_room, confirm->room,
		       sizeof *confirm->spare);
}

bool odo_confirm_read(odo_confirm *confirm, osm_opensm_t *osm, const odo_confirm_how *how)
{
	bool again = false;
	size_t n = 0, n_kept = 0, i = 0;
	begin_reading(confirm, osm, how);
	for (; i < confirm->n && !is_disturbed(osm); i++) {
		odo_doubt doubt = confirm->list[i];
		odo_finding found = read_back(confirm, osm, doubt.guid);
		n_kept += found == ODO_FOUND_KEPT;
		if (found == ODO_FOUND_LOST)
			again |= note_lost(confirm, osm, &doubt);
		if (found != ODO_FOUND_KEPT)
			confirm->list[n++] = doubt;
	}
	for (; i < confirm->n; i++)
		confirm->list[n++] = confirm->list[i];
	confirm->n = n;
	end_reading(confirm, osm);
	if (n_kept)
		osm_log(&osm->log, OSM_LOG_INFO,
			"odonata: %zu changed switches and adapters hold the tables that OpenSM "
			"wrote; the tables of %zu are not confirmed\n",
			n_kept, odo_confirm_unknown(confirm));
	return again;
}
