/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/terminal/answer.h"
#include "routing/verify/group.h"

typedef struct node {
	uint64_t guid;
	uint32_t id;
} node;

typedef struct groups {
	const odo_live_tables *installed;
	const odo_fabric *f;
	node *nodes;             /* sorted by GUID */
	odo_live_entry *entry;   /* sorted by LID */
	odo_live_member *member; /* the same */
	uint8_t *on, *own, *part;
	odo_arena room; /* holds all of these */
	json_t *failures;
	size_t n, n_unclear; /* groups */
} groups;

static int compare_node_guids(const void *a, const void *b)
{
	const node *x = a, *y = b;
	return (x->guid > y->guid) - (x->guid < y->guid);
}

static int compare_entry_mlids(const void *a, const void *b)
{
	const odo_live_entry *x = a, *y = b;
	return x->mlid - y->mlid;
}

static int compare_member_mlids(const void *a, const void *b)
{
	const odo_live_member *x = a, *y = b;
	return x->mlid - y->mlid;
}

static uint32_t node_of_guid(const groups *g, uint64_t guid)
{
	node key = {.guid = guid};
	const node *at = bsearch(&key, g->nodes, g->f->n_nodes, sizeof *g->nodes,
				 compare_node_guids);
	return at ? at->id : ODO_NONE;
}

static void mark_entry(const groups *g, const odo_live_entry *x)
{
	uint32_t s = node_of_guid(g, x->guid);
	if (s >= g->f->n_switches || x->port > odo_n_ports(g->f, s))
		return;
	if (x->port)
		g->on[odo_slot(g->f, s, x->port)] = 1;
	else
		g->own[s] = 1;
}

/* Set the part of a host in the group.
 * @return true if the part is unclear, and that matters */
static bool mark_member(const groups *g, const odo_live_member *x)
{
	const odo_fabric *f = g->f;
	uint32_t v = node_of_guid(g, x->guid);
	uint32_t slot = v == ODO_NONE || x->port > odo_n_ports(f, v) ? ODO_NONE
								     : odo_slot(f, v, x->port);
	if (slot == ODO_NONE || f->slot_host[slot] == ODO_NONE)
		return false;
	bool sent = g->on[f->peer[slot]], unclear = x->part == ODO_LIVE_UNCLEAR;
	g->part[f->slot_host[slot]] = x->part == ODO_LIVE_RECEIVES || (unclear && sent)
					      ? ODO_GROUP_RECEIVES
				      : unclear ? ODO_GROUP_OUTSIDE
						: ODO_GROUP_SENDS;
	return unclear && !sent;
}

/** Take all reached hosts for members, if the members of groups are not known. */
static void mark_reached_hosts(const groups *g)
{
	for (uint32_t h = 0; h < g->f->n_hosts; h++)
		if (g->on[g->f->peer[g->f->host_slot[h]]])
			g->part[h] = ODO_GROUP_RECEIVES;
}

/** Fill in the group of the entries from `i` on, and of the members from *k on.
 * @return its end */
static size_t fill_group(groups *g, size_t i, size_t *k)
{
	const odo_live_tables *in = g->installed;
	const odo_fabric *f = g->f;
	uint16_t mlid = g->entry[i].mlid;
	bool unclear = false;
	memset(g->on, 0, f->n_slots);
	memset(g->own, 0, f->n_switches);
	memset(g->part, 0, f->n_hosts);
	for (; i < in->n_entries && g->entry[i].mlid == mlid; i++)
		mark_entry(g, &g->entry[i]);
	for (; *k < in->n_members && g->member[*k].mlid <= mlid; ++*k)
		unclear |= mark_member(g, &g->member[*k]);
	if (!in->members_asked)
		mark_reached_hosts(g);
	g->n++;
	g->n_unclear += unclear;
	return i;
}

static int verify_groups(groups *g, odo_error *err)
{
	int status = 0;
	for (size_t i = 0, k = 0; i < g->installed->n_entries && !status;) {
		odo_group group = {g->entry[i].mlid, g->on, g->own, g->part};
		i = fill_group(g, i, &k);
		status = odo_group_verify(g->f, &group, err);
		if (status != ODO_EUNSAFE)
			continue;
		status = 0;
		cli_append(&g->failures,
			   json_pack("{so so}", "mlid", json_sprintf("0x%04x", group.mlid),
				     "failure", cli_json_text(err->text)));
	}
	return status;
}

static void *copy_array(odo_arena *room, const void *from, size_t n, size_t size)
{
	void *to = odo_arena_new(room, n, size);
	if (to && n)
		memcpy(to, from, n * size);
	return to;
}

static int prepare_groups(groups *g)
{
	const odo_live_tables *in = g->installed;
	g->nodes = odo_arena_new(&g->room, g->f->n_nodes, sizeof *g->nodes);
	g->entry = copy_array(&g->room, in->entries, in->n_entries, sizeof *g->entry);
	g->member = copy_array(&g->room, in->members, in->n_members, sizeof *g->member);
	g->on = odo_arena_new(&g->room, g->f->n_slots, 1);
	g->own = odo_arena_new(&g->room, g->f->n_switches, 1);
	g->part = odo_arena_new(&g->room, g->f->n_hosts, 1);
	g->failures = json_array();
	if (g->room.failed || !g->failures)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < g->f->n_nodes; v++)
		g->nodes[v] = (node){g->f->node_guid[v], v};
	qsort(g->nodes, g->f->n_nodes, sizeof *g->nodes, compare_node_guids);
	qsort(g->entry, in->n_entries, sizeof *g->entry, compare_entry_mlids);
	qsort(g->member, in->n_members, sizeof *g->member, compare_member_mlids);
	return 0;
}

static void answer_group_verdicts(json_t **answer, const groups *g)
{
	const char *members = !g->installed->members_asked ? "all ports that entries name"
			      : g->n_unclear ? "asked of the subnet manager; some are not clear"
					     : "asked of the subnet manager";
	cli_put_count(answer, "multicast_groups", g->n);
	if (!g->n)
		return;
	cli_put_text(answer, "multicast_members", members);
	cli_put_bool(answer, "multicast_trees", !json_array_size(g->failures));
	if (json_array_size(g->failures))
		cli_put(answer, "multicast_failures", json_incref(g->failures));
}

int cli_groups_answer(json_t **answer, const odo_live_tables *installed, const odo_fabric *f,
		      bool *clear, odo_error *err)
{
	groups g = {.installed = installed, .f = f};
	int status = prepare_groups(&g);
	if (!status)
		status = verify_groups(&g, err);
	if (!status)
		answer_group_verdicts(answer, &g);
	if (status || !g.failures)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	else if (json_array_size(g.failures))
		status = odo_fail(err, ODO_EUNSAFE, "multicast entries form no trees");
	*clear = !g.n_unclear;
	odo_arena_free(&g.room);
	json_decref(g.failures);
	return status;
}
