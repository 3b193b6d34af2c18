/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Assigns LIDs to ends without one, and builds the index by LID. */
#include <string.h>

#include "fabric/lids.h"

/* Ends are numbered in one sequence: every switch, then every host. */
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

/* LIDs claimed by ends of a subnet, one subnet after another. */
typedef struct claims {
	odo_arena memory;
	uint32_t *end;  /* [ODO_LID_LIMIT] number of the end with the LID, + 1; 0: free */
	uint32_t *part; /* [n_switches] subnet of each switch; NULL: only one */
	bool shared;    /* several subnets have the same LID */
	uint32_t example;
} claims;

static uint32_t part_of(const odo_fabric *f, const claims *c, uint32_t end)
{
	if (!c->part)
		return 0;
	return c->part[end < f->n_switches ? end : odo_host_switch(f, end - f->n_switches)];
}

static int check_range(const odo_fabric *f, uint32_t end, odo_error *err)
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
	return 0;
}

/* Return the first of an end's LIDs that another end of its subnet has; 0 for none. */
static uint32_t find_taken(const odo_fabric *f, claims *c, uint32_t end)
{
	uint32_t base = *end_lid(f, end), n = 1u << *end_lmc(f, end);
	for (uint32_t lid = base; lid < base + n; lid++) {
		if (!c->end[lid])
			continue;
		if (part_of(f, c, c->end[lid] - 1) == part_of(f, c, end))
			return lid;
		c->shared = true;
		c->example = lid;
	}
	return 0;
}

static void take_lids(const odo_fabric *f, const claims *c, uint32_t end)
{
	uint32_t base = *end_lid(f, end), n = 1u << *end_lmc(f, end);
	for (uint32_t lid = base; lid < base + n; lid++)
		c->end[lid] = end + 1;
}

static int claim_strictly(const odo_fabric *f, claims *c, odo_error *err)
{
	int status = 0;
	for (uint32_t end = 0; end < n_ends(f) && !status; end++) {
		uint32_t taken = 0;
		if (!*end_lid(f, end))
			continue;
		status = check_range(f, end, err);
		if (!status)
			taken = find_taken(f, c, end);
		if (taken)
			status = odo_fail(err, ODO_EINPUT,
					  "node \"%s\": expected a LID of its own, found %u, which "
					  "another has",
					  end_name(f, end), taken);
		if (!status)
			take_lids(f, c, end);
	}
	return status;
}

/* Remove LIDs outside the range that ports can have. */
static void drop_impossible(odo_fabric *f, odo_ledger *ledger)
{
	for (uint32_t end = 0; end < n_ends(f); end++) {
		if (!*end_lid(f, end) || !check_range(f, end, NULL))
			continue;
		odo_ledger_add(ledger, ODO_REPAIR_LID, 0, "\"%.40s\", LID %u, LMC %u",
			       end_name(f, end), *end_lid(f, end), *end_lmc(f, end));
		*end_lid(f, end) = 0;
	}
}

/* Sort ends by subnet, so that the claims of a subnet are complete before those of the next one
 * overwrite them. */
static uint32_t *order_ends(const odo_fabric *f, claims *c, uint32_t n_parts)
{
	uint32_t *order = odo_arena_new(&c->memory, n_ends(f), sizeof *order);
	uint32_t *at = odo_arena_new(&c->memory, n_parts + 1ul, sizeof *at);
	if (c->memory.failed)
		return NULL;
	for (uint32_t end = 0; end < n_ends(f); end++)
		at[part_of(f, c, end) + 1]++;
	for (uint32_t part = 0; part < n_parts; part++)
		at[part + 1] += at[part];
	for (uint32_t end = 0; end < n_ends(f); end++)
		order[at[part_of(f, c, end)]++] = end;
	return order;
}

/* If several ends of a subnet have the same LID, the first one keeps it. */
static int resolve_lids(odo_fabric *f, claims *c, odo_ledger *ledger)
{
	c->part = odo_arena_new(&c->memory, f->n_switches, sizeof *c->part);
	int n_parts = c->part ? odo_fabric_parts(f, c->part, NULL) : ODO_ENOMEM;
	uint32_t *order = n_parts < 0 ? NULL : order_ends(f, c, (uint32_t)n_parts);
	if (!order)
		return ODO_ENOMEM;
	memset(c->end, 0, ODO_LID_LIMIT * sizeof *c->end);
	for (uint32_t i = 0; i < n_ends(f); i++) {
		uint32_t end = order[i], taken = *end_lid(f, end) ? find_taken(f, c, end) : 0;
		if (taken) {
			odo_ledger_add(ledger, ODO_REPAIR_LID_TWICE, 0,
				       "LID %u of \"%.24s\" and \"%.24s\"", taken,
				       end_name(f, c->end[taken] - 1), end_name(f, end));
			*end_lid(f, end) = 0;
		} else if (*end_lid(f, end)) {
			take_lids(f, c, end);
		}
	}
	return 0;
}

/* Claim the LIDs of all ends. Afterwards no subnet has a LID twice.
 * @return 0 or a status */
static int claim_all(odo_fabric *f, odo_lid_policy policy, claims *c, odo_ledger *ledger,
		     odo_error *err)
{
	if (policy != ODO_LIDS_FILL)
		return claim_strictly(f, c, err);
	drop_impossible(f, ledger);
	if (!claim_strictly(f, c, NULL))
		return 0;
	int status = resolve_lids(f, c, ledger);
	if (c->shared) {
		odo_ledger_add(ledger, ODO_REPAIR_SUBNETS, 0, "such as LID %u", c->example);
		f->lids_by_part = true;
	}
	return status;
}

/* Return the first free run of `n` LIDs, aligned to n, at or after *from; 0 if there is none. */
static uint32_t find_free_lids(const uint32_t *taken, uint32_t *from, uint32_t n)
{
	uint32_t lid = (*from + n - 1) & ~(n - 1);
	for (; lid + n <= ODO_LID_LIMIT; lid += n) {
		uint32_t k = 0;
		while (k < n && !taken[lid + k])
			k++;
		if (lid && k == n) {
			*from = lid + n;
			return lid;
		}
	}
	return 0;
}

/* Record the ends without a LID, unless every end lacks one. */
static void note_missing_lids(const odo_fabric *f, odo_ledger *ledger)
{
	bool some = false;
	for (uint32_t end = 0; end < n_ends(f) && !some; end++)
		some = *end_lid(f, end);
	for (uint32_t end = 0; end < n_ends(f) && some; end++)
		if (!*end_lid(f, end))
			odo_ledger_add(ledger, ODO_REPAIR_LID, 0,
				       "\"%.40s\" has none, others have theirs", end_name(f, end));
}

/* Assign missing LIDs. Return 0, or 1 if there are more ends than LIDs. */
static int assign_missing_lids(odo_fabric *f, const claims *c, uint8_t lmc)
{
	uint32_t from = 1;
	for (uint32_t end = 0; end < n_ends(f); end++) {
		if (*end_lid(f, end))
			continue;
		if (end >= f->n_switches)
			*end_lmc(f, end) = lmc;
		uint32_t n = 1u << *end_lmc(f, end), lid = find_free_lids(c->end, &from, n);
		if (!lid)
			return 1;
		*end_lid(f, end) = (uint16_t)lid;
		take_lids(f, c, end);
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
	f->lid_switch = odo_arena_new(&f->memory, f->lid_count, sizeof *f->lid_switch);
	f->lid_host = odo_arena_new(&f->memory, f->lid_count, sizeof *f->lid_host);
	f->lid_port = odo_arena_new(&f->memory, f->lid_count, sizeof *f->lid_port);
	if (f->memory.failed)
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

int odo_fabric_index_lids(odo_fabric *f, odo_lid_policy policy, uint8_t lmc, odo_ledger *ledger,
			  odo_error *err)
{
	if (lmc > 7)
		return odo_fail(err, ODO_EINPUT, "expected an LMC of 0 to 7, found %u", lmc);
	claims c = {0};
	c.end = odo_arena_new(&c.memory, ODO_LID_LIMIT, sizeof *c.end);
	if (!c.end)
		return ODO_ENOMEM;
	if (policy == ODO_LIDS_FILL)
		note_missing_lids(f, ledger);
	int status = claim_all(f, policy, &c, ledger, err), overflow = 0;
	if (!status && policy == ODO_LIDS_FILL && !f->lids_by_part)
		overflow = assign_missing_lids(f, &c, lmc);
	for (uint32_t end = 0; overflow && end < n_ends(f); end++)
		*end_lid(f, end) = 0;
	if (!status && !overflow && !f->lids_by_part)
		status = index_ends(f);
	odo_arena_free(&c.memory);
	return status;
}
