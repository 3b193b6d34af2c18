/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Writes tables into switches and adapters of a subnet that no subnet manager runs. */
#ifndef ODONATA_LIVE_INSTALL_H
#define ODONATA_LIVE_INSTALL_H

#include "live/live.h"

/** Bytes of a forwarding table's block, and of an SL2VL table. */
enum { ODO_LFT_BLOCK = 64, ODO_SL2VL_BYTES = 8 };

typedef enum odo_cell_kind { ODO_CELL_LFT, ODO_CELL_SL2VL } odo_cell_kind;

typedef enum odo_cell_state {
	ODO_CELL_OLD,     /**< as it was */
	ODO_CELL_NEW,     /**< as it is wanted */
	ODO_CELL_UNKNOWN, /**< was sent, and what became of it could not be read */
} odo_cell_state;

/** What one MAD writes. */
typedef struct odo_cell {
	uint64_t guid; /**< of the node */
	odo_cell_kind kind;
	uint16_t block;                /**< of a forwarding table */
	uint8_t in, out;               /**< ports of an SL2VL table; of an adapter 0 and its port */
	uint8_t wanted[ODO_LFT_BLOCK]; /**< ODO_SL2VL_BYTES of it for an SL2VL table */
	uint8_t was[ODO_LFT_BLOCK];    /**< filled in before anything is written */
	odo_cell_state state;          /**< in the end */
} odo_cell;

typedef struct odo_install {
	odo_cell *cells; /**< [n] */
	size_t n;
	/** NULL, or the fabric that the cells were made for: nodes, cables and LIDs must be as
	 * there. */
	const odo_fabric *expected;
	/** Asked once `was` is known and before anything is written. @return 0 to go on */
	int (*agree)(void *context, size_t n_differ, odo_error *err);
	void *context;
} odo_install;

static inline size_t odo_cell_size(const odo_cell *cell)
{
	return cell->kind == ODO_CELL_LFT ? ODO_LFT_BLOCK : ODO_SL2VL_BYTES;
}

/**
 * Write the cells that differ, read all of them back, and compare. Where one fails, or SIGINT,
 * SIGTERM or SIGHUP comes meanwhile, all that was written is put back.
 * @return 0; what agree() returns; ODO_EUNSAFE where a subnet manager runs, or the subnet is not as
 *         expected, with nothing written; ODO_EIO, which says what was put back and what could not
 * be: that is in the cells' states
 */
int odo_live_install(const odo_live_options *options, odo_install *install, odo_error *err);

#endif
