/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Engine of workloads of steps. A rank sends the messages of a step, then waits for those it
 * expects in the step. Faster ranks may run ahead: their messages of later steps are counted until
 * the rank gets there. The actions of a step are computed when the rank enters it, so memory does
 * not grow with the number of steps.
 */
#include <stdlib.h>

#include "emulator/traffic/workload_internal.h"
#include "base/memory.h"

/** Packets that arrived before their step. */
struct early {
	uint32_t step, packets;
};

struct rank {
	uint64_t ready; /**< cycle at which the step's sends may begin */
	odo_step now;   /**< its actions in `step` */
	uint32_t step;
	uint32_t sent;   /**< messages of this step sent in full */
	uint32_t packet; /**< packets sent of the next message */
	uint32_t got;    /**< packets of this step received */
	uint32_t n_early;
	struct early *early;
	size_t room;
};

struct steps {
	odo_workload_base base;
	const odo_step_workload *row;
	odo_value value[ODO_MAX_OPTIONS];
	uint64_t seed;
	uint32_t n_steps;
	struct rank *rank; /**< [n_ranks] */
};

/** Begin step `r->step`, counting packets that arrived early. */
static void enter_step(struct steps *s, uint32_t rank, uint64_t cycle)
{
	struct rank *r = &s->rank[rank];
	r->now = (odo_step){0};
	r->sent = r->packet = r->got = 0;
	if (r->step == s->n_steps)
		return;
	s->row->step(s->value, s->base.n_ranks, s->seed, rank, r->step, &r->now);
	r->ready = cycle + r->now.compute;
	for (uint32_t i = 0; i < r->n_early; i++)
		if (r->early[i].step == r->step) {
			r->got = r->early[i].packets;
			r->early[i] = r->early[--r->n_early];
			break;
		}
}

static bool step_done(const struct steps *s, const struct rank *r)
{
	return r->sent == r->now.n_sends &&
	       r->got >= (uint64_t)r->now.n_recvs * odo_message_packets(&s->base, r->now.bytes);
}

static bool steps_next(void *state, uint32_t host, uint64_t cycle, odo_send *send,
		       uint64_t *not_before)
{
	struct steps *s = state;
	uint32_t rank = s->base.rank_of[host];
	*not_before = UINT64_MAX;
	if (rank == ODO_NONE)
		return false;
	struct rank *r = &s->rank[rank];
	while (r->step < s->n_steps && cycle >= r->ready && step_done(s, r)) {
		r->step++;
		enter_step(s, rank, cycle);
	}
	if (r->step < s->n_steps && cycle < r->ready)
		*not_before = r->ready;
	if (r->step == s->n_steps || cycle < r->ready || r->sent == r->now.n_sends)
		return false;
	send->target = s->base.host_of[r->now.peer[r->sent]];
	send->tag = r->now.unawaited ? UINT32_MAX : r->step;
	send->phits = odo_packet_phits(&s->base, r->now.bytes, r->packet);
	if (++r->packet == odo_message_packets(&s->base, r->now.bytes)) {
		r->packet = 0;
		r->sent++;
	}
	return true;
}

static bool steps_arrived(void *state, uint32_t host, uint32_t source, uint32_t tag, uint64_t cycle)
{
	struct steps *s = state;
	struct rank *r = &s->rank[s->base.rank_of[host]];
	(void)source;
	(void)cycle;
	if (tag == UINT32_MAX)
		return true;
	if (tag == r->step) {
		r->got++;
		return true;
	}
	for (uint32_t i = 0; i < r->n_early; i++)
		if (r->early[i].step == tag) {
			r->early[i].packets++;
			return true;
		}
	if (odo_grow(&r->early, &r->room, r->n_early + 1u, sizeof *r->early))
		return false;
	r->early[r->n_early++] = (struct early){tag, 1};
	return true;
}

static void steps_free(void *state)
{
	struct steps *s = state;
	for (uint32_t i = 0; s->rank && i < s->base.n_ranks; i++)
		free(s->rank[i].early);
}

int odo_workload_steps(const odo_step_workload *row, const odo_value *value,
		       const odo_workload_setup *setup, odo_workload *out, odo_error *err)
{
	uint64_t n_steps = row->n_steps(value, setup->n_ranks);
	if (n_steps >= UINT32_MAX)
		return odo_fail(err, ODO_EINPUT,
				"expected fewer than 4,294,967,295 steps, found "
				"%llu",
				(unsigned long long)n_steps);
	struct steps *s = odo_new(1, sizeof *s);
	if (!s)
		return odo_fail(err, ODO_ENOMEM, "no memory for a workload");
	*out = (odo_workload){s, steps_next, steps_arrived};
	s->base.free = steps_free;
	s->row = row;
	s->seed = setup->seed;
	s->n_steps = (uint32_t)n_steps;
	for (unsigned i = 0; i < ODO_MAX_OPTIONS; i++)
		s->value[i] = value[i];
	s->rank = odo_arena_new(&s->base.memory, setup->n_ranks, sizeof *s->rank);
	int status = s->rank ? odo_workload_base_make(setup, &s->base, err)
			     : odo_fail(err, ODO_ENOMEM, "no memory for a workload");
	if (status) {
		odo_workload_free(out);
		return status;
	}
	for (uint32_t i = 0; i < setup->n_ranks; i++)
		enter_step(s, i, 0);
	return 0;
}
