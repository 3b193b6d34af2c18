/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/events.h"

#include "tests/sim/disk.h"

const char *const sim_kind_names[N_SIM_KINDS] = {"cable", "switch", "reset",   "host",    "move",
						 "lids",  "join",   "reroute", "takeover"};

/* LIDs change between sweeps, or are new when tables are made; the rest happens at any moment. */
static const struct {
	unsigned weight; /* of 32 */
	bool idle;
} kinds[N_SIM_KINDS] = {
	[SIM_CABLE] = {11, false}, [SIM_SWITCH] = {4, false}, [SIM_RESET] = {4, false},
	[SIM_HOST] = {4, false},   [SIM_MOVE] = {2, false},   [SIM_LIDS] = {1, true},
	[SIM_JOIN] = {2, true},    [SIM_REROUTE] = {1, true}, [SIM_TAKEOVER] = {3, false},
};

void sim_draw_events(sim_event *events, unsigned n, odo_rng *rng)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned at = odo_rng_next(rng) % 32, k = 0;
		while (at >= kinds[k].weight)
			at -= kinds[k++].weight;
		uint32_t when = odo_rng_next(rng) % 15;
		events[i] = (sim_event){
			.kind = (sim_kind)k,
			.target = odo_rng_next(rng),
			.when = when <= SIM_SAVED && !kinds[k].idle ? (int)when : -1,
			.lost = odo_rng_next(rng) % 8 ? 0 : 20,
			.disk = odo_rng_next(rng) % 8 ? 0 : odo_rng_next(rng) % N_SIM_DISKS};
	}
}

static uint32_t free_port(const sim_hardware *hw, uint32_t from)
{
	const odo_fabric *f = hw->f;
	uint32_t n = f->first_slot[f->n_switches];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = (from + i) % n;
		if (hw->peer[slot] == ODO_NONE && f->peer[slot] == ODO_NONE &&
		    hw->on[f->owner[slot]])
			return slot;
	}
	return ODO_NONE;
}

static void change_cable(sim_hardware *hw, uint32_t target)
{
	uint32_t slot = hw->cable[target % hw->n_cables], far = hw->f->peer[slot];
	if (hw->f->owner[far] >= hw->f->n_switches)
		return; /* adapters move, or go */
	if (hw->peer[slot] == ODO_NONE)
		sim_plug(hw, slot, far);
	else
		sim_unplug(hw, slot);
}

static void move_host(sim_world *w, uint32_t target)
{
	sim_hardware *hw = &w->hw;
	uint32_t host = target % hw->f->n_hosts, slot = hw->f->host_slot[host];
	uint32_t to = free_port(hw, target / 7);
	if (hw->f->owner[slot] == w->at || to == ODO_NONE)
		return;
	sim_unplug(hw, slot);
	sim_plug(hw, slot, to);
}

static bool is_managers_switch(const sim_world *w, uint32_t s)
{
	uint32_t peer = w->hw.peer[w->hw.f->first_slot[w->at]];
	return w->hw.f->owner[peer] == s;
}

bool sim_is_silent(const sim_event *e)
{
	return e->kind == SIM_RESET && (e->target >> 16 & 1);
}

static void reset_switch(sim_hardware *hw, uint32_t s, bool silent)
{
	if (hw->on[s] && silent) {
		sim_lose_tables(hw, s);
	} else if (hw->on[s]) {
		sim_power(hw, s, false);
		sim_power(hw, s, true);
	}
}

/* Connections from before are not known where the files are lost, or are older than the tables. */
static void end_manager(sim_world *w, const sim_event *e)
{
	sim_damage damage = e->target % 4 ? SIM_DAMAGE_NONE
					  : (sim_damage)(e->target / 4 % N_SIM_DAMAGES);
	if (w->is_unsaved || damage)
		sim_judge_forget(&w->judge);
	if (e->when == -1)
		sim_manager_stop(w);
	sim_disk_damage(w->folder, damage, &w->rng);
	if (e->when == -1)
		sim_manager_start(w);
	else
		w->is_dead = true;
}

void sim_happen(sim_world *w, const sim_event *e)
{
	sim_hardware *hw = &w->hw;
	const odo_fabric *f = hw->f;
	uint32_t s = e->target % f->n_switches;
	uint32_t host = f->owner[f->host_slot[e->target % f->n_hosts]];
	uint32_t other = f->owner[f->host_slot[e->target / 64 % f->n_hosts]];
	w->is_late = e->target & 1u << 20;
	if (e->kind == SIM_CABLE)
		change_cable(hw, e->target);
	else if (e->kind == SIM_MOVE)
		move_host(w, e->target);
	else if (e->kind == SIM_HOST && host != w->at)
		sim_power(hw, host, !hw->on[host]);
	else if (e->kind == SIM_SWITCH && !is_managers_switch(w, s))
		sim_power(hw, s, !hw->on[s]);
	else if (e->kind == SIM_RESET)
		reset_switch(hw, s, sim_is_silent(e));
	else if (e->kind == SIM_LIDS && host != w->at && other != w->at && host != other)
		sim_exchange_lids(hw, host, other);
	else if (e->kind == SIM_JOIN)
		sim_manager_join(w, e->target / 256 % SIM_GROUPS, host);
	else if (e->kind == SIM_REROUTE)
		sim_manager_reroute(w);
	else if (e->kind == SIM_TAKEOVER)
		end_manager(w, e);
}
