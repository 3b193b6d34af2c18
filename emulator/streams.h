/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Which random stream of a seed belongs to whom. Hosts have the streams from 0. */
#ifndef ODONATA_EMULATOR_STREAMS_H
#define ODONATA_EMULATOR_STREAMS_H

#include <stdint.h>

enum odo_stream_use {
	ODO_STREAM_PERMUTATION = 1,
	ODO_STREAM_PLACEMENT,
	ODO_STREAM_WORKLOAD,
	ODO_STREAM_SWITCH,
};

/** Streams that belong to no host: the upper half of a stream's number is the use. */
static inline uint64_t odo_stream(enum odo_stream_use use, uint32_t index)
{
	return (uint64_t)use << 32 | index;
}

#endif
