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

static size_t n_group_ports(const odo_fabric *f)
{
	return f->first_slot[f->n_switches] + f->n_switches;
}

bool *sim_mft_of(const sim_hardware *hw, unsigned group, uint32_t s)
{
	return hw->mft + group * n_group_ports(hw->f) + hw->f->first_slot[s] + s;
}

unsigned sim_n_lids(const sim_hardware *hw, uint32_t node)
{
	return node < hw->f->n_switches ? 1 : 1u << hw->lmc;
}

void sim_lose_tables(sim_hardware *hw, uint32_t s)
{
	const odo_fabric *f = hw->f;
	for (unsigned group = 0; group < SIM_GROUPS; group++)
		memset(sim_mft_of(hw, group, s), 0, odo_n_ports(f, s) + 1);
	memset(hw->lft + (size_t)s * f->lid_count, SIM_NO_PORT, f->lid_count);
	memset(hw->map + hw->first_map[s], 0,
	       (hw->first_map[s + 1] - hw->first_map[s]) * sizeof *hw->map);
}

static void assign_lids(sim_hardware *hw)
{
	const odo_fabric *f = hw->f;
	hw->lid = sim_new(f->n_nodes, sizeof *hw->lid);
	hw->owner = sim_new(f->lid_count, sizeof *hw->owner);
	hw->lmc = f->port_lmc[f->host_slot[0]];
	memset(hw->owner, 0xFF, f->lid_count * sizeof *hw->owner);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		hw->lid[v] = v < f->n_switches ? f->switch_lid[v] : f->port_lid[f->first_slot[v]];
		for (unsigned i = 0; i < sim_n_lids(hw, v); i++)
			hw->owner[hw->lid[v] + i] = v;
	}
}

void sim_exchange_lids(sim_hardware *hw, uint32_t a, uint32_t b)
{
	uint16_t lid = hw->lid[a];
	hw->lid[a] = hw->lid[b];
	hw->lid[b] = lid;
	for (unsigned i = 0; i < sim_n_lids(hw, a); i++) {
		hw->owner[hw->lid[a] + i] = a;
		hw->owner[hw->lid[b] + i] = b;
	}
}

void sim_hardware_init(sim_hardware *hw, const odo_fabric *f)
{
	*hw = (sim_hardware){.f = f};
	assign_lids(hw);
	hw->mft = sim_new(SIM_GROUPS * n_group_ports(f), sizeof *hw->mft);
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
		sim_lose_tables(hw, s);
}

void sim_hardware_clear(sim_hardware *hw)
{
	free(hw->peer);
	free(hw->lid);
	free(hw->owner);
	free(hw->mft);
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
			sim_lose_tables(hw, node);
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
