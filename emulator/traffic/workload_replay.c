/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Replay of a trace. An operation starts when its predecessors are complete. A send is complete
 * when its last packet has entered the injection queue. A receive is complete when it has started
 * and its message has arrived in full. Computing is complete when its cycles are over. A rank's
 * state is its own: a packet carries the number of the receive it goes to.
 */
#include "emulator/traffic/workload_internal.h"
#include "emulator/traffic/workload_trace.h"
#include "base/memory.h"

/** Progress of an operation. */
struct progress {
	uint32_t waits;   /**< predecessors that are not complete; receives: plus 1 for their
			   * message */
	uint32_t packets; /**< sends: packets injected so far; receives: packets still to come */
	uint64_t end;     /**< computing that has started: cycle of its end */
};

struct rank {
	uint32_t first_send, n_sends; /**< ring of sends that have started */
	uint32_t n_computing;         /**< operations in `computing` */
	uint32_t n_complete;          /**< operations in `complete`, whose dependents are not yet
				       * informed */
};

struct replay {
	odo_workload_base base;
	odo_trace *trace;
	struct rank *rank;
	struct progress *progress; /**< [n_ops] */
	/* [n_ops] each; a rank uses the range of its operations. Entries are numbers within the
	 * rank. */
	uint32_t *sends, *computing, *complete;
};

static void start_op(struct replay *p, uint32_t rank, uint32_t number, uint64_t cycle)
{
	size_t base = p->trace->first[rank];
	struct rank *r = &p->rank[rank];
	const odo_op *op = &p->trace->op[base + number];
	uint32_t n_ops = (uint32_t)(p->trace->first[rank + 1] - base);
	if (op->kind == ODO_OP_SEND) {
		p->sends[base + (r->first_send + r->n_sends++) % n_ops] = number;
	} else if (op->kind == ODO_OP_RECV || op->amount == 0) {
		p->complete[base + r->n_complete++] = number;
	} else {
		p->progress[base + number].end = cycle + op->amount;
		p->computing[base + r->n_computing++] = number;
	}
}

/** Process complete operations until no new one completes. */
static void release_complete(struct replay *p, uint32_t rank, uint64_t cycle)
{
	const odo_trace *trace = p->trace;
	size_t base = trace->first[rank];
	struct rank *r = &p->rank[rank];
	while (r->n_complete) {
		size_t op = base + p->complete[base + --r->n_complete];
		for (size_t k = trace->first_later[op]; k < trace->first_later[op + 1]; k++)
			if (--p->progress[base + trace->later[k]].waits == 0)
				start_op(p, rank, trace->later[k], cycle);
	}
}

/** Complete the computing that is over by now. @return the cycle of the next end, or UINT64_MAX */
static uint64_t finish_computing(struct replay *p, uint32_t rank, uint64_t cycle)
{
	size_t base = p->trace->first[rank];
	struct rank *r = &p->rank[rank];
	uint64_t next = UINT64_MAX;
	for (uint32_t i = 0; i < r->n_computing;) {
		uint32_t number = p->computing[base + i];
		uint64_t end = p->progress[base + number].end;
		if (end <= cycle) {
			p->computing[base + i] = p->computing[base + --r->n_computing];
			p->complete[base + r->n_complete++] = number;
			continue;
		}
		next = end < next ? end : next;
		i++;
	}
	return next;
}

static bool replay_next(void *state, uint32_t host, uint64_t cycle, odo_send *send,
			uint64_t *not_before)
{
	struct replay *p = state;
	uint32_t rank = p->base.rank_of[host];
	*not_before = UINT64_MAX;
	if (rank == ODO_NONE)
		return false;
	struct rank *r = &p->rank[rank];
	finish_computing(p, rank, cycle);
	release_complete(p, rank, cycle);
	*not_before = finish_computing(p, rank, cycle); /* no computing ends here: it has just
							 * begun */
	if (!r->n_sends)
		return false;
	size_t base = p->trace->first[rank];
	uint32_t number = p->sends[base + r->first_send];
	const odo_op *op = &p->trace->op[base + number];
	struct progress *progress = &p->progress[base + number];
	send->target = p->base.host_of[op->peer];
	send->tag = op->match;
	send->phits = odo_packet_phits(&p->base, op->amount, progress->packets);
	if (++progress->packets == odo_message_packets(&p->base, op->amount)) {
		r->first_send = (r->first_send + 1) % (uint32_t)(p->trace->first[rank + 1] - base);
		r->n_sends--;
		p->complete[base + r->n_complete++] = number;
		release_complete(p, rank, cycle);
	}
	return true;
}

static bool replay_arrived(void *state, uint32_t host, uint32_t source, uint32_t tag,
			   uint64_t cycle)
{
	struct replay *p = state;
	uint32_t rank = p->base.rank_of[host];
	struct progress *progress = &p->progress[p->trace->first[rank] + tag];
	(void)source;
	if (--progress->packets == 0 && --progress->waits == 0) {
		start_op(p, rank, tag, cycle);
		release_complete(p, rank, cycle);
	}
	return true;
}

static void replay_free(void *state)
{
	struct replay *p = state;
	odo_trace_free(p->trace);
}

static void begin_replay(struct replay *p)
{
	const odo_trace *trace = p->trace;
	for (size_t i = 0; i < trace->n_ops; i++) {
		bool recv = trace->op[i].kind == ODO_OP_RECV;
		p->progress[i].waits = trace->op[i].n_after + recv;
		if (recv)
			p->progress[i].packets = odo_message_packets(&p->base, trace->op[i].amount);
	}
	for (uint32_t rank = 0; rank < trace->n_ranks; rank++) {
		for (size_t i = trace->first[rank]; i < trace->first[rank + 1]; i++)
			if (!trace->op[i].n_after && trace->op[i].kind != ODO_OP_RECV)
				start_op(p, rank, (uint32_t)(i - trace->first[rank]), 0);
		/* Computing of no cycles completes in start_op(); next() processes it. */
	}
}

int odo_workload_trace(const char *path, const odo_workload_setup *setup, odo_workload *out,
		       odo_error *err)
{
	struct replay *p = odo_new(1, sizeof *p);
	if (!p)
		return odo_fail(err, ODO_ENOMEM, "no memory for a workload");
	*out = (odo_workload){p, replay_next, replay_arrived};
	p->base.free = replay_free;
	int status = odo_trace_read(path, setup->cycle_ns, &p->trace, err);
	if (!status && p->trace->n_ranks > setup->n_ranks)
		status = odo_fail(err, ODO_EINPUT, "%s: expected at most %u ranks, found %u", path,
				  setup->n_ranks, p->trace->n_ranks);
	odo_workload_setup placed = *setup;
	if (!status) {
		p->base.facts = (odo_workload_facts){.n_in_cycles = p->trace->n_in_cycles,
						     .most_in_cycles = p->trace->most_in_cycles};
		placed.n_ranks = p->trace->n_ranks;
		status = odo_workload_base_make(&placed, &p->base, err);
	}
	if (!status) {
		size_t n = p->trace->n_ops;
		odo_arena *memory = &p->base.memory;
		p->rank = odo_arena_new(memory, placed.n_ranks, sizeof *p->rank);
		p->progress = odo_arena_new(memory, n, sizeof *p->progress);
		p->sends = odo_arena_new(memory, n, sizeof *p->sends);
		p->computing = odo_arena_new(memory, n, sizeof *p->computing);
		p->complete = odo_arena_new(memory, n, sizeof *p->complete);
		if (!memory->failed)
			begin_replay(p);
		else
			status = odo_fail(err, ODO_ENOMEM, "no memory for a workload");
	}
	if (status)
		odo_workload_free(out);
	return status;
}
