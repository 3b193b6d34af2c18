/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Bytes to a number: FNV-1a. For tables and to tell contents apart, not against forgery. */
#ifndef ODONATA_BASE_HASH_H
#define ODONATA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/** Of no bytes. */
#define ODO_HASH_START 0xCBF29CE484222325u

/** One more byte. */
static inline uint64_t odo_hash_byte(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * 0x100000001B3u;
}

/** More bytes, so that of several pieces one number comes. */
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

/** A place for it in a table. @param room a power of two */
static inline size_t odo_hash_place(uint64_t hash, size_t room)
{
	return (size_t)(hash ^ hash >> 32) & (room - 1);
}

#endif
