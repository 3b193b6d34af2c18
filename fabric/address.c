/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/address.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "fabric/machine.h"

typedef struct match {
	uint32_t node, slot, other; /* other: a second node that matches, or ODO_NONE */
	uint16_t lid;
} match;

static void add_node_match(match *m, uint32_t node)
{
	if (m->node == ODO_NONE)
		m->node = node;
	else if (m->other == ODO_NONE && m->node != node)
		m->other = node;
}

/* Match ports before nodes: a fabric that was not read from hardware may use a number for both. */
static void match_guid(const odo_fabric *f, uint64_t guid, match *m)
{
	for (uint32_t slot = 0; slot < f->n_slots && guid; slot++)
		if (f->port_guid[slot] == guid) {
			m->node = f->owner[slot];
			m->slot = slot;
			return;
		}
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (f->node_guid[v] == guid)
			add_node_match(m, v);
}

static void match_lid(const odo_fabric *f, uint64_t lid, match *m)
{
	if (!lid || lid >= f->lid_count || f->lid_switch[lid] == ODO_NONE)
		return;
	uint32_t host = f->lid_host[lid];
	m->lid = (uint16_t)lid;
	m->slot = host == ODO_NONE ? ODO_NONE : f->host_slot[host];
	m->node = host == ODO_NONE ? f->lid_switch[lid] : f->owner[m->slot];
}

/* Match whole descriptions; if there are none, match machines by name. */
static void match_name(const odo_fabric *f, const char *name, size_t n, match *m)
{
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (strlen(odo_name(f, v)) == n && !memcmp(odo_name(f, v), name, n))
			add_node_match(m, v);
	bool whole = m->node != ODO_NONE;
	for (uint32_t v = f->n_switches; v < f->n_nodes && !whole && n; v++) {
		odo_machine machine = odo_machine_of(odo_name(f, v));
		if (machine.length == n && !memcmp(machine.name, name, n))
			add_node_match(m, v);
	}
}

static void match_text(const odo_fabric *f, const char *text, size_t n, match *m)
{
	const char *at = text, *digits = text + 2;
	uint64_t number;
	*m = (match){ODO_NONE, ODO_NONE, ODO_NONE, 0};
	match_name(f, text, n, m);
	if (m->node != ODO_NONE)
		return;
	if (n > 2 && !strncmp(text, "0x", 2) && odo_take_digits(&digits, text + n, 16, &number) &&
	    digits == text + n)
		match_guid(f, number, m);
	else if (odo_take_digits(&at, text + n, 10, &number) && at == text + n)
		match_lid(f, number, m);
}

/* Match the text before the last '/', and the port behind it. */
static int match_port(const odo_fabric *f, const char *text, match *m, odo_error *err)
{
	const char *slash = strrchr(text, '/'), *at = slash ? slash + 1 : NULL;
	uint64_t port;
	if (!slash || !odo_take_digits(&at, NULL, 10, &port) || *at)
		return 0;
	match_text(f, text, (size_t)(slash - text), m);
	if (m->node == ODO_NONE)
		return 0;
	if (!port || port > odo_n_ports(f, m->node))
		return odo_fail(err, ODO_EINPUT, "%s: expected a port from 1 to %u of \"%s\"", text,
				odo_n_ports(f, m->node), odo_name(f, m->node));
	m->slot = odo_slot(f, m->node, (unsigned)port);
	return 0;
}

static uint16_t first_lid(const odo_fabric *f, const odo_address *a)
{
	uint32_t host = odo_address_host(f, a);
	if (odo_is_switch(f, a->node))
		return f->switch_lid[a->node];
	return host == ODO_NONE ? 0 : f->port_lid[f->host_slot[host]];
}

int odo_address_find(const odo_fabric *f, const char *text, odo_address *out, odo_error *err)
{
	match m;
	match_text(f, text, strlen(text), &m);
	int status = m.node == ODO_NONE ? match_port(f, text, &m, err) : 0;
	if (status)
		return status;
	if (m.node == ODO_NONE)
		return odo_fail(err, ODO_EINPUT,
				"expected a node's name, GUID (0x...) or LID, perhaps with /PORT, "
				"found \"%s\", which nothing in the fabric has",
				text);
	if (m.other != ODO_NONE)
		return odo_fail(err, ODO_EINPUT,
				"several nodes are named \"%s\", such as \"%s\" (0x%016" PRIx64
				") and \"%s\" (0x%016" PRIx64 "): give a GUID",
				text, odo_name(f, m.node), f->node_guid[m.node],
				odo_name(f, m.other), f->node_guid[m.other]);
	*out = (odo_address){m.node, m.slot, m.lid};
	if (!out->lid)
		out->lid = first_lid(f, out);
	return 0;
}

uint32_t odo_address_host(const odo_fabric *f, const odo_address *a)
{
	uint32_t host = ODO_NONE;
	if (odo_is_switch(f, a->node))
		return ODO_NONE;
	if (a->slot != ODO_NONE)
		return f->slot_host[a->slot];
	for (uint32_t slot = f->first_slot[a->node]; slot < f->first_slot[a->node + 1]; slot++) {
		if (f->slot_host[slot] == ODO_NONE)
			continue;
		if (host != ODO_NONE)
			return ODO_NONE;
		host = f->slot_host[slot];
	}
	return host;
}
