/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What stands behind the handles of include/odonata/, and what all its functions do alike.
 *
 * A handle is counted: coordinates and tables hold the fabric that they were made for, so that a
 * program may free handles in any order. Counts are atomic; all else is read-only.
 */
#ifndef ODONATA_API_HANDLES_H
#define ODONATA_API_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include <odonata/odonata.h>

#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "routing/tables.h"

struct odonata_fabric {
	odo_fabric *core;
	atomic_uint users;
};

struct odonata_coordinates {
	odo_coordinates *core;
	odonata_fabric *fabric;
	atomic_uint users;
};

struct odonata_tables {
	odo_tables *core;
	odonata_fabric *fabric;
	odonata_coordinates *coordinates; /**< or NULL */
	bool proved;                      /**< by odo_route() */
};

/** A fabric as a handle. @param core consumed, also on failure */
int api_give_fabric(odo_fabric *core, odonata_fabric **out, odo_error *why);

/** One more user of a handle, who frees it in turn. NULL stays NULL. */
odonata_fabric *api_keep_fabric(const odonata_fabric *fabric);
odonata_coordinates *api_keep_coordinates(const odonata_coordinates *coordinates);

/** Errors: ODO_EINPUT where there is no fabric, or coordinates are another's. */
int api_check_pair(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
		   odo_error *why);

/** ODO_EINPUT: "expected a fabric, found NULL". */
static inline int api_no(const char *what, odo_error *why)
{
	return odo_fail(why, ODO_EINPUT, "expected %s, found NULL", what);
}
static inline int api_no_memory(odo_error *why)
{
	return odo_fail(why, ODO_ENOMEM, "out of memory");
}

/** Last step of each call: tell the caller why it failed. Returns the status. */
int api_end(int status, const odo_error *why, odonata_error *err);

/** Size of a struct up to the end of a member: what callers of the first version know of it. */
#define API_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/**
 * Read a caller's struct that begins with its size into our own, which may be smaller or larger.
 * @param size  of ours, which is zeroed behind what the caller has
 * @param least size that every caller has
 * Errors: ODO_EINPUT where the size is too small, or there is something in what we do not know.
 */
int api_take(void *ours, size_t size, size_t least, const void *theirs, const char *what,
	     odo_error *why);

/** Errors: ODO_EINPUT where a struct to be filled does not tell its size. */
int api_expect(const void *theirs, size_t least, const char *what, odo_error *why);

/** Fill a struct that api_expect() has let through; its size stays, what we do not know is 0. */
void api_fill(void *theirs, const void *ours, size_t size);

/** Write a file that is complete or not there.
 * @param write handed `what`; returns a status */
int api_write_file(const char *path, int (*write)(const void *what, FILE *to, odo_error *why),
		   const void *what, odo_error *why);

#endif
