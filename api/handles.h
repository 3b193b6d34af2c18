/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Structs behind the handles of include/odonata/, and code shared by all functions of the API.
 *
 * A handle counts its users. Coordinates and tables keep the fabric that they were made for, so
 * that a program may free handles in any order. Counts are atomic; all other members are read-only.
 */
#ifndef ODONATA_API_HANDLES_H
#define ODONATA_API_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include <odonata/odonata.h>

#include "base/replace.h"
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
	odonata_coordinates *coordinates; /**< may be NULL */
	bool proved;                      /**< odo_route() has proved the tables */
};

/** Make a handle of a fabric.
 * @param core consumed, also on failure */
int api_give_fabric(odo_fabric *core, odonata_fabric **out, odo_error *why);

/** Add a user to a handle, who must free it too. NULL stays NULL. */
odonata_fabric *api_keep_fabric(const odonata_fabric *fabric);
odonata_coordinates *api_keep_coordinates(const odonata_coordinates *coordinates);

/** Check a fabric and coordinates. Errors: ODO_EINPUT if there is no fabric, or coordinates belong
 * to another one. */
int api_check_pair(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
		   odo_error *why);

/** Return ODO_EINPUT with "expected a fabric, found NULL". */
static inline int api_no(const char *what, odo_error *why)
{
	return odo_fail(why, ODO_EINPUT, "expected %s, found NULL", what);
}
static inline int api_no_memory(odo_error *why)
{
	return odo_fail(why, ODO_ENOMEM, "out of memory");
}

/** Finish a call: copy the reason of a failure to the caller. Return the status. */
int api_end(int status, const odo_error *why, odonata_error *err);

/** Size of a struct up to the end of a member: all that callers of the first version have. */
#define API_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/**
 * Copy a caller's struct that begins with its size to our own, which may be smaller or larger.
 * @param size size of ours; members that the caller's struct lacks are zero
 * @param least size that every caller has
 * Errors: ODO_EINPUT if the size is too small, or a member that this version does not know is not
 * zero.
 */
int api_take(void *ours, size_t size, size_t least, const void *theirs, const char *what,
	     odo_error *why);

/** Check the size of a struct to be filled. Errors: ODO_EINPUT if it is missing or too small. */
int api_expect(const void *theirs, size_t least, const char *what, odo_error *why);

/** Fill a struct that api_expect() has accepted. Its size does not change, and members that this
 * version does not know are 0. */
void api_fill(void *theirs, const void *ours, size_t size);

/** Open a file to be written, for odo_draft_close(). */
int api_draft_open(const char *path, odo_draft *draft, odo_error *why);

#endif
