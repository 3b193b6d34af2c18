/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Blocks of tables as switches and adapters store them: made from tables, and as a file. */
#ifndef ODONATA_CLI_CELLS_H
#define ODONATA_CLI_CELLS_H

#include <stdio.h>

#include "live/install.h"
#include "routing/tables.h"

/**
 * Make the blocks to write for tables that need one SL: every SL takes the VLs of SL 0.
 * @param out [*n] for free()
 */
int cli_cells_make(const odo_tables *t, odo_cell **out, size_t *n, odo_error *err);

/** Write the `was` of each block as a line, which cli_cells_read() reads into `wanted`. The last
 * line is a seal (base/seal.h). */
void cli_cells_write(const odo_cell *cells, size_t n, FILE *to);

/**
 * @param from    a file at its beginning, that can be positioned
 * @param out     [*n] for free()
 * @param checked gets true if a checksum proves the file complete; older versions wrote none
 * Errors: ODO_EINPUT as "file:line: expected what, found what", also for a torn or changed file;
 * ODO_EIO; ODO_ENOMEM.
 */
int cli_cells_read(FILE *from, const char *name, odo_cell **out, size_t *n, bool *checked,
		   odo_error *err);

/** Name a block: "LIDs 64 to 127", "SL2VL from port 1 to port 2".
 * @param text [size] */
void cli_cell_name(const odo_cell *cell, char *text, size_t size);

#endif
