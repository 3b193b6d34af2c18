/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/measure/measure.h"

#include <string.h>

#include "base/bits.h"

/* ---- Histograms ---- */

uint64_t odo_histogram_top(unsigned bucket)
{
	if (bucket < ODO_HISTOGRAM_EXACT)
		return bucket;
	unsigned top = 10 + (bucket - ODO_HISTOGRAM_EXACT) / ODO_HISTOGRAM_FINE,
		 fine = (bucket - ODO_HISTOGRAM_EXACT) % ODO_HISTOGRAM_FINE;
	return (1ull << top) + ((uint64_t)(fine + 1) << (top - 6)) - 1;
}

double odo_histogram_mean(const odo_histogram *histogram)
{
	return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}

uint64_t odo_histogram_percentile(const odo_histogram *histogram, double share)
{
	double wanted = share * (double)histogram->count;
	uint64_t seen = 0;
	for (unsigned i = 0; i < ODO_HISTOGRAM_BUCKETS; i++) {
		seen += histogram->bucket[i];
		if (seen && (double)seen >= wanted)
			return odo_histogram_top(i) < histogram->max ? odo_histogram_top(i)
								     : histogram->max;
	}
	return 0;
}

/* ---- While running ---- */

static uint64_t batch_start(const odo_world *w, uint64_t batch)
{
	uint64_t length = w->measure_to - w->measure_from;
	return w->measure_from + (batch * length + ODO_MAX_BATCHES - 1) / ODO_MAX_BATCHES;
}

static uint64_t batch_at(const odo_world *w, uint64_t now)
{
	return (now - w->measure_from) * ODO_MAX_BATCHES / (w->measure_to - w->measure_from);
}

uint64_t odo_measure_cut(const odo_world *w, uint64_t now)
{
	uint32_t series = w->e->run.series;
	uint64_t cut = now < w->measure_from ? w->measure_from : w->measure_to;
	if (series && (now / series + 1) * series < cut)
		cut = (now / series + 1) * series;
	return cut;
}

/* Cycles for which output f will still be busy with packets granted before cycle `now`. The time to
 * cross the switch is ignored, which shifts all packets alike. */
static uint32_t still_busy(const odo_part *part, uint32_t f, uint32_t now)
{
	const odo_world *w = part->world;
	size_t words = (size_t)odo_release_sets(w) * part->n_words;
	if (w->buffered) {
		uint32_t crossed = now + w->model.pipeline;
		return part->line[f] > crossed ? part->line[f] - crossed : 0;
	}
	for (uint32_t i = 0; i <= w->longest_packet && !odo_has_bit(part->free_out, f); i++) {
		uint64_t *row = &part->releases[words * ((now + i) & (part->release_cycles - 1))];
		if (odo_has_bit(row + part->n_words, f))
			return i;
	}
	return 0;
}

/* Measuring begins: forget the warm-up. */
static void reset_counters(odo_worker *worker)
{
	odo_world *w = worker->world;
	size_t hosts = worker->offered_by_host ? w->e->fabric->n_hosts : 0;
	memset(&worker->m, 0, sizeof worker->m);
	memset(worker->batches, 0, sizeof worker->batches);
	if (hosts) {
		memset(worker->offered_by_host, 0, hosts * sizeof *worker->offered_by_host);
		memset(worker->arrived_by_host, 0, hosts * sizeof *worker->arrived_by_host);
	}
	for (uint32_t i = worker->first_part; i < worker->end_part; i++) {
		odo_part *part = &w->parts[i];
		memset(part->injected, 0, part->n_switches * sizeof *part->injected);
		memset(part->born, 0, part->n_switches * sizeof *part->born);
		for (uint32_t s = 0; s < part->n_switches; s++) {
			uint32_t first = w->e->fabric->first_slot[part->global[s]];
			for (uint32_t p = 0; p < part->sw[s].ports; p++) {
				odo_link *link = odo_link_at(part, (s << w->port_bits) + p);
				if (w->channel_before)
					w->channel_before[first + p] -= link->sent * link->cycles;
				link->sent = 0;
			}
		}
	}
}

/* Record the cycles for which each channel was busy in the interval that ends now. 32-bit
 * differences are right even after the sums have wrapped around. */
static void close_channels(odo_worker *worker, uint64_t interval, uint32_t now)
{
	odo_world *w = worker->world;
	const odo_fabric *f = w->e->fabric;
	uint32_t *series = w->channel_series + interval * f->n_slots;
	for (uint32_t i = worker->first_part; i < worker->end_part; i++) {
		const odo_part *part = &w->parts[i];
		for (uint32_t s = 0; s < part->n_switches; s++) {
			uint32_t first = f->first_slot[part->global[s]];
			for (uint32_t p = 0; p < part->sw[s].ports; p++) {
				const odo_link *link = odo_link_at(part, (s << w->port_bits) + p);
				uint32_t busy = link->sent * link->cycles -
						still_busy(part, (s << w->port_bits) + p, now);
				series[first + p] = busy - w->channel_before[first + p];
				w->channel_before[first + p] = busy;
			}
		}
	}
}

static int open_interval(odo_worker *worker, uint64_t index)
{
	uint64_t had = worker->n_intervals;
	if (odo_grow(&worker->intervals, &worker->intervals_room, index + 1,
		     sizeof *worker->intervals))
		return ODO_ENOMEM;
	for (uint64_t i = had; i <= index; i++)
		worker->intervals[i] = (odo_interval){.first_cycle = i *
								     worker->world->e->run.series};
	if (index + 1 > had)
		worker->n_intervals = index + 1;
	worker->interval = &worker->intervals[index];
	return 0;
}

int odo_measure_window(odo_worker *worker, uint32_t from)
{
	odo_world *w = worker->world;
	uint32_t series = w->e->run.series;
	if (w->channel_series && from && from % series == 0)
		close_channels(worker, from / series - 1, from);
	if (from == w->measure_from)
		reset_counters(worker);
	worker->measuring = from >= w->measure_from && from < w->measure_to;
	return series ? open_interval(worker, from / series) : 0;
}

uint64_t odo_measure_batch(odo_worker *worker, uint64_t now)
{
	if (!worker->measuring)
		return UINT64_MAX;
	uint64_t batch = batch_at(worker->world, now);
	worker->batch = &worker->batches[batch];
	return batch_start(worker->world, batch + 1);
}

void odo_measure_finish(odo_worker *worker, uint32_t now)
{
	if (worker->world->channel_series && now)
		close_channels(worker, (now - 1) / worker->world->e->run.series, now);
}
