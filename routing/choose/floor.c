/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/choose/floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/rails.h"
#include "routing/analyze/analyze.h"
#include "routing/forest/forest.h"

/* Limit on switches for comparisons that nearly always change nothing: in larger fabrics they would
 * take longer than the routing. */
#define MAX_IDLE 1024u

/* Return true if only some switches have hosts. Engines made for a kind share its cables evenly
 * among all switches. */
static bool only_some_have_hosts(const odo_fabric *f)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		n += odo_hosts_of(f, s) > 0;
	return n && n < f->n_switches;
}

/* Return true if parallel cables in a dragonfly take turns together with cables between groups. */
static bool has_tied_turns(const odo_fabric *f, const odo_coordinates *c)
{
	return c->factor[0] == ODO_GROUPS && odo_most_parallel(f) > 1;
}

bool odo_floor_due(const odo_tables *t, const odo_coordinates *c)
{
	const odo_engine *row = odo_engine_find(t->engine);
	bool general = row && row->kinds == ODO_ANY_KIND;
	bool hurt = c && (!odo_is_pure(c) || (row && row->uneven) ||
			  only_some_have_hosts(t->fabric) || has_tied_turns(t->fabric, c));
	return t->profile == ODO_PROFILE_IB && t->fabric->n_senders > 1 && (general || hurt);
}

bool odo_floor_worth_more(const odo_tables *t)
{
	return t->fabric->n_switches <= MAX_IDLE || t->from.spilt;
}

/*
 * Put all adapters of a machine after its first one, in the order of ranks of a parallel program.
 * @return 0 or ODO_ENOMEM
 */
static int gather_machines(const odo_fabric *f, uint64_t *host)
{
	odo_rails rails;
	odo_error err;
	int status = odo_rails_find(f, &rails, &err);
	/* first position of each machine */
	uint32_t *first = odo_new(rails.n_machines, sizeof *first);
	status = first ? status : ODO_ENOMEM;
	for (uint32_t i = f->n_senders; !status && rails.n && i-- > 0;) {
		uint32_t machine = rails.machine[(uint32_t)host[i]];
		if (machine != ODO_NONE)
			first[machine] = i;
	}
	for (uint32_t i = 0; !status && rails.n && i < f->n_senders; i++) {
		uint32_t h = (uint32_t)host[i], machine = rails.machine[h];
		uint64_t place = machine == ODO_NONE ? i : first[machine];
		host[i] = place << 48 | (uint64_t)i << 32 | h;
	}
	if (!status && rails.n)
		qsort(host, f->n_senders, sizeof *host, odo_by_u64);
	free(first);
	odo_rails_clear(&rails);
	return status;
}

/*
 * List hosts switch by switch, both in the order of LIDs, so that the order does not depend on how
 * the fabric is stored; machine by machine if there are rails.
 * @return NULL without memory
 */
static uint64_t *order_hosts(const odo_fabric *f)
{
	uint64_t *host = odo_new(f->n_senders, sizeof *host);
	uint32_t *least = odo_new(f->n_switches, sizeof *least);
	for (uint32_t lid = f->lid_count; host && least && lid-- > 1;)
		if (f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] != ODO_NONE)
			least[f->lid_switch[lid]] = lid;
	for (uint32_t h = 0; host && least && h < f->n_senders; h++)
		host[h] = (uint64_t)least[odo_host_switch(f, h)] << 48 |
			  (uint64_t)f->port_lid[f->host_slot[h]] << 32 | h;
	if (host && least)
		qsort(host, f->n_senders, sizeof *host, odo_by_u64);
	bool room = host && least && !gather_machines(f, host);
	if (!room)
		free(host);
	free(least);
	return room ? host : NULL;
}

static uint32_t most_hosts(const odo_fabric *f)
{
	uint32_t most = 1;
	for (uint32_t s = 0; s < f->n_switches; s++)
		most = odo_hosts_of(f, s) > most ? odo_hosts_of(f, s) : most;
	return most;
}

int odo_floor_patterns(const odo_fabric *f, uint32_t *to, odo_error *err)
{
	uint32_t n = f->n_senders, by[ODO_FLOOR_SHIFTS] = {most_hosts(f), n / 5, n / 3, n / 2};
	uint64_t *host = order_hosts(f);
	if (!host)
		return odo_fail(err, ODO_ENOMEM, "no memory to rate tables");
	for (unsigned p = 0; p < ODO_FLOOR_SHIFTS; p++)
		for (uint32_t i = 0; i < n; i++)
			to[p * n + (uint32_t)host[i]] = (uint32_t)
				host[(i + (by[p] % n ? by[p] : 1)) % n];
	for (uint32_t i = 0; i < n; i++)
		to[ODO_FLOOR_SHIFTS * n + (uint32_t)host[i]] = (uint32_t)host[n - 1 - i];
	free(host);
	return 0;
}

int odo_floor_senders(const odo_fabric *f, unsigned n_patterns, uint32_t *sender, odo_error *err)
{
	uint32_t n = f->n_senders, *to = odo_new((size_t)n * ODO_FLOOR_PATTERNS, sizeof *to);
	int status = to ? odo_floor_patterns(f, to, err)
			: odo_fail(err, ODO_ENOMEM, "no memory to rate tables");
	for (uint32_t i = 0; !status && i < n * n_patterns; i++)
		sender[i - i % n + to[i]] = i % n;
	free(to);
	return status;
}

/* Add the time that a pattern takes at the full rate. */
static int add_time(const odo_tables *t, const uint32_t *to, odo_flow *flows, double *time,
		    odo_error *err)
{
	odo_analysis a = {0};
	for (uint32_t h = 0; h < t->fabric->n_senders; h++)
		flows[h] = (odo_flow){h, to[h], 1};
	int status = odo_analyze_flows(t, NULL, flows, t->fabric->n_senders, &a, err);
	*time += a.saturation > 0 ? 1 / a.saturation : 0;
	odo_analysis_clear(&a);
	return status;
}

static int rate_shifts(const odo_tables *t, double *rate, odo_error *err)
{
	uint32_t n = t->fabric->n_senders;
	uint32_t *to = odo_new((size_t)n * ODO_FLOOR_PATTERNS, sizeof *to);
	odo_flow *flows = odo_new(n, sizeof *flows);
	double time = 0;
	int status = to && flows ? odo_floor_patterns(t->fabric, to, err)
				 : odo_fail(err, ODO_ENOMEM, "no memory to rate tables");
	for (unsigned p = 0; p < ODO_FLOOR_SHIFTS && n && !status; p++)
		status = add_time(t, to + p * n, flows, &time, err);
	*rate = time > 0 ? ODO_FLOOR_SHIFTS / time : 0;
	free(to);
	free(flows);
	return status;
}

int odo_floor_rate(const odo_tables *t, odo_rating *out, odo_error *err)
{
	odo_analysis a = {0};
	int status = odo_analyze_uniform(t, NULL, &a, NULL, err);
	*out = (odo_rating){.uniform = a.saturation};
	odo_analysis_clear(&a);
	return status ? status : rate_shifts(t, &out->shifts, err);
}

double odo_floor_mean(const odo_rating *r)
{
	return sqrt(r->uniform * r->shifts);
}

int odo_floor_ceiling(const odo_fabric *f, double needed, odo_ceiling *out, odo_error *err)
{
	uint32_t slots = f->first_slot[f->n_switches];
	uint32_t *sender = odo_new((size_t)f->n_senders * ODO_FLOOR_SHIFTS, sizeof *sender);
	float *part = odo_new(slots, sizeof *part);
	double unit = odo_unit_rate(f);
	*out = (odo_ceiling){
		.sender = sender, .part = part, .n_patterns = ODO_FLOOR_SHIFTS, .needed = needed};
	if (!sender || !part)
		return odo_fail(err, ODO_ENOMEM, "no memory to rate tables");
	for (uint32_t i = 0; i < slots; i++)
		part[i] = (float)(unit / odo_cable_capacity(f, i));
	return odo_floor_senders(f, ODO_FLOOR_SHIFTS, sender, err);
}

void odo_floor_ceiling_clear(odo_ceiling *ceiling)
{
	free((void *)ceiling->sender);
	free((void *)ceiling->part);
	ceiling->sender = NULL;
	ceiling->part = NULL;
}
