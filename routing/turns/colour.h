/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Colours: a VL for each turn (input port, output port) of each switch, the same for all SLs, so
 * that the dependencies of (link, VL) have no cycle. Tables with colours are safe whatever SL a
 * packet carries. docs/design/turns.md has the proof.
 */
#ifndef ODONATA_ROUTING_TURNS_COLOUR_H
#define ODONATA_ROUTING_TURNS_COLOUR_H

#include "routing/tables.h"

typedef struct odo_colours {
	uint32_t n_turns;  /**< turns between two links that packets take */
	uint32_t n_cyclic; /**< turns on cycles of turns or behind them, in the tables as they came
			    */
	uint32_t n_bare;   /**< turns that found no VL, so that entries were moved */
	uint32_t n_moved;  /**< LFT entries that lead another way, to avoid turns without a VL */
	uint32_t n_unused; /**< turns that no packet takes now */
	uint32_t n_unsure; /**< of these, turns that could close a cycle if packets took them */
	unsigned n_vls;
	uint32_t n_recoloured; /**< turns that packets take now and before, with another VL */
	bool has_trees; /**< a multicast tree of each connected part is safe beside all packets */
} odo_colours;

/**
 * Colour the turns of tables. Few turns that find no VL are avoided: some LFT entries lead another
 * way. A multicast tree has VLs together with unicast, unless turns then remain without a VL. The
 * tables are still to be proved.
 * @param t       complete tables of profile ib; only their LFTs matter
 * @param max_vls VLs that may be used, within those of each link; 0: no limit
 * @param before  NULL, or tables whose VLs are tried first, so that few SL2VL entries change
 * @param out     gets the coloured tables, for odo_tables_free(); NULL after a failure
 * @param colours NULL, or gets what was found, also if turns remain without a VL
 * Errors: ODO_EDECLINE if some turn has no VL; ODO_ENOMEM.
 */
int odo_colour_turns(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		     odo_tables **out, odo_colours *colours, odo_error *err);

/**
 * Colour tables beside those before, and choose how switches change to them from those before. No
 * packets wait in a cycle during a change from `before` to `first`, nor from `first` to `goal`, as
 * far as entries are concerned. The caller judges SL2VL maps of the goal that differ from those
 * before.
 * @param before installed tables, all SLs alike
 * @param goal   as `out` above
 * @param first  NULL if all entries may change at once; else of odo_stage_tables()
 */
int odo_colour_change(const odo_tables *t, unsigned max_vls, const odo_tables *before,
		      odo_tables **goal, odo_tables **first, odo_error *err);

#endif
