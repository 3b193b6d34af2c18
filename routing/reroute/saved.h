/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * State that a subnet manager leaves to the next one: its tables, and the SLs that it assigned.
 * Both are input of the next routing (odo_route_options), and switches do not store SLs. So a
 * restarted manager, or another one, finds the same tables only with this state.
 *
 * A file stores it, in this machine's byte order, with a few bytes for each (switch, LID). A
 * checksum shows if the file was changed after it was written (base/seal.h).
 */
#ifndef ODONATA_ROUTING_REROUTE_SAVED_H
#define ODONATA_ROUTING_REROUTE_SAVED_H

#include <stdio.h>

#include "routing/reroute/connections.h"

typedef struct odo_saved {
	odo_fabric *fabric;
	odo_tables *tables; /**< tables of `fabric` */
	odo_history *history;
	uint32_t choice;
	bool sealed; /**< false: the file is from a version without checksums */
} odo_saved;

/** The switches in a file, which identify its subnet. */
typedef struct odo_saved_subnet {
	uint64_t *guid;     /**< [n], free with free() */
	uint32_t n_present; /**< the first n_present are in the fabric; the others were in it before
			     */
	uint32_t n;
} odo_saved_subnet;

/**
 * @param t       tables of profile ib
 * @param history a history that ends with these tables: odo_history_note()
 * @param choice  number that distinguishes options by which they were routed; stored unchanged
 * Errors: ODO_EDECLINE for other tables; check ferror() for failed writes.
 */
int odo_saved_write(const odo_tables *t, const odo_history *history, uint32_t choice, FILE *to,
		    odo_error *err);

/**
 * Read the switches in a file before anything else, also from versions whose other contents are
 * unknown.
 * @param out zeroed on failure
 * Errors: ODO_EINPUT if these GUIDs are damaged, ODO_EIO, ODO_ENOMEM.
 */
int odo_saved_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err);

/**
 * Read the state back. The contents are not trusted: the tables are verified again.
 * @param from a file at its beginning, that can be positioned
 * @param name for messages
 * @param out  clear with odo_saved_clear(), also on failure
 * Errors: ODO_EINPUT if odo_saved_write() did not write the file, ODO_EUNSAFE, ODO_EIO, ODO_ENOMEM.
 */
int odo_saved_read(FILE *from, const char *name, odo_saved *out, odo_error *err);
void odo_saved_clear(odo_saved *x);

#endif
