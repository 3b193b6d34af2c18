/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Skip cycles while nothing moves in the network and hosts compute. */
#include "emulator/kernel/run/idle.h"

#include "base/strategies.h"
#include "emulator/kernel/setup/setup.h"

void odo_progress_add(odo_progress *to, const odo_progress *of)
{
	to->in_network += of->in_network;
	to->awake += of->awake;
	to->phits += of->phits;
	to->packets += of->packets;
	to->latency += of->latency;
	to->failed |= of->failed;
	to->lost |= of->lost;
	if (of->last_move > to->last_move)
		to->last_move = of->last_move;
	if (of->last_received > to->last_received)
		to->last_received = of->last_received;
	if (of->due < to->due)
		to->due = of->due;
}

/* Policies act in every cycle on the state they see, and get messages from each other over local
 * links; they come to rest after these cycles. */
static uint64_t cycles_to_calm_down(const odo_world *w)
{
	uint64_t longest = w->model.latency[ODO_LINK_LOCAL];
	for (uint32_t slot = 0; slot < w->e->fabric->n_slots; slot++)
		if (odo_latency_into(w, slot) > longest)
			longest = odo_latency_into(w, slot);
	return 2 * longest + w->longest_packet;
}

bool odo_may_idle(const odo_world *w, uint64_t now, const odo_progress *progress)
{
	if (progress->in_network || progress->lost || w->e->run.plain || !odo_uses("idle cycles"))
		return false;
	if (!w->policy || !w->policy->tick)
		return true;
	uint32_t last = odo_progress_last(progress);
	return now > last + cycles_to_calm_down(w);
}

static bool has_mail(const odo_part *part)
{
	uint32_t n = 2 * odo_n_inboxes(part->world);
	for (uint32_t i = 0; i < n; i++)
		if (part->inbox[i].n_parcels || part->inbox[i].n_receipts)
			return true;
	return false;
}

static bool has_events(const odo_part *part)
{
	size_t words = (size_t)part->release_cycles * part->n_words * odo_release_sets(part->world);
	for (uint32_t i = 0; i < part->wheel; i++)
		if (part->arrivals[i].end > part->arrivals[i].at ||
		    part->returns[i].end > part->returns[i].at)
			return true;
	for (size_t i = 0; part->releases && i < words; i++) /* not with flits */
		if (part->releases[i])
			return true;
	return false;
}

uint32_t odo_part_due(const odo_part *part)
{
	uint32_t due = UINT32_MAX;
	if (part->n_freed || has_mail(part) || has_events(part))
		return part->now;
	for (uint32_t i = 0; i < part->n_hosts; i++) {
		const odo_host *host = &part->hosts[i];
		if (!host->asleep && host->pending == ODO_NONE && host->due < due)
			due = host->due;
	}
	return due;
}
