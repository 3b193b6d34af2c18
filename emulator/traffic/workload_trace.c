/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/traffic/workload_trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/traffic/workload_internal.h"
#include "emulator/traffic/workload_trace_internal.h"
#include "fabric/fabric.h"
#include "base/memory.h"
#include "base/number.h"
#include "fabric/format/others.h"
#include "fabric/format/slurp.h"

#define MAX_RANKS (1u << 24)

/** "after" of an operation, stored until all operations are known. */
struct edge {
	size_t op;      /**< the later one */
	uint32_t after; /**< number within the rank of the earlier one */
};

struct reader {
	const char *path, *at;
	uint32_t line;
	double cycle_ns;
	odo_trace *t;
	size_t ops_room, n_edges, edges_room;
	struct edge *edges;
	uint32_t rank; /**< rank whose operations are being read; ODO_NONE before the first */
	odo_error *err;
};

/** Return a word of the line, and its length; 0 at the end of the line. */
static size_t next_word(struct reader *r, const char **word)
{
	r->at += strspn(r->at, " \t\r");
	*word = r->at;
	size_t n = *r->at == '#' ? 0 : strcspn(r->at, " \t\r\n#");
	r->at += n;
	return n;
}

static int trace_expected(const struct reader *r, const char *what, const char *word, size_t n)
{
	return n ? odo_fail(r->err, ODO_EINPUT, "%s:%u: expected %s, found \"%.*s\"", r->path,
			    r->line, what, n < 40 ? (int)n : 40, word)
		 : odo_fail(r->err, ODO_EINPUT, "%s:%u: expected %s, found the end of the line",
			    r->path, r->line, what);
}

static int trace_no_memory(const struct reader *r)
{
	return odo_fail(r->err, ODO_ENOMEM, "%s: no memory for a trace", r->path);
}

static bool is_word(const char *word, size_t n, const char *text)
{
	return strlen(text) == n && !memcmp(word, text, n);
}

static int read_number(struct reader *r, const char *what, uint32_t max, uint32_t *out)
{
	const char *word;
	size_t n = next_word(r, &word);
	const char *at = word;
	uint64_t value;
	if (!odo_take_digits(&at, word + n, 10, &value) || at != word + n || value > max)
		return trace_expected(r, what, word, n);
	*out = (uint32_t)value;
	return 0;
}

/** Go to the next line. Text without a final newline starts no further line. */
static void skip_line(struct reader *r)
{
	r->at += strcspn(r->at, "\n");
	if (*r->at == '\n') {
		r->at++;
		r->line++;
	}
}

static int end_trace_line(struct reader *r)
{
	const char *word;
	size_t n = next_word(r, &word);
	if (n)
		return trace_expected(r, "the end of the line", word, n);
	skip_line(r);
	return 0;
}

/** Skip empty lines and comments; false at the end of the text. */
static bool next_trace_line(struct reader *r)
{
	while (*r->at) {
		const char *start = r->at + strspn(r->at, " \t\r");
		if (*start != '\n' && *start != '#')
			return *start;
		r->at = start;
		skip_line(r);
	}
	return false;
}

/** Report a file that is not a trace; the message names the tool it comes from. */
static int no_trace(const struct reader *r, const char *word, size_t n)
{
	uint32_t line;
	const odo_other_file *other = n ? odo_other_find(word, strlen(word), &line) : NULL;
	if (!other)
		return trace_expected(r, "\"trace 1\"", word, n);
	return odo_fail(r->err, ODO_EINPUT, "%s:%u: expected \"trace 1\", found %s%s%s", r->path,
			r->line + line - 1, other->name, other->use == ODO_FILE_TRAFFIC ? ": " : "",
			other->use == ODO_FILE_TRAFFIC ? other->advice : "");
}

static int read_header(struct reader *r)
{
	const char *word;
	uint32_t version, n_ranks;
	bool there = next_trace_line(r);
	size_t n = there ? next_word(r, &word) : 0;
	if (!there || !is_word(word, n, "trace"))
		return no_trace(r, there ? word : "", n);
	int status = read_number(r, "version 1", 1, &version);
	if (!status && !version)
		status = trace_expected(r, "version 1", "0", 1);
	if (!status)
		status = end_trace_line(r);
	if (status)
		return status;
	there = next_trace_line(r);
	n = there ? next_word(r, &word) : 0;
	if (!there || !is_word(word, n, "ranks"))
		return trace_expected(r, "\"ranks N\"", there ? word : "", n);
	status = read_number(r, "2 to 16777216 ranks", MAX_RANKS, &n_ranks);
	if (!status && n_ranks < 2)
		status = trace_expected(r, "2 to 16777216 ranks", n_ranks ? "1" : "0", 1);
	if (!status)
		status = end_trace_line(r);
	if (status)
		return status;
	r->t->n_ranks = n_ranks;
	r->t->first = odo_new((size_t)n_ranks + 1, sizeof *r->t->first);
	return r->t->first ? 0 : trace_no_memory(r);
}

/** Read "rank N": ranks come in rising order; ranks left out do nothing. */
static int begin_rank(struct reader *r)
{
	uint32_t rank, next = r->rank == ODO_NONE ? 0 : r->rank + 1;
	int status = read_number(r, "a rank of the trace", r->t->n_ranks - 1, &rank);
	if (status)
		return status;
	if (rank < next)
		return odo_fail(r->err, ODO_EINPUT,
				"%s:%u: expected ranks in rising order, found %u again or late",
				r->path, r->line, rank);
	for (uint32_t i = next; i <= rank; i++)
		r->t->first[i] = r->t->n_ops;
	r->rank = rank;
	return end_trace_line(r);
}

static int read_after(struct reader *r, size_t op)
{
	const char *what = "the number of an earlier operation of this rank";
	uint32_t number = (uint32_t)(op - r->t->first[r->rank]);
	bool any = false;
	for (;;) {
		const char *word, *mark = r->at;
		uint32_t after;
		if (!next_word(r, &word))
			return any ? 0 : trace_expected(r, what, word, 0);
		any = true;
		r->at = mark;
		int status = read_number(r, what, number, &after);
		if (!status && after == 0)
			status = trace_expected(r, "operations counted from 1", "0", 1);
		if (status)
			return status;
		if (odo_grow(&r->edges, &r->edges_room, r->n_edges + 1, sizeof *r->edges))
			return trace_no_memory(r);
		r->edges[r->n_edges++] = (struct edge){op, after - 1};
		r->t->op[op].n_after++;
	}
}

/** Read the rest of an operation: "tag T" and "after N ...". */
static int read_op_rest(struct reader *r, size_t op)
{
	const char *word;
	size_t n = next_word(r, &word);
	int status = 0;
	if (n && is_word(word, n, "tag") && r->t->op[op].kind != ODO_OP_COMPUTE) {
		status = read_number(r, "a tag", UINT32_MAX, &r->t->op[op].tag);
		n = status ? 0 : next_word(r, &word);
	}
	if (!status && n && !is_word(word, n, "after"))
		return trace_expected(r, "\"tag\", \"after\" or the end of the line", word, n);
	if (!status && n)
		status = read_after(r, op);
	return status ? status : end_trace_line(r);
}

/** Read "10us", or cycles. */
static int read_computing(struct reader *r, uint32_t *cycles)
{
	const char *word, *mark = r->at;
	size_t n = next_word(r, &word);
	const char *at = word;
	double ns;
	char place[400];
	if (n && odo_take_time(&at, &ns) && at == word + n) {
		snprintf(place, sizeof place, "%.300s:%u: compute", r->path, r->line);
		return odo_workload_cycles(place, ns, r->cycle_ns, cycles, r->err);
	}
	r->at = mark;
	int status = read_number(r, "a time as 500ns or 10us, or cycles", ODO_MOST_COMPUTING,
				 cycles);
	if (!status && *cycles) {
		r->t->n_in_cycles++;
		if (*cycles > r->t->most_in_cycles)
			r->t->most_in_cycles = *cycles;
	}
	return status;
}

static int read_op(struct reader *r, odo_op_kind kind)
{
	odo_trace *trace = r->t;
	if (r->rank == ODO_NONE)
		return odo_fail(r->err, ODO_EINPUT,
				"%s:%u: expected \"rank N\" first, found an operation", r->path,
				r->line);
	if (trace->n_ops - trace->first[r->rank] >= UINT32_MAX - 1)
		return odo_fail(r->err, ODO_EINPUT, "%s:%u: expected fewer operations of a rank",
				r->path, r->line);
	if (odo_grow(&trace->op, &r->ops_room, trace->n_ops + 1, sizeof *trace->op))
		return trace_no_memory(r);
	odo_op *op = &trace->op[trace->n_ops];
	*op = (odo_op){.kind = (uint8_t)kind, .line = r->line};
	int status = 0;
	if (kind != ODO_OP_COMPUTE)
		status = read_number(r, "another rank of the trace", trace->n_ranks - 1, &op->peer);
	if (!status && kind != ODO_OP_COMPUTE && op->peer == r->rank)
		status = trace_expected(r, "another rank of the trace", "its own", 7);
	if (!status)
		status = kind == ODO_OP_COMPUTE ? read_computing(r, &op->amount)
						: read_number(r, "bytes", 1u << 30, &op->amount);
	return status ? status : read_op_rest(r, trace->n_ops++);
}

static int read_trace_lines(struct reader *r)
{
	static const char *const kinds[] = {"send", "recv", "compute"};
	while (next_trace_line(r)) {
		const char *word;
		size_t n = next_word(r, &word);
		int status = 1;
		for (unsigned k = 0; k < 3 && status == 1; k++)
			if (is_word(word, n, kinds[k]))
				status = read_op(r, (odo_op_kind)k);
		if (status == 1)
			status = is_word(word, n, "rank")
					 ? begin_rank(r)
					 : trace_expected(r, "rank, send, recv or compute", word,
							  n);
		if (status)
			return status;
	}
	for (uint32_t i = r->rank == ODO_NONE ? 0 : r->rank + 1; i <= r->t->n_ranks; i++)
		r->t->first[i] = r->t->n_ops;
	return 0;
}

/** Reverse the edges: list for each operation those that wait for it. */
static int list_dependents(struct reader *r)
{
	odo_trace *trace = r->t;
	trace->first_later = odo_new(trace->n_ops + 2, sizeof *trace->first_later);
	trace->later = odo_new(r->n_edges, sizeof *trace->later);
	size_t *base = odo_new(trace->n_ops, sizeof *base); /* first operation of its rank */
	if (!trace->first_later || !trace->later || !base) {
		free(base);
		return trace_no_memory(r);
	}
	for (uint32_t rank = 0; rank < trace->n_ranks; rank++)
		for (size_t i = trace->first[rank]; i < trace->first[rank + 1]; i++)
			base[i] = trace->first[rank];
	/* Counts are stored two places up, so that filling leaves the first entries where they
	 * belong. */
	for (size_t i = 0; i < r->n_edges; i++)
		trace->first_later[base[r->edges[i].op] + r->edges[i].after + 2]++;
	for (size_t i = 2; i < trace->n_ops + 2; i++)
		trace->first_later[i] += trace->first_later[i - 1];
	for (size_t i = 0; i < r->n_edges; i++) {
		size_t op = r->edges[i].op, from = base[op] + r->edges[i].after;
		trace->later[trace->first_later[from + 1]++] = (uint32_t)(op - base[op]);
	}
	free(base);
	return 0;
}

int odo_trace_parse(const char *path, const char *text, size_t size, double cycle_ns,
		    odo_trace **out, odo_error *err)
{
	odo_trace *trace = odo_new(1, sizeof *trace);
	if (!trace)
		return odo_fail(err, ODO_ENOMEM, "%s: no memory for a trace", path);
	struct reader r = {.path = path,
			   .at = text,
			   .line = 1,
			   .cycle_ns = cycle_ns,
			   .t = trace,
			   .rank = ODO_NONE,
			   .err = err};
	int status = read_header(&r);
	if (!status)
		status = read_trace_lines(&r);
	if (!status && r.at != text + size)
		status = odo_fail(err, ODO_EINPUT, "%s:%u: expected text, found a zero byte", path,
				  r.line);
	if (!status)
		status = list_dependents(&r);
	if (!status)
		status = odo_trace_match(path, trace, err);
	if (!status)
		status = odo_trace_prove(path, trace, err);
	free(r.edges);
	if (status) {
		odo_trace_free(trace);
		return status;
	}
	*out = trace;
	return 0;
}

int odo_trace_read(const char *path, double cycle_ns, odo_trace **out, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (!status)
		status = odo_trace_parse(path, text, size, cycle_ns, out, err);
	free(text);
	return status;
}

void odo_trace_free(odo_trace *trace)
{
	if (!trace)
		return;
	free(trace->op);
	free(trace->first);
	free(trace->first_later);
	free(trace->later);
	free(trace);
}
