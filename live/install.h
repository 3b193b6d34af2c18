/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Writing tables into switches and adapters of a subnet without a running subnet manager. */
#ifndef ODONATA_LIVE_INSTALL_H
#define ODONATA_LIVE_INSTALL_H

#include "live/live.h"

/** Bytes of a block of a forwarding table, and of an SL2VL table. */
enum { ODO_LFT_BLOCK = 64, ODO_SL2VL_BYTES = 8 };

typedef enum odo_cell_kind { ODO_CELL_LFT, ODO_CELL_SL2VL } odo_cell_kind;

typedef enum odo_cell_state {
	ODO_CELL_OLD,     /**< old contents */
	ODO_CELL_NEW,     /**< wanted contents */
	ODO_CELL_UNKNOWN, /**< the write was sent, but the contents could not be read back */
} odo_cell_state;

/** Contents of one MAD that writes. */
typedef struct odo_cell {
	uint64_t guid; /**< node */
	odo_cell_kind kind;
	uint16_t block;                /**< block of a forwarding table */
	uint8_t in, out;               /**< ports of an SL2VL table; of an adapter 0 and its port */
	uint8_t wanted[ODO_LFT_BLOCK]; /**< wanted contents; an SL2VL table uses ODO_SL2VL_BYTES */
	uint8_t was[ODO_LFT_BLOCK];    /**< contents before anything is written */
	odo_cell_state state;          /**< state at the end */
} odo_cell;

typedef struct odo_install {
	odo_cell *cells; /**< [n] */
	size_t n;
	/** NULL, or the fabric for which the cells were made. Nodes, cables and LIDs of the subnet
	 * must be equal. */
	const odo_fabric *expected;
	/** Called when `was` is known, before anything is written.
	 * @return 0 to continue */
	int (*agree)(void *context, size_t n_differ, odo_error *err);
	void *context;
} odo_install;

static inline size_t odo_cell_size(const odo_cell *cell)
{
	return cell->kind == ODO_CELL_LFT ? ODO_LFT_BLOCK : ODO_SL2VL_BYTES;
}

/**
 * Write the cells that differ, read all of them back, and compare. If one fails, or SIGINT, SIGTERM
 * or SIGHUP arrives, restore all written cells.
 * @return 0; the result of agree(); ODO_EUNSAFE if a subnet manager runs, or the subnet is not the
 * expected one, with nothing written; ODO_EIO if writing failed: the error and the states of the
 * cells show which ones were restored
 */
int odo_live_install(const odo_live_options *options, odo_install *install, odo_error *err);

#endif
