/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/crc.h"

#define POLYNOMIAL 0xC96C5795D7870F42u

void odo_crc_begin(odo_crc *crc)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		uint64_t sum = byte;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? POLYNOMIAL : 0);
		crc->table[0][byte] = sum;
	}
	for (unsigned zeroes = 1; zeroes < 8; zeroes++)
		for (unsigned byte = 0; byte < 256; byte++) {
			uint64_t sum = crc->table[zeroes - 1][byte];
			crc->table[zeroes][byte] = crc->table[0][sum & 0xFF] ^ sum >> 8;
		}
	crc->state = UINT64_MAX;
}

void odo_crc_add(odo_crc *crc, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t state = crc->state;
	/* Eight bytes at a time: a look-up of each does not wait for the one before. */
	for (; n >= 8; n -= 8, at += 8) {
		uint64_t next = 0;
		for (unsigned i = 0; i < 8; i++)
			next ^= crc->table[7 - i][(state >> 8 * i ^ at[i]) & 0xFF];
		state = next;
	}
	for (; n; n--, at++)
		state = crc->table[0][(state ^ *at) & 0xFF] ^ state >> 8;
	crc->state = state;
}
