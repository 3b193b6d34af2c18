/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the files that follow adaptive routings share (verify_adaptive.c). */
#ifndef ODONATA_ROUTING_VERIFY_EXPLORER_H
#define ODONATA_ROUTING_VERIFY_EXPLORER_H

#include "base/bits.h"
#include "routing/adaptive.h"
#include "routing/verify/internal.h"

/* Where a cable leads. */
typedef struct odo_entry {
	uint32_t cell; /**< that of VL 0 there; ODO_NONE where it leads to no switch */
	uint8_t port;  /**< input port there */
	uint8_t n_vls; /**< of the cable, as far as the tables use them */
} odo_entry;

/* ODO_HELD: reached, so far, by one port alone, by which some way would lead back. */
enum { ODO_NEW, ODO_WAITING, ODO_HELD, ODO_DONE };

typedef struct odo_explorer {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	const odo_dependencies *deps; /* of escape channels only, where there are any */
	const uint32_t *part;
	unsigned n_vls, n_inputs, words, port_words;
	bool has_escape, measures;
	odo_entry *entries; /* [slots] */
	/* Of each cell, apart since the first two are looked up all the time: the ports by which it
	 * is reached, and those as escape channels; and by channels, as in dependency.h: ways for
	 * all, `onward` ways, escape channels. */
	uint64_t *inputs, *escaped, *ways;
	/* [n_vls][n_vls][switches][ports] ports by which packets come into a switch on the first VL
	 * that wait for a port on the second: of two VLs that follow one another all is near. They
	 * go to `deps` in the end. */
	uint64_t *waits;
	struct odo_out {
		uint32_t at; /* of waits, from waits_of() */
		uint8_t port, vl;
	} * out;                  /* [channels of a switch] */
	unsigned ports, channels; /* of a switch, at most */
	size_t n_cells;
	uint8_t *state; /* [cells] */
	uint32_t *reached, *stack;
	uint32_t n_reached, n_stack;
	uint32_t *waiting, *hops; /* [cells] to measure paths */
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

/** Measure the longest path to the LID just explored (verify_longest.c). */
void odo_explorer_measure(odo_explorer *explorer);

#endif
