/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/judge.h"

#include <stdlib.h>
#include <string.h>

enum { VLS = 16 };

void sim_judge_init(sim_judge *judge, const sim_hardware *hw)
{
	const odo_fabric *f = hw->f;
	unsigned ports = 1;
	for (uint32_t s = 0; s < f->n_switches; s++)
		ports = odo_n_ports(f, s) > ports ? odo_n_ports(f, s) : ports;
	*judge = (sim_judge){.hw = hw, .words = (ports * VLS + 63) / 64};
	size_t channels = (size_t)f->first_slot[f->n_switches] * VLS;
	judge->held = sim_new((size_t)f->n_nodes * f->lid_count, sizeof *judge->held);
	judge->managed_at = sim_new(f->n_nodes, sizeof *judge->managed_at);
	judge->waits = sim_new(channels * judge->words, sizeof *judge->waits);
	judge->queue = sim_new(channels, sizeof *judge->queue);
	judge->n_before = sim_new(channels, sizeof *judge->n_before);
	memset(judge->managed_at, 0xFF, f->n_nodes * sizeof *judge->managed_at);
}

void sim_judge_clear(sim_judge *judge)
{
	free(judge->held);
	free(judge->managed_at);
	free(judge->waits);
	free(judge->queue);
	free(judge->n_before);
}

void sim_judge_answered(sim_judge *judge, uint32_t node, uint32_t lid, unsigned sl)
{
	judge->held[(size_t)node * judge->hw->f->lid_count + lid] |= (uint16_t)(1u << sl);
}

/* The switch that an adapter is plugged into now, or ODO_NONE. */
static uint32_t switch_of(const sim_hardware *hw, uint32_t node)
{
	for (uint32_t i = hw->f->first_slot[node]; i < hw->f->first_slot[node + 1]; i++)
		if (sim_is_up(hw, i))
			return hw->f->owner[hw->peer[i]];
	return ODO_NONE;
}

void sim_judge_told(sim_judge *judge, uint32_t s, uint32_t lid)
{
	const odo_fabric *f = judge->hw->f;
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++) {
		uint16_t *held = judge->held + (size_t)v * f->lid_count;
		uint32_t at = switch_of(judge->hw, v);
		if (at == ODO_NONE || (s != ODO_NONE && at != s)) /* the absent do not hear it */
			continue;
		if (lid)
			held[lid] = 0;
		else
			memset(held, 0, f->lid_count * sizeof *held);
	}
}

/* Follow packets of one SL from an adapter. @return true if they arrive at the LID's owner */
static bool follow(sim_judge *judge, uint32_t node, uint32_t lid, unsigned sl, sim_verdict *v)
{
	const sim_hardware *hw = judge->hw;
	const odo_fabric *f = hw->f;
	uint32_t slot = f->first_slot[node], before = ODO_NONE;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		uint32_t in = hw->peer[slot], s = f->owner[in];
		unsigned port = hw->lft[(size_t)s * f->lid_count + lid];
		if (port == 0)
			return f->switch_lid[s] == lid;
		if (port > odo_n_ports(f, s))
			return false;
		uint32_t out = odo_slot(f, s, port);
		if (!sim_is_up(hw, out))
			return false;
		unsigned vl = sim_map_of(hw, s, odo_port(f, in), port)[sl];
		if (vl >= SIM_VLS) {
			v->n_dropped++;
			return false;
		}
		uint32_t next = f->owner[hw->peer[out]];
		if (next >= f->n_switches)
			return f->port_lid[hw->peer[out]] == lid;
		unsigned bit = (port - 1) * VLS + vl;
		if (before != ODO_NONE)
			judge->waits[(size_t)before * judge->words + bit / 64] |= 1ull << bit % 64;
		before = out * VLS + vl;
		slot = out;
	}
	return false;
}

/* Call `visit` for each channel that `channel` waits for. */
static void each_successor(const sim_judge *judge, uint32_t channel,
			   void (*visit)(const sim_judge *judge, uint32_t next, uint32_t *n),
			   uint32_t *n)
{
	const odo_fabric *f = judge->hw->f;
	uint32_t far = judge->hw->peer[channel / VLS];
	if (far == ODO_NONE || f->owner[far] >= f->n_switches)
		return;
	uint32_t first = f->first_slot[f->owner[far]] * VLS;
	for (unsigned w = 0; w < judge->words; w++)
		for (uint64_t left = judge->waits[(size_t)channel * judge->words + w]; left;
		     left &= left - 1)
			visit(judge, first + w * 64 + (unsigned)__builtin_ctzll(left), n);
}

static void count_before(const sim_judge *judge, uint32_t next, uint32_t *n)
{
	(void)n;
	judge->n_before[next]++;
}

static void remove_before(const sim_judge *judge, uint32_t next, uint32_t *n)
{
	if (!--judge->n_before[next])
		judge->queue[(*n)++] = next;
}

/* Remove channels that no other one waits for, again and again: cycles are what is left. */
static uint32_t count_cyclic(const sim_judge *judge)
{
	uint32_t channels = judge->hw->f->first_slot[judge->hw->f->n_switches] * VLS, n = 0;
	memset(judge->n_before, 0, channels * sizeof *judge->n_before);
	for (uint32_t c = 0; c < channels; c++)
		each_successor(judge, c, count_before, NULL);
	for (uint32_t c = 0; c < channels; c++)
		if (!judge->n_before[c])
			judge->queue[n++] = c;
	for (uint32_t i = 0; i < n; i++)
		each_successor(judge, judge->queue[i], remove_before, &n);
	return channels - n;
}

/* Parts of the switches that cables connect, into `queue`. */
static void find_parts(const sim_judge *judge, uint32_t *part)
{
	const sim_hardware *hw = judge->hw;
	const odo_fabric *f = hw->f;
	memset(part, 0xFF, f->n_switches * sizeof *part);
	for (uint32_t root = 0; root < f->n_switches; root++) {
		uint32_t n = 0;
		if (part[root] != ODO_NONE || !hw->on[root])
			continue;
		part[root] = root;
		judge->queue[n++] = root;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t s = judge->queue[i];
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1];
			     slot++) {
				uint32_t next = sim_is_up(hw, slot) ? f->owner[hw->peer[slot]]
								    : ODO_NONE;
				if (next < f->n_switches && part[next] == ODO_NONE) {
					part[next] = root;
					judge->queue[n++] = next;
				}
			}
		}
	}
}

sim_verdict sim_judge_all(sim_judge *judge, uint32_t manager)
{
	const odo_fabric *f = judge->hw->f;
	sim_verdict v = {.lid = 0};
	uint32_t *part = sim_new(f->n_switches, sizeof *part);
	uint32_t *home = sim_new(f->lid_count, sizeof *home); /* the part that a LID is in */
	find_parts(judge, part);
	memset(home, 0xFF, f->lid_count * sizeof *home);
	for (uint32_t s = 0; s < f->n_switches; s++)
		home[f->switch_lid[s]] = part[s];
	for (uint32_t node = f->n_switches; node < f->n_nodes; node++) {
		uint32_t s = switch_of(judge->hw, node);
		home[f->port_lid[f->first_slot[node]]] = s == ODO_NONE ? ODO_NONE : part[s];
	}
	uint32_t at = switch_of(judge->hw, manager), managed = at == ODO_NONE ? at : part[at];
	memset(judge->waits, 0,
	       (size_t)f->first_slot[f->n_switches] * VLS * judge->words * sizeof *judge->waits);
	for (uint32_t node = f->n_switches; node < f->n_nodes; node++) {
		uint32_t s = switch_of(judge->hw, node);
		if (s != ODO_NONE && part[s] == managed)
			judge->managed_at[node] = s;
		/* No manager can know of an adapter that moved out of its reach. */
		if (s == ODO_NONE || judge->managed_at[node] != s)
			continue;
		for (uint32_t lid = 1; lid < f->lid_count; lid++) {
			unsigned held = judge->held[(size_t)node * f->lid_count + lid];
			for (unsigned left = held; left; left &= left - 1) {
				unsigned sl = (unsigned)__builtin_ctz(left);
				if (follow(judge, node, lid, sl, &v) || home[lid] != part[s] ||
				    part[s] != managed)
					continue;
				v.n_lost++;
				v.from = node;
				v.lid = lid;
				v.sl = sl;
			}
		}
	}
	v.n_cyclic = count_cyclic(judge);
	free(part);
	free(home);
	return v;
}
