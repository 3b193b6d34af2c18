/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gives LIDs to the ends that lack one, and indexes the fabric by LID. */
#include <stdlib.h>
#include <string.h>

#include "fabric/lids.h"
#include "base/memory.h"

/* Every switch, then every host, as one sequence of ends. */
static uint32_t n_ends(const odo_fabric *f)
{
	return f->n_switches + f->n_hosts;
}

static uint16_t *end_lid(const odo_fabric *f, uint32_t end)
{
	return end < f->n_switches ? &f->switch_lid[end]
				   : &f->port_lid[f->host_slot[end - f->n_switches]];
}

static uint8_t *end_lmc(const odo_fabric *f, uint32_t end)
{
	return end < f->n_switches ? &f->switch_lmc[end]
				   : &f->port_lmc[f->host_slot[end - f->n_switches]];
}

static const char *end_name(const odo_fabric *f, uint32_t end)
{
	return odo_name(f, end < f->n_switches ? end : f->owner[f->host_slot[end - f->n_switches]]);
}

static int claim(uint8_t *taken, const odo_fabric *f, uint32_t end, odo_error *err)
{
	uint32_t base = *end_lid(f, end), n = 1u << *end_lmc(f, end);
	if (base & (n - 1))
		return odo_fail(err, ODO_EINPUT,
				"node \"%s\": expected a base LID divisible by %u, found %u",
				end_name(f, end), n, base);
	if (base + n > ODO_LID_LIMIT)
		return odo_fail(err, ODO_EINPUT,
				"node \"%s\": expected a unicast LID up to %u, found %u",
				end_name(f, end), ODO_LID_LIMIT - 1, base + n - 1);
	for (uint32_t lid = base; lid < base + n; lid++) {
		if (taken[lid])
			return odo_fail(err, ODO_EINPUT,
					"node \"%s\": expected a LID of its own, found %u, which "
					"another has",
					end_name(f, end), lid);
		taken[lid] = 1;
	}
	return 0;
}

/* First free run of `n` LIDs, aligned to n, at or after *from; 0 where there is none. */
static uint32_t find_free(const uint8_t *taken, uint32_t *from, uint32_t n)
{
	uint32_t lid = (*from + n - 1) & ~(n - 1);
	for (; lid + n <= ODO_LID_LIMIT; lid += n) {
		if (lid && !memchr(taken + lid, 1, n)) {
			*from = lid + n;
			return lid;
		}
	}
	return 0;
}

/* 0, or 1 where there are more ends than LIDs. */
static int fill(odo_fabric *f, uint8_t *taken, uint8_t lmc)
{
	uint32_t from = 1;
	for (uint32_t end = 0; end < n_ends(f); end++) {
		if (*end_lid(f, end))
			continue;
		if (end >= f->n_switches)
			*end_lmc(f, end) = lmc;
		uint32_t n = 1u << *end_lmc(f, end), lid = find_free(taken, &from, n);
		if (!lid)
			return 1;
		*end_lid(f, end) = (uint16_t)lid;
		memset(taken + lid, 1, n);
	}
	return 0;
}

static int index_ends(odo_fabric *f)
{
	uint32_t top = 0;
	for (uint32_t end = 0; end < n_ends(f); end++) {
		uint32_t last = *end_lid(f, end) + (1u << *end_lmc(f, end)) - 1;
		if (*end_lid(f, end) && last > top)
			top = last;
	}
	f->lid_count = top + 1;
	f->lid_switch = odo_new(f->lid_count, sizeof *f->lid_switch);
	f->lid_host = odo_new(f->lid_count, sizeof *f->lid_host);
	f->lid_port = odo_new(f->lid_count, sizeof *f->lid_port);
	if (!f->lid_switch || !f->lid_host || !f->lid_port)
		return ODO_ENOMEM;
	for (uint32_t lid = 0; lid < f->lid_count; lid++)
		f->lid_switch[lid] = f->lid_host[lid] = ODO_NONE;
	for (uint32_t end = 0; end < n_ends(f); end++) {
		uint32_t base = *end_lid(f, end);
		for (uint32_t k = 0; base && k < 1u << *end_lmc(f, end); k++) {
			if (end < f->n_switches) {
				f->lid_switch[base + k] = end;
				continue;
			}
			uint32_t host = end - f->n_switches, slot = f->peer[f->host_slot[host]];
			f->lid_switch[base + k] = f->owner[slot];
			f->lid_host[base + k] = host;
			f->lid_port[base + k] = (uint8_t)odo_port(f, slot);
		}
	}
	return 0;
}

int odo_fabric_index_lids(odo_fabric *f, odo_lid_policy policy, uint8_t lmc, odo_error *err)
{
	if (lmc > 7)
		return odo_fail(err, ODO_EINPUT, "expected an LMC of 0 to 7, found %u", lmc);
	uint8_t *taken = odo_new(ODO_LID_LIMIT, 1);
	if (!taken)
		return ODO_ENOMEM;
	int status = 0, overflow = 0;
	for (uint32_t end = 0; end < n_ends(f) && !status; end++)
		if (*end_lid(f, end))
			status = claim(taken, f, end, err);
	if (!status && policy == ODO_LIDS_FILL)
		overflow = fill(f, taken, lmc);
	for (uint32_t end = 0; overflow && end < n_ends(f); end++)
		*end_lid(f, end) = 0;
	if (!status && !overflow)
		status = index_ends(f);
	free(taken);
	return status;
}
