/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * MADs use directed routes, so that the installed tables have no influence. Only path records come
 * from the subnet manager, by its LID. The texts have the format of OpenSM's dumps.
 */
#include "live/installed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "live/query.h"

enum { LFT_BLOCK = 64, NO_PORT = 255, N_SLS = 16 };

/* Forwarding tables: the highest LID of each, then blocks of all. */
typedef struct lfts {
	odo_query *q;
	ibnd_node_t **node; /* [n] */
	size_t n;
	uint32_t *top;  /* [n] */
	size_t *first;  /* [n + 1] first block of each */
	uint32_t *of;   /* [blocks] node of each block */
	uint8_t *block; /* [blocks * LFT_BLOCK] */
	bool *silent;   /* [n] node does not answer, and is not queried again */
} lfts;

static bool ask_top(void *context, size_t i, odo_mad *mad)
{
	const lfts *l = context;
	*mad = odo_smp_to(l->node[i], IB_ATTR_SWITCH_INFO, 0);
	return true;
}

static void take_top(void *context, size_t i, const uint8_t *data)
{
	lfts *l = context;
	l->top[i] = odo_mad_field(data, IB_SW_LINEAR_FDB_TOP_F);
}

static void miss_top(void *context, size_t i, unsigned status)
{
	lfts *l = context;
	(void)status;
	l->silent[i] = true;
	odo_query_unread(l->q, ODO_LIVE_FORWARDING, l->node[i], 0);
}

static bool ask_lft_block(void *context, size_t i, odo_mad *mad)
{
	const lfts *l = context;
	*mad = odo_smp_to(l->node[l->of[i]], IB_ATTR_LINEARFORWTBL,
			  (unsigned)(i - l->first[l->of[i]]));
	return !l->silent[l->of[i]];
}

static void take_lft_block(void *context, size_t i, const uint8_t *data)
{
	lfts *l = context;
	memcpy(l->block + i * LFT_BLOCK, data, LFT_BLOCK);
}

static void miss_lft_block(void *context, size_t i, unsigned status)
{
	miss_top(context, ((const lfts *)context)->of[i], status);
}

/* Write a forwarding table, without entries if the node does not answer. */
static void write_lft_text(const lfts *l, size_t i, FILE *to)
{
	const uint8_t *port = l->block + l->first[i] * LFT_BLOCK;
	fprintf(to, "Unicast lids [0x0-0x%x] of switch DR path guid 0x%016" PRIx64 "\n", l->top[i],
		l->node[i]->guid);
	for (uint32_t lid = 1; lid <= l->top[i] && !l->silent[i]; lid++)
		if (port[lid] != NO_PORT)
			fprintf(to, "0x%04x %03u\n", lid, port[lid]);
}

static int read_blocks(lfts *l)
{
	int status = odo_query_try(l->q, "SwitchInfo", l->n, l, ask_top, take_top, miss_top);
	for (size_t i = 0; i < l->n && !status; i++)
		l->first[i + 1] = l->first[i] + l->top[i] / LFT_BLOCK + 1;
	if (status)
		return status;
	l->of = odo_arena_new(&l->q->memory, l->first[l->n], sizeof *l->of);
	l->block = odo_arena_new(&l->q->memory, l->first[l->n], LFT_BLOCK);
	if (l->q->memory.failed)
		return ODO_ENOMEM;
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = l->first[i]; k < l->first[i + 1]; k++)
			l->of[k] = (uint32_t)i;
	return odo_query_try(l->q, "forwarding tables", l->first[l->n], l, ask_lft_block,
			     take_lft_block, miss_lft_block);
}

static int read_lfts(odo_query *q, const ibnd_fabric_t *subnet, FILE *to)
{
	lfts l = {.q = q};
	size_t n = 0;
	for (ibnd_node_t *node = subnet->nodes; node; node = node->next)
		n += node->type == IB_NODE_SWITCH;
	l.node = odo_arena_new(&q->memory, n, sizeof(ibnd_node_t *));
	l.top = odo_arena_new(&q->memory, n, sizeof *l.top);
	l.first = odo_arena_new(&q->memory, n + 1, sizeof *l.first);
	l.silent = odo_arena_new(&q->memory, n, sizeof *l.silent);
	int status = q->memory.failed ? ODO_ENOMEM : 0;
	for (ibnd_node_t *node = subnet->nodes; node && !status; node = node->next)
		if (node->type == IB_NODE_SWITCH)
			l.node[l.n++] = node;
	if (!status)
		status = read_blocks(&l);
	for (size_t i = 0; i < l.n && !status; i++)
		write_lft_text(&l, i, to);
	return odo_query_fail(q, status);
}

/* An SL2VL table. */
typedef struct map {
	ibnd_node_t *node;
	uint8_t in, out, vl[N_SLS / 2];
	bool read;
} map;

typedef struct maps {
	odo_query *q;
	map *map;
	size_t n, room;
} maps;

static bool is_host_node(const ibnd_node_t *node)
{
	return node->type != IB_NODE_SWITCH;
}

static bool ask_map(void *context, size_t i, odo_mad *mad)
{
	const maps *all = context;
	const map *m = &all->map[i];
	*mad = odo_smp_to(m->node, IB_ATTR_SLVL_TABLE,
			  is_host_node(m->node) ? m->out : (unsigned)m->in << 8 | m->out);
	return m->node != all->q->silent;
}

static void take_map(void *context, size_t i, const uint8_t *data)
{
	map *m = &((maps *)context)->map[i];
	memcpy(m->vl, data, N_SLS / 2);
	m->read = true;
}

static void miss_map(void *context, size_t i, unsigned status)
{
	maps *all = context;
	(void)status;
	odo_query_miss(all->q, ODO_LIVE_MAPS, all->map[i].node);
}

/* List the SL2VL tables of a node. Ports that send on a single VL are skipped, because the tables
 * have no effect there. */
static int list_maps(maps *m, ibnd_node_t *node)
{
	for (int out = 1; out <= node->numports; out++) {
		if (!odo_is_cabled(node, out) || odo_has_one_vl(node, out))
			continue;
		for (int in = 0; in <= (is_host_node(node) ? 0 : node->numports); in++) {
			if (in && !odo_is_cabled(node, in))
				continue;
			if (odo_grow(&m->map, &m->room, m->n + 1, sizeof *m->map))
				return ODO_ENOMEM;
			m->map[m->n++] = (map){
				.node = node, .in = (uint8_t)in, .out = (uint8_t)out};
		}
	}
	return 0;
}

static void write_sl2vl_text(odo_query *q, const map *m, const map *before, FILE *to)
{
	const ibnd_node_t *node = m->node;
	if (is_host_node(node))
		fprintf(to, "Channel Adapter 0x%016" PRIx64 "\n", node->ports[m->out]->guid);
	else if (!before || before->node != node)
		fprintf(to, "Switch 0x%016" PRIx64 "\n", node->guid);
	fprintf(to, "%d %d :", m->in, is_host_node(node) ? 0 : m->out);
	for (unsigned sl = 0; sl < N_SLS; sl++) {
		unsigned vl = sl % 2 ? m->vl[sl / 2] & 15u : m->vl[sl / 2] >> 4;
		q->by_sl |= vl != m->vl[0] >> 4;
		fprintf(to, " %u", vl);
	}
	fputc('\n', to);
}

static int read_maps(odo_query *q, const ibnd_fabric_t *subnet, FILE *to)
{
	maps m = {.q = q};
	const map *before = NULL;
	int status = 0;
	for (ibnd_node_t *node = subnet->nodes; node && !status; node = node->next)
		status = list_maps(&m, node);
	if (!status)
		status = odo_query_try(q, "SL2VL tables", m.n, &m, ask_map, take_map, miss_map);
	for (size_t i = 0; i < m.n && !status; i++)
		if (m.map[i].read) {
			write_sl2vl_text(q, &m.map[i], before, to);
			before = &m.map[i];
		}
	free(m.map);
	return odo_query_fail(q, status);
}

/* Find nodes that were not discovered, behind switch ports whose link is up. Another port of an
 * adapter may be in another subnet, so adapters are skipped. */
static void list_silent(odo_query *q, const ibnd_fabric_t *subnet)
{
	enum { LINK_UP = 5 }; /* PortPhysicalState (InfiniBand volume 1, 14.2.5.6) */
	for (ibnd_node_t *node = subnet->nodes; node; node = node->next)
		for (int port = 1; port <= node->numports && !is_host_node(node); port++)
			if (node->ports[port] && !node->ports[port]->remoteport &&
			    odo_mad_field(node->ports[port]->info, IB_PORT_PHYS_STATE_F) == LINK_UP)
				odo_query_unread(q, ODO_LIVE_NODE, node, (unsigned)port);
}

static int read_installed_tables(odo_query *q, const ibnd_fabric_t *subnet,
				 FILE *to[ODO_LIVE_TEXTS])
{
	q->out->began = time(NULL);
	list_silent(q, subnet);
	int status = read_lfts(q, subnet, to[ODO_LIVE_LFTS]);
	if (!status)
		status = read_maps(q, subnet, to[ODO_LIVE_SL2VL]);
	q->out->ended = time(NULL);
	if (!status)
		status = odo_arbitration_read(q, subnet);
	if (!status && q->wanted->multicast)
		status = odo_multicast_read(q, subnet);
	if (!status && q->by_sl && !q->wanted->without_sls)
		status = odo_records_read(q, subnet, to[ODO_LIVE_SLS]);
	return !status && q->wanted->counters
		       ? odo_counters_read(q, subnet, q->wanted->counted_seconds)
		       : status;
}

int odo_installed_read(ibnd_fabric_t *subnet, const odo_live_options *options, odo_live_tables *out,
		       odo_error *err)
{
	FILE *to[ODO_LIVE_TEXTS] = {NULL};
	odo_query q = {.out = out, .err = err, .wanted = options};
	*out = (odo_live_tables){0};
	int status = odo_query_open(&q);
	if (status)
		return status;
	for (int i = 0; i < ODO_LIVE_TEXTS && !status; i++)
		if (!(to[i] = open_memstream(&out->text[i], &out->size[i])))
			status = odo_fail(err, ODO_ENOMEM, "no memory for installed tables");
	if (!status)
		status = read_installed_tables(&q, subnet, to);
	for (int i = 0; i < ODO_LIVE_TEXTS; i++)
		if (to[i] && (ferror(to[i]) | fclose(to[i])) && !status)
			status = odo_fail(err, ODO_ENOMEM, "no memory for installed tables");
	odo_query_close(&q);
	if (status)
		odo_live_tables_clear(out);
	return status;
}
