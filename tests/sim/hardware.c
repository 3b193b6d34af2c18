/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *sim_new(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p) {
		fputs("sim: no memory\n", stderr);
		exit(2);
	}
	return p;
}

static void lose_tables(sim_hardware *hw, uint32_t s)
{
	const odo_fabric *f = hw->f;
	memset(hw->lft + (size_t)s * f->lid_count, SIM_NO_PORT, f->lid_count);
	memset(hw->map + hw->first_map[s], 0,
	       (hw->first_map[s + 1] - hw->first_map[s]) * sizeof *hw->map);
}

void sim_hardware_init(sim_hardware *hw, const odo_fabric *f)
{
	*hw = (sim_hardware){.f = f};
	hw->peer = sim_new(f->n_slots, sizeof *hw->peer);
	hw->on = sim_new(f->n_nodes, sizeof *hw->on);
	hw->changed = sim_new(f->n_slots, sizeof *hw->changed);
	hw->lft = sim_new((size_t)f->n_switches * f->lid_count, 1);
	hw->first_map = sim_new(f->n_switches + 1, sizeof *hw->first_map);
	hw->host_map = sim_new(f->n_nodes, sizeof *hw->host_map);
	hw->cable = sim_new(f->n_slots, sizeof *hw->cable);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		size_t n = odo_n_ports(f, s) + 1;
		hw->first_map[s + 1] = hw->first_map[s] + n * n;
	}
	hw->map = sim_new(hw->first_map[f->n_switches], sizeof *hw->map);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		hw->peer[slot] = f->peer[slot];
		hw->changed[slot] = true;
		if (f->peer[slot] != ODO_NONE && slot < f->peer[slot])
			hw->cable[hw->n_cables++] = slot;
	}
	for (uint32_t v = 0; v < f->n_nodes; v++)
		hw->on[v] = true;
	for (uint32_t s = 0; s < f->n_switches; s++)
		lose_tables(hw, s);
}

void sim_hardware_clear(sim_hardware *hw)
{
	free(hw->peer);
	free(hw->on);
	free(hw->changed);
	free(hw->lft);
	free(hw->map);
	free(hw->host_map);
	free(hw->first_map);
	free(hw->cable);
}

bool sim_is_up(const sim_hardware *hw, uint32_t slot)
{
	uint32_t peer = hw->peer[slot];
	return peer != ODO_NONE && hw->on[hw->f->owner[slot]] && hw->on[hw->f->owner[peer]];
}

uint8_t *sim_map_of(const sim_hardware *hw, uint32_t s, unsigned in, unsigned out)
{
	return hw->map[hw->first_map[s] + (size_t)in * (odo_n_ports(hw->f, s) + 1) + out];
}

void sim_unplug(sim_hardware *hw, uint32_t slot)
{
	uint32_t peer = hw->peer[slot];
	if (peer == ODO_NONE)
		return;
	hw->peer[slot] = hw->peer[peer] = ODO_NONE;
}

void sim_plug(sim_hardware *hw, uint32_t slot, uint32_t other)
{
	if (hw->peer[slot] != ODO_NONE || hw->peer[other] != ODO_NONE)
		return;
	hw->peer[slot] = other;
	hw->peer[other] = slot;
	hw->changed[slot] = hw->changed[other] = true;
}

void sim_power(sim_hardware *hw, uint32_t node, bool on)
{
	if (on && !hw->on[node]) {
		if (node < hw->f->n_switches)
			lose_tables(hw, node);
		else
			memset(hw->host_map[node], 0, sizeof *hw->host_map);
		for (uint32_t i = hw->f->first_slot[node]; i < hw->f->first_slot[node + 1]; i++) {
			hw->changed[i] = true;
			if (hw->peer[i] != ODO_NONE)
				hw->changed[hw->peer[i]] = true;
		}
	}
	hw->on[node] = on;
}
