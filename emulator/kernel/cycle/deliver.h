/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** End of a packet's way: its host has received it, and its memory is freed. */
#ifndef ODONATA_EMULATOR_KERNEL_CYCLE_DELIVER_H
#define ODONATA_EMULATOR_KERNEL_CYCLE_DELIVER_H

#include "emulator/kernel/measure/measure.h"

/** A packet is granted the way to its host and enters the link to it in cycle `sent`: count the
 * packet and free it. A queue behind the output may delay the packet for long. Then it counts only
 * when it has been received; otherwise a growing queue would count as accepted load. */
static inline void odo_deliver(odo_part *part, const odo_link *link, uint32_t packet, uint32_t sent)
{
	const odo_world *w = part->world;
	odo_packet *p = &part->pool[packet];
	const odo_host *host = &part->hosts[link->peer];
	uint32_t received = sent + w->model.ejection_latency + (uint32_t)p->phits * link->cycles;
	if (host->global != p->target) {
		part->astray = host->at;
		part->fault = "a wrong host received the packet";
		part->lost = *p;
	}
	if (received > part->last_received)
		part->last_received = received;
	if (w->e->workload || w->buffered) {
		push_arrival(part, received, ODO_SPOT_HOST, packet);
		return;
	}
	odo_measure_received(part, p, received);
	odo_packet_free(part, packet);
}

#endif
