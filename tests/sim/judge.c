/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/judge.h"

#include <stdlib.h>
#include <string.h>

enum { VLS = SIM_VLS };

/* LIDs whose packets are followed together: their entries are near each other in memory. */
enum { TOGETHER = 32 };

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
	judge->walked = sim_new((size_t)f->first_slot[f->n_switches] * SIM_SLS,
				sizeof *judge->walked);
	judge->channel = sim_new((size_t)f->first_slot[f->n_switches] * SIM_SLS,
				 sizeof *judge->channel);
	judge->column = sim_new((size_t)f->n_switches * TOGETHER, sizeof *judge->column);
	judge->holds = sim_new((size_t)f->n_nodes * TOGETHER, sizeof *judge->holds);
	memset(judge->managed_at, 0xFF, f->n_nodes * sizeof *judge->managed_at);
}

void sim_judge_clear(sim_judge *judge)
{
	free(judge->held);
	free(judge->managed_at);
	free(judge->waits);
	free(judge->queue);
	free(judge->n_before);
	free(judge->walked);
	free(judge->channel);
	free(judge->column);
	free(judge->holds);
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
		bool hears = at != ODO_NONE && judge->is_known && judge->is_known[v];
		if (!hears || (s != ODO_NONE && at != s))
			continue;
		if (lid)
			held[lid] = 0;
		else
			memset(held, 0, f->lid_count * sizeof *held);
	}
}

void sim_judge_forget(sim_judge *judge)
{
	const odo_fabric *f = judge->hw->f;
	memset(judge->held, 0, (size_t)f->n_nodes * f->lid_count * sizeof *judge->held);
}

static void add_wait(sim_judge *judge, uint32_t before, uint32_t channel)
{
	const odo_fabric *f = judge->hw->f;
	if (before == ODO_NONE || channel == ODO_NONE)
		return;
	uint32_t bit = channel - f->first_slot[f->owner[channel / VLS]] * VLS;
	judge->waits[(size_t)before * judge->words + bit / 64] |= 1ull << bit % 64;
}

/* Find the channel in which packets leave a switch.
 * @param channel ODO_NONE if they end here, or go to an adapter
 * @return where they come in next, or are an adapter's; ODO_NONE if nowhere */
static uint32_t leave_switch(const sim_judge *judge, const uint8_t *column, uint32_t in,
			     unsigned sl, uint32_t *channel, sim_verdict *v)
{
	const sim_hardware *hw = judge->hw;
	const odo_fabric *f = hw->f;
	uint32_t s = f->owner[in];
	unsigned port = column[s];
	*channel = ODO_NONE;
	if (!port || port > odo_n_ports(f, s))
		return ODO_NONE;
	uint32_t out = odo_slot(f, s, port);
	if (!sim_is_up(hw, out))
		return ODO_NONE;
	unsigned vl = sim_map_of(hw, s, odo_port(f, in), port)[sl];
	v->n_dropped += vl >= VLS;
	if (vl >= VLS)
		return ODO_NONE;
	if (f->owner[hw->peer[out]] < f->n_switches)
		*channel = out * VLS + vl;
	return hw->peer[out];
}

/* Follow packets of one SL from an adapter, to where packets to this LID were followed before.
 * @param column ports to the LID
 * @return true if they arrive at the LID's owner */
static bool follow_packet(sim_judge *judge, const uint8_t *column, uint32_t node, uint32_t lid,
			  unsigned sl, sim_verdict *v)
{
	const sim_hardware *hw = judge->hw;
	const odo_fabric *f = hw->f;
	uint32_t places[256], n = 0, before = ODO_NONE, in = hw->peer[f->first_slot[node]];
	bool arrives = false;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		uint32_t place = in * SIM_SLS + sl, channel;
		if (judge->walked[place] >> 1 == lid) {
			add_wait(judge, before, judge->channel[place]);
			arrives = judge->walked[place] & 1;
			break;
		}
		uint32_t next = leave_switch(judge, column, in, sl, &channel, v);
		judge->channel[place] = channel;
		if (n < sizeof places / sizeof *places)
			places[n++] = place;
		if (next == ODO_NONE)
			arrives = !column[f->owner[in]] && hw->owner[lid] == f->owner[in];
		else if (channel == ODO_NONE)
			arrives = hw->owner[lid] == f->owner[next];
		if (channel == ODO_NONE)
			break;
		add_wait(judge, before, channel);
		before = channel;
		in = next;
	}
	while (n--)
		judge->walked[places[n]] = lid << 1 | arrives;
	return arrives;
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

/* The part that each LID is in. */
static void find_homes(const sim_judge *judge, const uint32_t *part, uint32_t *home)
{
	const sim_hardware *hw = judge->hw;
	for (uint32_t lid = 0; lid < hw->f->lid_count; lid++) {
		uint32_t v = hw->owner[lid];
		uint32_t s = v == ODO_NONE || v < hw->f->n_switches ? v : switch_of(hw, v);
		home[lid] = s == ODO_NONE ? s : part[s];
	}
}

typedef struct places {
	uint32_t *part;   /* [n_switches] */
	uint32_t *home;   /* [lid_count] the part that a LID is in */
	uint32_t *at;     /* [n_nodes] switch of an adapter */
	uint32_t managed; /* the part that the manager reaches */
} places;

/* Copy the entries of LIDs from `first` on: by LID, not by switch or adapter. */
static void copy_entries(sim_judge *judge, uint32_t first, uint32_t n)
{
	const odo_fabric *f = judge->hw->f;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t i = 0; i < n; i++)
			judge->column[i * f->n_switches + s] =
				judge->hw->lft[(size_t)s * f->lid_count + first + i];
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++)
		for (uint32_t i = 0; i < n; i++)
			judge->holds[i * f->n_nodes + v] =
				judge->held[(size_t)v * f->lid_count + first + i];
}

/* Follow packets to a LID of all adapters that are exempt, or of all others. */
static void follow_lid(sim_judge *judge, uint32_t lid, uint32_t i, const places *x, bool exempt,
		       sim_verdict *v)
{
	const odo_fabric *f = judge->hw->f;
	for (uint32_t node = f->n_switches; node < f->n_nodes; node++) {
		unsigned left = judge->holds[i * f->n_nodes + node];
		uint32_t s = x->at[node];
		if (!left || s == ODO_NONE || (judge->managed_at[node] != s) != exempt)
			continue;
		for (; left; left &= left - 1) {
			unsigned sl = (unsigned)__builtin_ctz(left);
			if (follow_packet(judge, judge->column + i * f->n_switches, node, lid, sl,
					  v) ||
			    exempt || x->home[lid] != x->part[s] || x->part[s] != x->managed)
				continue;
			v->n_lost++;
			v->from = node;
			v->lid = lid;
			v->sl = sl;
		}
	}
}

static void follow_all(sim_judge *judge, const places *x, bool exempt, sim_verdict *v)
{
	const odo_fabric *f = judge->hw->f;
	memset(judge->walked, 0,
	       (size_t)f->first_slot[f->n_switches] * SIM_SLS * sizeof *judge->walked);
	for (uint32_t first = 1; first < f->lid_count; first += TOGETHER) {
		uint32_t n = f->lid_count - first < TOGETHER ? f->lid_count - first : TOGETHER;
		copy_entries(judge, first, n);
		for (uint32_t i = 0; i < n; i++)
			follow_lid(judge, first + i, i, x, exempt, v);
	}
}

sim_verdict sim_judge_all(sim_judge *judge, uint32_t manager)
{
	const odo_fabric *f = judge->hw->f;
	sim_verdict v = {.lid = 0}, exempt = {.lid = 0};
	uint32_t n_exempt = 0;
	places x = {.part = sim_new(f->n_switches, sizeof *x.part),
		    .home = sim_new(f->lid_count, sizeof *x.home),
		    .at = sim_new(f->n_nodes, sizeof *x.at)};
	find_parts(judge, x.part);
	find_homes(judge, x.part, x.home);
	for (uint32_t node = f->n_switches; node < f->n_nodes; node++)
		x.at[node] = switch_of(judge->hw, node);
	x.managed = x.at[manager] == ODO_NONE ? ODO_NONE : x.part[x.at[manager]];
	for (uint32_t node = f->n_switches; node < f->n_nodes; node++) {
		if (x.at[node] != ODO_NONE && x.part[x.at[node]] == x.managed)
			judge->managed_at[node] = x.at[node];
		n_exempt += x.at[node] != ODO_NONE && judge->managed_at[node] != x.at[node];
	}
	memset(judge->waits, 0,
	       (size_t)f->first_slot[f->n_switches] * VLS * judge->words * sizeof *judge->waits);
	follow_all(judge, &x, false, &v);
	v.n_cyclic = count_cyclic(judge);
	if (n_exempt && !v.n_cyclic) {
		follow_all(judge, &x, true, &exempt);
		v.n_beyond = count_cyclic(judge);
	}
	free(x.part);
	free(x.home);
	free(x.at);
	return v;
}

/* ---- Multicast ---- */

typedef struct copy {
	uint32_t in, before; /* slot where it comes in, channel that it waits in */
} copy;

/* Follow the copies of a packet. @param got [n_nodes] counts copies that adapters get
 * @return false if a switch gets two copies */
static bool flood_packet(sim_judge *judge, unsigned group, uint32_t node, unsigned sl, uint8_t *got,
			 copy *copies)
{
	const sim_hardware *hw = judge->hw;
	const odo_fabric *f = hw->f;
	uint32_t n = 0;
	memset(got, 0, f->n_nodes);
	copies[n++] = (copy){hw->peer[f->first_slot[node]], ODO_NONE};
	got[f->owner[copies[0].in]] = 1;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = f->owner[copies[i].in];
		unsigned in = odo_port(f, copies[i].in);
		const bool *leaves = sim_mft_of(hw, group, s);
		for (unsigned p = 1; p <= odo_n_ports(f, s); p++) {
			uint32_t out = odo_slot(f, s, p);
			if (!leaves[p] || p == in || !sim_is_up(hw, out))
				continue;
			unsigned vl = sim_map_of(hw, s, in, p)[sl];
			uint32_t next = f->owner[hw->peer[out]];
			if (vl >= VLS)
				continue;
			if (got[next]++ && next < f->n_switches)
				return false;
			if (next >= f->n_switches)
				continue;
			add_wait(judge, copies[i].before, out * VLS + vl);
			copies[n++] = (copy){hw->peer[out], out * VLS + vl};
		}
	}
	return true;
}

void sim_judge_groups(sim_judge *judge, const sim_groups *groups, sim_verdict *v)
{
	const odo_fabric *f = judge->hw->f;
	uint8_t *got = sim_new(f->n_nodes, 1);
	copy *copies = sim_new(f->n_switches + 1, sizeof *copies);
	for (unsigned group = 0; group < SIM_GROUPS; group++) {
		const bool *is_member = groups->is_member + group * f->n_nodes;
		for (uint32_t node = f->n_switches; node < f->n_nodes; node++) {
			if (!groups->is_judged[group] || !is_member[node] || !judge->is_known[node])
				continue;
			bool once = flood_packet(judge, group, node, groups->sl[group], got,
						 copies);
			for (uint32_t to = f->n_switches; to < f->n_nodes; to++)
				once &= to == node || !is_member[to] || !judge->is_known[to] ||
					got[to] == 1;
			if (once)
				continue;
			v->n_lost++;
			v->from = node;
			v->lid = 0xC000 + group;
			v->sl = groups->sl[group];
		}
	}
	v->n_cyclic = count_cyclic(judge);
	free(got);
	free(copies);
}
