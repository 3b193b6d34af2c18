/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State that the files that follow adaptive routings share (adaptive.c). */
#ifndef ODONATA_ROUTING_VERIFY_EXPLORER_H
#define ODONATA_ROUTING_VERIFY_EXPLORER_H

#include "base/arena.h"
#include "base/bits.h"
#include "routing/adaptive.h"
#include "routing/verify/internal.h"

/* Destination of a cable. */
typedef struct odo_entry {
	uint32_t cell; /**< cell of VL 0 at the far end; ODO_NONE if it leads to no switch */
	uint8_t port;  /**< input port at the far end */
	uint8_t n_vls; /**< VLs of the cable that the tables use */
} odo_entry;

/* ODO_HELD: so far reached by a single port, by which some way would lead back. */
enum { ODO_NEW, ODO_WAITING, ODO_HELD, ODO_DONE };

typedef struct odo_explorer {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	odo_arena memory; /* all arrays */
	/* dependencies; only those of escape channels, if there are any */
	const odo_dependencies *deps;
	const uint32_t *part;
	unsigned n_vls, n_inputs, words, port_words;
	bool has_escape, measures;
	odo_entry *entries; /* [slots] */
	/* Sets of each cell; the first two are apart, since they are read most. `inputs`: ports by
	 * which the cell is reached; `escaped`: those of them as escape channels. `ways`, by
	 * channels as in dependency.h: ways for all, `onward` ways, escape channels. */
	uint64_t *inputs, *escaped, *ways;
	/* [n_vls][n_vls][switches][ports] ports by which packets come into a switch on the first VL
	 * and wait for a port on the second. Data of two successive VLs is thus close in memory. At
	 * the end the dependencies go to `deps`. */
	uint64_t *waits;
	struct odo_out {
		uint32_t at; /* index in `waits`, from odo_waits_of() */
		uint8_t port, vl;
	} * out;                  /* [channels of a switch] */
	unsigned ports, channels; /* largest numbers of a switch */
	size_t n_cells;
	uint8_t *state; /* [cells] */
	uint32_t *reached, *stack;
	uint32_t n_reached, n_stack;
	uint32_t *waiting, *hops;      /* [cells] used to measure paths */
	struct odo_set_proof *by_sets; /* NULL, or further state of sets.c */
	odo_candidate *way, *other;
} odo_explorer;

typedef struct odo_cell_sets {
	uint64_t *inputs, *escaped, *open, *onward, *escapes;
} odo_cell_sets;

static inline odo_cell_sets odo_sets_of(const odo_explorer *explorer, uint32_t cell)
{
	size_t first = (size_t)cell * explorer->port_words;
	uint64_t *ways = explorer->ways + 3ul * cell * explorer->words;
	return (odo_cell_sets){explorer->inputs + first, explorer->escaped + first, ways,
			       ways + explorer->words, ways + 2ul * explorer->words};
}

static inline uint32_t odo_switch_of_cell(const odo_explorer *explorer, uint32_t cell)
{
	return cell / (explorer->n_inputs * explorer->n_vls);
}

static inline unsigned odo_vl_of_cell(const odo_explorer *explorer, uint32_t cell)
{
	return cell % explorer->n_vls;
}

/** Return the row of `waits` for packets that came into a switch on a VL. */
static inline uint64_t *odo_waits_of(const odo_explorer *explorer, uint32_t s, unsigned vl)
{
	size_t row = (size_t)vl * explorer->n_vls * explorer->f->n_switches + s;
	return explorer->waits + row * explorer->ports * explorer->port_words;
}

/** Enter a cell on a VL, by a port (adaptive.c). */
static inline void odo_explorer_enter(odo_explorer *explorer, odo_entry e, unsigned vl, bool escape)
{
	uint32_t cell = e.cell + vl;
	uint64_t *inputs = explorer->inputs + (size_t)cell * explorer->port_words;
	if (escape)
		odo_set_bit(explorer->escaped + (size_t)cell * explorer->port_words, e.port);
	if (odo_has_bit(inputs, e.port))
		return;
	odo_set_bit(inputs, e.port);
	if (explorer->state[cell] == ODO_NEW)
		explorer->reached[explorer->n_reached++] = cell;
	if (explorer->state[cell] == ODO_NEW || explorer->state[cell] == ODO_HELD) {
		explorer->state[cell] = ODO_WAITING;
		explorer->stack[explorer->n_stack++] = cell;
	}
}

/* adaptive.c */
/** Record a failure of packets to a LID in a cell. */
void odo_explorer_lost(odo_explorer *explorer, uint32_t cell, uint32_t lid, const char *why);
void odo_explorer_no_vl(odo_explorer *explorer, uint32_t slot, unsigned vl, uint32_t lid);
/** Check the delivery of packets to a LID in a cell. */
void odo_explorer_deliver(odo_explorer *explorer, uint32_t cell, uint32_t lid);

/* sets.c */
/** Prepare sets, if tables have sets of ports and paths need not be measured. */
void odo_explorer_prepare_sets(odo_explorer *explorer);
/** Follow all cells that are found from those on the stack, and record the results. */
void odo_explorer_follow_sets(odo_explorer *explorer, uint32_t lid);

/** Measure the longest path to the LID just explored (longest.c). */
void odo_explorer_measure(odo_explorer *explorer);

#endif
