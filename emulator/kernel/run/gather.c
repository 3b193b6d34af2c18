/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Measures of a run: sums over all parts, workers and ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/kernel/run/ranks.h"
#include "emulator/kernel/run/run.h"

static void histogram_merge(odo_histogram *to, const odo_histogram *from)
{
	to->count += from->count;
	to->sum += from->sum;
	if (from->max > to->max)
		to->max = from->max;
	for (unsigned i = 0; i < ODO_HISTOGRAM_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

static odo_batch sum_batches(const odo_batch *a, const odo_batch *b)
{
	return (odo_batch){a->phits + b->phits, a->packets + b->packets, a->latency + b->latency};
}

static void add_worker(odo_measures *m, const odo_worker *worker, odo_batch *batches)
{
	const odo_measures *of = &worker->m;
	m->generated += of->generated;
	m->generated_phits += of->generated_phits;
	m->dropped += of->dropped;
	m->injected += of->injected;
	m->delivered += of->delivered;
	m->delivered_phits += of->delivered_phits;
	m->escaped += of->escaped;
	m->escape_hops += of->escape_hops;
	histogram_merge(&m->latency, &of->latency);
	histogram_merge(&m->network, &of->network);
	for (unsigned i = 0; i < 256; i++)
		m->path[i] += of->path[i];
	for (unsigned i = 0; i < ODO_N_LINK_CLASSES; i++)
		m->hops[i] += of->hops[i];
	for (unsigned i = 0; i < ODO_MAX_BATCHES; i++)
		batches[i] = sum_batches(&batches[i], &worker->batches[i]);
	for (uint32_t h = 0; m->offered_by_host && h < m->n_hosts; h++) {
		m->offered_by_host[h] += worker->offered_by_host[h];
		m->arrived_by_host[h] += worker->arrived_by_host[h];
	}
}

/* Every worker has the intervals up to the last cycle. */
static int add_intervals(odo_measures *m, const odo_world *w)
{
	uint64_t n = w->workers[0].n_intervals;
	if (n > UINT32_MAX)
		return ODO_ENOMEM;
	m->intervals = odo_new(n, sizeof *m->intervals);
	if (!m->intervals)
		return ODO_ENOMEM;
	m->n_intervals = (uint32_t)n;
	for (uint64_t i = 0; i < n; i++) {
		odo_interval *to = &m->intervals[i];
		to->first_cycle = i * w->e->run.series;
		for (uint32_t j = 0; j < w->n_workers; j++) {
			const odo_interval *of = &w->workers[j].intervals[i];
			to->generated += of->generated;
			to->injected += of->injected;
			to->delivered += of->delivered;
			to->delivered_phits += of->delivered_phits;
			to->latency_sum += of->latency_sum;
			to->born_latency_sum += of->born_latency_sum;
			to->born_delivered += of->born_delivered;
		}
	}
	return 0;
}

static void add_part_measures(odo_measures *m, const odo_part *part, const odo_fabric *f)
{
	m->in_network += part->in_network;
	m->waiting += part->waiting;
	m->packet_hops += part->hops;
	for (uint32_t i = 0; i < part->n_switches; i++) {
		uint32_t first = f->first_slot[part->global[i]];
		for (uint32_t p = 0; p < part->sw[i].ports; p++) {
			const odo_link *link = odo_link_at(part, (i << part->world->port_bits) + p);
			m->channel[first + p] = link->sent;
			if (part->world->even)
				m->hops[link->class] += link->sent / part->world->model.packet;
		}
		m->by_switch[part->global[i]] = part->injected[i];
		m->born_by_switch[part->global[i]] = part->born[i];
	}
}

/* Half the 95 % confidence interval of the mean of n batches; t is Student's quantile for n - 1
 * degrees of freedom. */
static double half_width(const double *x, unsigned n, double t)
{
	double mean = 0, squares = 0;
	for (unsigned i = 0; i < n; i++)
		mean += x[i] / n;
	for (unsigned i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return t * sqrt(squares / (n - 1) / n);
}

/* Near saturation, short batches are correlated and would give too small an error. Therefore take
 * the widest of three intervals: by 32 batches, and by 16 and 8 batches made of two and four of
 * them. */
static void add_errors(odo_measures *m, odo_batch *batches)
{
	static const double t[] = {2.04, 2.13, 2.36};
	double accepted[ODO_MAX_BATCHES], latency[ODO_MAX_BATCHES];
	unsigned n = ODO_MAX_BATCHES;
	bool empty = m->cycles < n;
	for (unsigned i = 0; i < n; i++)
		empty |= !batches[i].packets;
	for (unsigned k = 0; k < sizeof t / sizeof *t && !empty; k++, n /= 2) {
		for (unsigned i = 0; i < n; i++) {
			const odo_batch *b = &batches[i];
			uint64_t from = (i * m->cycles + n - 1) / n,
				 to = ((i + 1) * m->cycles + n - 1) / n;
			accepted[i] = (double)b->phits / (double)(to - from) / m->n_hosts;
			latency[i] = (double)b->latency / (double)b->packets;
		}
		m->accepted_error = fmax(m->accepted_error, half_width(accepted, n, t[k]));
		m->latency_error = fmax(m->latency_error, half_width(latency, n, t[k]));
		for (unsigned i = 0; i < n / 2; i++)
			batches[i] = sum_batches(&batches[2 * i], &batches[2 * i + 1]);
	}
}

/* Jain's index over the switches that have hosts. */
static double jain_index(const odo_measures *m, const odo_fabric *f)
{
	double sum = 0, squares = 0, n = 0;
	uint32_t last = ODO_NONE;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t s = odo_host_switch(f, h);
		if (s == last)
			continue;
		last = s;
		n++;
		sum += m->by_switch[s];
		squares += (double)m->by_switch[s] * m->by_switch[s];
	}
	return squares > 0 ? sum * sum / (n * squares) : 1;
}

/* Count the bytes that a run keeps until its end. */
static uint64_t memory_of(const odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	uint64_t sum = w->n_parts * sizeof(odo_part) + w->n_workers * sizeof(odo_worker);
	sum += f->n_hosts * 4ull + f->n_switches * 12ull + w->n_groups * w->group_bytes;
	sum += w->e->run.sources ? w->n_workers * f->n_hosts * 8ull : 0;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		const odo_part *part = &w->parts[i];
		if (!part->worker)
			continue;
		sum += part->arena_bytes + part->n_switches * (sizeof *part->sw + 12ull);
		sum += (uint64_t)part->release_cycles * part->n_words * odo_release_sets(w) * 8;
		sum += part->n_hosts * (sizeof *part->hosts + 4ull) + ODO_DUE_CYCLES * 4ull;
		sum += part->pool_room * (sizeof *part->pool + 4ull);
		for (uint32_t k = 0; k < part->wheel; k++)
			sum += 2 * sizeof(odo_bucket) + (odo_bucket_room(&part->arrivals[k]) +
							 odo_bucket_room(&part->returns[k])) *
								sizeof(odo_event);
		sum += (w->lookahead + 2ull) * 8 + part->coming.receipts_room * sizeof(odo_event) +
		       part->coming.parcels_room * sizeof(odo_parcel *);
		for (uint32_t k = 0; k < 2 * odo_n_inboxes(w); k++)
			sum += part->inbox[k].parcels_room * sizeof(odo_parcel) +
			       part->inbox[k].receipts_room * sizeof(odo_receipt);
	}
	return sum;
}

static odo_measures *make_measures(const odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	bool sources = w->e->run.sources;
	odo_measures *m = odo_new(1, sizeof *m);
	if (!m)
		return NULL;
	m->n_hosts = f->n_senders;
	m->channel = odo_new(f->n_slots, sizeof *m->channel);
	if (w->slot_cycles)
		m->channel_cycles = odo_new(f->n_slots, sizeof *m->channel_cycles);
	m->by_switch = odo_new(f->n_switches, sizeof *m->by_switch);
	m->born_by_switch = odo_new(f->n_switches, sizeof *m->born_by_switch);
	if (sources) {
		m->offered_by_host = odo_new(f->n_hosts, sizeof *m->offered_by_host);
		m->arrived_by_host = odo_new(f->n_hosts, sizeof *m->arrived_by_host);
	}
	if (m->channel && m->by_switch && m->born_by_switch &&
	    !m->channel_cycles == !w->slot_cycles && !m->offered_by_host == !sources &&
	    !m->arrived_by_host == !sources)
		return m;
	odo_measures_free(m);
	return NULL;
}

int odo_measures_gather(odo_world *w, odo_measures **out, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	odo_measures *m = make_measures(w);
	odo_batch batches[ODO_MAX_BATCHES] = {0};
	if (!m)
		return odo_fail(err, ODO_ENOMEM, "no memory for the measures");
	if (w->slot_cycles)
		memcpy(m->channel_cycles, w->slot_cycles, f->n_slots * sizeof *m->channel_cycles);
	/* The cycle in which the run ended, not its maximum. */
	uint64_t ended = w->workers[0].ended;
	m->warmup = w->measure_from < ended ? w->measure_from : ended;
	m->cycles = ended - m->warmup;
	m->accepted_error = m->latency_error = -1;
	for (uint32_t i = 0; i < w->n_workers; i++)
		add_worker(m, &w->workers[i], batches);
	for (uint32_t i = 0; i < w->n_parts; i++)
		if (w->parts[i].worker)
			add_part_measures(m, &w->parts[i], f);
	m->memory = memory_of(w);
	m->channel_series = w->channel_series;
	w->channel_series = NULL;
	if (add_intervals(m, w)) {
		odo_measures_free(m);
		return odo_fail(err, ODO_ENOMEM, "no memory for the time series");
	}
	if (w->n_ranks > 1)
		odo_ranks_sum(m, batches, f);
	if (!w->e->workload)
		m->generated_phits = m->generated * w->model.packet;
	double capacity = (double)m->cycles * m->n_hosts;
	if (capacity > 0) {
		m->offered = (double)m->generated_phits / capacity;
		m->accepted = (double)m->delivered_phits / capacity;
	}
	bool asked = ended == w->measure_to && !w->stretched;
	if (!w->e->workload && asked) /* the batches cover the requested cycles */
		add_errors(m, batches);
	m->jain = jain_index(m, f);
	*out = m;
	return 0;
}

void odo_measures_free(odo_measures *m)
{
	if (!m)
		return;
	free(m->channel);
	free(m->channel_cycles);
	free(m->by_switch);
	free(m->born_by_switch);
	free(m->offered_by_host);
	free(m->arrived_by_host);
	free(m->intervals);
	free(m->channel_series);
	free(m);
}
