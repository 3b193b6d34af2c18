/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Checks of a trace beyond its format: every message sent is received, and the trace ends. */
#include <stdlib.h>

#include "emulator/traffic/workload_trace.h"
#include "emulator/traffic/workload_trace_internal.h"
#include "base/arena.h"

/** A send or receive, for sorting: the k-th operations for a pair of ranks and a tag sort
 * together. */
struct side {
	uint32_t from, to, tag;
	uint32_t number; /**< within its rank */
	size_t op;
};

static int compare_sides(const void *a, const void *b)
{
	const struct side *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

/** List all operations of a kind, sorted. @return their number */
static size_t list_sides(const odo_trace *trace, odo_op_kind kind, struct side *out)
{
	size_t n = 0;
	for (uint32_t rank = 0; rank < trace->n_ranks; rank++)
		for (size_t i = trace->first[rank]; i < trace->first[rank + 1]; i++) {
			const odo_op *op = &trace->op[i];
			if (op->kind != kind)
				continue;
			bool send = kind == ODO_OP_SEND;
			out[n++] = (struct side){.from = send ? rank : op->peer,
						 .to = send ? op->peer : rank,
						 .tag = op->tag,
						 .number = (uint32_t)(i - trace->first[rank]),
						 .op = i};
		}
	qsort(out, n, sizeof *out, compare_sides);
	return n;
}

static bool same_message(const struct side *a, const struct side *b)
{
	return a->from == b->from && a->to == b->to && a->tag == b->tag;
}

static int report_unmatched(const char *path, const odo_trace *trace, const struct side *side,
			    odo_error *err)
{
	const odo_op *op = &trace->op[side->op];
	bool send = op->kind == ODO_OP_SEND;
	return odo_fail(err, ODO_EINPUT,
			"%s:%u: expected a %s of rank %u with tag %u to go with this %s, found "
			"none",
			path, op->line, send ? "recv" : "send", op->peer, op->tag,
			send ? "send" : "recv");
}

/** Match the k-th send from a to b with a tag to b's k-th receive from a with that tag. */
static int match_messages(const char *path, odo_trace *trace, struct side *sends, size_t n_sends,
			  struct side *recvs, size_t n_recvs, odo_error *err)
{
	for (size_t i = 0; i < n_sends || i < n_recvs; i++) {
		bool send = i < n_sends, recv = i < n_recvs;
		if (!send || !recv || !same_message(&sends[i], &recvs[i])) {
			/* The operation that sorts first has no partner. */
			struct side a = send ? sends[i] : recvs[i], b = recv ? recvs[i] : a;
			a.op = b.op = 0;
			bool missing_recv = send && (!recv || compare_sides(&a, &b) < 0);
			return report_unmatched(path, trace, missing_recv ? &sends[i] : &recvs[i],
						err);
		}
		odo_op *from = &trace->op[sends[i].op], *to = &trace->op[recvs[i].op];
		if (from->amount != to->amount)
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected %u bytes, as line %u sends, found %u",
					path, to->line, from->amount, from->line, to->amount);
		from->match = recvs[i].number;
	}
	return 0;
}

int odo_trace_match(const char *path, odo_trace *trace, odo_error *err)
{
	odo_arena memory = {0};
	struct side *sends = odo_arena_new(&memory, trace->n_ops, sizeof *sends);
	struct side *recvs = odo_arena_new(&memory, trace->n_ops, sizeof *recvs);
	int status;
	if (!memory.failed)
		status = match_messages(path, trace, sends, list_sides(trace, ODO_OP_SEND, sends),
					recvs, list_sides(trace, ODO_OP_RECV, recvs), err);
	else
		status = odo_fail(err, ODO_ENOMEM, "%s: no memory for a trace", path);
	odo_arena_free(&memory);
	return status;
}

/** An operation waits for one thing less; list it when it waits for nothing. */
static void release_op(uint32_t *waits, size_t op, size_t *ready, size_t *n_ready)
{
	if (--waits[op] == 0)
		ready[(*n_ready)++] = op;
}

/**
 * Run the trace on a network that takes no time. An operation that cannot run then waits, through
 * other ranks, for itself.
 */
static size_t run_all_ops(const odo_trace *trace, uint32_t *waits, size_t *ready,
			  const uint32_t *rank_of)
{
	size_t n_ready = 0, done = 0;
	for (size_t i = 0; i < trace->n_ops; i++) {
		waits[i] = trace->op[i].n_after + (trace->op[i].kind == ODO_OP_RECV) + 1;
		release_op(waits, i, ready, &n_ready);
	}
	for (; done < n_ready; done++) {
		size_t op = ready[done], base = trace->first[rank_of[op]];
		for (size_t k = trace->first_later[op]; k < trace->first_later[op + 1]; k++)
			release_op(waits, base + trace->later[k], ready, &n_ready);
		if (trace->op[op].kind == ODO_OP_SEND)
			release_op(waits, trace->first[trace->op[op].peer] + trace->op[op].match,
				   ready, &n_ready);
	}
	return done;
}

int odo_trace_prove(const char *path, const odo_trace *trace, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t *waits = odo_arena_new(&memory, trace->n_ops, sizeof *waits);
	uint32_t *rank_of = odo_arena_new(&memory, trace->n_ops, sizeof *rank_of);
	size_t *ready = odo_arena_new(&memory, trace->n_ops, sizeof *ready), i = 0;
	int status = 0;
	if (memory.failed) {
		status = odo_fail(err, ODO_ENOMEM, "%s: no memory for a trace", path);
		goto done;
	}
	for (uint32_t rank = 0; rank < trace->n_ranks; rank++)
		for (size_t k = trace->first[rank]; k < trace->first[rank + 1]; k++)
			rank_of[k] = rank;
	if (run_all_ops(trace, waits, ready, rank_of) < trace->n_ops) {
		while (!waits[i])
			i++;
		status = odo_fail(err, ODO_EINPUT,
				  "%s:%u: expected operations that can all be done, found one "
				  "that waits for itself",
				  path, trace->op[i].line);
	}
done:
	odo_arena_free(&memory);
	return status;
}
