/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/run/ranks.h"

#ifdef ODONATA_MPI

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/kernel/run/idle.h"

static bool mpi_is_running(void)
{
	int begun = 0, ended = 0;
	MPI_Initialized(&begun);
	if (begun)
		MPI_Finalized(&ended);
	return begun && !ended;
}

uint32_t odo_ranks_number(void)
{
	int rank = 0;
	if (mpi_is_running())
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return (uint32_t)rank;
}

uint32_t odo_ranks_count(void)
{
	int n = 1;
	if (mpi_is_running())
		MPI_Comm_size(MPI_COMM_WORLD, &n);
	return (uint32_t)n;
}

/* ---- Between windows ---- */

/* Header of a message to one part; its parcels and receipts follow. */
struct consignment {
	uint32_t part, n_parcels, n_receipts, unused;
};

struct freight {
	unsigned char *out, *in;
	size_t out_room, in_room, out_size, in_size;
	int *out_count, *out_at, *in_count, *in_at; /* [n_ranks] bytes */
};

static int pack_bytes(struct freight *f, const void *what, size_t bytes)
{
	if (f->out_size + bytes > INT_MAX ||
	    odo_grow(&f->out, &f->out_room, f->out_size + bytes + 1, 1))
		return ODO_ENOMEM;
	memcpy(f->out + f->out_size, what, bytes);
	f->out_size += bytes;
	return 0;
}

static int pack_box(struct freight *f, uint32_t part, odo_inbox *box)
{
	struct consignment head = {part, (uint32_t)box->n_parcels, (uint32_t)box->n_receipts, 0};
	if (!box->n_parcels && !box->n_receipts)
		return 0;
	int status = pack_bytes(f, &head, sizeof head);
	if (!status)
		status = pack_bytes(f, box->parcels, box->n_parcels * sizeof *box->parcels);
	if (!status)
		status = pack_bytes(f, box->receipts, box->n_receipts * sizeof *box->receipts);
	box->n_parcels = box->n_receipts = 0;
	return status;
}

/* Pack the messages of this rank's workers to parts of other ranks, rank by rank. */
static int pack_all(odo_world *w, struct freight *f, unsigned odd)
{
	uint32_t boxes = odo_n_inboxes(w);
	int status = 0;
	f->out_size = 0;
	for (uint32_t r = 0; r < w->n_ranks; r++) {
		size_t before = f->out_size;
		for (uint32_t p = w->first_of_rank[r]; p < w->first_of_rank[r + 1]; p++)
			for (uint32_t k = 0; r != w->rank && k < w->n_workers && !status; k++)
				status = pack_box(f, p, &w->parts[p].inbox[odd * boxes + k]);
		f->out_at[r] = (int)before;
		f->out_count[r] = (int)(f->out_size - before);
	}
	return status;
}

static int unpack_bytes(void *to, const struct freight *f, size_t *at, size_t bytes)
{
	if (bytes > f->in_size - *at)
		return ODO_EINPUT;
	memcpy(to, f->in + *at, bytes);
	*at += bytes;
	return 0;
}

static int unpack_box(const struct freight *f, size_t *at, odo_inbox *box,
		      const struct consignment *head)
{
	size_t parcels = box->n_parcels + head->n_parcels;
	size_t receipts = box->n_receipts + head->n_receipts;
	if (odo_grow(&box->parcels, &box->parcels_room, parcels, sizeof *box->parcels) ||
	    odo_grow(&box->receipts, &box->receipts_room, receipts, sizeof *box->receipts) ||
	    unpack_bytes(box->parcels + box->n_parcels, f, at,
			 head->n_parcels * sizeof *box->parcels) ||
	    unpack_bytes(box->receipts + box->n_receipts, f, at,
			 head->n_receipts * sizeof *box->receipts))
		return ODO_ENOMEM;
	box->n_parcels = parcels;
	box->n_receipts = receipts;
	return 0;
}

/* Unpack messages into the second-to-last inbox of each part, to which no worker of this rank
 * writes. */
static int unpack_all(odo_world *w, const struct freight *f, unsigned odd)
{
	size_t at = 0;
	while (at < f->in_size) {
		struct consignment head;
		if (unpack_bytes(&head, f, &at, sizeof head) ||
		    head.part < w->first_of_rank[w->rank] ||
		    head.part >= w->first_of_rank[w->rank + 1])
			return ODO_EINPUT;
		odo_inbox *boxes = &w->parts[head.part].inbox[odd * odo_n_inboxes(w)];
		if (unpack_box(f, &at, &boxes[w->n_workers], &head))
			return ODO_ENOMEM;
	}
	return 0;
}

/* Data that each rank sends to all others at once. */
struct greeting {
	odo_progress progress;
	int bytes[]; /* [n_ranks] bytes that it will send to each rank */
};

/* Exchange the progress of all ranks, and the number of bytes each rank sends to this one. */
static int exchange_progress(odo_world *w, struct freight *f, odo_progress *progress)
{
	uint32_t n = w->n_ranks;
	size_t size = sizeof(struct greeting) + n * sizeof(int);
	size = (size + 7) / 8 * 8;
	unsigned char *all = odo_new(n + 1ul, size);
	if (!all)
		MPI_Abort(MPI_COMM_WORLD, 1); /* other ranks wait: this error cannot be returned */
	struct greeting *own = (struct greeting *)(void *)(all + n * size);
	own->progress = *progress;
	memcpy(own->bytes, f->out_count, n * sizeof(int));
	MPI_Allgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD);
	*progress = ODO_NO_PROGRESS;
	f->in_size = 0;
	for (uint32_t r = 0; r < n; r++) {
		const struct greeting *g = (const struct greeting *)(const void *)(all + r * size);
		odo_progress_add(progress, &g->progress);
		f->in_at[r] = (int)f->in_size;
		f->in_count[r] = g->bytes[w->rank];
		f->in_size += (size_t)g->bytes[w->rank];
	}
	free(all);
	return odo_grow(&f->in, &f->in_room, f->in_size + 1, 1);
}

void odo_ranks_exchange(odo_world *w, unsigned odd, odo_progress *progress)
{
	struct freight *f = w->freight;
	if (!f) {
		f = w->freight = odo_new(1, sizeof *f);
		int *counts = odo_new(4ul * w->n_ranks, sizeof *counts);
		if (!f || !counts)
			MPI_Abort(MPI_COMM_WORLD, 1);
		f->out_count = counts;
		f->out_at = counts + w->n_ranks;
		f->in_count = counts + 2ul * w->n_ranks;
		f->in_at = counts + 3ul * w->n_ranks;
	}
	if (pack_all(w, f, odd) || exchange_progress(w, f, progress))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Alltoallv(f->out, f->out_count, f->out_at, MPI_BYTE, f->in, f->in_count, f->in_at,
		      MPI_BYTE, MPI_COMM_WORLD);
	if (unpack_all(w, f, odd))
		MPI_Abort(MPI_COMM_WORLD, 1);
}

void odo_ranks_free(odo_world *w)
{
	struct freight *f = w->freight;
	if (!f)
		return;
	free(f->out);
	free(f->in);
	free(f->out_count);
	free(f);
	w->freight = NULL;
}

/* ---- After the run ---- */

static void sum_uint64(uint64_t *x, size_t n)
{
	MPI_Allreduce(MPI_IN_PLACE, x, (int)n, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static void sum_uint32(uint32_t *x, size_t n)
{
	for (size_t at = 0; at < n; at += INT_MAX) {
		size_t some = n - at < INT_MAX ? n - at : INT_MAX;
		MPI_Allreduce(MPI_IN_PLACE, x + at, (int)some, MPI_UINT32_T, MPI_SUM,
			      MPI_COMM_WORLD);
	}
}

static void sum_histogram(odo_histogram *histogram)
{
	uint64_t max = histogram->max;
	MPI_Allreduce(MPI_IN_PLACE, &max, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
	sum_uint64(&histogram->count, 1);
	sum_uint64(&histogram->sum, 1);
	sum_uint64(histogram->bucket, ODO_HISTOGRAM_BUCKETS);
	histogram->max = max;
}

static void sum_intervals(odo_measures *m)
{
	for (uint32_t i = 0; i < m->n_intervals; i++) {
		odo_interval *v = &m->intervals[i];
		uint64_t x[] = {v->generated,       v->injected,    v->delivered,
				v->delivered_phits, v->latency_sum, v->born_latency_sum,
				v->born_delivered};
		sum_uint64(x, sizeof x / sizeof *x);
		v->generated = x[0];
		v->injected = x[1];
		v->delivered = x[2];
		v->delivered_phits = x[3];
		v->latency_sum = x[4];
		v->born_latency_sum = x[5];
		v->born_delivered = x[6];
	}
}

void odo_ranks_sum(odo_measures *m, odo_batch *batches, const odo_fabric *f)
{
	uint64_t *counts[] = {&m->generated,   &m->dropped,         &m->injected,
			      &m->delivered,   &m->delivered_phits, &m->escaped,
			      &m->escape_hops, &m->packet_hops,     &m->in_network,
			      &m->waiting,     &m->memory,          &m->generated_phits};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		sum_uint64(counts[i], 1);
	sum_histogram(&m->latency);
	sum_histogram(&m->network);
	sum_uint64(m->path, 256);
	sum_uint64(m->hops, ODO_N_LINK_CLASSES);
	for (unsigned i = 0; i < ODO_MAX_BATCHES; i++) {
		sum_uint64(&batches[i].phits, 1);
		sum_uint64(&batches[i].packets, 1);
		sum_uint64(&batches[i].latency, 1);
	}
	sum_uint32(m->channel, f->n_slots);
	sum_uint32(m->by_switch, f->n_switches);
	sum_uint32(m->born_by_switch, f->n_switches);
	if (m->offered_by_host) {
		sum_uint32(m->offered_by_host, f->n_hosts);
		sum_uint32(m->arrived_by_host, f->n_hosts);
	}
	sum_intervals(m);
	if (m->channel_series)
		sum_uint32(m->channel_series, (size_t)m->n_intervals * f->n_slots);
}

/* Exchange the bytes of each rank, and compute their places. False: too many bytes to send. */
static bool place_bytes(int own, int ranks, int *count, int *at)
{
	int64_t total = 0;
	MPI_Allgather(&own, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
	for (int r = 0; r < ranks; r++) {
		at[r] = (int)total;
		total += count[r] < 0 ? INT_MAX : count[r];
		if (count[r] < 0 || total > INT_MAX)
			return false;
	}
	at[ranks] = (int)total;
	return true;
}

int odo_ranks_collect(int status, void **array, size_t *n, size_t size)
{
	int ranks = (int)odo_ranks_count(),
	    *count = odo_new(2ul * (size_t)ranks + 1, sizeof *count);
	int own = status || *n > INT_MAX / size ? -1 : (int)(*n * size);
	if (!count)
		MPI_Abort(MPI_COMM_WORLD, 1); /* other ranks wait: this error cannot be returned */
	int *at = count + ranks;
	bool fits = place_bytes(own, ranks, count, at);
	void *all = fits ? odo_new((size_t)at[ranks], 1) : NULL;
	status = odo_ranks_agree(all ? 0 : ODO_ENOMEM, NULL);
	if (!status)
		MPI_Allgatherv(*array, own, MPI_BYTE, all, count, at, MPI_BYTE, MPI_COMM_WORLD);
	*n = status ? 0 : (size_t)at[ranks] / size;
	free(count);
	free(*array);
	if (status) {
		free(all);
		all = NULL;
	}
	*array = all;
	return status;
}

void odo_ranks_tell(uint32_t order, char *text, size_t size)
{
	uint32_t least = order;
	int rank = (int)odo_ranks_number(), teller;
	MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_UINT32_T, MPI_MIN, MPI_COMM_WORLD);
	teller = order == least ? rank : INT_MAX;
	MPI_Allreduce(MPI_IN_PLACE, &teller, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	MPI_Bcast(text, (int)size, MPI_BYTE, teller, MPI_COMM_WORLD);
}

int odo_ranks_agree(int status, odo_error *err)
{
	odo_error mine = {0}, *e = err ? err : &mine;
	int n = (int)odo_ranks_count(), failed = status ? (int)odo_ranks_number() : n;
	if (n == 1)
		return status;
	MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (failed == n)
		return 0;
	e->status = status;
	MPI_Bcast(e, sizeof *e, MPI_BYTE, failed, MPI_COMM_WORLD);
	return e->status;
}

#else

uint32_t odo_ranks_number(void)
{
	return 0;
}

uint32_t odo_ranks_count(void)
{
	return 1;
}

void odo_ranks_exchange(odo_world *w, unsigned odd, odo_progress *progress)
{
	(void)w;
	(void)odd;
	(void)progress;
}

void odo_ranks_free(odo_world *w)
{
	(void)w;
}

void odo_ranks_sum(odo_measures *m, odo_batch *batches, const odo_fabric *f)
{
	(void)m;
	(void)batches;
	(void)f;
}

int odo_ranks_collect(int status, void **array, size_t *n, size_t size)
{
	(void)array;
	(void)n;
	(void)size;
	return status;
}

void odo_ranks_tell(uint32_t order, char *text, size_t size)
{
	(void)order;
	(void)text;
	(void)size;
}

int odo_ranks_agree(int status, odo_error *err)
{
	(void)err;
	return status;
}

#endif
