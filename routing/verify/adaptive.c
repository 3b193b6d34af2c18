/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proof of an adaptive routing (adaptive.h): for every LID, all channels that its packets can
 * come to hold are found by following every choice from every host. Each must offer a way on,
 * and only ways that exist.
 *
 * Without escape channels no cycle may exist among all dependencies found, which also rules
 * out livelock. With them Duato's condition for virtual cut-through is asked for, where a
 * packet holds one buffer at a time: an escape channel is offered in every state, and the
 * dependencies of escape channels on escape channels have no cycle.
 *
 * What came into a switch by ports of one class on one VL is sent on alike (adaptive.h), so the
 * states explored are cells of (switch, class, VL), each with the set of ports by which it is
 * reached, and their ways are asked for once. A cell's ways are kept as the very words that
 * dependency.h keeps per channel, so that recording them is a few ORs for each port of the cell;
 * and even that is left out where the cell had the same ports and ways for the LID before, which
 * mostly led to a neighbour. Nothing is concluded from one LID for another but where the engine
 * calls them alike, which is checked on the last hop and a sample of cells.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "routing/verify/explorer.h"

/* Cells on which LIDs that are called alike are compared. */
#define N_SAMPLES 32u
/* Switches up to which the longest path is measured; beyond, the dependencies bound it. */
#define SMALL_FABRIC 512u

static unsigned ways_from(const odo_explorer *x, uint32_t cell, uint32_t lid, odo_candidate *way)
{
	return x->t->adaptive->candidates(x->t, odo_switch_of_cell(x, cell),
					  cell / x->n_vls % x->n_inputs, odo_vl_of_cell(x, cell),
					  lid, way);
}

static void lost(odo_explorer *x, uint32_t cell, uint32_t lid, const char *why)
{
	uint32_t s = odo_switch_of_cell(x, cell);
	x->verdict->delivers = false;
	odo_verdict_fail(x->verdict,
			 "LID %u from port %u, VL %u of switch \"%s\" (GUID 0x%016llx): %s", lid,
			 odo_next_bit(odo_sets_of(x, cell).inputs, x->port_words, 0),
			 odo_vl_of_cell(x, cell), odo_name(x->f, s),
			 (unsigned long long)x->f->node_guid[s], why);
}

static void no_such_vl(odo_explorer *x, uint32_t slot, unsigned vl, uint32_t lid)
{
	x->verdict->within_vls = false;
	odo_verdict_fail(x->verdict, "LID %u needs VL %u at port %u of \"%s\", which has %u", lid,
			 vl, odo_port(x->f, slot), odo_name(x->f, x->f->owner[slot]),
			 x->f->n_vls[slot]);
}

static void enter(odo_explorer *x, odo_entry e, unsigned vl, bool escape)
{
	uint32_t cell = e.cell + vl;
	odo_cell_sets c = odo_sets_of(x, cell);
	if (escape)
		odo_set_bit(c.escaped, e.port);
	if (odo_has_bit(c.inputs, e.port))
		return;
	odo_set_bit(c.inputs, e.port);
	if (x->state[cell] == ODO_NEW)
		x->reached[x->n_reached++] = cell;
	if (x->state[cell] == ODO_NEW || x->state[cell] == ODO_HELD) {
		x->state[cell] = ODO_WAITING;
		x->stack[x->n_stack++] = cell;
	}
}

/* Delivered, if the only way on is the LID's own port. */
static void arrive(odo_explorer *x, uint32_t cell, uint32_t lid, unsigned n)
{
	const odo_fabric *f = x->f;
	unsigned port = f->lid_port[lid];
	if (n != 1 || x->way[0].port != port) {
		lost(x, cell, lid, "is not delivered where it should be");
		return;
	}
	uint32_t slot = port ? odo_slot(f, f->lid_switch[lid], port) : 0;
	if (port && (x->way[0].vl >= x->n_vls || x->way[0].vl >= f->n_vls[slot]))
		no_such_vl(x, slot, x->way[0].vl, lid);
}

/* One way on of a cell: checked, noted, and the cell that it leads to entered. `back` is the
 * port that all packets of the cell came by, if they did, or 0. @return false if that forbids
 * the way to all of them */
static inline bool follow(odo_explorer *x, uint32_t cell, const odo_cell_sets *c, uint32_t lid,
			  odo_candidate way, unsigned back)
{
	uint32_t first = x->f->first_slot[odo_switch_of_cell(x, cell)];
	uint32_t slot = first + way.port - 1u;
	if (!way.port || slot >= x->f->first_slot[odo_switch_of_cell(x, cell) + 1] ||
	    x->entries[slot].cell == ODO_NONE) {
		lost(x, cell, lid, "a way on leads to no switch");
		return true;
	}
	if (way.vl >= x->entries[slot].n_vls) {
		no_such_vl(x, slot, way.vl, lid);
		return true;
	}
	unsigned channel = (way.port - 1u) * x->n_vls + way.vl;
	odo_set_bit(way.onward ? c->onward : c->open, channel);
	if (way.escape)
		odo_set_bit(c->escapes, channel);
	if (way.onward && way.port == back)
		return false;
	enter(x, x->entries[slot], way.vl, way.escape);
	return true;
}

static void expand(odo_explorer *x, uint32_t cell, uint32_t lid)
{
	odo_cell_sets c = odo_sets_of(x, cell);
	unsigned n = ways_from(x, cell, lid, x->way), back = 0;
	bool all = true;
	if (!n || n > ODO_MAX_CANDIDATES) {
		lost(x, cell, lid, "no way on");
	} else if (odo_switch_of_cell(x, cell) == x->f->lid_switch[lid]) {
		arrive(x, cell, lid, n);
	} else {
		if (odo_count_bits(c.inputs, x->port_words) == 1)
			back = odo_next_bit(c.inputs, x->port_words, 0);
		for (unsigned i = 0; i < n; i++)
			all &= follow(x, cell, &c, lid, x->way[i], back);
	}
	x->state[cell] = all ? ODO_DONE : ODO_HELD;
}

/* The channels that packets which came into a cell by `port` may ask for, a word of them. */
static inline uint64_t asked(const odo_explorer *x, const odo_cell_sets *c, unsigned port,
			     unsigned i)
{
	return c->open[i] | (c->onward[i] & ~x->own[port * x->words + i]);
}

/* What packets that came by a port find must be something, and with escape channels one. */
static void check_port(odo_explorer *x, uint32_t cell, const odo_cell_sets *c, unsigned port,
		       uint32_t lid)
{
	uint64_t any = 0, escape = 0;
	for (unsigned i = 0; i < x->words; i++) {
		any |= asked(x, c, port, i);
		escape |= asked(x, c, port, i) & c->escapes[i];
	}
	if (!any)
		lost(x, cell, lid, "no way on but back");
	if (!escape && x->has_escape) {
		x->verdict->deadlock_free = false;
		lost(x, cell, lid, "no escape channel is offered");
	}
}

static uint64_t *waits_of(const odo_explorer *x, uint32_t s, unsigned vl)
{
	size_t before = (size_t)x->f->first_slot[s] * x->n_vls + vl * odo_n_ports(x->f, s);
	return x->waits + before * x->words;
}

/* Records what the channels of a cell wait for: all of them, or as escape channels those that
 * are escape channels. */
static void depend(odo_explorer *x, uint32_t cell, const odo_cell_sets *c)
{
	const uint64_t *from = x->has_escape ? c->escaped : c->inputs;
	uint32_t s = odo_switch_of_cell(x, cell);
	uint64_t *waits = waits_of(x, s, odo_vl_of_cell(x, cell));
	for (unsigned p = odo_next_bit(from, x->port_words, 0); p < 64 * x->port_words;
	     p = odo_next_bit(from, x->port_words, p + 1)) {
		uint64_t *to = waits + (p - 1ul) * x->words;
		for (unsigned i = 0; i < x->words; i++)
			to[i] |= asked(x, c, p, i) & (x->has_escape ? c->escapes[i] : UINT64_MAX);
	}
}

static void conclude_cell(odo_explorer *x, uint32_t cell, uint32_t lid)
{
	odo_cell_sets c = odo_sets_of(x, cell);
	uint64_t *before = x->recorded + cell * x->size;
	if (odo_switch_of_cell(x, cell) == x->f->lid_switch[lid] ||
	    !memcmp(before, c.inputs, x->size * sizeof *before))
		return;
	memcpy(before, c.inputs, x->size * sizeof *before);
	for (unsigned p = odo_next_bit(c.inputs, x->port_words, 0); p < 64 * x->port_words;
	     p = odo_next_bit(c.inputs, x->port_words, p + 1))
		check_port(x, cell, &c, p, lid);
	depend(x, cell, &c);
}

/* Every host of the connected part sends to the LID. */
static void inject(odo_explorer *x, uint32_t lid)
{
	const odo_fabric *f = x->f;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		if (x->part[odo_host_switch(f, h)] != x->part[f->lid_switch[lid]])
			continue;
		unsigned vl = x->t->adaptive->inject(x->t, h, lid);
		if (vl < x->entries[f->host_slot[h]].n_vls)
			enter(x, x->entries[f->host_slot[h]], vl, false);
		else
			no_such_vl(x, f->host_slot[h], vl, lid);
	}
}

static void explore(odo_explorer *x, uint32_t lid)
{
	for (uint32_t i = 0; i < x->n_reached; i++) {
		x->state[x->reached[i]] = ODO_NEW;
		memset(x->sets + x->reached[i] * x->size, 0, x->size * sizeof *x->sets);
	}
	x->n_reached = x->n_stack = 0;
	inject(x, lid);
	while (x->n_stack)
		expand(x, x->stack[--x->n_stack], lid);
	for (uint32_t i = 0; i < x->n_reached; i++)
		conclude_cell(x, x->reached[i], lid);
	if (x->measures)
		odo_explorer_measure(x);
}

static void compare_cell(odo_explorer *x, uint32_t cell, uint32_t lid, uint32_t followed)
{
	unsigned n = ways_from(x, cell, lid, x->way), m;
	if (odo_switch_of_cell(x, cell) == x->f->lid_switch[lid]) {
		arrive(x, cell, lid, n);
		return;
	}
	m = ways_from(x, cell, followed, x->other);
	if (n != m || memcmp(x->way, x->other, n * sizeof *x->way))
		lost(x, cell, lid, "ways differ from those of a LID called alike");
}

/* Another LID of the same switch, called alike: all of its own delivery, and a sample of the
 * rest. */
static void compare(odo_explorer *x, uint32_t lid, uint32_t followed)
{
	odo_rng rng = odo_rng_make(lid, followed);
	uint32_t home = x->f->lid_switch[lid] * x->n_inputs * x->n_vls;
	for (uint32_t cell = home; cell < home + x->n_inputs * x->n_vls; cell++)
		if (x->state[cell] != ODO_NEW)
			compare_cell(x, cell, lid, followed);
	for (uint32_t i = 0; i < N_SAMPLES && x->n_reached; i++)
		compare_cell(x, x->reached[odo_rng_below(&rng, x->n_reached)], lid, followed);
}

/* The LIDs of one switch. */
static void explore_switch(odo_explorer *x, const uint32_t *lids, uint32_t n)
{
	const odo_adaptive *a = x->t->adaptive;
	for (uint32_t i = 0; i < n; i++) {
		bool first = true;
		for (uint32_t j = 0; a->alike && j < i && first; j++)
			first = a->alike(x->t, lids[i]) != a->alike(x->t, lids[j]);
		if (!first)
			continue;
		explore(x, lids[i]);
		for (uint32_t j = i + 1; a->alike && j < n; j++)
			if (a->alike(x->t, lids[i]) == a->alike(x->t, lids[j]))
				compare(x, lids[j], lids[i]);
	}
}

/* Channels from hosts wait, too, but nothing waits for them. */
static void hand_over(odo_explorer *x)
{
	const odo_fabric *f = x->f;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t s = f->owner[i];
		if (odo_next_switch(f, i) == ODO_NONE)
			continue;
		for (unsigned vl = 0; vl < x->n_vls; vl++) {
			const uint64_t *from = waits_of(x, s, vl) +
					       (odo_port(f, i) - 1ul) * x->words;
			uint64_t *to = odo_successors(x->deps, f->peer[i], vl);
			for (unsigned word = 0; word < x->words; word++)
				to[word] |= from[word];
		}
	}
}

static int explore_all(odo_explorer *x)
{
	const odo_fabric *f = x->f;
	uint32_t *start = odo_new(f->n_switches + 2ul, sizeof *start);
	uint32_t *lids = odo_new(f->lid_count, sizeof *lids);
	int status = start && lids ? 0 : ODO_ENOMEM;
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			start[f->lid_switch[lid] + 2]++;
	for (uint32_t s = 2; !status && s < f->n_switches + 2; s++)
		start[s] += start[s - 1];
	for (uint32_t lid = 0; !status && lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			lids[start[f->lid_switch[lid] + 1]++] = lid;
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		explore_switch(x, lids + start[s], start[s + 1] - start[s]);
	if (!status)
		hand_over(x);
	free(start);
	free(lids);
	return status;
}

/* Of hosts' own slots, too: that is how packets come in. */
static void lay_entries(odo_explorer *x)
{
	const odo_fabric *f = x->f;
	const odo_adaptive *a = x->t->adaptive;
	for (uint32_t i = 0; i < f->n_slots; i++) {
		uint32_t peer = f->peer[i];
		x->entries[i].cell = ODO_NONE;
		if (peer == ODO_NONE || !odo_is_switch(f, f->owner[peer]))
			continue;
		unsigned port = odo_port(f, peer), input = a->input ? a->input[peer] : port;
		x->entries[i] = (odo_entry){
			(f->owner[peer] * x->n_inputs + input) * x->n_vls, (uint8_t)port,
			f->n_vls[i] < x->n_vls ? f->n_vls[i] : (uint8_t)x->n_vls};
	}
}

static int allocate(odo_explorer *x, odo_error *err)
{
	const odo_adaptive *a = x->t->adaptive;
	unsigned ports = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		if (odo_n_ports(x->f, s) > ports)
			ports = odo_n_ports(x->f, s);
	x->n_inputs = a->input ? a->n_inputs : ports + 1;
	x->words = x->deps->words;
	x->port_words = ports / 64 + 1;
	x->size = 2ul * x->port_words + 3ul * x->words;
	x->n_cells = (size_t)x->f->n_switches * x->n_inputs * x->n_vls;
	if (x->n_cells >= ODO_NONE)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	x->entries = odo_new(x->f->n_slots, sizeof *x->entries);
	x->own = odo_new(ports + 1ul, x->words * sizeof *x->own);
	x->sets = odo_new(x->n_cells, x->size * sizeof *x->sets);
	x->recorded = odo_new(x->n_cells, x->size * sizeof *x->recorded);
	x->waits = odo_new((size_t)x->f->first_slot[x->f->n_switches] * x->n_vls,
			   x->words * sizeof *x->waits);
	x->state = odo_new(x->n_cells, 1);
	x->reached = odo_new(x->n_cells, sizeof *x->reached);
	x->stack = odo_new(x->n_cells, sizeof *x->stack);
	x->waiting = odo_new(x->n_cells, sizeof *x->waiting);
	x->hops = odo_new(x->n_cells, sizeof *x->hops);
	x->way = odo_new(ODO_MAX_CANDIDATES, sizeof *x->way);
	x->other = odo_new(ODO_MAX_CANDIDATES, sizeof *x->other);
	if (!x->entries || !x->own || !x->sets || !x->recorded || !x->waits || !x->state ||
	    !x->reached || !x->stack || !x->waiting || !x->hops || !x->way || !x->other)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	lay_entries(x);
	for (unsigned channel = 0; channel < ports * x->n_vls; channel++)
		odo_set_bit(x->own + (channel / x->n_vls + 1ul) * x->words, channel);
	return 0;
}

static void clear(odo_explorer *x)
{
	free(x->entries);
	free(x->own);
	free(x->sets);
	free(x->recorded);
	free(x->waits);
	free(x->state);
	free(x->reached);
	free(x->stack);
	free(x->waiting);
	free(x->hops);
	free(x->way);
	free(x->other);
}

bool odo_verify_measures_paths(const odo_tables *t)
{
	return t->adaptive->has_escape || t->fabric->n_switches <= SMALL_FABRIC;
}

int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err)
{
	odo_explorer x = {.t = t,
			  .f = t->fabric,
			  .verdict = verdict,
			  .deps = deps,
			  .part = part,
			  .n_vls = t->n_vls,
			  .has_escape = t->adaptive->has_escape,
			  .measures = odo_verify_measures_paths(t)};
	int status = allocate(&x, err);
	if (!status && explore_all(&x))
		status = odo_fail(err, ODO_ENOMEM, "no memory to verify");
	clear(&x);
	return status;
}
