/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Common functions of workloads, and the burst. */
#include "emulator/traffic/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "emulator/streams.h"
#include "emulator/traffic/workload_internal.h"
#include "base/memory.h"
#include "base/options.h"

int odo_workload_base_make(const odo_workload_setup *setup, odo_workload_base *base, odo_error *err)
{
	base->rank_of = odo_arena_new(&base->memory, setup->n_hosts, sizeof *base->rank_of);
	base->host_of = odo_arena_new(&base->memory, setup->n_ranks, sizeof *base->host_of);
	if (base->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for a workload");
	base->n_ranks = setup->n_ranks;
	base->packet = setup->packet;
	base->phit_bytes = setup->phit_bytes ? setup->phit_bytes : 4;
	for (uint32_t h = 0; h < setup->n_hosts; h++)
		base->rank_of[h] = ODO_NONE;
	for (uint32_t r = 0; r < setup->n_ranks; r++) {
		base->host_of[r] = setup->host[r];
		base->rank_of[setup->host[r]] = r;
	}
	return 0;
}

void odo_workload_free(odo_workload *w)
{
	odo_workload_base *base = w->state;
	if (!base)
		return;
	if (base->free)
		base->free(base);
	odo_arena_free(&base->memory);
	free(base);
	w->state = NULL;
}

odo_workload_facts odo_workload_facts_of(const odo_workload *w)
{
	const odo_workload_base *base = w->state;
	odo_workload_facts facts = base->facts;
	facts.n_ranks = base->n_ranks;
	return facts;
}

int odo_workload_cycles(const char *what, double ns, double cycle_ns, uint32_t *cycles,
			odo_error *err)
{
	if (!(cycle_ns > 0))
		return odo_fail(err, ODO_EINPUT,
				"%s: expected cycles, or a model that knows time, as infiniband "
				"(link-rates=1), found a time of %g ns",
				what, ns);
	double n = round(ns / cycle_ns);
	if (n > ODO_MOST_COMPUTING)
		return odo_fail(err, ODO_EINPUT,
				"%s: expected up to %u cycles of %g ns, found %g ns", what,
				ODO_MOST_COMPUTING, cycle_ns, ns);
	*cycles = (uint32_t)n;
	return 0;
}

/* Convert the times among a row's values to cycles, and count values that were given in cycles. */
static int convert_times(const odo_step_workload *row, odo_value *value,
			 const odo_workload_setup *setup, odo_workload_facts *facts, odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; row->options[i].name && !status; i++) {
		if (row->options[i].type != ODO_OPTION_CYCLES)
			continue;
		char what[80];
		snprintf(what, sizeof what, "%s: %s", row->name, row->options[i].name);
		if (value[i].n > 1)
			status = odo_workload_cycles(what, value[i].number[0], setup->cycle_ns,
						     &value[i].number[0], err);
		else if (value[i].number[0])
			*facts = (odo_workload_facts){.n_in_cycles = 1,
						      .most_in_cycles = value[i].number[0]};
	}
	return status;
}

/* Return the row that a spec names, or NULL. */
static const odo_step_workload *find_workload(const char *spec)
{
	size_t length = odo_spec_name(spec);
	for (const odo_step_workload *row = odo_step_workloads; row->name; row++)
		if (strlen(row->name) == length && !memcmp(row->name, spec, length))
			return row;
	return NULL;
}

static bool is_trace(const char *spec)
{
	return !strncmp(spec, "trace:", 6);
}

static int read_workload_spec(const char *spec, const odo_step_workload **row, odo_value *value,
			      odo_error *err)
{
	*row = find_workload(spec);
	if (*row)
		return odo_spec_parse(spec, (*row)->options, value, err);
	char all[200];
	size_t used = 0;
	for (const odo_step_workload *w = odo_step_workloads; w->name && used < sizeof all; w++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s, ", w->name);
	return odo_fail(err, ODO_EINPUT, "expected a workload of %strace:FILE; found \"%.60s\"",
			all, spec);
}

int odo_workload_check(const char *spec, odo_error *err)
{
	const odo_step_workload *row;
	odo_value value[ODO_MAX_OPTIONS] = {{0}};
	return is_trace(spec) ? 0 : read_workload_spec(spec, &row, value, err);
}

int odo_workload_create(const char *spec, const odo_workload_setup *setup, odo_workload *out,
			odo_error *err)
{
	const odo_step_workload *row;
	odo_value value[ODO_MAX_OPTIONS] = {{0}};
	*out = (odo_workload){0};
	if (setup->n_ranks < 2)
		return odo_fail(err, ODO_EINPUT, "expected two ranks or more, found %u",
				setup->n_ranks);
	if (is_trace(spec))
		return odo_workload_trace(spec + 6, setup, out, err);
	int status = read_workload_spec(spec, &row, value, err);
	if (!status && row->check)
		status = row->check(value, setup->n_ranks, err);
	odo_workload_facts facts = {0};
	if (!status)
		status = convert_times(row, value, setup, &facts, err);
	if (!status)
		status = odo_workload_steps(row, value, setup, out, err);
	if (!status)
		((odo_workload_base *)out->state)->facts = facts;
	return status;
}

/* State of the burst. */

struct burst {
	odo_workload_base base;
	const odo_traffic *traffic;
	uint32_t *left; /**< [n_hosts] */
	odo_rng *rng;   /**< [n_hosts] */
};

static bool burst_next(void *state, uint32_t host, uint64_t cycle, odo_send *send,
		       uint64_t *not_before)
{
	struct burst *b = state;
	*not_before = UINT64_MAX;
	if (!b->left[host])
		return false;
	send->target = odo_traffic_destination(b->traffic, host, &b->rng[host], cycle);
	if (send->target == ODO_NONE) {
		b->left[host] = 0; /* a silent host */
		return false;
	}
	send->tag = 0;
	send->phits = (uint16_t)b->base.packet;
	b->left[host]--;
	return true;
}

static bool burst_arrived(void *state, uint32_t host, uint32_t source, uint32_t tag, uint64_t cycle)
{
	(void)state;
	(void)host;
	(void)source;
	(void)tag;
	(void)cycle;
	return true;
}

int odo_workload_burst(const struct odo_traffic *traffic, uint32_t packets,
		       const odo_workload_setup *setup, odo_workload *out, odo_error *err)
{
	struct burst *b = odo_new(1, sizeof *b);
	if (!b)
		return odo_fail(err, ODO_ENOMEM, "no memory for a burst");
	*out = (odo_workload){b, burst_next, burst_arrived};
	b->traffic = traffic;
	b->left = odo_arena_new(&b->base.memory, setup->n_hosts, sizeof *b->left);
	b->rng = odo_arena_new(&b->base.memory, setup->n_hosts, sizeof *b->rng);
	if (odo_workload_base_make(setup, &b->base, err)) {
		odo_workload_free(out);
		return odo_fail(err, ODO_ENOMEM, "no memory for a burst");
	}
	for (uint32_t h = 0; h < setup->n_hosts; h++) {
		b->left[h] = packets;
		b->rng[h] = odo_rng_make(setup->seed, odo_stream(ODO_STREAM_WORKLOAD, h));
	}
	return 0;
}
