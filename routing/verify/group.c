/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The switches that a multicast group's cables connect, by union-find. A cable between two switches
 * that are already connected closes a loop, in which packets would circulate and multiply. */
#include "routing/verify/group.h"

#include "base/arena.h"

typedef struct proof {
	const odo_fabric *f;
	odo_arena memory;
	const odo_group *group;
	uint32_t *up;   /* [n_switches] link towards the representative of all connected switches */
	uint32_t *part; /* [n_switches] connected part of the fabric */
	uint32_t *n_in; /* [parts] members */
	uint32_t *first; /* [parts] switch of a first member, or ODO_NONE */
	odo_error *err;
} proof;

static uint32_t find_representative(const proof *p, uint32_t s)
{
	while (p->up[s] != s)
		s = p->up[s] = p->up[p->up[s]];
	return s;
}

static int fail_slot(const proof *p, uint32_t slot, const char *why)
{
	const odo_fabric *f = p->f;
	return odo_fail(p->err, ODO_EUNSAFE,
			"multicast LID 0x%04x: port %u of \"%s\" (GUID 0x%016llx) %s",
			p->group->mlid, odo_port(f, slot), odo_name(f, f->owner[slot]),
			(unsigned long long)f->node_guid[f->owner[slot]], why);
}

static int connect_cables(const proof *p)
{
	const odo_fabric *f = p->f;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		if (!p->group->on[slot] || odo_next_switch(f, slot) == ODO_NONE)
			continue;
		if (!p->group->on[f->peer[slot]])
			return fail_slot(p, slot, "leads to a switch that does not send back");
		if (slot > f->peer[slot])
			continue;
		uint32_t a = find_representative(p, f->owner[slot]),
			 b = find_representative(p, odo_next_switch(f, slot));
		if (a == b)
			return fail_slot(p, slot, "closes a loop");
		p->up[a] = b;
	}
	return 0;
}

/* Return true if a member at switch s is the first of its part of the fabric, or connected to the
 * first. */
static bool joins_members(const proof *p, uint32_t s)
{
	uint32_t *first = &p->first[p->part[s]];
	if (*first == ODO_NONE)
		*first = s;
	return find_representative(p, *first) == find_representative(p, s);
}

static int reach_hosts(const proof *p)
{
	const odo_fabric *f = p->f;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t s = odo_host_switch(f, h), slot = f->peer[f->host_slot[h]];
		if (p->group->part[h] == ODO_GROUP_OUTSIDE || p->n_in[p->part[s]] < 2)
			continue;
		if (p->group->part[h] == ODO_GROUP_RECEIVES && !p->group->on[slot])
			return fail_slot(p, slot, "does not send to the member there");
		if (!joins_members(p, s))
			return fail_slot(p, slot, "has a member that is cut off from the others");
	}
	return 0;
}

static int reach_switches(const proof *p)
{
	const odo_fabric *f = p->f;
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (p->group->own[s] && p->n_in[p->part[s]] >= 2 && !joins_members(p, s))
			return odo_fail(
				p->err, ODO_EUNSAFE,
				"multicast LID 0x%04x: switch \"%s\" (GUID 0x%016llx) is cut "
				"off from the other members",
				p->group->mlid, odo_name(f, s),
				(unsigned long long)f->node_guid[s]);
	return 0;
}

static int prepare_group_proof(proof *p)
{
	const odo_fabric *f = p->f;
	p->up = odo_arena_new(&p->memory, f->n_switches, sizeof *p->up);
	p->part = odo_arena_new(&p->memory, f->n_switches, sizeof *p->part);
	p->n_in = odo_arena_new(&p->memory, f->n_switches, sizeof *p->n_in);
	p->first = odo_arena_new(&p->memory, f->n_switches, sizeof *p->first);
	if (p->memory.failed)
		return odo_fail(p->err, ODO_ENOMEM, "no memory to verify multicast");
	int n_parts = odo_fabric_parts(f, p->part, p->err);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		p->up[s] = s;
		p->first[s] = ODO_NONE;
	}
	if (n_parts < 0)
		return n_parts;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		p->n_in[p->part[odo_host_switch(f, h)]] += p->group->part[h] != ODO_GROUP_OUTSIDE;
	for (uint32_t s = 0; s < f->n_switches; s++)
		p->n_in[p->part[s]] += p->group->own[s];
	return 0;
}

int odo_group_verify(const odo_fabric *f, const odo_group *group, odo_error *err)
{
	proof p = {.f = f, .group = group, .err = err};
	int status = prepare_group_proof(&p);
	if (!status)
		status = connect_cables(&p);
	if (!status)
		status = reach_hosts(&p);
	if (!status)
		status = reach_switches(&p);
	odo_arena_free(&p.memory);
	return status;
}
