/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/transition/internal.h"

int odo_mix_init(odo_mix *mix, const odo_fabric *f, const odo_side *side, unsigned n_sides)
{
	uint32_t n = f->n_switches, slots = f->first_slot[n];
	*mix = (odo_mix){.f = f, .n_sides = n_sides};
	for (unsigned i = 0; i < n_sides; i++)
		mix->side[i] = side[i];
	mix->far = odo_new(slots, sizeof *mix->far);
	for (uint32_t i = 0; mix->far && i < slots; i++)
		mix->far[i] = odo_next_switch(f, i);
	mix->port = odo_new(2ul * n, 1);
	mix->to = odo_new(2ul * n, sizeof *mix->to);
	mix->into = odo_new(n, sizeof *mix->into);
	mix->next = odo_new(2ul * n, sizeof *mix->next);
	mix->left = odo_new(n, sizeof *mix->left);
	mix->stack = odo_new(n, sizeof *mix->stack);
	return mix->far && mix->port && mix->to && mix->into && mix->next && mix->left && mix->stack
		       ? 0
		       : ODO_ENOMEM;
}

void odo_mix_clear(odo_mix *mix)
{
	free(mix->far);
	free(mix->port);
	free(mix->to);
	free(mix->into);
	free(mix->next);
	free(mix->left);
	free(mix->stack);
	*mix = (odo_mix){0};
}

void odo_mix_lead(odo_mix *mix, uint32_t lid)
{
	const odo_fabric *f = mix->f;
	mix->lid = lid;
	mix->home = f->lid_switch[lid];
	memset(mix->to, 0xFF, 2ul * f->n_switches * sizeof *mix->to);
	memset(mix->into, 0xFF, f->n_switches * sizeof *mix->into);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (unsigned i = 0; s != mix->home && i < mix->n_sides; i++) {
			uint32_t hop = 2 * s + i, at = mix->side[i].at[s];
			unsigned port = at == ODO_NONE ? ODO_NO_PORT
						       : odo_next_port(mix->side[i].t, at, lid);
			mix->port[hop] = (uint8_t)port;
			if (port - 1u >= odo_n_ports(f, s))
				continue;
			uint32_t to = mix->far[odo_slot(f, s, port)];
			if (to == ODO_NONE)
				continue;
			mix->to[hop] = to;
			mix->next[hop] = mix->into[to];
			mix->into[to] = hop;
		}
	}
}

/* Marks all that have a way to what is on the stack and marked already, by hops of some sides. */
static void mark_back(const odo_mix *mix, uint32_t n, unsigned sides, uint8_t *fate, unsigned mark)
{
	while (n) {
		uint32_t s = mix->stack[--n];
		for (uint32_t hop = mix->into[s]; hop != ODO_NONE; hop = mix->next[hop])
			if (sides >> (hop & 1) & 1 && !(fate[hop / 2] & mark)) {
				fate[hop / 2] |= (uint8_t)mark;
				mix->stack[n++] = hop / 2;
			}
	}
}

/* From what has no hop, or hops to such switches only, no cycle can be reached. */
static void find_loops(const odo_mix *mix, uint8_t *fate)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < mix->f->n_switches; s++) {
		mix->left[s] = (mix->to[2 * s] != ODO_NONE) + (mix->to[2 * s + 1] != ODO_NONE);
		if (!mix->left[s])
			mix->stack[n++] = s;
	}
	while (n) {
		uint32_t s = mix->stack[--n];
		for (uint32_t hop = mix->into[s]; hop != ODO_NONE; hop = mix->next[hop])
			if (!--mix->left[hop / 2])
				mix->stack[n++] = hop / 2;
	}
	for (uint32_t s = 0; s < mix->f->n_switches; s++)
		if (mix->left[s])
			fate[s] |= ODO_CAN_LOOP;
}

static void find_ends(const odo_mix *mix, uint8_t *fate)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < mix->f->n_switches; s++)
		if (s != mix->home &&
		    (mix->to[2 * s] == ODO_NONE || mix->to[2 * s + 1] == ODO_NONE)) {
			fate[s] |= ODO_CAN_END;
			mix->stack[n++] = s;
		}
	mark_back(mix, n, 3, fate, ODO_CAN_END);
}

void odo_mix_judge(odo_mix *mix, uint8_t *fate)
{
	memset(fate, 0, mix->f->n_switches);
	fate[mix->home] = ODO_ARRIVES_BEFORE | ODO_ARRIVES_NOW;
	mix->stack[0] = mix->home;
	mark_back(mix, 1, 1, fate, ODO_ARRIVES_BEFORE);
	mix->stack[0] = mix->home;
	mark_back(mix, 1, 2, fate, ODO_ARRIVES_NOW);
	find_loops(mix, fate);
	find_ends(mix, fate);
}
