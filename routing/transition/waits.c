/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which channels packets wait for. The VL on which a packet leaves a switch follows from its SL,
 * input and output, not from the VL it came in on. So per LID it is enough to know which SLs pass
 * each switch, and by which inputs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/transition/internal.h"

typedef struct waits {
	odo_mix *mix;
	const odo_fabric *f;
	const odo_dependencies *deps;
	uint16_t *from_host; /* [slots of switches * ODO_N_SLS] VLs of what a switch's hosts send */
	uint16_t *own, *sls; /* [n_switches] SLs of what starts there, and of all that passes */
	uint16_t *leaving;   /* [hops * ODO_N_SLS] VLs on which an SL leaves by a hop */
	uint8_t *waiting;    /* [n_switches] on the stack */
} waits;

/* VLs that any side has for packets of an SL between two ports of a switch, as far as it exists. */
static unsigned vls_between(const waits *x, uint32_t s, unsigned in, unsigned out, unsigned sl)
{
	unsigned vls = 0;
	for (unsigned i = 0; i < x->mix->n_sides; i++)
		if (x->mix->side[i].at[s] != ODO_NONE)
			vls |= 1u << odo_vl(x->mix->side[i].t, x->mix->side[i].at[s], in, out, sl);
	return vls & ((1u << x->deps->n_vls) - 1);
}

/* Add VLs of packets that come into switch s by an input with these maps. */
static void add_maps_of_input(const waits *x, const odo_tables *t, uint32_t s, const uint16_t *maps)
{
	for (unsigned out = 1; out <= odo_n_ports(x->f, s); out++) {
		uint16_t *vls = x->from_host + (size_t)odo_slot(x->f, s, out) * ODO_N_SLS;
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			if (t->rows[maps[out]].vl[sl] < x->deps->n_vls)
				vls[sl] |= (uint16_t)(1u << t->rows[maps[out]].vl[sl]);
	}
}

/* Find the VLs of what a switch and its hosts send, by the maps of one side. */
static void add_own_inputs(const waits *x, const odo_side *side, uint32_t s)
{
	unsigned ports = odo_n_ports(x->f, s);
	const uint16_t *last = NULL; /* hosts mostly have equal maps */
	for (unsigned in = 0; in <= ports; in++) {
		if (in && x->f->slot_host[odo_slot(x->f, s, in)] == ODO_NONE)
			continue;
		const uint16_t *maps = odo_sl2vl_entry(side->t, side->at[s], in, 0);
		if (!last || memcmp(maps, last, (ports + 1) * sizeof *maps))
			add_maps_of_input(x, side->t, s, maps);
		last = maps;
	}
}

static void fill_from_host(const waits *x)
{
	for (unsigned i = 0; i < x->mix->n_sides; i++)
		for (uint32_t s = 0; s < x->f->n_switches; s++)
			if (x->mix->side[i].at[s] != ODO_NONE)
				add_own_inputs(x, &x->mix->side[i], s);
}

/* SLs by which packets to the LID at hand start at a switch. */
static unsigned sls_to_lid(const waits *x, uint32_t s)
{
	unsigned sls = 0;
	for (unsigned i = 0; i < x->mix->n_sides; i++) {
		uint32_t at = x->mix->side[i].at[s];
		const odo_tables *t = x->mix->side[i].t;
		if (at != ODO_NONE)
			sls |= 1u << odo_path_sl(t, at, x->mix->lid) |
			       odo_held_sls(t, at, x->mix->lid);
	}
	return sls;
}

/* SLs go on by every hop until nothing new comes anywhere. */
static void spread_sls(const waits *x)
{
	uint32_t n = 0, *stack = x->mix->stack;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		x->sls[s] = x->own[s] = (uint16_t)sls_to_lid(x, s);
		x->waiting[s] = 1;
		stack[n++] = s;
	}
	while (n) {
		uint32_t s = stack[--n];
		x->waiting[s] = 0;
		for (unsigned i = 0; i < x->mix->n_sides; i++) {
			uint32_t to = x->mix->to[2 * s + i];
			if (to == ODO_NONE || !(x->sls[s] & ~x->sls[to]))
				continue;
			x->sls[to] |= x->sls[s];
			if (!x->waiting[to])
				stack[n++] = to;
			x->waiting[to] = 1;
		}
	}
}

static unsigned input_of(const waits *x, uint32_t hop)
{
	uint32_t slot = odo_slot(x->f, hop / 2, x->mix->port[hop]);
	return odo_port(x->f, x->f->peer[slot]);
}

static void find_leaving(const waits *x, uint32_t hop)
{
	uint32_t s = hop / 2, slot = odo_slot(x->f, s, x->mix->port[hop]);
	const uint16_t *own = x->from_host + (size_t)slot * ODO_N_SLS;
	uint16_t *leaving = x->leaving + (size_t)hop * ODO_N_SLS;
	for (unsigned left = x->sls[s]; left; left &= left - 1) {
		unsigned sl = (unsigned)__builtin_ctz(left);
		leaving[sl] = x->own[s] >> sl & 1 ? own[sl] : 0;
	}
	for (uint32_t from = x->mix->into[s]; from != ODO_NONE; from = x->mix->next[from]) {
		unsigned in = odo_mix_repeats(x->mix, from) ? 0 : input_of(x, from);
		for (unsigned left = in ? x->sls[from / 2] : 0; left; left &= left - 1) {
			unsigned sl = (unsigned)__builtin_ctz(left);
			leaving[sl] |= (uint16_t)vls_between(x, s, in, x->mix->port[hop], sl);
		}
	}
}

/* What leaves by a hop waits for what leads on from where it arrives. */
static void depend_on(const waits *x, uint32_t hop, uint32_t onward)
{
	uint32_t slot = odo_slot(x->f, hop / 2, x->mix->port[hop]);
	unsigned in = input_of(x, hop), out = x->mix->port[onward];
	for (unsigned left = x->sls[hop / 2]; left; left &= left - 1) {
		unsigned sl = (unsigned)__builtin_ctz(left);
		unsigned then = vls_between(x, onward / 2, in, out, sl);
		for (unsigned vl = x->leaving[(size_t)hop * ODO_N_SLS + sl]; vl; vl &= vl - 1)
			for (unsigned next = then; next; next &= next - 1)
				odo_depend(x->deps, slot, (unsigned)__builtin_ctz(vl), out,
					   (unsigned)__builtin_ctz(next));
	}
}

static bool is_hop(const waits *x, uint32_t hop)
{
	return x->mix->to[hop] != ODO_NONE && !odo_mix_repeats(x->mix, hop);
}

static void collect_lid(const waits *x, uint32_t lid)
{
	uint32_t n_hops = 2 * x->f->n_switches;
	odo_mix_lead(x->mix, lid);
	spread_sls(x);
	for (uint32_t hop = 0; hop < n_hops; hop++)
		if (is_hop(x, hop))
			find_leaving(x, hop);
	for (uint32_t hop = 0; hop < n_hops; hop++) {
		if (!is_hop(x, hop))
			continue;
		for (unsigned i = 0; i < x->mix->n_sides; i++)
			if (is_hop(x, 2 * x->mix->to[hop] + i))
				depend_on(x, hop, 2 * x->mix->to[hop] + i);
	}
}

int odo_waits_collect(odo_mix *mix, const uint8_t *wanted, const odo_dependencies *deps,
		      odo_error *err)
{
	const odo_fabric *f = mix->f;
	size_t n = f->n_switches;
	waits x = {.mix = mix,
		   .f = f,
		   .deps = deps,
		   .from_host = odo_new((size_t)f->first_slot[n] * ODO_N_SLS, sizeof *x.from_host),
		   .own = odo_new(n, sizeof *x.own),
		   .sls = odo_new(n, sizeof *x.sls),
		   .leaving = odo_new(2 * n * ODO_N_SLS, sizeof *x.leaving),
		   .waiting = odo_new(n, 1)};
	uint32_t *like = odo_new(f->lid_count, sizeof *like);
	bool room = x.from_host && x.own && x.sls && x.leaving && x.waiting && like &&
		    !odo_mix_alike(mix, wanted, like);
	if (room) {
		fill_from_host(&x);
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (wanted[lid] && like[lid] == lid)
				collect_lid(&x, lid);
	}
	free(like);
	free(x.from_host);
	free(x.own);
	free(x.sls);
	free(x.leaving);
	free(x.waiting);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for what channels wait for");
}
