/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** CRC-64 of XZ (ECMA-182): every flipped bit and every burst of up to 64 bits changes the sum. It
 * detects damage of files, but not forgery. */
#ifndef ODONATA_BASE_CRC_H
#define ODONATA_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

typedef struct odo_crc {
	uint64_t state;
	uint64_t table[8][256]; /**< sums of a byte that so many zeroes follow */
} odo_crc;

void odo_crc_begin(odo_crc *crc);
void odo_crc_add(odo_crc *crc, const void *bytes, size_t n);

static inline uint64_t odo_crc_sum(const odo_crc *crc)
{
	return ~crc->state;
}

#endif
