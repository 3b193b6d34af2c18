/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Builder of a fabric: accepts nodes and cables in any order, checks them, and lays out the
 * arrays. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "fabric/lids.h"
#include "base/memory.h"
#include "base/order.h"

/* Generated GUIDs start here, in ranges that belong to no vendor. */
#define SWITCH_GUID 0x0d0a000000200000ull
#define ADAPTER_GUID 0x0d0a000000400000ull

typedef struct build_node {
	uint64_t guid;
	uint32_t first_port; /* index into ports[] */
	uint32_t name_at, place_at;
	uint16_t lid;
	uint8_t type, n_ports, lmc;
} build_node;

typedef struct build_port {
	uint64_t guid;
	uint32_t peer; /* index into ports[] */
	uint32_t node, label_at;
	uint16_t lid;
	uint8_t lmc;
	bool silent;
	odo_link_info link;
} build_port;

struct odo_builder {
	build_node *nodes;
	size_t n_nodes, nodes_room;
	build_port *ports;
	size_t n_ports, ports_room;
	char *names;
	size_t names_size, names_room;
	uint32_t n_switches;
	uint32_t n_differ; /* cables whose ends report different rates */
	odo_ledger ledger;
};

int odo_builder_create(odo_builder **out, odo_error *err)
{
	odo_builder *b = odo_new(1, sizeof *b);
	if (b && odo_grow(&b->names, &b->names_room, 1, 1)) {
		free(b);
		b = NULL;
	}
	if (!b)
		return odo_fail(err, ODO_ENOMEM, "no memory for a fabric");
	b->names[b->names_size++] = '\0';
	*out = b;
	return 0;
}

void odo_builder_free(odo_builder *b)
{
	if (!b)
		return;
	free(b->nodes);
	free(b->ports);
	free(b->names);
	free(b);
}

/* Copy a text. It comes from a subnet or a file, and is printed to logs and terminals. */
static int keep_text(odo_builder *b, const char *text, size_t n, uint32_t *at)
{
	if (odo_grow(&b->names, &b->names_room, b->names_size + n + 1, 1) ||
	    b->names_size + n + 1 >= UINT32_MAX)
		return ODO_ENOMEM;
	char *copy = b->names + b->names_size;
	memcpy(copy, text, n);
	copy[n] = '\0';
	odo_tame(copy);
	*at = (uint32_t)b->names_size;
	b->names_size += n + 1;
	return 0;
}

int odo_builder_add(odo_builder *b, const odo_node_info *info, uint32_t *id, odo_error *err)
{
	if (info->n_ports < 1 || info->n_ports > ODO_MAX_PORTS)
		return odo_fail(err, ODO_EINPUT, "node \"%s\": expected 1 to %u ports, found %u",
				info->name ? info->name : "", ODO_MAX_PORTS, info->n_ports);
	if (info->lmc > 7)
		return odo_fail(err, ODO_EINPUT, "node \"%s\": expected an LMC of 0 to 7, found %u",
				info->name ? info->name : "", info->lmc);
	const char *name = info->name ? info->name : "";
	if (b->n_ports + info->n_ports > ODO_MOST_PORTS)
		return odo_fail(err, ODO_EINPUT,
				"node \"%s\": more than %u ports altogether: take fewer or smaller "
				"switches",
				name, ODO_MOST_PORTS);
	uint32_t name_at = 0;
	if (odo_grow(&b->nodes, &b->nodes_room, b->n_nodes + 1, sizeof *b->nodes) ||
	    odo_grow(&b->ports, &b->ports_room, b->n_ports + info->n_ports, sizeof *b->ports) ||
	    keep_text(b, name, strlen(name), &name_at))
		return odo_fail(err, ODO_ENOMEM, "no memory for node \"%s\"", name);
	b->nodes[b->n_nodes] = (build_node){
		.guid = info->guid,
		.first_port = (uint32_t)b->n_ports,
		.name_at = name_at,
		.lid = info->type == ODO_SWITCH ? info->lid : 0,
		.type = (uint8_t)info->type,
		.n_ports = (uint8_t)info->n_ports,
		.lmc = info->lmc,
	};
	for (unsigned p = 0; p < info->n_ports; p++)
		b->ports[b->n_ports++] = (build_port){.peer = ODO_NONE,
						      .node = (uint32_t)b->n_nodes};
	b->n_switches += info->type == ODO_SWITCH;
	*id = (uint32_t)b->n_nodes++;
	return 0;
}

static const char *build_name(const odo_builder *b, uint32_t node)
{
	return b->names + b->nodes[node].name_at;
}

static int find_port(const odo_builder *b, uint32_t node, unsigned port, uint32_t *at,
		     odo_error *err)
{
	if (node >= b->n_nodes)
		return odo_fail(err, ODO_EINPUT, "expected a node below %zu, found %" PRIu32,
				b->n_nodes, node);
	if (port < 1 || port > b->nodes[node].n_ports)
		return odo_fail(err, ODO_EINPUT,
				"node \"%s\": expected a port from 1 to %u, found %u",
				build_name(b, node), b->nodes[node].n_ports, port);
	*at = b->nodes[node].first_port + port - 1;
	return 0;
}

int odo_builder_port(odo_builder *b, uint32_t node, unsigned port, uint64_t guid, uint16_t lid,
		     uint8_t lmc, odo_error *err)
{
	uint32_t at = 0;
	int status = find_port(b, node, port, &at, err);
	if (status)
		return status;
	if (lmc > 7)
		return odo_fail(err, ODO_EINPUT,
				"node \"%s\" port %u: expected an LMC of 0 to 7, found %u",
				build_name(b, node), port, lmc);
	b->ports[at].guid = guid;
	b->ports[at].lid = lid;
	b->ports[at].lmc = lmc;
	return 0;
}

int odo_builder_label(odo_builder *b, uint32_t node, unsigned port, const char *text, size_t n,
		      odo_error *err)
{
	uint32_t at = 0, label = 0;
	int status = find_port(b, node, port ? port : 1, &at, err);
	if (status || !n)
		return status;
	if (keep_text(b, text, n < ODO_LABEL_BYTES ? n : ODO_LABEL_BYTES, &label))
		return odo_fail(err, ODO_ENOMEM, "no memory for node \"%s\"", build_name(b, node));
	if (port)
		b->ports[at].label_at = label;
	else
		b->nodes[node].place_at = label;
	return 0;
}

static int cabled_twice(const odo_builder *b, uint32_t at, odo_error *err)
{
	const build_port *p = &b->ports[at], *other = &b->ports[p->peer];
	return odo_fail(err, ODO_EINPUT,
			"node \"%s\" port %u is cabled twice: already to \"%s\" port %u",
			build_name(b, p->node), at - b->nodes[p->node].first_port + 1,
			build_name(b, other->node), p->peer - b->nodes[other->node].first_port + 1);
}

static uint8_t lower(uint8_t a, uint8_t b)
{
	return a && b ? (a < b ? a : b) : a + b;
}

static uint32_t link_rate(odo_link_info x)
{
	return x.width * odo_lane_rate(x.speed);
}

/* A cable runs at a rate that both of its ends support. */
static odo_link_info join_ends(odo_builder *b, odo_link_info a, odo_link_info c)
{
	odo_link_info both = link_rate(a) && link_rate(c) && link_rate(c) < link_rate(a) ? c : a;
	if (!link_rate(a) || !link_rate(c))
		both = (odo_link_info){.width = lower(a.width, c.width),
				       .speed = lower(a.speed, c.speed)};
	b->n_differ += (a.width && c.width && a.width != c.width) ||
		       (a.speed && c.speed && a.speed != c.speed);
	both.n_vls = lower(a.n_vls, c.n_vls);
	return both;
}

odo_ledger *odo_builder_ledger(odo_builder *b)
{
	return &b->ledger;
}

uint32_t odo_builder_rates_differ(const odo_builder *b)
{
	return b->n_differ;
}

int odo_builder_link(odo_builder *b, uint32_t node_a, unsigned port_a, uint32_t node_b,
		     unsigned port_b, odo_link_info info, odo_error *err)
{
	uint32_t x = 0, y = 0;
	int status = find_port(b, node_a, port_a, &x, err);
	if (!status)
		status = find_port(b, node_b, port_b, &y, err);
	if (status)
		return status;
	if (x == y)
		return odo_fail(err, ODO_EINPUT, "node \"%s\" port %u is cabled to itself",
				build_name(b, node_a), port_a);
	if (b->ports[x].peer != ODO_NONE && b->ports[x].peer != y)
		return cabled_twice(b, x, err);
	if (b->ports[y].peer != ODO_NONE && b->ports[y].peer != x)
		return cabled_twice(b, y, err);
	if (b->ports[x].peer == y)
		info = join_ends(b, b->ports[x].link, info);
	b->ports[x].peer = y;
	b->ports[y].peer = x;
	b->ports[x].link = b->ports[y].link = info;
	return 0;
}

void odo_builder_silence(odo_builder *b, uint32_t node, unsigned port)
{
	b->ports[b->nodes[node].first_port + port - 1].silent = true;
}

void odo_builder_rates(odo_builder *b, odo_link_info switches, odo_link_info hosts)
{
	for (size_t i = 0; i < b->n_ports; i++) {
		build_port *p = &b->ports[i];
		if (p->peer == ODO_NONE)
			continue;
		bool host = b->nodes[p->node].type != ODO_SWITCH ||
			    b->nodes[b->ports[p->peer].node].type != ODO_SWITCH;
		p->link.width = host ? hosts.width : switches.width;
		p->link.speed = host ? hosts.speed : switches.speed;
	}
}

static int allocate_fabric(odo_fabric *f, const odo_builder *b)
{
	odo_arena *memory = &f->memory;
	f->n_nodes = (uint32_t)b->n_nodes;
	f->n_switches = b->n_switches;
	f->n_slots = (uint32_t)b->n_ports;
	f->first_slot = odo_arena_new(memory, f->n_nodes + 1ul, sizeof *f->first_slot);
	f->node_guid = odo_arena_new(memory, f->n_nodes, sizeof *f->node_guid);
	f->node_type = odo_arena_new(memory, f->n_nodes, sizeof *f->node_type);
	f->name_at = odo_arena_new(memory, f->n_nodes, sizeof *f->name_at);
	f->place_at = odo_arena_new(memory, f->n_nodes, sizeof *f->place_at);
	f->names = odo_arena_new(memory, b->names_size, 1);
	f->peer = odo_arena_new(memory, f->n_slots, sizeof *f->peer);
	f->owner = odo_arena_new(memory, f->n_slots, sizeof *f->owner);
	f->port_guid = odo_arena_new(memory, f->n_slots, sizeof *f->port_guid);
	f->port_lid = odo_arena_new(memory, f->n_slots, sizeof *f->port_lid);
	f->port_lmc = odo_arena_new(memory, f->n_slots, sizeof *f->port_lmc);
	f->width = odo_arena_new(memory, f->n_slots, sizeof *f->width);
	f->speed = odo_arena_new(memory, f->n_slots, sizeof *f->speed);
	f->n_vls = odo_arena_new(memory, f->n_slots, sizeof *f->n_vls);
	f->label_at = odo_arena_new(memory, f->n_slots, sizeof *f->label_at);
	f->switch_lid = odo_arena_new(memory, f->n_switches, sizeof *f->switch_lid);
	f->switch_lmc = odo_arena_new(memory, f->n_switches, sizeof *f->switch_lmc);
	f->slot_host = odo_arena_new(memory, f->n_slots, sizeof *f->slot_host);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Assign the new id of each builder node: switches first, otherwise in the order of addition. */
static void place_nodes(const odo_builder *b, uint32_t *id)
{
	uint32_t next_switch = 0, next_adapter = b->n_switches;
	for (size_t v = 0; v < b->n_nodes; v++)
		id[v] = b->nodes[v].type == ODO_SWITCH ? next_switch++ : next_adapter++;
}

static void copy_nodes(odo_fabric *f, const odo_builder *b, const uint32_t *id)
{
	memcpy(f->names, b->names, b->names_size);
	f->no_guids = true;
	for (size_t v = 0; v < b->n_nodes; v++) {
		const build_node *n = &b->nodes[v];
		uint64_t base = n->type == ODO_SWITCH ? SWITCH_GUID : ADAPTER_GUID;
		f->node_guid[id[v]] = n->guid ? n->guid : base + id[v];
		f->no_guids &= !n->guid;
		f->node_type[id[v]] = n->type;
		f->name_at[id[v]] = n->name_at;
		f->place_at[id[v]] = n->place_at;
		f->first_slot[id[v] + 1] = n->n_ports;
		if (n->type == ODO_SWITCH) {
			f->switch_lid[id[v]] = n->lid;
			f->switch_lmc[id[v]] = n->lmc;
		}
	}
	for (uint32_t v = 0; v < f->n_nodes; v++)
		f->first_slot[v + 1] += f->first_slot[v];
}

static uint32_t moved_slot(const odo_fabric *f, const odo_builder *b, const uint32_t *id,
			   uint32_t at)
{
	uint32_t node = b->ports[at].node;
	return f->first_slot[id[node]] + at - b->nodes[node].first_port;
}

static void copy_build_ports(odo_fabric *f, const odo_builder *b, const uint32_t *id)
{
	for (uint32_t at = 0; at < b->n_ports; at++) {
		const build_port *p = &b->ports[at];
		uint32_t slot = moved_slot(f, b, id, at), node = id[p->node];
		bool linked = p->peer != ODO_NONE;
		f->owner[slot] = node;
		f->label_at[slot] = p->label_at;
		f->peer[slot] = linked ? moved_slot(f, b, id, p->peer) : ODO_NONE;
		f->width[slot] = linked && !p->link.width ? 4 : p->link.width;
		f->speed[slot] = p->link.speed;
		f->n_vls[slot] = linked && !p->link.n_vls ? 8 : p->link.n_vls;
		f->slot_host[slot] = ODO_NONE;
		f->n_links += linked && at < p->peer;
		if (node < f->n_switches)
			continue;
		f->port_lid[slot] = p->lid;
		f->port_lmc[slot] = p->lmc;
		/* Number an adapter's ports from its own GUID, as ibsim does. */
		f->port_guid[slot] = p->guid ? p->guid
					     : f->node_guid[node] + slot - f->first_slot[node] + 1;
		f->n_hosts += linked && b->nodes[b->ports[p->peer].node].type == ODO_SWITCH;
	}
}

bool odo_sends_by_itself(const odo_fabric *f, uint32_t node)
{
	return f->node_type[node] == ODO_CA && !odo_is_aggregation(odo_name(f, node));
}

/* @param silent [n_slots] ports that do not send, whatever their node is */
static void number_some(odo_fabric *f, const uint8_t *silent, bool senders, uint32_t *host)
{
	for (uint32_t slot = f->first_slot[f->n_switches]; slot < f->n_slots; slot++) {
		if (odo_next_switch(f, slot) == ODO_NONE ||
		    senders != (!silent[slot] && odo_sends_by_itself(f, f->owner[slot])))
			continue;
		f->host_slot[*host] = slot;
		f->slot_host[slot] = f->slot_host[f->peer[slot]] = (*host)++;
	}
}

static int number_all_hosts(odo_fabric *f, const odo_builder *b, const uint32_t *id)
{
	uint32_t host = 0;
	uint8_t *silent = odo_new(f->n_slots, 1);
	f->host_slot = odo_arena_new(&f->memory, f->n_hosts, sizeof *f->host_slot);
	if (!f->host_slot || !silent) {
		free(silent);
		return ODO_ENOMEM;
	}
	for (uint32_t at = 0; at < b->n_ports; at++)
		silent[moved_slot(f, b, id, at)] = b->ports[at].silent;
	number_some(f, silent, true, &host);
	f->n_senders = host;
	if (host < f->n_hosts)
		number_some(f, silent, false, &host);
	free(silent);
	return 0;
}

typedef struct owned_guid {
	uint64_t guid;
	uint32_t node;
} owned_guid;

static int compare_owned_guids(const void *a, const void *b)
{
	const owned_guid *x = a, *y = b;
	return x->guid != y->guid ? (x->guid > y->guid) - (x->guid < y->guid)
				  : (x->node > y->node) - (x->node < y->node);
}

/* Choose a GUID for a node whose GUID another node has: the generated one of its number, or a free
 * one above. */
static uint64_t free_guid(const odo_fabric *f, const owned_guid *sorted, uint32_t node)
{
	uint64_t guid = (odo_is_switch(f, node) ? SWITCH_GUID : ADAPTER_GUID) + node;
	while (bsearch(&(owned_guid){.guid = guid}, sorted, f->n_nodes, sizeof *sorted, odo_by_u64))
		guid += ODO_MOST_PORTS;
	return guid;
}

static int refuse_guid(uint64_t guid, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT,
			"expected every node to have its own GUID, found 0x%016" PRIx64 " twice",
			guid);
}

/* If several nodes have the same GUID, the first one keeps it. */
static int check_guids(odo_fabric *f, odo_lid_policy policy, odo_ledger *ledger, odo_error *err)
{
	owned_guid *sorted = odo_new(f->n_nodes, sizeof *sorted);
	int status = sorted ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to compare GUIDs");
	for (uint32_t v = 0; v < f->n_nodes && !status; v++)
		sorted[v] = (owned_guid){f->node_guid[v], v};
	if (!status)
		qsort(sorted, f->n_nodes, sizeof *sorted, compare_owned_guids);
	for (uint32_t i = 1; i < f->n_nodes && !status; i++) {
		if (sorted[i].guid != sorted[i - 1].guid)
			continue;
		if (policy != ODO_LIDS_FILL) {
			status = refuse_guid(sorted[i].guid, err);
			continue;
		}
		uint32_t v = sorted[i].node;
		odo_ledger_add(ledger, ODO_REPAIR_GUID, 0, "0x%016" PRIx64 ", \"%.32s\"",
			       sorted[i].guid, odo_name(f, v));
		f->node_guid[v] = free_guid(f, sorted, v);
	}
	free(sorted);
	return status;
}

/* Move the ledger into the fabric. */
static int keep_ledger(odo_fabric *f, const odo_builder *b)
{
	if (odo_ledger_is_empty(&b->ledger))
		return 0;
	f->repairs = odo_arena_new(&f->memory, 1, sizeof *f->repairs);
	if (!f->repairs)
		return ODO_ENOMEM;
	*f->repairs = b->ledger;
	return 0;
}

int odo_builder_freeze(odo_builder *b, odo_lid_policy policy, uint8_t lmc, odo_fabric **out,
		       odo_error *err)
{
	int status = ODO_ENOMEM;
	uint32_t *id = odo_new(b->n_nodes, sizeof *id);
	odo_fabric *f = odo_new(1, sizeof *f);
	if (!id || !f || allocate_fabric(f, b))
		goto done;
	place_nodes(b, id);
	copy_nodes(f, b, id);
	status = check_guids(f, policy, &b->ledger, err);
	copy_build_ports(f, b, id);
	if (!status)
		status = number_all_hosts(f, b, id);
	if (!status)
		status = odo_fabric_index_lids(f, policy, lmc, &b->ledger, err);
	if (!status)
		status = keep_ledger(f, b);
done:
	if (status == ODO_ENOMEM)
		odo_fail(err, ODO_ENOMEM, "no memory for a fabric of %zu nodes", b->n_nodes);
	if (status)
		odo_fabric_free(f);
	else
		*out = f;
	free(id);
	odo_builder_free(b);
	return status;
}
