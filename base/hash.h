/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Hash of bytes: FNV-1a. It is for tables and for telling contents apart, not against forgery. */
#ifndef ODONATA_BASE_HASH_H
#define ODONATA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** Hash of no bytes. */
#define ODO_HASH_START 0xCBF29CE484222325u

/** Add a byte to a hash. */
static inline uint64_t odo_hash_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * 0x100000001B3u;
}

/** Add bytes to a hash, so that several pieces have one hash. */
static inline uint64_t odo_hash_more(uint64_t hash, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	for (size_t i = 0; i < n; i++)
		hash = odo_hash_byte(hash, at[i]);
	return hash;
}

static inline uint64_t odo_hash_bytes(const void *bytes, size_t n)
{
	return odo_hash_more(ODO_HASH_START, bytes, n);
}

/** Return the slot of a hash in a table.
 * @param room a power of two */
static inline size_t odo_hash_place(uint64_t hash, size_t room)
{
	return (size_t)(hash ^ hash >> 32) & (room - 1);
}

#endif
