/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches are assigned to parts, and parts to the workers of every rank. */
#include <string.h>

#include "base/memory.h"
#include "emulator/kernel/setup/setup.h"

/* Approximate ports of a part. With fewer, its lists are so short that the branches at their ends
 * are mispredicted; with more, it is too large for the caches. */
#define PART_PORTS 1024u
/* Parts of each of several workers, so that workers have about the same load. */
#define PARTS_EACH 8u
/* Below this lookahead a single worker is faster with one part: several parts would have to meet in
 * every cycle. */
#define WORTHWHILE 2u
/* If fewer packets than this are generated per port and window, several parts are slower: bringing
 * them into the caches takes longer than their events. */
#define SPARSE (1.0 / 80)

static bool has_groups(const odo_world *w)
{
	return w->n_groups > 1;
}

/* Approximate number of parts; more if workers would get too few each. */
static uint64_t parts_wanted(const odo_world *w)
{
	uint64_t workers = (uint64_t)(w->e->run.threads ? w->e->run.threads : 1) * w->n_ranks;
	uint64_t ports = (uint64_t)w->e->fabric->n_switches << w->port_bits;
	uint64_t parts = (ports + PART_PORTS / 2) / PART_PORTS;
	uint64_t least = workers > 1 ? PARTS_EACH * workers : 1;
	return parts > least ? parts : least;
}

/* Number the parts: runs of whole groups, or of switches, of about the same size.
 * @param part_of_group [n_groups], zeroed */
static void cut_into_parts(odo_world *w, uint32_t *part_of_group)
{
	const odo_fabric *f = w->e->fabric;
	bool whole = w->policy && (w->policy->traits & ODO_POLICY_SEES_GROUP || w->group_bytes);
	uint64_t n = f->n_switches, wanted = parts_wanted(w), before = 0, last = 0;
	uint32_t part = 0;
	if (!has_groups(w)) {
		w->n_parts = whole ? 1 : (uint32_t)(wanted < n ? wanted : n);
		for (uint64_t s = 0; s < n; s++)
			w->part_of[s] = (uint32_t)(s * w->n_parts / n);
		return;
	}
	for (uint32_t s = 0; s < n; s++)
		part_of_group[w->group[s]]++;
	for (uint32_t g = 0; g < w->n_groups; g++) {
		uint32_t members = part_of_group[g];
		if (members && before * wanted / n > last) {
			last = before * wanted / n;
			part++;
		}
		part_of_group[g] = part;
		before += members;
	}
	for (uint32_t s = 0; s < n; s++)
		w->part_of[s] = part_of_group[w->group[s]];
	w->n_parts = part + 1;
}

/* The smallest delay of a packet or a credit between two parts. */
static uint32_t find_lookahead(const odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	uint32_t least = ODO_LONGEST_WINDOW;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		uint32_t from = f->owner[slot], to = odo_next_switch(f, slot);
		if (from >= f->n_switches || to == ODO_NONE || w->part_of[from] == w->part_of[to])
			continue;
		uint32_t latency = odo_latency_into(w, slot);
		if (latency < least)
			least = latency;
	}
	return least;
}

/* Is one part faster than many? It is possible only if no other worker needs parts. */
static bool is_one_part(const odo_world *w)
{
	double ports = (double)w->e->fabric->n_switches * (1u << w->port_bits);
	double born = w->e->run.load / w->model.packet * w->e->fabric->n_hosts * w->lookahead;
	bool sparse = !w->e->workload && born < ports * SPARSE;
	return w->e->run.threads <= 1 && w->n_ranks == 1 && (w->lookahead < WORTHWHILE || sparse);
}

static int make_parts(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	w->parts = odo_arena_new(&w->memory, w->n_parts, sizeof *w->parts);
	if (!w->parts)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u parts", w->n_parts);
	for (uint32_t s = 0; s < f->n_switches; s++)
		w->parts[w->part_of[s]].n_switches++;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		odo_part *part = &w->parts[i];
		part->world = w;
		part->number = i;
		part->global = odo_arena_new(&part->memory, part->n_switches, sizeof *part->global);
		if (!part->global)
			return odo_fail(err, ODO_ENOMEM, "no memory for %u switches",
					f->n_switches);
		part->n_switches = 0;
	}
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_part *part = &w->parts[w->part_of[s]];
		w->local_of[s] = part->n_switches;
		part->global[part->n_switches++] = s;
	}
	for (uint32_t h = 0; h < f->n_hosts; h++)
		w->parts[w->part_of[odo_host_switch(f, h)]].n_hosts++;
	return 0;
}

/* Assign parts in order to the workers of every rank, each run with about as many switches and
 * hosts. A worker may get none. */
static int make_workers(odo_world *w, odo_error *err)
{
	uint64_t total = 0, seen = 0;
	uint32_t threads = w->e->run.threads ? w->e->run.threads : 1;
	w->n_workers = threads < w->n_parts ? threads : w->n_parts;
	w->workers = odo_arena_new(&w->memory, w->n_workers, sizeof *w->workers);
	w->first_of_rank = odo_arena_new(&w->memory, w->n_ranks + 1ul, sizeof *w->first_of_rank);
	w->progress = odo_arena_new(&w->memory, 1, sizeof *w->progress);
	if (w->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u workers", w->n_workers);
	for (uint32_t i = 0; i < w->n_workers; i++)
		w->workers[i] = (odo_worker){.world = w, .number = i};
	for (uint32_t i = 0; i < w->n_parts; i++)
		total += w->parts[i].n_switches + w->parts[i].n_hosts;
	for (uint32_t i = 0; i < w->n_parts; i++) {
		uint64_t weight = w->parts[i].n_switches + w->parts[i].n_hosts;
		uint64_t all = (uint64_t)w->n_ranks * w->n_workers;
		uint64_t bin = (2 * seen + weight) * all / (2 * total + 1);
		seen += weight;
		for (uint64_t r = bin / w->n_workers; r < w->n_ranks; r++)
			w->first_of_rank[r + 1] = i + 1;
		if (bin / w->n_workers != w->rank)
			continue;
		odo_worker *worker = &w->workers[bin % w->n_workers];
		w->parts[i].worker = worker;
		if (!worker->end_part)
			worker->first_part = i;
		worker->end_part = i + 1;
	}
	return 0;
}

int odo_world_deal(odo_world *w, odo_error *err)
{
	const odo_fabric *f = w->e->fabric;
	uint32_t *scratch = odo_arena_new(&w->memory, w->n_groups, sizeof *scratch);
	w->part_of = odo_arena_new(&w->memory, f->n_switches, sizeof *w->part_of);
	w->local_of = odo_arena_new(&w->memory, f->n_switches, sizeof *w->local_of);
	w->host_local = odo_arena_new(&w->memory, f->n_hosts, sizeof *w->host_local);
	if (w->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u switches", f->n_switches);
	cut_into_parts(w, scratch);
	w->lookahead = find_lookahead(w);
	if (is_one_part(w)) {
		memset(w->part_of, 0, f->n_switches * sizeof *w->part_of);
		w->n_parts = 1;
		w->lookahead = ODO_LONGEST_WINDOW;
	}
	int status = make_parts(w, err);
	return status ? status : make_workers(w, err);
}
