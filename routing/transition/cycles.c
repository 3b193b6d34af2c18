/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles of old and new paths. Tables that odo_route() proved have their dependencies with them. */
#include <stdlib.h>
#include <string.h>

#include "fabric/twins.h"
#include "routing/transition/internal.h"

/* Collect what packets of one side wait for on the way to the wanted LIDs of its own fabric. */
static int collect_side(odo_change *x, const odo_tables *t, const odo_dependencies *deps,
			odo_error *err)
{
	const odo_fabric *f = t->fabric;
	odo_mix mix;
	odo_side side = {t, x->same};
	int status = odo_mix_init(&mix, f, &side, 1)
			     ? odo_fail(err, ODO_ENOMEM, "no memory for a transition")
			     : odo_waits_collect(&mix, x->wanted, deps, err);
	odo_mix_clear(&mix);
	return status;
}

static void want_every_lid(odo_change *x, const odo_fabric *f)
{
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		x->wanted[lid] = odo_change_judges(x, f, lid);
}

/* Return true if the dependencies that are asked for are with the tables. */
static bool has_proved_waits(const odo_change *x, const odo_tables *t)
{
	return t->proved && x->hosts_only;
}

/* Add what a channel waits for in another graph. */
static void copy_successors(const odo_dependencies *from, uint32_t was, const odo_dependencies *to,
			    uint32_t slot, unsigned vl)
{
	const uint64_t *bits = odo_successors(from, was, vl);
	unsigned words = from->words < to->words ? from->words : to->words;
	for (unsigned i = 0; from->n_vls == to->n_vls && i < words; i++)
		odo_successors(to, slot, vl)[i] |= bits[i];
	for (unsigned i = 0; from->n_vls != to->n_vls && i < from->words; i++)
		for (uint64_t left = bits[i]; left; left &= left - 1) {
			unsigned bit = i * 64 + odo_lowest_bit(left);
			odo_depend(to, slot, vl, bit / from->n_vls + 1, bit % from->n_vls);
		}
}

/* Add what the old fabric's channels wait for, as far as they are still there. */
static void carry_over(const odo_change *x, const odo_dependencies *then,
		       const odo_dependencies *deps)
{
	for (uint32_t slot = 0; slot < x->f->first_slot[x->f->n_switches]; slot++) {
		if (!odo_same_cable(x->f, slot, x->then, x->at))
			continue;
		uint32_t was = odo_slot(x->then, x->at[x->f->owner[slot]], odo_port(x->f, slot));
		for (unsigned vl = 0; vl < then->n_vls; vl++)
			copy_successors(then, was, deps, slot, vl);
	}
}

static int cycle_of(const odo_dependencies *deps, uint32_t *n, odo_error *err)
{
	odo_channel *cycle;
	int status = odo_dependencies_cycle(deps, &cycle, n, err);
	free(cycle);
	return status;
}

/* Return true if the SL2VL maps of some switch differ between ports that have cables. */
static bool maps_differ(const odo_change *x)
{
	const odo_tables *a = x->before, *b = x->now;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		unsigned ports = odo_n_ports(x->f, s);
		for (unsigned in = 0; x->at[s] != ODO_NONE && in <= ports; in++)
			for (unsigned out = 1; odo_has_cable(x->f, s, in) && out <= ports; out++)
				if (odo_has_cable(x->f, s, out) &&
				    memcmp(&a->rows[*odo_sl2vl_entry(a, x->at[s], in, out)],
					   &b->rows[*odo_sl2vl_entry(b, s, in, out)],
					   sizeof *a->rows))
					return true;
	}
	return false;
}

/* Count the ports that have a host in one fabric alone, and the switches that are in it alone. */
static void count_other_ends(const odo_change *x, uint32_t *n_lost, uint32_t *n_come)
{
	uint32_t n_here = 0;
	*n_lost = x->then->n_switches;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t at = x->at[s];
		n_here += at != ODO_NONE;
		for (unsigned p = 1; at != ODO_NONE && p <= odo_n_ports(x->f, s); p++) {
			bool had = x->then->slot_host[odo_slot(x->then, at, p)] != ODO_NONE;
			bool has = x->f->slot_host[odo_slot(x->f, s, p)] != ODO_NONE;
			*n_lost += had && !has;
			*n_come += has && !had;
		}
	}
	*n_lost -= n_here;
	*n_come += x->f->n_switches - n_here;
}

/* Want the LIDs to which old packets wait for something else than new ones do. */
static void want_old(odo_change *x, bool all)
{
	want_every_lid(x, x->then);
	for (uint32_t lid = 0; !all && lid < x->then->lid_count && lid < x->f->lid_count; lid++)
		if (x->shared[lid] && !x->differs[lid])
			x->wanted[lid] = 0;
}

static void want_mixed(odo_change *x, bool all)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		x->wanted[lid] = x->shared[lid] && (all || x->differs[lid] & ODO_OTHERWISE);
}

/* Add what packets wait for by the new tables. Where those before are proved, and maps, hosts and
 * switches are the same, their dependencies have the rest. */
static int collect_new(odo_change *x, bool same_ends, const odo_dependencies *deps, odo_error *err)
{
	if (has_proved_waits(x, x->now)) {
		const odo_dependencies proved = odo_dependencies_proved(x->now);
		for (uint32_t slot = 0; slot < x->f->first_slot[x->f->n_switches]; slot++)
			for (unsigned vl = 0; vl < proved.n_vls; vl++)
				copy_successors(&proved, slot, deps, slot, vl);
		return 0;
	}
	want_every_lid(x, x->f);
	for (uint32_t lid = 0; same_ends && lid < x->f->lid_count; lid++)
		if (x->shared[lid] && !x->differs[lid])
			x->wanted[lid] = 0;
	return collect_side(x, x->now, deps, err);
}

/* Add what old packets wait for. @param all what new ones wait for does not tell of any of them */
static int collect_old(odo_change *x, bool all, const odo_dependencies *deps, odo_error *err)
{
	odo_dependencies then;
	if (has_proved_waits(x, x->before)) {
		const odo_dependencies proved = odo_dependencies_proved(x->before);
		carry_over(x, &proved, deps);
		return 0;
	}
	int status = odo_dependencies_init(&then, x->then, deps->n_vls, err);
	want_old(x, all);
	if (!status)
		status = collect_side(x, x->before, &then, err);
	if (!status)
		carry_over(x, &then, deps);
	odo_dependencies_clear(&then);
	return status;
}

/* Length of a cycle by one of the tables alone; 0 for proved tables. */
static int measure_alone(odo_change *x, const odo_tables *t, unsigned n_vls, uint32_t *n,
			 odo_error *err)
{
	odo_dependencies deps;
	if (has_proved_waits(x, t))
		return 0;
	int status = odo_dependencies_init(&deps, t->fabric, n_vls, err);
	want_every_lid(x, t->fabric);
	if (!status)
		status = collect_side(x, t, &deps, err);
	if (!status)
		status = cycle_of(&deps, n, err);
	odo_dependencies_clear(&deps);
	return status;
}

static int measure_cycles(odo_change *x, const odo_dependencies *deps, bool other_maps,
			  odo_error *err)
{
	odo_transition *out = x->out;
	int status = cycle_of(deps, &out->n_cycle, err);
	if (!status && out->n_cycle)
		status = measure_alone(x, x->before, deps->n_vls, &out->n_cycle_alone, err);
	if (!status && out->n_cycle && !out->n_cycle_alone)
		status = measure_alone(x, x->now, deps->n_vls, &out->n_cycle_alone, err);
	if (status || !x->in_full)
		return status;
	want_mixed(x, other_maps);
	status = odo_waits_collect(&x->mix, x->wanted, deps, err);
	return status ? status : cycle_of(deps, &out->n_cycle_mixed, err);
}

int odo_change_find_cycles(odo_change *x, odo_error *err)
{
	unsigned n_vls = x->before->n_vls > x->now->n_vls ? x->before->n_vls : x->now->n_vls;
	uint32_t n_lost = 0, n_come = 0;
	bool other_maps = maps_differ(x);
	odo_dependencies deps;
	count_other_ends(x, &n_lost, &n_come);
	bool same_ends = has_proved_waits(x, x->before) && !other_maps && !n_come;
	int status = odo_dependencies_init(&deps, x->f, n_vls, err);
	if (!status)
		status = collect_new(x, same_ends, &deps, err);
	if (!status)
		status = collect_old(x, other_maps || n_lost, &deps, err);
	if (!status)
		status = measure_cycles(x, &deps, other_maps, err);
	odo_dependencies_clear(&deps);
	return status;
}
