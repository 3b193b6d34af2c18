/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * What a subnet manager leaves to the next one: its tables, and the SLs that it handed out. Both
 * are input of the routing that follows (odo_route_options), and SLs are in no switch. So a manager
 * that is started anew, or another one, comes to the same tables only if it is told.
 *
 * A file holds them, in this machine's order of bytes. It has a few bytes for each (switch, LID).
 * A checksum shows whether it is as it was written (seal.h).
 */
#ifndef ODONATA_ROUTING_REROUTE_SAVED_H
#define ODONATA_ROUTING_REROUTE_SAVED_H

#include <stdio.h>

#include "routing/reroute/history.h"

typedef struct odo_saved {
	odo_fabric *fabric;
	odo_tables *tables; /**< of the fabric */
	odo_history *history;
	uint32_t choice;
	bool sealed; /**< false: of a version before there were checksums */
} odo_saved;

/** The switches of a file, by which its subnet is recognised. */
typedef struct odo_saved_subnet {
	uint64_t *guid;     /**< [n] for free() */
	uint32_t n_present; /**< of these are of the fabric; others were there before */
	uint32_t n;
} odo_saved_subnet;

/**
 * @param t       of profile ib
 * @param history of which these tables are the last: odo_history_note()
 * @param choice  tells options by which they were routed from others; kept as it is
 * Errors: ODO_EDECLINE for other tables; what cannot be written is left to ferror().
 */
int odo_saved_write(const odo_tables *t, const odo_history *history, uint32_t choice, FILE *to,
		    odo_error *err);

/**
 * Read whose a file is, before anything else of it, also of versions whose rest is not understood.
 * @param out zeroed on failure
 * Errors: ODO_EINPUT where these GUIDs are damaged, ODO_EIO, ODO_ENOMEM.
 */
int odo_saved_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err);

/**
 * Read all back. Nothing is believed: the tables are verified again.
 * @param from a regular file at its beginning @param name for messages
 * @param out  for odo_saved_clear(), also on failure
 * Errors: ODO_EINPUT for what odo_saved_write() did not write, ODO_EUNSAFE, ODO_ENOMEM.
 */
int odo_saved_read(FILE *from, const char *name, odo_saved *out, odo_error *err);
void odo_saved_clear(odo_saved *x);

#endif
