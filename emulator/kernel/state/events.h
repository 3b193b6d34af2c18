/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Events within a part in later cycles, and the part's pool of packets. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_EVENTS_H
#define ODONATA_EMULATOR_KERNEL_STATE_EVENTS_H

#include "emulator/kernel/state/part.h"

/* In the loops that take most time, a call costs as much as its function. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))

/** Among credits: a flit that is not the first of its packet. */
#define ODO_BODY_FLIT (1u << 31)

/** Make room for one more event; sets out_of_memory if there is no memory. */
void odo_bucket_grow(odo_part *part, odo_bucket *bucket);

/** Add an event to the bucket of its cycle. */
ALWAYS_INLINE void push_into(odo_part *part, odo_bucket *bucket, odo_event event)
{
	if (__builtin_expect(bucket->end == bucket->limit, 0)) {
		odo_bucket_grow(part, bucket);
		if (part->out_of_memory)
			return;
	}
	*bucket->end++ = event;
}

/** Add an event of cycle `when` to the wheel of arrivals or of returns. */
ALWAYS_INLINE void push_event(odo_part *part, odo_bucket *wheel, uint32_t when, odo_event event)
{
	push_into(part, &wheel[when & (part->wheel - 1)], event);
}

/** A packet will be at a place in cycle `when`. ODO_SPOT_HOST: the host has received it in full. */
ALWAYS_INLINE void push_arrival(odo_part *part, uint32_t when, odo_spot at, uint32_t packet)
{
	push_event(part, part->arrivals, when, odo_event_at(at, packet));
}

/** Add packets to the pool. Errors: out_of_memory */
void odo_pool_grow(odo_part *part);

/** Take a packet from the pool, which may move. If there is no memory: ODO_NONE, and out_of_memory
 * is set. */
ALWAYS_INLINE uint32_t odo_packet_new(odo_part *part)
{
	if (__builtin_expect(part->pool_free == ODO_NONE, 0)) {
		odo_pool_grow(part);
		if (part->out_of_memory)
			return ODO_NONE;
	}
	uint32_t p = part->pool_free;
	part->pool_free = part->next[p];
	return p;
}
ALWAYS_INLINE void odo_packet_free(odo_part *part, uint32_t packet)
{
	part->next[packet] = part->pool_free;
	part->pool_free = packet;
}

#endif
