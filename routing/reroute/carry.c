/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Carried tables usually stay provable. Omitted entries only remove dependencies. A new host adds
 * none, because it gets an existing tree, and the maps of an existing input. The tables are
 * verified all the same.
 */
#include "routing/reroute/carry.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/reroute/hold.h"
#include "routing/verify/verify.h"

typedef struct carrier {
	const odo_tables *before;
	const odo_fabric *then, *now;
	odo_tables *t;
	uint32_t *old;  /* [n_switches] number of each in `then`; ODO_NONE: added since */
	uint32_t *like; /* [lid_count] LID in `before` whose tree each LID gets, or 0 */
	uint8_t *hurt;  /* [lid_count] an entry of its tree was left out */
	uint8_t *state; /* [n_switches] state of each in the current tree */
	uint32_t *path; /* [n_switches] */
} carrier;

static int find_old(carrier *x)
{
	uint32_t n = x->now->n_switches;
	x->old = odo_twins(x->now, n, x->then, x->then->n_switches);
	for (uint32_t s = 0; x->old && s < n; s++)
		if (x->old[s] != ODO_NONE &&
		    odo_n_ports(x->then, x->old[s]) != odo_n_ports(x->now, s))
			x->old[s] = ODO_NONE;
	return x->old ? 0 : ODO_ENOMEM;
}

/* Return the slot of the adapter with a LID that was cabled to a port of old switch `o`, or
 * ODO_NONE. */
static uint32_t old_host_slot(const carrier *x, uint32_t o, unsigned port)
{
	uint32_t host = x->then->slot_host[odo_slot(x->then, o, port)];
	uint32_t slot = host == ODO_NONE ? ODO_NONE : x->then->host_slot[host];
	return slot != ODO_NONE && x->then->port_lid[slot] ? slot : ODO_NONE;
}

/* Return the port of old switch `o` whose host's tree and maps serve a host at `port`: the same
 * port, that of another host, or 0, the switch's own. */
static unsigned model_port(const carrier *x, uint32_t o, unsigned port)
{
	if (old_host_slot(x, o, port) != ODO_NONE)
		return port;
	for (unsigned other = 1; other <= odo_n_ports(x->then, o); other++)
		if (old_host_slot(x, o, other) != ODO_NONE)
			return other;
	return 0;
}

/* Return the LID in `before` whose tree the k-th LID of a port gets; 0 for none. */
static uint32_t model_lid(const carrier *x, uint32_t o, unsigned port, uint32_t k)
{
	unsigned model = port ? model_port(x, o, port) : 0;
	if (model) {
		uint32_t slot = old_host_slot(x, o, model);
		return x->then->port_lid[slot] + k % (1u << x->then->port_lmc[slot]);
	}
	uint32_t base = x->then->switch_lid[o];
	return base ? base + k % (1u << x->then->switch_lmc[o]) : 0;
}

static void find_models(carrier *x)
{
	const odo_fabric *f = x->now;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		uint32_t s = f->lid_switch[lid], host = f->lid_host[lid];
		if (s == ODO_NONE || x->old[s] == ODO_NONE)
			continue;
		uint32_t base = host == ODO_NONE ? f->switch_lid[s]
						 : f->port_lid[f->host_slot[host]];
		x->like[lid] = model_lid(x, x->old[s], f->lid_port[lid], lid - base);
	}
}

/* Find the entries of a switch that stay: those over a cable that it had before. */
static void find_ports_left(const carrier *x, uint32_t s, uint8_t *stays)
{
	const odo_fabric *now = x->now;
	memset(stays, ODO_NO_PORT, UINT8_MAX + 1);
	for (unsigned p = 1; p <= odo_n_ports(now, s); p++)
		if (odo_same_cable(now, odo_slot(now, s, p), x->then, x->old))
			stays[p] = (uint8_t)p;
}

static void carry_lfts(carrier *x)
{
	const odo_fabric *f = x->now;
	uint8_t stays[UINT8_MAX + 1];
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint8_t *row = x->t->lft + (size_t)s * f->lid_count;
		bool known = x->old[s] != ODO_NONE;
		if (known)
			find_ports_left(x, s, stays);
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			if (f->lid_switch[lid] == s) {
				row[lid] = f->lid_port[lid];
			} else if (known && x->like[lid]) {
				uint8_t was = odo_next_port(x->before, x->old[s], x->like[lid]);
				row[lid] = stays[was];
				x->hurt[lid] |= row[lid] != was;
			}
		}
	}
}

enum { UNKNOWN, ARRIVES, ENDS };

/* Does what switch s sends to a LID arrive? It, and all on the way, are marked and, if not, lose
 * their entry. */
static void follow_entries(carrier *x, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = x->now;
	uint32_t n = 0;
	while (s != ODO_NONE && x->state[s] == UNKNOWN) {
		uint8_t port = odo_next_port(x->t, s, lid);
		x->state[s] = ENDS; /* until it is known better; so does a loop */
		x->path[n++] = s;
		s = port == ODO_NO_PORT ? ODO_NONE : odo_next_switch(f, odo_slot(f, s, port));
	}
	uint8_t state = s == ODO_NONE ? ENDS : x->state[s];
	while (n) {
		s = x->path[--n];
		x->state[s] = state;
		if (state == ENDS)
			x->t->lft[(size_t)s * f->lid_count + lid] = ODO_NO_PORT;
	}
}

static void leave_out_broken(carrier *x)
{
	const odo_fabric *f = x->now;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (!x->hurt[lid])
			continue;
		memset(x->state, UNKNOWN, f->n_switches);
		x->state[f->lid_switch[lid]] = ARRIVES;
		for (uint32_t s = 0; s < f->n_switches; s++)
			follow_entries(x, s, lid);
	}
}

static int carry_sls(carrier *x)
{
	const odo_fabric *f = x->now;
	const odo_tables *b = x->before;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		x->t->sl_of_lid[lid] = x->like[lid] ? b->sl_of_lid[x->like[lid]] : 0;
	if (!b->sl_of_pair)
		return 0;
	x->t->sl_of_pair = odo_new((size_t)f->n_switches * f->lid_count, 1);
	for (uint32_t s = 0; x->t->sl_of_pair && s < f->n_switches; s++)
		for (uint32_t lid = 0; x->old[s] != ODO_NONE && lid < f->lid_count; lid++)
			if (x->like[lid])
				x->t->sl_of_pair[(size_t)s * f->lid_count + lid] = odo_path_sl(
					b, x->old[s], x->like[lid]);
	return x->t->sl_of_pair ? 0 : ODO_ENOMEM;
}

/* A new host at a port: what it sends goes by the maps of its model, and what it gets, over its
 * own link, by the map to VL 0. */
static void map_host(carrier *x, uint32_t s, unsigned port)
{
	unsigned n_ports = odo_n_ports(x->now, s);
	memcpy(odo_sl2vl_entry(x->t, s, port, 0),
	       odo_sl2vl_entry(x->before, x->old[s], model_port(x, x->old[s], port), 0),
	       (n_ports + 1) * sizeof *x->t->sl2vl);
	for (unsigned in = 0; in <= n_ports; in++)
		*odo_sl2vl_entry(x->t, s, in, port) = 0;
}

static void carry_maps(carrier *x)
{
	const odo_fabric *now = x->now, *then = x->then;
	for (uint32_t s = 0; s < now->n_switches; s++)
		if (x->old[s] != ODO_NONE)
			memcpy(odo_sl2vl_entry(x->t, s, 0, 0),
			       odo_sl2vl_entry(x->before, x->old[s], 0, 0),
			       (x->t->sl2vl_at[s + 1] - x->t->sl2vl_at[s]) * sizeof *x->t->sl2vl);
	for (uint32_t host = 0; host < now->n_hosts; host++) {
		uint32_t slot = now->host_slot[host], s = odo_host_switch(now, host);
		unsigned port = odo_port(now, now->peer[slot]);
		if (x->old[s] == ODO_NONE)
			continue;
		uint32_t was = then->slot_host[odo_slot(then, x->old[s], port)];
		if (was != ODO_NONE &&
		    then->port_guid[then->host_slot[was]] == now->port_guid[slot])
			x->t->host_row[host] = x->before->host_row[was];
		else
			map_host(x, s, port);
	}
}

static int carry_rows(carrier *x)
{
	uint32_t n = x->before->n_rows;
	if (odo_grow(&x->t->rows, &x->t->rows_room, n, sizeof *x->t->rows))
		return ODO_ENOMEM;
	memcpy(x->t->rows, x->before->rows, n * sizeof *x->t->rows);
	x->t->n_rows = n;
	return 0;
}

static int carry_parts(carrier *x, odo_error *err)
{
	const odo_tables *b = x->before;
	int status = odo_tables_create(x->now, b->engine, &x->t, err);
	if (status)
		return status;
	x->t->profile = b->profile;
	x->t->n_vls = b->n_vls;
	x->t->n_sls = b->n_sls;
	x->t->from.by_pair = b->from.by_pair;
	x->t->from.by_turn = b->from.by_turn;
	x->t->from.detours_anew = b->from.detours_anew;
	x->t->from.relieved = b->from.relieved;
	x->t->from.spliced = b->from.spliced;
	x->t->from.unfinished = b->from.unfinished;
	x->t->hosts_only = b->hosts_only;
	x->t->from.carried = true;
	x->like = odo_new(x->now->lid_count, sizeof *x->like);
	x->hurt = odo_new(x->now->lid_count, 1);
	x->state = odo_new(x->now->n_switches, 1);
	x->path = odo_new(x->now->n_switches, sizeof *x->path);
	if (!x->like || !x->hurt || !x->state || !x->path || find_old(x))
		return odo_fail(err, ODO_ENOMEM, "no memory to carry tables over");
	find_models(x);
	if (carry_sls(x) || carry_rows(x))
		return odo_fail(err, ODO_ENOMEM, "no memory to carry SLs over");
	carry_lfts(x);
	leave_out_broken(x);
	carry_maps(x);
	return 0;
}

int odo_carry_unproved(const odo_tables *before, const odo_fabric *now, odo_tables **out,
		       odo_error *err)
{
	carrier x = {.before = before, .then = before->fabric, .now = now};
	int status = carry_parts(&x, err);
	free(x.old);
	free(x.like);
	free(x.hurt);
	free(x.state);
	free(x.path);
	if (status)
		odo_tables_free(x.t);
	else
		*out = x.t;
	return status;
}

int odo_carry(const odo_tables *before, const odo_history *history, const odo_fabric *now,
	      odo_tables **out, odo_carried *carried, odo_error *err)
{
	odo_verdict verdict = {0};
	odo_tables *t = NULL;
	int status = odo_carry_unproved(before, now, &t, err);
	if (!status)
		status = odo_hold(history, t, err);
	if (!status)
		status = odo_verify(t, &verdict, err);
	*carried = (odo_carried){verdict.n_pairs, verdict.n_missing};
	odo_verdict_clear(&verdict);
	if (status)
		odo_tables_free(t);
	else
		*out = t;
	return status;
}

/* Count the entries of a switch for LIDs that the same port has in both fabrics, and those that
 * differ. */
static void count_other_entries(const uint8_t *row, const uint8_t *was, const uint8_t *known,
				uint32_t n_lids, uint64_t count[2])
{
	for (uint32_t lid = 0; lid < n_lids; lid++) {
		count[0] += known[lid];
		count[1] += known[lid] && row[lid] != was[lid];
	}
}

bool odo_is_large_change(const odo_tables *before, const odo_tables *now)
{
	const odo_fabric *then = before->fabric, *f = now->fabric;
	uint32_t n_lids = f->lid_count < then->lid_count ? f->lid_count : then->lid_count;
	uint32_t *old = odo_twins(f, f->n_switches, then, then->n_switches);
	uint8_t *known = odo_new(n_lids, 1);
	bool judged = old && known;
	uint64_t count[2] = {0};
	for (uint32_t lid = 0; judged && lid < n_lids; lid++)
		known[lid] = odo_lid_guid(f, lid) &&
			     odo_lid_guid(f, lid) == odo_lid_guid(then, lid);
	for (uint32_t s = 0; judged && s < f->n_switches; s++)
		if (old[s] != ODO_NONE)
			count_other_entries(now->lft + (size_t)s * f->lid_count,
					    before->lft + (size_t)old[s] * then->lid_count, known,
					    n_lids, count);
	free(old);
	free(known);
	return !judged || strcmp(before->engine, now->engine) ||
	       count[1] > count[0] / ODO_LARGE_CHANGE;
}
