/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proof of an adaptive routing (adaptive.h). For every LID, it finds all channels that packets can
 * come to use, by following every choice from every host. Each channel must offer a way on, and
 * only ways that exist.
 *
 * Without escape channels, no cycle may exist among all dependencies found, which also excludes
 * livelock. With escape channels, the proof requires Duato's condition for virtual cut-through,
 * where a packet uses one buffer at a time. An escape channel is offered in every state, and the
 * dependencies of escape channels on escape channels have no cycle.
 *
 * Packets that came into a switch by ports of one class on one VL are forwarded in the same way
 * (adaptive.h). The explored states are therefore cells of (switch, class, VL), each with the set
 * of ports by which it is reached, and their ways are requested once. Dependencies are recorded in
 * reverse, as the ports that wait for each channel: each way of a cell then costs one OR. Results
 * of a LID are used for another only if the engine declares the two alike. The last hop and a
 * sample of cells check this.
 */
#include <string.h>

#include "base/lists.h"
#include "base/random.h"
#include "routing/verify/explorer.h"

/* Number of cells on which LIDs that are declared alike are compared. */
#define N_SAMPLES 32u
/* Limit on switches for measuring the longest path; beyond it, the dependencies bound the path. */
#define SMALL_FABRIC 512u

static unsigned ways_from(const odo_explorer *explorer, uint32_t cell, uint32_t lid,
			  odo_candidate *way)
{
	return explorer->t->adaptive->candidates(explorer->t, odo_switch_of_cell(explorer, cell),
						 cell / explorer->n_vls % explorer->n_inputs,
						 odo_vl_of_cell(explorer, cell), lid, way);
}

void odo_explorer_lost(odo_explorer *explorer, uint32_t cell, uint32_t lid, const char *why)
{
	uint32_t s = odo_switch_of_cell(explorer, cell);
	explorer->verdict->delivers = false;
	odo_verdict_fail(explorer->verdict,
			 "LID %u from port %u, VL %u of switch \"%s\" (GUID 0x%016llx): %s", lid,
			 odo_next_bit(odo_sets_of(explorer, cell).inputs, explorer->port_words, 0),
			 odo_vl_of_cell(explorer, cell), odo_name(explorer->f, s),
			 (unsigned long long)explorer->f->node_guid[s], why);
}

void odo_explorer_no_vl(odo_explorer *explorer, uint32_t slot, unsigned vl, uint32_t lid)
{
	explorer->verdict->within_vls = false;
	odo_verdict_fail(explorer->verdict, "LID %u needs VL %u at port %u of \"%s\", which has %u",
			 lid, vl, odo_port(explorer->f, slot),
			 odo_name(explorer->f, explorer->f->owner[slot]), explorer->f->n_vls[slot]);
}

/* Check that the only way on is the LID's own port. */
static void check_arrival(odo_explorer *explorer, uint32_t cell, uint32_t lid, unsigned n)
{
	const odo_fabric *f = explorer->f;
	unsigned port = f->lid_port[lid];
	if (n != 1 || explorer->way[0].port != port) {
		odo_explorer_lost(explorer, cell, lid, "is not delivered at its port");
		return;
	}
	uint32_t slot = port ? odo_slot(f, f->lid_switch[lid], port) : 0;
	if (port &&
	    (explorer->way[0].vl >= explorer->n_vls || explorer->way[0].vl >= f->n_vls[slot]))
		odo_explorer_no_vl(explorer, slot, explorer->way[0].vl, lid);
}

void odo_explorer_deliver(odo_explorer *explorer, uint32_t cell, uint32_t lid)
{
	check_arrival(explorer, cell, lid, ways_from(explorer, cell, lid, explorer->way));
}

/*
 * Follow a way of a cell: check it, record it, and enter the cell that it leads to. `back` is the
 * port that all packets of the cell came by, or 0 if there is no such port.
 * @return false if this forbids the way to all of them
 */
static inline bool follow_candidate(odo_explorer *explorer, uint32_t cell, uint32_t s,
				    const odo_cell_sets *sets, uint32_t lid, odo_candidate way,
				    unsigned back)
{
	uint32_t slot = explorer->f->first_slot[s] + way.port - 1u;
	if (!way.port || slot >= explorer->f->first_slot[s + 1] ||
	    explorer->entries[slot].cell == ODO_NONE) {
		odo_explorer_lost(explorer, cell, lid, "a way leads to no switch");
		return true;
	}
	if (way.vl >= explorer->entries[slot].n_vls) {
		odo_explorer_no_vl(explorer, slot, way.vl, lid);
		return true;
	}
	unsigned channel = (way.port - 1u) * explorer->n_vls + way.vl;
	odo_set_bit(way.onward ? sets->onward : sets->open, channel);
	if (way.escape)
		odo_set_bit(sets->escapes, channel);
	if (way.onward && way.port == back)
		return false;
	odo_explorer_enter(explorer, explorer->entries[slot], way.vl, way.escape);
	return true;
}

static void expand_cell(odo_explorer *explorer, uint32_t cell, uint32_t lid)
{
	odo_cell_sets sets = odo_sets_of(explorer, cell);
	uint32_t s = odo_switch_of_cell(explorer, cell);
	unsigned n = ways_from(explorer, cell, lid, explorer->way), back = 0;
	bool all = true;
	memset(sets.open, 0, 3 * explorer->words * sizeof *sets.open);
	if (!n || n > ODO_MAX_CANDIDATES) {
		odo_explorer_lost(explorer, cell, lid, "no way on");
	} else if (s == explorer->f->lid_switch[lid]) {
		check_arrival(explorer, cell, lid, n);
	} else {
		if (odo_count_bits(sets.inputs, explorer->port_words) == 1)
			back = odo_next_bit(sets.inputs, explorer->port_words, 0);
		for (unsigned i = 0; i < n; i++)
			all &= follow_candidate(explorer, cell, s, &sets, lid, explorer->way[i],
						back);
	}
	explorer->state[cell] = all ? ODO_DONE : ODO_HELD;
}

/* Check that packets from each input port find a way, and an escape channel if the routing has
 * them. A way without `onward` is open to all packets; an `onward` way only to those from other
 * ports. */
static void check_cell(odo_explorer *explorer, uint32_t cell, const odo_cell_sets *sets,
		       uint32_t lid, bool escapes)
{
	const unsigned none = 0, many = ODO_MAX_PORTS + 1;
	unsigned only = none; /* the common port of all ways, if they have one */
	for (unsigned i = 0; i < explorer->words; i++) {
		uint64_t asked = escapes ? sets->escapes[i] : UINT64_MAX;
		if (sets->open[i] & asked)
			return;
		for (uint64_t left = sets->onward[i] & asked; left; left &= left - 1) {
			unsigned port = explorer->out[i * 64 + odo_lowest_bit(left)].port;
			only = only == none || only == port ? port : many;
		}
	}
	if (only == many || (only != none && !odo_has_bit(sets->inputs, only)))
		return;
	if (escapes)
		explorer->verdict->deadlock_free = false;
	odo_explorer_lost(explorer, cell, lid,
			  escapes ? "no escape channel is offered" : "the only way leads back");
}

/* Record the channels that the channels of a cell wait for: all of them, or with escape channels
 * only dependencies between escape channels. */
static void depend_cell(odo_explorer *explorer, uint32_t cell, const odo_cell_sets *sets)
{
	const uint64_t *from = explorer->has_escape ? sets->escaped : sets->inputs;
	uint64_t *waits = odo_waits_of(explorer, odo_switch_of_cell(explorer, cell),
				       odo_vl_of_cell(explorer, cell));
	for (unsigned i = 0; i < explorer->words; i++) {
		uint64_t left = sets->open[i] | sets->onward[i];
		left &= explorer->has_escape ? sets->escapes[i] : UINT64_MAX;
		for (; left; left &= left - 1) {
			struct odo_out out = explorer->out[i * 64 + odo_lowest_bit(left)];
			uint64_t *to = waits + out.at;
			bool had = odo_has_bit(to, out.port), open = sets->open[i] & left & -left;
			for (unsigned x = 0; x < explorer->port_words; x++)
				to[x] |= from[x];
			if (!open && !had)
				odo_clear_bit(to, out.port);
		}
	}
}

static void conclude_cell(odo_explorer *explorer, uint32_t cell, uint32_t lid)
{
	odo_cell_sets sets = odo_sets_of(explorer, cell);
	if (odo_switch_of_cell(explorer, cell) == explorer->f->lid_switch[lid])
		return;
	check_cell(explorer, cell, &sets, lid, false);
	if (explorer->has_escape)
		check_cell(explorer, cell, &sets, lid, true);
	depend_cell(explorer, cell, &sets);
}

/* Let every host of the connected part send to the LID. */
static void inject_all_hosts(odo_explorer *explorer, uint32_t lid)
{
	const odo_fabric *f = explorer->f;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		if (explorer->part[odo_host_switch(f, h)] != explorer->part[f->lid_switch[lid]])
			continue;
		unsigned vl = explorer->t->adaptive->inject(explorer->t, h, lid);
		if (vl < explorer->entries[f->host_slot[h]].n_vls)
			odo_explorer_enter(explorer, explorer->entries[f->host_slot[h]], vl, false);
		else
			odo_explorer_no_vl(explorer, f->host_slot[h], vl, lid);
	}
}

/* Fetch data that conclude_cell() reads: first the ways of a cell, and some cells later their
 * records. They exceed caches, in an order that processors do not predict. */
static void fetch_ways(const odo_explorer *explorer, uint32_t cell)
{
	const uint64_t *ways = odo_sets_of(explorer, cell).open;
	for (unsigned i = 0; i < 3 * explorer->words; i += 8)
		__builtin_prefetch(ways + i);
}

static void fetch_waits(const odo_explorer *explorer, uint32_t cell)
{
	odo_cell_sets sets = odo_sets_of(explorer, cell);
	unsigned i = 0, row = explorer->ports * explorer->port_words;
	while (i < explorer->words && !(sets.open[i] | sets.onward[i]))
		i++;
	if (i == explorer->words)
		return;
	unsigned channel = i * 64 + odo_lowest_bit(sets.open[i] | sets.onward[i]);
	uint64_t *waits = odo_waits_of(explorer, odo_switch_of_cell(explorer, cell),
				       odo_vl_of_cell(explorer, cell));
	waits += explorer->out[explorer->out[channel].vl].at; /* for port 1 */
	for (unsigned word = 0; word < row; word += 8)
		__builtin_prefetch(waits + word, 1);
}

static void conclude_lid(odo_explorer *explorer, uint32_t lid)
{
	enum { WAITS = 4, WAYS = 10 }; /* cells ahead */
	uint32_t n = explorer->n_reached;
	for (uint32_t i = 0; i < n; i++) {
		if (i + WAYS < n)
			fetch_ways(explorer, explorer->reached[i + WAYS]);
		if (i + WAITS < n)
			fetch_waits(explorer, explorer->reached[i + WAITS]);
		conclude_cell(explorer, explorer->reached[i], lid);
	}
}

static void explore_lid(odo_explorer *explorer, uint32_t lid)
{
	for (uint32_t i = 0; i < explorer->n_reached; i++) {
		size_t first = (size_t)explorer->reached[i] * explorer->port_words;
		explorer->state[explorer->reached[i]] = ODO_NEW;
		memset(explorer->inputs + first, 0, explorer->port_words * sizeof(uint64_t));
		memset(explorer->escaped + first, 0, explorer->port_words * sizeof(uint64_t));
	}
	explorer->n_reached = explorer->n_stack = 0;
	inject_all_hosts(explorer, lid);
	if (explorer->by_sets) {
		odo_explorer_follow_sets(explorer, lid);
		return;
	}
	while (explorer->n_stack)
		expand_cell(explorer, explorer->stack[--explorer->n_stack], lid);
	conclude_lid(explorer, lid);
	if (explorer->measures)
		odo_explorer_measure(explorer);
}

static void compare_cell(odo_explorer *explorer, uint32_t cell, uint32_t lid, uint32_t followed)
{
	unsigned n = ways_from(explorer, cell, lid, explorer->way), m;
	if (odo_switch_of_cell(explorer, cell) == explorer->f->lid_switch[lid]) {
		check_arrival(explorer, cell, lid, n);
		return;
	}
	m = ways_from(explorer, cell, followed, explorer->other);
	if (n != m || memcmp(explorer->way, explorer->other, n * sizeof *explorer->way))
		odo_explorer_lost(explorer, cell, lid,
				  "ways differ from those of a LID declared alike");
}

/* Compare another LID of the same switch that is declared alike: its whole delivery, and a sample
 * of the other cells. */
static void compare_lid(odo_explorer *explorer, uint32_t lid, uint32_t followed)
{
	odo_rng rng = odo_rng_make(lid, followed);
	uint32_t home = explorer->f->lid_switch[lid] * explorer->n_inputs * explorer->n_vls;
	for (uint32_t cell = home; cell < home + explorer->n_inputs * explorer->n_vls; cell++)
		if (explorer->state[cell] != ODO_NEW)
			compare_cell(explorer, cell, lid, followed);
	for (uint32_t i = 0; i < N_SAMPLES && explorer->n_reached; i++)
		compare_cell(explorer, explorer->reached[odo_rng_below(&rng, explorer->n_reached)],
			     lid, followed);
}

/* Explore the LIDs of a switch. */
static void explore_switch(odo_explorer *explorer, const uint32_t *lids, uint32_t n)
{
	const odo_adaptive *a = explorer->t->adaptive;
	for (uint32_t i = 0; i < n; i++) {
		bool first = true;
		for (uint32_t j = 0; a->alike && j < i && first; j++)
			first = a->alike(explorer->t, lids[i]) != a->alike(explorer->t, lids[j]);
		if (!first)
			continue;
		explore_lid(explorer, lids[i]);
		for (uint32_t j = i + 1; a->alike && j < n; j++)
			if (a->alike(explorer->t, lids[i]) == a->alike(explorer->t, lids[j]))
				compare_lid(explorer, lids[j], lids[i]);
	}
}

/* Add the dependencies of channels by which packets come into a switch on a VL. Channels from hosts
 * wait, too, but no channel waits for them. */
static void hand_over_waits(odo_explorer *explorer, uint32_t s, unsigned vl)
{
	const odo_fabric *f = explorer->f;
	const uint64_t *waits = odo_waits_of(explorer, s, vl);
	unsigned words = explorer->port_words;
	for (unsigned channel = 0; channel < explorer->channels; channel++) {
		const uint64_t *from = waits + explorer->out[channel].at;
		for (unsigned p = odo_next_bit(from, words, 0); p < 64 * words;
		     p = odo_next_bit(from, words, p + 1)) {
			uint32_t slot = odo_slot(f, s, p);
			if (odo_next_switch(f, slot) != ODO_NONE)
				odo_set_bit(odo_successors(explorer->deps, f->peer[slot], vl),
					    channel);
		}
	}
}

static int explore_all(odo_explorer *explorer)
{
	const odo_fabric *f = explorer->f;
	odo_lists lids;
	if (odo_lists_make(f->lid_switch, f->lid_count, f->n_switches, &lids))
		return ODO_ENOMEM;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		odo_tables_tell(explorer->t, "proving", s, f->n_switches);
		explore_switch(explorer, lids.item + lids.first[s],
			       lids.first[s + 1] - lids.first[s]);
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned vl = 0; vl < explorer->n_vls; vl++)
			hand_over_waits(explorer, s, vl);
	odo_lists_clear(&lids);
	return 0;
}

/* Lay out entries. Slots of hosts have entries, too: packets come in by them. */
static void lay_entries(odo_explorer *explorer)
{
	const odo_fabric *f = explorer->f;
	const odo_adaptive *a = explorer->t->adaptive;
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t peer = f->peer[i];
		explorer->entries[i].cell = ODO_NONE;
		if (peer == ODO_NONE || !odo_is_switch(f, f->owner[peer]))
			continue;
		unsigned port = odo_port(f, peer), input = a->input ? a->input[peer] : port;
		explorer->entries[i] = (odo_entry){
			(f->owner[peer] * explorer->n_inputs + input) * explorer->n_vls,
			(uint8_t)port,
			f->n_vls[i] < explorer->n_vls ? f->n_vls[i] : (uint8_t)explorer->n_vls};
	}
}

/* List the channels out of a switch, in the order of dependency.h. */
static void lay_channels(odo_explorer *explorer)
{
	for (unsigned channel = 0; channel < explorer->channels; channel++) {
		unsigned port = channel / explorer->n_vls, vl = channel % explorer->n_vls;
		explorer->out[channel] = (struct odo_out){
			(vl * explorer->f->n_switches * explorer->ports + port) *
				explorer->port_words,
			(uint8_t)(port + 1), (uint8_t)vl};
	}
}

static int allocate_explorer(odo_explorer *explorer, odo_error *err)
{
	const odo_adaptive *a = explorer->t->adaptive;
	odo_arena *memory = &explorer->memory;
	for (uint32_t s = 0; s < explorer->f->n_switches; s++)
		if (odo_n_ports(explorer->f, s) > explorer->ports)
			explorer->ports = odo_n_ports(explorer->f, s);
	explorer->n_inputs = a->input ? a->n_inputs : explorer->ports + 1;
	explorer->words = explorer->deps->words;
	explorer->channels = explorer->ports * explorer->n_vls;
	explorer->port_words = explorer->ports / 64 + 1;
	explorer->n_cells = (size_t)explorer->f->n_switches * explorer->n_inputs * explorer->n_vls;
	if (explorer->n_cells >= ODO_NONE)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	size_t ports = explorer->port_words * sizeof(uint64_t);
	size_t ways = 3ul * explorer->words * sizeof(uint64_t);
	size_t switches = (size_t)explorer->f->n_switches * explorer->n_vls;
	explorer->entries = odo_arena_new(memory, explorer->f->n_slots, sizeof *explorer->entries);
	explorer->out = odo_arena_new(memory, explorer->channels, sizeof *explorer->out);
	explorer->inputs = odo_arena_new(memory, explorer->n_cells, ports);
	explorer->escaped = odo_arena_new(memory, explorer->n_cells, ports);
	explorer->ways = odo_arena_new(memory, explorer->n_cells, ways);
	explorer->waits = odo_arena_new(memory, switches * explorer->channels, ports);
	explorer->state = odo_arena_new(memory, explorer->n_cells, 1);
	explorer->reached = odo_arena_new(memory, explorer->n_cells, sizeof *explorer->reached);
	explorer->stack = odo_arena_new(memory, explorer->n_cells, sizeof *explorer->stack);
	explorer->waiting = odo_arena_new(memory, explorer->n_cells, sizeof *explorer->waiting);
	explorer->hops = odo_arena_new(memory, explorer->n_cells, sizeof *explorer->hops);
	explorer->way = odo_arena_new(memory, ODO_MAX_CANDIDATES, sizeof *explorer->way);
	explorer->other = odo_arena_new(memory, ODO_MAX_CANDIDATES, sizeof *explorer->other);
	if (memory->failed)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	lay_entries(explorer);
	lay_channels(explorer);
	odo_explorer_prepare_sets(explorer);
	return memory->failed ? odo_fail(err, ODO_ENOMEM, "no memory to verify") : 0;
}

bool odo_verify_measures_paths(const odo_tables *t)
{
	return t->adaptive->has_escape || t->fabric->n_switches <= SMALL_FABRIC;
}

int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err)
{
	odo_explorer explorer = {.t = t,
				 .f = t->fabric,
				 .verdict = verdict,
				 .deps = deps,
				 .part = part,
				 .n_vls = t->n_vls,
				 .has_escape = t->adaptive->has_escape,
				 .measures = odo_verify_measures_paths(t)};
	int status = allocate_explorer(&explorer, err);
	if (!status && explore_all(&explorer))
		status = odo_fail(err, ODO_ENOMEM, "no memory to verify");
	odo_arena_free(&explorer.memory);
	return status;
}
