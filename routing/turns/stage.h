/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * From installed tables to new ones in steps. While some switches have old entries and some new
 * ones, a packet can go round between them, and then waits for itself on any VL. So of each LID
 * only those entries change at first that cannot lead a packet round, in whatever order switches
 * get them.
 */
#ifndef ODONATA_ROUTING_TURNS_STAGE_H
#define ODONATA_ROUTING_TURNS_STAGE_H

#include "base/arena.h"
#include "routing/tables.h"

/** A link that is gone. Packets that came over it are still under way. */
typedef struct odo_gone_link {
	uint32_t from; /**< slot that sent, in the fabric before */
	uint32_t s;    /**< switch at its far end, as it is called now */
	unsigned in;   /**< its port there */
} odo_gone_link;

/** Installed tables, and new ones, of a fabric as it is now. */
typedef struct odo_stage {
	const odo_tables *before;
	const odo_fabric *f;
	uint32_t *at;   /**< [n_switches] number in the fabric before, or ODO_NONE */
	uint32_t *home; /**< [n_switches of the fabric before] number now, or ODO_NONE */
	uint32_t *next; /**< [slots of switches] switch at the far end, or ODO_NONE */
	uint8_t *stays; /**< [slots of switches] its cable is the same as before */
	odo_gone_link *gone;
	uint32_t n_gone;
	/** [n_switches] slots by which switches send to the LID at hand, or ODO_NONE: as installed,
	 * over cables that are still there; and after a first step */
	uint32_t *old, *first;
	uint64_t *changed; /**< [n_switches] scratch, as all that follows */
	uint32_t *added, *stamp, *stack;
	uint32_t n_stamps;
} odo_stage;

/** @param x lives in the arena. Errors: ODO_ENOMEM, without a message. */
int odo_stage_init(odo_stage *x, const odo_tables *before, const odo_fabric *f, odo_arena *memory);

/** Return true if a LID is behind the same switch as before. */
bool odo_stage_is_shared(const odo_stage *x, uint32_t lid);

/** Return the slot of an entry that leads over a cable, or ODO_NONE. */
static inline uint32_t odo_stage_slot(const odo_stage *x, uint32_t s, unsigned port)
{
	uint32_t slot = port - 1u < odo_n_ports(x->f, s) ? odo_slot(x->f, s, port) : ODO_NONE;
	return slot != ODO_NONE && x->next[slot] != ODO_NONE ? slot : ODO_NONE;
}

/** Fill in x->old. @param column [switches of the fabric before] entries for a LID
 * @param home number of its switch now, or ODO_NONE */
void odo_stage_begin(odo_stage *x, const uint8_t *column, uint32_t home);

/**
 * Choose the entries of the first step, x->first.
 * @param new [n_switches] slots as in x->old
 * @return true if some differ from the new ones
 */
bool odo_stage_choose(odo_stage *x, const uint32_t *new, uint32_t home);

/** First steps. */
typedef enum odo_first_step {
	ODO_STEP_ENTRIES, /**< all VLs, and the entries that cannot lead a packet round */
	ODO_STEP_VLS      /**< all VLs, and no entry */
} odo_first_step;

/**
 * Make the tables of a first step. Switches without a path then have no entry.
 * @param before, now tables of profile ib
 * @param emptied NULL; or [lid_count] 1: entries for the LID that change are removed first
 * @param out `carried` and `unfinished` (provenance.h), unproved; for odo_tables_free()
 * Errors: ODO_EDECLINE if nothing is left for a second step; ODO_ENOMEM.
 */
int odo_stage_tables(const odo_tables *before, const odo_tables *now, odo_first_step step,
		     const uint8_t *emptied, odo_tables **out, odo_error *err);

#endif
