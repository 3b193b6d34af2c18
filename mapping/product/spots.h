/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Possible positions of each switch in a grid of two to four dimensions. Neighbours narrow them
 * until one is left. For grid.h.
 */
#ifndef ODONATA_MAPPING_PRODUCT_SPOTS_H
#define ODONATA_MAPPING_PRODUCT_SPOTS_H

#include "base/arena.h"
#include "mapping/graph/squares.h"

/** Maximum dimensions; maximum positions of a switch that narrows its neighbours; corners to start
 * with. */
enum { ODO_GRID_DIMS = 4, ODO_MOST_SPOTS = 20, ODO_GRID_CORNERS = 11 };

typedef struct odo_spot {
	int16_t at[ODO_GRID_DIMS]; /**< 0 in unused dimensions */
} odo_spot;

/** Possible positions of a switch. If `n` is 0, nothing is known. */
typedef struct odo_choice {
	uint8_t n;
	bool placed; /**< the only position, and entered in `occupied` */
	odo_spot spot[ODO_MOST_SPOTS];
} odo_choice;

typedef struct odo_spots {
	const odo_links *g;
	const odo_support *support;
	int dims;
	uint32_t least; /**< rectangles that a trusted link must be in; 0: trust all links */
	bool *added;    /**< [n_edges] links that are trusted in any case; owned by the caller */
	int32_t wrap[ODO_GRID_DIMS]; /**< length of the cycle; 0: a path, or not known */
	int32_t most[ODO_GRID_DIMS]; /**< maximum positions of a path; 0: no limit */
	bool strict; /**< lengths are known, so a switch without a position is a contradiction */
	bool failed; /**< by a contradiction at `culprit` */
	uint32_t culprit;   /**< a switch; ODO_NONE: none yet */
	odo_spot low, high; /**< bounds of the placed switches and the corners */
	odo_choice *choice; /**< [n] */
	uint32_t *occupied; /**< [mask + 1] switches that are placed, by hash of the position */
	uint32_t mask;
	uint32_t *queue; /**< [n] ring of switches whose choice has changed */
	uint32_t head, queued;
	bool *waits; /**< [n] switch is in the queue */
	/** Corners to start with: a switch, its neighbour in each dimension, and the corner
	 * opposite in each rectangle. */
	uint32_t corner[ODO_GRID_CORNERS];
} odo_spots;

/** @param s gets memory of the arena, with nothing placed */
void odo_spots_make(const odo_links *g, const odo_support *support, int dims, odo_arena *memory,
		    odo_spots *s);

/** Return true if edge e is trusted. */
bool odo_spots_uses(const odo_spots *s, uint32_t e);

/** Place switches again from the first corners, with the lengths known by now. */
void odo_spots_grow(odo_spots *s);

/** Return false if another switch has this position, or it is too far away. */
bool odo_spots_put(odo_spots *s, uint32_t v, odo_spot p);

/** Narrow the choices of v's neighbours in the next odo_spots_settle(). */
void odo_spots_look(odo_spots *s, uint32_t v);

/** Narrow choices until nothing changes or a contradiction appears. */
void odo_spots_settle(odo_spots *s);

/** @param to made for the same graph. Queues are empty between two steps, except after a
 * contradiction */
void odo_spots_copy(const odo_spots *from, odo_spots *to);

/** Return the number of directions that links of a switch can have. */
static inline unsigned odo_spots_links(const odo_spots *s)
{
	return 2 * (unsigned)s->dims;
}

/** Return the position one step from `from` in direction i of odo_spots_links(); i ^ 1 is the
 * opposite one. */
odo_spot odo_spots_step(const odo_spots *s, odo_spot from, unsigned i);

bool odo_spots_adjacent(const odo_spots *s, odo_spot a, odo_spot b);

/** Return the switch placed at p, or ODO_NONE. */
uint32_t odo_spots_occupant(const odo_spots *s, odo_spot p);

#endif
