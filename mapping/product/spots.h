/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Where each switch of a grid of two to four dimensions may be: its neighbours narrow that, until
 * one position is left. For grid.h.
 */
#ifndef ODONATA_MAPPING_PRODUCT_SPOTS_H
#define ODONATA_MAPPING_PRODUCT_SPOTS_H

#include "mapping/graph/squares.h"

/** Dimensions at most; positions of a switch that says something; corners to begin with. */
enum { ODO_GRID_DIMS = 4, ODO_MOST_SPOTS = 20, ODO_GRID_CORNERS = 11 };

typedef struct odo_spot {
	int16_t at[ODO_GRID_DIMS]; /**< 0 in those beyond the last */
} odo_spot;

/** Where a switch may be: nowhere known if `n` is 0. */
typedef struct odo_choice {
	uint8_t n;
	bool placed; /**< the only one, and held */
	odo_spot spot[ODO_MOST_SPOTS];
} odo_choice;

typedef struct odo_spots {
	const odo_links *g;
	const odo_support *support;
	int dims;
	uint32_t least; /**< rectangles that a link must be in to be gone by; 0: all links */
	bool *added;    /**< [n_edges] gone by in any case; the owner's */
	int32_t wrap[ODO_GRID_DIMS]; /**< length of the cycle; 0: a path, or not known */
	int32_t most[ODO_GRID_DIMS]; /**< positions of a path at the most; 0: any number */
	bool strict;                 /**< lengths are known: no position left is a contradiction */
	bool failed;                 /**< by a contradiction at `culprit` */
	uint32_t culprit;            /**< a switch; ODO_NONE: none yet */
	odo_spot low, high;          /**< of the switches that are placed, and the first */
	odo_choice *choice;          /**< [n] */
	uint32_t *held; /**< [mask + 1] switches that are placed, by hash of the position */
	uint32_t mask;
	uint32_t *queue; /**< [n] ring of switches whose choice has changed */
	uint32_t head, queued;
	bool *waits;                       /**< [n] in the queue */
	uint32_t corner[ODO_GRID_CORNERS]; /**< to begin with: a switch, its neighbour in each
					      dimension, and those beyond each two of them */
} odo_spots;

/** @param s  gets room, nothing placed; for odo_spots_clear(), after an error too. ODO_ENOMEM */
int odo_spots_make(const odo_links *g, const odo_support *support, int dims, odo_spots *s);
void odo_spots_clear(odo_spots *s);

/** True if edge e is gone by. */
bool odo_spots_uses(const odo_spots *s, uint32_t e);

/** All anew from the first corners, by the lengths that are known by now. */
void odo_spots_grow(odo_spots *s);

/** False where another switch is there, or it lies too far away. */
bool odo_spots_put(odo_spots *s, uint32_t v, odo_spot p);

/** Narrow the choices of v's neighbours in the next odo_spots_settle(). */
void odo_spots_look(odo_spots *s, uint32_t v);

/** Narrow choices until nothing changes, or to a contradiction. */
void odo_spots_settle(odo_spots *s);

/** @param to  made for the same graph. Queues are empty between two steps, but after a
 * contradiction */
void odo_spots_copy(const odo_spots *from, odo_spots *to);

/** Directions of the links of a switch. */
static inline unsigned odo_spots_links(const odo_spots *s)
{
	return 2 * (unsigned)s->dims;
}

/** One step in direction i of odo_spots_links(); i ^ 1 is the opposite one. */
odo_spot odo_spots_step(const odo_spots *s, odo_spot from, unsigned i);

bool odo_spots_adjacent(const odo_spots *s, odo_spot a, odo_spot b);

/** The switch that is placed there, or ODO_NONE. */
uint32_t odo_spots_occupant(const odo_spots *s, odo_spot p);

#endif
