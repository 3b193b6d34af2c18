/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/transition/transition.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/twins.h"
#include "routing/transition/internal.h"

static uint64_t guid_of_lid(const odo_fabric *f, uint32_t lid)
{
	uint32_t host = f->lid_host[lid];
	return host != ODO_NONE ? f->port_guid[f->host_slot[host]]
				: f->node_guid[f->lid_switch[lid]];
}

static bool is_shared(const odo_change *x, uint32_t lid)
{
	return lid < x->then->lid_count && odo_change_judges(x, x->f, lid) &&
	       odo_change_judges(x, x->then, lid) &&
	       x->at[x->f->lid_switch[lid]] == x->then->lid_switch[lid] &&
	       x->f->lid_port[lid] == x->then->lid_port[lid] &&
	       guid_of_lid(x->f, lid) == guid_of_lid(x->then, lid);
}

static int prepare_change(odo_change *x, odo_error *err)
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
	x->n_in = odo_new(n, sizeof *x->n_in);
	x->n_known = odo_new(n, sizeof *x->n_known);
	x->fate = odo_new(n, 1);
	x->ended = odo_new(n, sizeof *x->ended);
	x->first = odo_new(n, sizeof *x->first);
	if (!x->at || !x->same || !x->shared || !x->differs || !x->wanted || !x->part || !x->fate ||
	    !x->short_of || !x->longer_of || !x->ended || !x->first || !x->n_in || !x->n_known)
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
	for (uint32_t s = 0; n_parts > 0 && s < n; s++) {
		x->n_in[x->part[s]]++;
		x->n_known[x->part[s]] += x->at[s] != ODO_NONE;
	}
	odo_change_compare(x);
	int grown = x->before->proved ? odo_has_grown(x->f, x->then) : 1;
	if (grown < 0)
		return odo_fail(err, ODO_ENOMEM, "no memory for a transition");
	x->proved = x->now->proved || !grown;
	return n_parts < 0 ? n_parts : 0;
}

static void clear_change(odo_change *x)
{
	free(x->at);
	free(x->same);
	free(x->shared);
	free(x->differs);
	free(x->wanted);
	free(x->short_of);
	free(x->longer_of);
	free(x->part);
	free(x->n_in);
	free(x->n_known);
	free(x->fate);
	free(x->ended);
	free(x->broken);
	free(x->first);
	odo_mix_clear(&x->mix);
	odo_lengths_clear(&x->lengths);
}

static int note_broken(odo_change *x, uint32_t s)
{
	if (odo_grow(&x->broken, &x->broken_room, x->n_broken + 1ul, sizeof *x->broken))
		return ODO_ENOMEM;
	x->broken[x->n_broken] = (odo_broken){x->mix.to[2 * s], x->mix.home, x->mix.lid,
					      x->first[s]};
	x->first[s] = x->n_broken++;
	return 0;
}

/* The pair of a switch and the LID at hand. */
static int count_pair(odo_change *x, uint32_t s)
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
	if (fate & ODO_ARRIVES_BEFORE || !x->in_full)
		return 0;
	if (x->mix.to[2 * s] != ODO_NONE)
		return note_broken(x, s);
	out->n_least += known;
	x->ended[x->n_ended++] = s;
	return 0;
}

/* Return true for a switch other than the LID's own, in the same part. */
static bool is_counted(const odo_change *x, uint32_t s)
{
	return s != x->mix.home && x->part[s] == x->part[x->mix.home];
}

/* Count entries that must change because they would make a path longer than the new one. */
static void count_longer(odo_change *x, uint32_t lid)
{
	odo_lengths_find(&x->lengths, &x->mix);
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		x->longer_of[lid] += is_counted(x, s) &&
				     odo_least_is_longer(&x->lengths, &x->mix, s);
}

static int count_lid(odo_change *x, uint32_t lid)
{
	odo_mix_lead(&x->mix, lid);
	odo_mix_judge(&x->mix, x->fate);
	uint64_t n_changed = x->out->n_changed;
	x->n_ended = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (is_counted(x, s) && count_pair(x, s))
			return ODO_ENOMEM;
	if (!x->in_full)
		return 0;
	if (x->out->n_changed > n_changed)
		count_longer(x, lid);
	x->short_of[lid] = !odo_least_suffices(&x->mix, x->ended, x->n_ended, x->fate,
					       x->mix.stack);
	return 0;
}

/* Add entries that have a cable to go on by, and yet must change. */
static int count_least(odo_change *x, const uint32_t *like, odo_error *err)
{
	odo_transition *out = x->out;
	uint32_t lids = x->f->lid_count, *hopeless = odo_new(lids, sizeof *hopeless);
	int status = hopeless ? odo_least_hopeless(x->f, x->broken, x->first, hopeless, err)
			      : odo_fail(err, ODO_ENOMEM, "no memory for the least change");
	out->n_least_as_short = out->n_least;
	for (uint32_t lid = 0; !status && lid < lids; lid++) {
		uint32_t first = like[lid];
		uint32_t n = hopeless[first] ? hopeless[first] : x->short_of[first];
		out->n_least += n;
		out->n_least_as_short += n > x->longer_of[first] ? n : x->longer_of[first];
	}
	free(hopeless);
	return status;
}

/* Add what is counted for each LID; or subtract it. */
static void add_counts(odo_transition *to, const odo_transition *of, bool subtract)
{
	uint64_t sign = subtract ? UINT64_MAX : 1;
	to->n_pairs += sign * of->n_pairs;
	to->n_looping += sign * of->n_looping;
	to->n_lost += sign * of->n_lost;
	to->n_cut += sign * of->n_cut;
	to->n_cut_looping += sign * of->n_cut_looping;
	to->n_entries += sign * of->n_entries;
	to->n_changed += sign * of->n_changed;
	to->n_least += sign * of->n_least;
}

/* @param sum gets what is counted for the LID */
static int count_first(odo_change *x, uint32_t lid, odo_transition *sum)
{
	const odo_transition was = *x->out;
	if (count_lid(x, lid))
		return ODO_ENOMEM;
	*sum = *x->out;
	add_counts(sum, &was, true);
	return 0;
}

/* Return true if packets to a LID take the same way as before everywhere, and are proved to
 * arrive. */
static bool goes_as_before(const odo_change *x, uint32_t lid)
{
	return x->proved && !(x->differs[lid] & (ODO_OTHER_WAY | ODO_OVER_GONE));
}

static void count_settled(odo_change *x, uint32_t lid)
{
	uint32_t part = x->part[x->f->lid_switch[lid]];
	x->out->n_pairs += x->n_in[part] - 1; /* the LID's own switch sends to none */
	x->out->n_entries += x->n_known[part] - 1;
}

/* Count all LIDs. LIDs alike have the counts of the first of them. */
static int count_all(odo_change *x, const uint32_t *like, odo_transition *sum)
{
	int status = 0;
	for (uint32_t lid = 0; lid < x->f->lid_count && !status; lid++) {
		if (!x->shared[lid])
			continue;
		if (goes_as_before(x, lid))
			count_settled(x, lid);
		else if (like[lid] != lid)
			add_counts(x->out, &sum[like[lid]], false);
		else
			status = count_first(x, lid, &sum[lid]);
	}
	return status;
}

static int count_pairs(odo_change *x, odo_error *err)
{
	uint32_t *like = odo_new(x->f->lid_count, sizeof *like);
	odo_transition *sum = odo_new(x->f->lid_count, sizeof *sum);
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		x->wanted[lid] = x->shared[lid] && !goes_as_before(x, lid);
	int status = like && sum && !odo_mix_alike(&x->mix, x->wanted, like)
			     ? count_all(x, like, sum)
			     : ODO_ENOMEM;
	if (status)
		odo_fail(err, status, "no memory for a transition");
	else if (x->in_full)
		status = count_least(x, like, err);
	free(like);
	free(sum);
	return status;
}

static int judge_transition(odo_change *x, odo_error *err)
{
	odo_transition *out = x->out;
	*out = (odo_transition){0};
	x->then = x->before->fabric;
	x->f = x->now->fabric;
	x->hosts_only |= x->before->hosts_only || x->now->hosts_only;
	if (x->before->adaptive || x->now->adaptive)
		return odo_fail(err, ODO_EDECLINE, "adaptive tables change in other ways");
	for (uint32_t lid = 0; lid < x->f->lid_count; lid++)
		out->n_left_out += x->f->lid_switch[lid] != ODO_NONE &&
				   !odo_change_judges(x, x->f, lid);
	int status = prepare_change(x, err);
	if (!status)
		status = count_pairs(x, err);
	if (!status)
		status = odo_change_find_cycles(x, err);
	clear_change(x);
	return status;
}

int odo_transition_count(const odo_tables *before, const odo_tables *now, bool hosts_only,
			 odo_transition *out, odo_error *err)
{
	odo_change x = {.before = before,
			.now = now,
			.hosts_only = hosts_only,
			.in_full = true,
			.out = out};
	return judge_transition(&x, err);
}

int odo_transition_weigh(const odo_tables *before, const odo_tables *now, odo_transition *out,
			 odo_error *err)
{
	odo_change x = {.before = before, .now = now, .hosts_only = true, .out = out};
	return judge_transition(&x, err);
}
