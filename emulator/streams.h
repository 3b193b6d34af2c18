/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Uses of the random streams of a seed. Hosts have the streams from 0. */
#ifndef ODONATA_EMULATOR_STREAMS_H
#define ODONATA_EMULATOR_STREAMS_H

#include <stdint.h>

enum odo_stream_use {
	ODO_STREAM_PERMUTATION = 1,
	ODO_STREAM_PLACEMENT,
	ODO_STREAM_WORKLOAD,
	ODO_STREAM_SWITCH,
};

/** Number of a stream that belongs to no host; its upper half is the use. */
static inline uint64_t odo_stream(enum odo_stream_use use, uint32_t index)
{
	return (uint64_t)use << 32 | index;
}

#endif
