/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Constants of a run, computed from its options. */
#include "emulator/kernel/setup/setup.h"

#include <stdlib.h>

#include "base/strategies.h"
#include "emulator/kernel/cycle/cycle.h"
#include "emulator/kernel/cycle/source.h"
#include "emulator/kernel/setup/hop_tables.h"
#include "emulator/units.h"
#include "routing/adaptive.h"

#define MAX_HOPS 254u
/* Cycles: in shorter batches, random variation hides whether latency is constant. */
#define LEAST_BATCH 500u

static int check_failures(const odo_emulation *e, odo_error *err)
{
	const odo_fabric *f = e->fabric;
	for (uint32_t i = 0; i < e->run.n_failures; i++) {
		const odo_failure *failure = &e->run.failures[i];
		if (failure->slot >= f->n_slots || f->peer[failure->slot] == ODO_NONE)
			return odo_fail(err, ODO_EINPUT,
					"emulation: expected a cable to fail, found slot %u",
					failure->slot);
		if (i && failure->cycle < failure[-1].cycle)
			return odo_fail(err, ODO_EINPUT,
					"emulation: expected failures in order of their cycles");
	}
	return 0;
}

int odo_emulation_check(const odo_emulation *e, odo_error *err)
{
	const odo_run_options *r = &e->run;
	if (!e->traffic == !e->workload)
		return odo_fail(err, ODO_EINPUT, "emulation: expected a traffic or a workload");
	if (e->traffic && e->traffic->apart)
		return odo_fail(err, ODO_EINPUT,
				"emulation: expected hosts to send within their part of the "
				"fabric, found %u parts that no cable connects; --part N takes one",
				e->traffic->order->n_parts);
	if (!e->tables && !e->policy)
		return odo_fail(err, ODO_EINPUT, "emulation: expected tables or a policy");
	if (!e->fabric->n_hosts)
		return odo_fail(err, ODO_EINPUT, "emulation: the fabric has no hosts");
	if (!e->policy && e->fabric->lids_by_part)
		return odo_fail(err, ODO_EINPUT,
				"emulation: expected one subnet, found parts that have the same "
				"LIDs: take each by itself");
	if (!e->policy && !e->fabric->lid_count)
		return odo_fail(err, ODO_EINPUT, "emulation: more hosts than LIDs; use a policy");
	if (!(r->load >= 0 && r->load <= 1))
		return odo_fail(err, ODO_EINPUT, "emulation: expected a load from 0 to 1, found %g",
				r->load);
	if (r->warmup + r->measured >= UINT32_MAX / 2 || !r->measured)
		return odo_fail(err, ODO_EINPUT,
				"emulation: expected from 1 to %u cycles, warm-up included, found "
				"%llu",
				UINT32_MAX / 2 - 1, (unsigned long long)(r->warmup + r->measured));
	if (r->go_on && (e->workload || r->steady || r->series))
		return odo_fail(err, ODO_EINPUT,
				"emulation: a run that may be extended needs a traffic, a fixed "
				"warm-up, and no time series");
	int status = check_failures(e, err);
	return status ? status : odo_model_check(e->model, err);
}

/* Refuse tables with a VL that an output never serves: its packets would wait forever. */
static int check_vlarb(const odo_world *w, odo_error *err)
{
	const odo_emulation *e = w->e;
	if (!e->vlarb)
		return 0;
	if (w->policy || w->model.flow == ODO_FLOW_FLITS)
		return odo_fail(err, ODO_EDECLINE,
				"emulation: VL arbitration needs static tables and flow=packets");
	for (uint32_t slot = 0; slot < e->fabric->first_slot[e->fabric->n_switches]; slot++) {
		uint16_t used = (uint16_t)((1u << e->tables->n_vls) - 1);
		used &= (uint16_t)~odo_vlarb_served(&e->vlarb->rows[e->vlarb->row[slot]]);
		if (used && odo_next_switch(e->fabric, slot) != ODO_NONE)
			return odo_fail(
				err, ODO_EINPUT,
				"emulation: switch \"%s\" port %u gives VL %u no weight in its "
				"VL arbitration tables",
				odo_name(e->fabric, e->fabric->owner[slot]),
				odo_port(e->fabric, slot), (unsigned)__builtin_ctz(used));
	}
	return 0;
}

static void find_longest_packet(odo_world *w)
{
	uint64_t slowest = 1;
	for (uint32_t s = 0; w->slot_cycles && s < w->e->fabric->n_slots; s++)
		if (w->slot_cycles[s] > slowest)
			slowest = w->slot_cycles[s];
	w->longest_packet = w->model.packet * slowest;
}

static int find_switch_groups(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	const odo_coordinates *c = w->e->coordinates;
	w->group = odo_arena_new(&w->memory, f->n_switches, sizeof *w->group);
	if (!w->group)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u switches", f->n_switches);
	w->n_groups = 1;
	if (!odo_grouped(c))
		return 0;
	w->n_groups = c->size[0] + 1; /* the last group is for switches without coordinates */
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t g = odo_at(c, s)[0];
		w->group[s] = g < c->size[0] ? g : c->size[0];
	}
	return 0;
}

static int make_policy(odo_world *w, odo_error *err)
{
	const odo_emulation *e = w->e;
	odo_value value[ODO_MAX_OPTIONS];
	int status = 0;
	odo_policy_setup setup = {
		.fabric = e->fabric,
		.coordinates = e->coordinates,
		.tables = e->tables,
		.model = &w->model,
		.value = value,
		.seed = e->run.seed,
		.vls = {w->model.vls[0], w->model.vls[1]},
	};
	if (e->policy)
		status = odo_policy_parse(e->policy, &w->policy, value, err);
	else if (e->tables->adaptive)
		w->policy = &odo_policy_adaptive_tables;
	else
		setup.vls[0] = setup.vls[1] = e->tables->n_vls;
	if (!status && w->policy) {
		setup.variant = w->policy->variant;
		status = w->policy->create(&setup, &w->policy_state, err);
	}
	if (status)
		return status;
	for (unsigned k = 0; k < 2; k++) {
		if (w->model.vls[k] && w->model.vls[k] < setup.vls[k])
			return odo_fail(err, ODO_EDECLINE, "the routing needs %u VLs on %s links",
					setup.vls[k], k ? "global" : "local");
		if (!w->model.vls[k])
			w->model.vls[k] = setup.vls[k] ? setup.vls[k] : 1;
	}
	if (w->policy && w->policy->hold_credit && w->model.flow == ODO_FLOW_FLITS)
		return odo_fail(
			err, ODO_EDECLINE,
			"expected flow=packets: the policy delays the credits of whole packets");
	w->revises = w->policy && !setup.for_good;
	w->plain = w->revises && setup.plain;
	w->late = setup.late;
	w->local_bytes = setup.local_bytes;
	w->group_bytes = setup.group_bytes;
	w->group_state = odo_arena_new(&w->memory, w->n_groups, w->group_bytes);
	return w->group_state ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for groups");
}

/* Data rate of a link, in units of half a Gbit/s per lane; an unknown rate counts as SDR. */
static uint32_t rounded_rate(const odo_fabric *f, uint32_t slot)
{
	uint32_t lanes = f->width[slot] ? f->width[slot] : 4;
	return odo_data_rate(f, slot) / lanes / 500 * lanes;
}

/* Compute the cycles that a phit takes on each link; 1 on the fastest. */
static int find_rates(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	uint32_t fastest = 1;
	w->slot_cycles = w->e->slot_cycles;
	if (w->slot_cycles || !w->model.link_rates)
		return 0;
	w->rates = odo_arena_new(&w->memory, f->n_slots, sizeof *w->rates);
	if (!w->rates)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u links", f->n_slots);
	for (uint32_t s = 0; s < f->n_slots; s++)
		if (f->peer[s] != ODO_NONE && rounded_rate(f, s) > fastest)
			fastest = rounded_rate(f, s);
	for (uint32_t s = 0; s < f->n_slots; s++)
		w->rates[s] = (fastest + rounded_rate(f, s) / 2) / rounded_rate(f, s);
	w->slot_cycles = w->rates;
	return 0;
}

static int make_series(odo_world *w, odo_error *err)
{
	const odo_run_options *r = &w->e->run;
	const odo_fabric *f = w->e->fabric;
	if (!r->series || !r->channels)
		return 0;
	if (r->steady)
		return odo_fail(err, ODO_EINPUT,
				"emulation: series of channels need a warm-up of known length");
	w->n_intervals = (w->measure_to - 1) / r->series + 1;
	if (w->n_intervals > (1ull << 31) / (f->n_slots + 1ull))
		return odo_fail(err, ODO_EINPUT,
				"emulation: %llu intervals of %u channels are too many",
				(unsigned long long)w->n_intervals, f->n_slots);
	w->channel_series = odo_new(w->n_intervals * f->n_slots, sizeof(uint32_t));
	w->channel_before = odo_arena_new(&w->memory, f->n_slots, sizeof(uint32_t));
	if (!w->channel_series || !w->channel_before)
		return odo_fail(err, ODO_ENOMEM, "no memory for the time series");
	return 0;
}

/* Are these the switches of paper 004? Their crossbar moves a packet per cycle to the queue of an
 * output. */
static bool has_queues(const odo_world *w)
{
	const odo_model *m = &w->model;
	bool usual = w->words == 1 && w->n_lanes <= 8 && m->arbiter == ODO_ARBITER_ROUND_ROBIN &&
		     !m->transit_first && !m->minimal_first && !w->parallel_inputs;
	bool crosses = m->packet <= m->speedup && w->passes == 1 && m->output_buffer;
	return usual && crosses && w->alike && !w->slot_cycles && !w->flits && !w->failing &&
	       !w->e->vlarb;
}

/* Are adaptive tables looked up as sets (sets.h)? */
static bool goes_by_sets(const odo_world *w)
{
	return w->paper && w->policy == &odo_policy_adaptive_tables && !w->e->run.plain &&
	       w->e->tables->adaptive->sets && w->e->fabric->n_switches <= UINT16_MAX &&
	       odo_uses("adaptive sets");
}

/* Count VLs and lanes, and reserve places for ports and lanes: powers of two, so that shifts find
 * them. */
static int reserve_places(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	w->n_vls = w->model.vls[0] > w->model.vls[1] ? w->model.vls[0] : w->model.vls[1];
	w->n_lanes = w->n_vls * w->model.channels;
	if (w->n_lanes < w->model.injection_queues)
		w->n_lanes = w->model.injection_queues;
	if (w->n_lanes > ODO_MAX_LANES)
		return odo_fail(err, ODO_EINPUT, "emulation: at most %u VLs or channels",
				ODO_MAX_LANES);
	for (uint32_t s = 0; s < f->n_switches; s++)
		while (odo_n_ports(f, s) > 1u << w->port_bits)
			w->port_bits++;
	for (w->lane_bits = ODO_LANE_BITS; w->n_lanes > 1u << w->lane_bits;)
		w->lane_bits++;
	if ((uint64_t)f->n_switches << (w->port_bits + w->lane_bits) >= UINT32_MAX)
		return odo_fail(err, ODO_EINPUT,
				"emulation: at most %u switches of so many ports and VLs",
				(UINT32_MAX >> (w->port_bits + w->lane_bits)) - 1);
	w->words = w->port_bits > 6 ? 1u << (w->port_bits - 6) : 1;
	return 0;
}

static void plan_measuring(odo_world *w)
{
	const odo_run_options *r = &w->e->run;
	w->measure_from = r->steady ? UINT32_MAX / 2 : r->warmup;
	w->measure_to = w->measure_from + r->measured;
	w->steady.batch = r->warmup > LEAST_BATCH ? r->warmup : LEAST_BATCH;
}

/* Find common properties of packets and switches; they select the loop of a cycle. */
static void find_traits(odo_world *w)
{
	const odo_emulation *e = w->e;
	const odo_model *m = &w->model;
	w->flits = m->flow == ODO_FLOW_FLITS;
	w->failing = e->run.n_failures;
	w->alike = !e->workload;
	w->uniform = w->alike && !w->revises && !w->flits;
	w->parallel_inputs = m->input_parallel > 1 && !w->flits;
	w->buffered = m->speedup > 1 || m->output_buffer || w->flits || e->vlarb;
	w->even = w->alike && !w->slot_cycles && !w->buffered;
	w->passes = m->speedup > m->packet ? m->speedup / m->packet : 1;
	w->paper = has_queues(w);
}

static void choose_loop(odo_world *w)
{
	bool wide = !w->e->run.plain && odo_can_run_wide(w) && odo_uses("AVX-512");
	w->loop = odo_find_loop(w);
	w->run = wide ? odo_run_of_wide(w->loop) : odo_run_of(w->loop);
}

int odo_world_make(odo_world *w, odo_error *err)
{
	const odo_emulation *e = w->e;
	w->model = *e->model;
	w->max_hops = e->run.max_hops ? e->run.max_hops : MAX_HOPS;
	int status = find_switch_groups(w, err);
	if (!status)
		status = odo_find_addresses(w, err);
	if (!status)
		status = make_policy(w, err);
	if (!status)
		status = check_vlarb(w, err);
	if (!status)
		status = reserve_places(w, err);
	if (!status)
		status = find_rates(w, err);
	if (status)
		return status;
	plan_measuring(w);
	odo_gaps_make(&w->gaps, e->run.load / w->model.packet);
	find_longest_packet(w);
	find_traits(w);
	if (goes_by_sets(w)) {
		w->sets = e->tables->adaptive;
		odo_find_ends_of_sets(w);
	}
	choose_loop(w);
	if (!w->policy && odo_uses("hop tables"))
		status = odo_find_hops(w, err);
	return status ? status : make_series(w, err);
}

void odo_world_free(odo_world *w)
{
	for (uint32_t i = 0; w->parts && i < w->n_parts; i++)
		odo_part_free(&w->parts[i]);
	if (w->policy && w->policy_state)
		w->policy->free(w->policy_state);
	for (uint32_t i = 0; w->workers && i < w->n_workers; i++)
		odo_worker_free(&w->workers[i]);
	free(w->vl_rows);
	free(w->hop);
	free(w->channel_series);
	odo_arena_free(&w->memory);
}
