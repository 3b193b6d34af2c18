/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/graph/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static unsigned limit_of(const odo_walker *w, uint32_t slot)
{
	return w->t->n_vls < w->f->n_vls[slot] ? w->t->n_vls : w->f->n_vls[slot];
}

/* Find the VLs on which packets of switch s and its hosts leave. */
static void find_first_vls(odo_walker *w, uint32_t s)
{
	const odo_fabric *f = w->f;
	for (unsigned in = 0; in <= odo_n_ports(f, s); in++) {
		if (in && f->slot_host[odo_slot(f, s, in)] == ODO_NONE)
			continue;
		for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
			const uint8_t *vl = w->t->rows[*odo_sl2vl_entry(w->t, s, in, out)].vl;
			uint16_t *set = w->from_host + (size_t)odo_slot(f, s, out) * ODO_N_SLS;
			for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
				set[sl] |= (uint16_t)(1u << vl[sl]);
		}
	}
}

static void find_injected(odo_walker *w)
{
	const odo_fabric *f = w->f;
	memset(w->injected, 0xFF, f->n_switches * sizeof *w->injected);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		const uint8_t *vl = w->t->rows[w->t->host_row[h]].vl;
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			if (vl[sl] >= limit_of(w, f->host_slot[h]))
				w->injected[odo_host_switch(f, h)] &= (uint16_t) ~(1u << sl);
	}
}

int odo_walker_init(odo_walker *w, const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	w->t = t;
	w->f = f;
	uint32_t slots = f->first_slot[f->n_switches];
	w->from_host = odo_new((size_t)slots * ODO_N_SLS, sizeof *w->from_host);
	w->far = odo_new(slots, sizeof *w->far);
	w->injected = odo_new(f->n_switches, sizeof *w->injected);
	w->edges = odo_new((size_t)f->n_switches + ODO_MAX_VLS, sizeof *w->edges);
	w->trail = odo_new(f->n_switches, sizeof *w->trail);
	w->passed = odo_new((size_t)f->n_switches * t->n_vls, sizeof *w->passed);
	w->passed_to = ODO_NONE;
	if (!w->from_host || !w->far || !w->injected || !w->edges || !w->trail || !w->passed ||
	    odo_acyclic_init(&w->graph, f, t->n_vls, NULL))
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < slots; i++)
		w->far[i] = odo_next_switch(f, i);
	for (uint32_t s = 0; s < f->n_switches; s++)
		find_first_vls(w, s);
	find_injected(w);
	return 0;
}

void odo_walker_clear(odo_walker *w)
{
	odo_acyclic_clear(&w->graph);
	free(w->from_host);
	free(w->far);
	free(w->injected);
	free(w->edges);
	free(w->trail);
	free(w->passed);
	free(w->journal);
}

/* Forget the paths in `passed`: another LID follows, or some of their dependencies were removed. */
static void forget_passed(odo_walker *w, uint32_t lid)
{
	if (w->passed_to != ODO_NONE)
		memset(w->passed, 0, (size_t)w->f->n_switches * w->t->n_vls * sizeof *w->passed);
	w->passed_to = lid;
}

void odo_walker_entries_changed(odo_walker *w)
{
	forget_passed(w, ODO_NONE);
}

/* Note that a path is in the graph. If another path to the same LID meets it on the same VL and SL,
 * its further dependencies are already in the graph. */
static void note_passed(odo_walker *w, unsigned sl)
{
	for (uint32_t i = 0; i < w->n_trail; i++)
		w->passed[w->trail[i]] |= (uint16_t)(1u << sl);
}

void odo_walker_clear_edges(odo_walker *w)
{
	odo_dependencies *d = &w->graph.forward;
	memset(d->bits, 0, (size_t)d->n_channels * d->words * sizeof *d->bits);
	forget_passed(w, ODO_NONE);
}

unsigned odo_walker_delivery_vls(const odo_walker *w, uint32_t lid)
{
	unsigned port = w->f->lid_port[lid];
	return port ? limit_of(w, odo_slot(w->f, w->f->lid_switch[lid], port)) : ODO_MAX_VLS + 1u;
}

/*
 * List the dependencies of the path from s to a LID under an SL, up to a path that is already in
 * the graph. A path that does not arrive has none after its end.
 * @return false if a link lacks the VL
 */
static bool list_edges(odo_walker *w, uint32_t s, uint32_t lid, unsigned sl)
{
	const odo_fabric *f = w->f;
	uint32_t home = f->lid_switch[lid], slot = ODO_NONE, n_vls = w->t->n_vls;
	unsigned vls = 0; /* VLs on which packets use `slot` */
	w->n_edges = w->n_trail = 0;
	if (w->passed_to != lid)
		forget_passed(w, lid);
	if (!(w->injected[s] >> sl & 1))
		return false;
	for (uint32_t hops = 0; hops < f->n_switches; hops++) {
		unsigned port = odo_next_port(w->t, s, lid);
		if (port - 1u >= odo_n_ports(f, s))
			return true;
		uint32_t next = odo_slot(f, s, port);
		unsigned in = slot == ODO_NONE ? 0 : odo_port(f, f->peer[slot]);
		unsigned to = slot == ODO_NONE ? w->from_host[(size_t)next * ODO_N_SLS + sl]
					       : 1u << odo_vl(w->t, s, in, port, sl);
		if (to >> limit_of(w, next))
			return false;
		if (s == home)
			return true;
		for (; vls; vls &= vls - 1)
			w->edges[w->n_edges++] = (odo_edge){
				slot * n_vls + (unsigned)__builtin_ctz(vls),
				next * n_vls + (unsigned)__builtin_ctz(to)};
		if (slot != ODO_NONE) { /* a single VL from here on */
			uint32_t at = s * n_vls + (unsigned)__builtin_ctz(to);
			if (w->passed[at] >> sl & 1)
				return true;
			w->trail[w->n_trail++] = at;
		}
		slot = next;
		vls = to;
		s = w->far[next];
		if (s == ODO_NONE)
			return true;
	}
	return true;
}

bool odo_walker_mark(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls)
{
	for (; sls; sls &= sls - 1) {
		if (!list_edges(w, s, lid, (unsigned)__builtin_ctz(sls)))
			return false;
		for (uint32_t i = 0; i < w->n_edges; i++)
			odo_acyclic_mark(&w->graph, w->edges[i]);
		note_passed(w, (unsigned)__builtin_ctz(sls));
	}
	return true;
}

bool odo_walker_sort(odo_walker *w)
{
	return odo_acyclic_sort(&w->graph);
}

void odo_walker_begin(odo_walker *w)
{
	w->n_journal = 0;
}

static bool add_edge(odo_walker *w, odo_edge edge)
{
	if (odo_acyclic_has(&w->graph, edge))
		return true;
	if (odo_grow(&w->journal, &w->journal_room, w->n_journal + 1ul, sizeof *w->journal)) {
		w->no_memory = true;
		return false;
	}
	if (!odo_acyclic_add(&w->graph, edge))
		return false;
	w->journal[w->n_journal++] = edge;
	return true;
}

bool odo_walker_add(odo_walker *w, uint32_t s, uint32_t lid, unsigned sls)
{
	for (; sls; sls &= sls - 1) {
		if (!list_edges(w, s, lid, (unsigned)__builtin_ctz(sls)))
			return false;
		for (uint32_t i = 0; i < w->n_edges; i++)
			if (!add_edge(w, w->edges[i]))
				return false;
		note_passed(w, (unsigned)__builtin_ctz(sls));
	}
	return true;
}

bool odo_walker_undo(odo_walker *w)
{
	forget_passed(w, ODO_NONE);
	while (w->n_journal)
		odo_acyclic_remove(&w->graph, w->journal[--w->n_journal]);
	return false;
}
