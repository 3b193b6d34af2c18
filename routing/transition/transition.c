/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/transition/transition.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/transition/internal.h"

/* To a LID: some switch sends by another port or SL than before; some sent over what is gone. */
enum { OTHERWISE = 1, OVER_GONE = 2 };

typedef struct change {
	const odo_tables *before, *now;
	const odo_fabric *then, *f; /* fabrics of the two */
	bool hosts_only;
	uint32_t *at;     /* [n_switches] what each was called, or ODO_NONE */
	uint32_t *same;   /* [most switches] 0, 1, 2, ...: what each is called */
	uint8_t *shared;  /* [lid_count] LIDs that both have */
	uint8_t *differs; /* [lid_count] OTHERWISE, OVER_GONE */
	uint8_t *wanted;  /* [most LIDs] */
	uint32_t *part;   /* [n_switches] */
	odo_mix mix;
	uint8_t *fate;            /* [n_switches] */
	uint32_t *ended, n_ended; /* [n_switches] where old paths to the LID at hand end */
	odo_broken *broken;
	size_t broken_room;
	uint32_t n_broken, *first; /* [n_switches] */
	uint8_t *short_of;         /* [lid_count] it is not enough to change where old paths end */
	odo_lengths lengths;
	uint32_t *longer_of; /* [lid_count] entries by which paths get longer than the new ones */
	odo_transition *out;
} change;

/* Is a LID one that the verifier judges? */
static bool is_judged(const change *x, const odo_fabric *f, uint32_t lid)
{
	return f->lid_switch[lid] != ODO_NONE && (f->lid_host[lid] != ODO_NONE || !x->hosts_only);
}

static uint64_t guid_of_lid(const odo_fabric *f, uint32_t lid)
{
	uint32_t host = f->lid_host[lid];
	return host != ODO_NONE ? f->port_guid[f->host_slot[host]]
				: f->node_guid[f->lid_switch[lid]];
}

static bool is_shared(const change *x, uint32_t lid)
{
	return lid < x->then->lid_count && is_judged(x, x->f, lid) && is_judged(x, x->then, lid) &&
	       x->at[x->f->lid_switch[lid]] == x->then->lid_switch[lid] &&
	       x->f->lid_port[lid] == x->then->lid_port[lid] &&
	       guid_of_lid(x->f, lid) == guid_of_lid(x->then, lid);
}

static int prepare_change(change *x, odo_error *err)
{
	uint32_t n = x->f->n_switches, n_then = x->then->n_switches;
	uint32_t lids = x->f->lid_count, lids_then = x->then->lid_count;
	uint32_t most = n > n_then ? n : n_then;
	x->at = odo_twins(x->f, n, x->then, n_then);
	x->same = odo_new(most, sizeof *x->same);
	x->shared = odo_new(lids, 1);
	x->differs = odo_new(lids, 1);
	x->short_of = odo_new(lids, 1);
	x->longer_of = odo_new(lids, sizeof *x->longer_of);
	x->wanted = odo_new(lids > lids_then ? lids : lids_then, 1);
	x->part = odo_new(n, sizeof *x->part);
	x->fate = odo_new(n, 1);
	x->ended = odo_new(n, sizeof *x->ended);
	x->first = odo_new(n, sizeof *x->first);
	if (!x->at || !x->same || !x->shared || !x->differs || !x->wanted || !x->part || !x->fate ||
	    !x->short_of || !x->longer_of || !x->ended || !x->first)
		return odo_fail(err, ODO_ENOMEM, "no memory for a transition");
	for (uint32_t s = 0; s < most; s++)
		x->same[s] = s;
	for (uint32_t s = 0; s < n; s++) {
		x->first[s] = ODO_NONE;
		if (x->at[s] != ODO_NONE && odo_n_ports(x->then, x->at[s]) != odo_n_ports(x->f, s))
			x->at[s] = ODO_NONE;
	}
	for (uint32_t lid = 0; lid < lids; lid++)
		x->shared[lid] = is_shared(x, lid);
	odo_side side[2] = {{x->before, x->at}, {x->now, x->same}};
	if (odo_mix_init(&x->mix, x->f, side, 2) || odo_lengths_init(&x->lengths, x->f))
		return odo_fail(err, ODO_ENOMEM, "no memory for a transition");
	int n_parts = odo_fabric_parts(x->f, x->part, err);
	return n_parts < 0 ? n_parts : 0;
}

static void clear_change(change *x)
{
	free(x->at);
	free(x->same);
	free(x->shared);
	free(x->differs);
	free(x->wanted);
	free(x->short_of);
	free(x->longer_of);
	free(x->part);
	free(x->fate);
	free(x->ended);
	free(x->broken);
	free(x->first);
	odo_mix_clear(&x->mix);
	odo_lengths_clear(&x->lengths);
}

static int note_broken(change *x, uint32_t s)
{
	if (odo_grow(&x->broken, &x->broken_room, x->n_broken + 1ul, sizeof *x->broken))
		return ODO_ENOMEM;
	x->broken[x->n_broken] = (odo_broken){x->mix.to[2 * s], x->mix.home, x->mix.lid,
					      x->first[s]};
	x->first[s] = x->n_broken++;
	return 0;
}

/* The pair of a switch and the LID at hand. */
static int count_pair(change *x, uint32_t s)
{
	odo_transition *out = x->out;
	unsigned fate = x->fate[s], both = ODO_ARRIVES_BEFORE | ODO_ARRIVES_NOW;
	bool known = x->at[s] != ODO_NONE;
	out->n_entries += known;
	out->n_changed += known && x->mix.port[2 * s] != x->mix.port[2 * s + 1];
	if ((fate & both) == both) {
		out->n_pairs++;
		out->n_looping += (fate & ODO_CAN_LOOP) != 0;
		out->n_lost += (fate & ODO_CAN_END) != 0;
	} else if (fate & ODO_ARRIVES_NOW) {
		out->n_cut++;
		out->n_cut_looping += (fate & ODO_CAN_LOOP) != 0;
	}
	if (fate & ODO_ARRIVES_BEFORE)
		return 0;
	if (x->mix.to[2 * s] != ODO_NONE)
		return note_broken(x, s);
	out->n_least += known;
	x->ended[x->n_ended++] = s;
	return 0;
}

/* Who is not at home, and can be reached. */
static bool is_counted(const change *x, uint32_t s)
{
	return s != x->mix.home && x->part[s] == x->part[x->mix.home];
}

/* Of entries that stay no path is longer than the new one. */
static void count_longer(change *x, uint32_t lid)
{
	odo_lengths_find(&x->lengths, &x->mix);
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		x->longer_of[lid] += is_counted(x, s) &&
				     odo_least_is_longer(&x->lengths, &x->mix, s);
}

static int count_lid(change *x, uint32_t lid)
{
	odo_mix_lead(&x->mix, lid);
	odo_mix_judge(&x->mix, x->fate);
	uint64_t n_changed = x->out->n_changed;
	x->n_ended = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (is_counted(x, s) && count_pair(x, s))
			return ODO_ENOMEM;
	if (x->out->n_changed > n_changed)
		count_longer(x, lid);
	x->short_of[lid] = !odo_least_suffices(&x->mix, x->ended, x->n_ended, x->fate,
					       x->mix.stack);
	return 0;
}

/* Adds those that have a cable to go on by, and yet must change. */
static int count_least(change *x, odo_error *err)
{
	odo_transition *out = x->out;
	uint32_t lids = x->f->lid_count, *hopeless = odo_new(lids, sizeof *hopeless);
	int status = hopeless ? odo_least_hopeless(x->f, x->broken, x->first, hopeless, err)
			      : odo_fail(err, ODO_ENOMEM, "no memory for the least change");
	out->n_least_as_short = out->n_least;
	for (uint32_t lid = 0; !status && lid < lids; lid++) {
		uint32_t n = hopeless[lid] ? hopeless[lid] : x->short_of[lid];
		out->n_least += n;
		out->n_least_as_short += n > x->longer_of[lid] ? n : x->longer_of[lid];
	}
	free(hopeless);
	return status;
}

/* Pairs to a LID of which nothing is to be said; 0 where there are others. */
typedef struct tally {
	uint32_t pairs, entries;
} tally;

static int count_first(change *x, uint32_t lid, tally *calm)
{
	const odo_transition was = *x->out, *out = x->out;
	uint32_t n_broken = x->n_broken;
	if (count_lid(x, lid))
		return ODO_ENOMEM;
	if (out->n_changed == was.n_changed && out->n_looping == was.n_looping &&
	    out->n_lost == was.n_lost && out->n_cut == was.n_cut && x->n_broken == n_broken &&
	    !x->n_ended) {
		calm->pairs = (uint32_t)(out->n_pairs - was.n_pairs);
		calm->entries = (uint32_t)(out->n_entries - was.n_entries);
	}
	return 0;
}

/* What is calm for one is for all alike. The rest is counted for each. */
static int count_all(change *x, const uint32_t *like, tally *calm)
{
	int status = 0;
	for (uint32_t lid = 0; lid < x->f->lid_count && !status; lid++) {
		uint32_t first = like[lid];
		if (x->shared[lid] && first != lid && calm[first].pairs) {
			x->out->n_pairs += calm[first].pairs;
			x->out->n_entries += calm[first].entries;
		} else if (x->shared[lid]) {
			status = count_first(x, lid, &calm[lid]);
		}
	}
	return status;
}

static int count_pairs(change *x, odo_error *err)
{
	uint32_t *like = odo_new(x->f->lid_count, sizeof *like);
	tally *calm = odo_new(x->f->lid_count, sizeof *calm);
	bool room = like && calm && !odo_mix_alike(&x->mix, x->shared, like) &&
		    !count_all(x, like, calm);
	free(like);
	free(calm);
	return room ? count_least(x, err) : odo_fail(err, ODO_ENOMEM, "no memory for a transition");
}

/* What packets of one side wait for on the way to some LIDs of its own fabric. */
static int collect_side(change *x, const odo_tables *t, const odo_dependencies *deps,
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

static void want_every_lid(change *x, const odo_fabric *f)
{
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		x->wanted[lid] = is_judged(x, f, lid);
}

/* Adds what the old fabric's channels wait for, as far as they are still there. */
static void carry_over(const change *x, const odo_dependencies *then, const odo_dependencies *deps)
{
	unsigned words = then->words < deps->words ? then->words : deps->words;
	for (uint32_t slot = 0; slot < x->f->first_slot[x->f->n_switches]; slot++) {
		if (!odo_same_cable(x->f, slot, x->then, x->at))
			continue;
		uint32_t was = odo_slot(x->then, x->at[x->f->owner[slot]], odo_port(x->f, slot));
		for (unsigned vl = 0; vl < deps->n_vls; vl++)
			for (unsigned i = 0; i < words; i++)
				odo_successors(deps, slot, vl)[i] |= odo_successors(then, was,
										    vl)[i];
	}
}

static int cycle_of(const odo_dependencies *deps, uint32_t *n, odo_error *err)
{
	odo_channel *cycle;
	int status = odo_dependencies_cycle(deps, &cycle, n, err);
	free(cycle);
	return status;
}

/* Do the SL2VL maps of some switch differ between ports that have cables? */
static bool maps_differ(const change *x)
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

/* Is anything gone but cables between switches? Then packets came from where none come from now. */
static bool lost_ends(const change *x)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t at = x->at[s];
		if (at == ODO_NONE)
			continue;
		n++;
		for (unsigned p = 1; p <= odo_n_ports(x->f, s); p++)
			if (x->then->slot_host[odo_slot(x->then, at, p)] != ODO_NONE &&
			    x->f->slot_host[odo_slot(x->f, s, p)] == ODO_NONE)
				return true;
	}
	return n < x->then->n_switches;
}

/* Notes to which LIDs a switch does something else, and which it sent over a cable that is gone. */
static void compare_at(change *x, uint32_t s)
{
	uint32_t at = x->at[s];
	if (at == ODO_NONE) {
		memset(x->differs, OTHERWISE | OVER_GONE, x->f->lid_count);
		return;
	}
	bool gone[UINT8_MAX + 1] = {false};
	for (unsigned p = 1; p <= odo_n_ports(x->f, s); p++)
		gone[p] = odo_next_switch(x->then, odo_slot(x->then, at, p)) != ODO_NONE &&
			  !odo_same_cable(x->f, odo_slot(x->f, s, p), x->then, x->at);
	const odo_deeds was = odo_deeds_of(&x->mix.side[0], s),
			is = odo_deeds_of(&x->mix.side[1], s);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++) {
		if (!x->shared[lid])
			continue;
		if (odo_deed(&was, lid) != odo_deed(&is, lid))
			x->differs[lid] |= OTHERWISE;
		if (gone[was.port[lid]])
			x->differs[lid] |= OVER_GONE;
	}
}

/* Where old packets do and did what new ones do, these tell of them. */
static void want_old(change *x, bool all)
{
	want_every_lid(x, x->then);
	for (uint32_t lid = 0; !all && lid < x->then->lid_count && lid < x->f->lid_count; lid++)
		if (x->shared[lid] && !x->differs[lid])
			x->wanted[lid] = 0;
}

static void want_mixed(change *x, bool all)
{
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		x->wanted[lid] = x->shared[lid] && (all || x->differs[lid] & OTHERWISE);
}

/* Do old tables by themselves close the circle? @param then has some of what they wait for */
static int blame_old(change *x, const odo_dependencies *then, odo_error *err)
{
	want_every_lid(x, x->then);
	int status = collect_side(x, x->before, then, err);
	return status ? status : cycle_of(then, &x->out->n_cycle_alone, err);
}

static int find_cycles(change *x, odo_error *err)
{
	odo_transition *out = x->out;
	unsigned n_vls = x->before->n_vls > x->now->n_vls ? x->before->n_vls : x->now->n_vls;
	odo_dependencies then = {0}, deps = {0};
	bool other_maps = maps_differ(x);
	uint32_t new_alone = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		compare_at(x, s);
	int status = odo_dependencies_init(&then, x->then, n_vls, err);
	if (!status)
		status = odo_dependencies_init(&deps, x->f, n_vls, err);
	want_old(x, other_maps || lost_ends(x));
	if (!status)
		status = collect_side(x, x->before, &then, err);
	want_every_lid(x, x->f);
	if (!status)
		status = collect_side(x, x->now, &deps, err);
	if (!status)
		status = cycle_of(&deps, &new_alone, err);
	if (!status) {
		carry_over(x, &then, &deps);
		status = cycle_of(&deps, &out->n_cycle, err);
	}
	want_mixed(x, other_maps);
	if (!status)
		status = odo_waits_collect(&x->mix, x->wanted, &deps, err);
	if (!status)
		status = cycle_of(&deps, &out->n_cycle_mixed, err);
	if (!status && out->n_cycle)
		status = blame_old(x, &then, err);
	if (!out->n_cycle_alone)
		out->n_cycle_alone = new_alone;
	odo_dependencies_clear(&then);
	odo_dependencies_clear(&deps);
	return status;
}

int odo_transition_count(const odo_tables *before, const odo_tables *now, bool hosts_only,
			 odo_transition *out, odo_error *err)
{
	change x = {.before = before,
		    .now = now,
		    .then = before->fabric,
		    .f = now->fabric,
		    .hosts_only = hosts_only || before->hosts_only || now->hosts_only,
		    .out = out};
	*out = (odo_transition){0};
	if (before->adaptive || now->adaptive)
		return odo_fail(err, ODO_EDECLINE, "adaptive tables change in other ways");
	for (uint32_t lid = 0; lid < x.f->lid_count; lid++)
		out->n_left_out += x.f->lid_switch[lid] != ODO_NONE && !is_judged(&x, x.f, lid);
	int status = prepare_change(&x, err);
	if (!status)
		status = count_pairs(&x, err);
	if (!status)
		status = find_cycles(&x, err);
	clear_change(&x);
	return status;
}
