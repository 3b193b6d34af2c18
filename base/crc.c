/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/crc.h"

#define POLYNOMIAL 0xC96C5795D7870F42u

void odo_crc_begin(odo_crc *crc)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		uint64_t sum = byte;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
		crc->table[byte] = sum;
	}
	crc->state = UINT64_MAX;
}

void odo_crc_add(odo_crc *crc, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t state = crc->state;
	for (size_t i = 0; i < n; i++)
		state = crc->table[(state ^ at[i]) & 0xFF] ^ state >> 8;
	crc->state = state;
}
