/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What is to happen within a part in a cycle to come; and its pool of packets. */
#ifndef ODONATA_EMULATOR_KERNEL_STATE_EVENTS_H
#define ODONATA_EMULATOR_KERNEL_STATE_EVENTS_H

#include "emulator/kernel/state/part.h"

/* In the loops where the time goes, a call costs as much as what is called. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))

/** Among credits: a flit that is not the first of its packet. */
#define ODO_BODY_FLIT (1u << 31)

/** Room for one more event; out_of_memory where there is none. */
void odo_bucket_grow(odo_part *part, odo_bucket *bucket);

/** An event of the cycle that a bucket is for. */
ALWAYS_INLINE void push_into(odo_part *part, odo_bucket *bucket, odo_event event)
{
	if (__builtin_expect(bucket->end == bucket->limit, 0)) {
		odo_bucket_grow(part, bucket);
		if (part->out_of_memory)
			return;
	}
	*bucket->end++ = event;
}

/** An event in cycle `when`, of arrivals or of returns. */
ALWAYS_INLINE void push_event(odo_part *part, odo_bucket *wheel, uint32_t when, odo_event event)
{
	push_into(part, &wheel[when & (part->wheel - 1)], event);
}

/** A packet will be at a place in cycle `when`. ODO_SPOT_HOST: at its host, in full. */
ALWAYS_INLINE void arrive(odo_part *part, uint32_t when, odo_spot at, uint32_t packet)
{
	push_event(part, part->arrivals, when, odo_event_at(at, packet));
}

/** More packets for the pool. Errors: out_of_memory */
void odo_pool_grow(odo_part *part);

/** A packet of the pool, which may move; ODO_NONE and out_of_memory without memory. */
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
