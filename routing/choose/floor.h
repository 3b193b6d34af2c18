/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The floor: a routing must not be slower than up*\/down* paths, which any fabric can have. The
 * static bounds by which tables are compared. */
#ifndef ODONATA_ROUTING_CHOOSE_FLOOR_H
#define ODONATA_ROUTING_CHOOSE_FLOOR_H

#include "routing/engine.h"
#include "routing/forest/ceiling.h"

/**
 * Return true if tables must be compared with others. This applies to engines for any graph, to the
 * kind's own engine on a damaged fabric, and to kinds that may be uneven without a fault, as trees
 * are.
 */
bool odo_floor_due(const odo_tables *t, const odo_coordinates *c);

/** Return true if more than up*\/down* paths may be tried: with up to 1,024 switches, since other
 * candidates take longer to make than the first tables and are seldom better; or if VLs ran out. */
bool odo_floor_worth_more(const odo_tables *t);

/** Number of rated shifts: to the next switch, and by a fifth, a third and half of all hosts. */
#define ODO_FLOOR_SHIFTS 4u
/**
 * Number of patterns: the shifts, and the complement, to the host at the same distance from the
 * end.
 */
#define ODO_FLOOR_PATTERNS 5u

/**
 * List the patterns that tables are judged by. They do not depend on how the fabric is stored.
 * @param to [ODO_FLOOR_PATTERNS * n_senders] destination of each host, pattern by pattern
 */
int odo_floor_patterns(const odo_fabric *f, uint32_t *to, odo_error *err);

/**
 * List the same patterns by destination: the sender to each host.
 * @param sender [n_patterns * n_senders] for the first n_patterns patterns
 */
int odo_floor_senders(const odo_fabric *f, unsigned n_patterns, uint32_t *sender, odo_error *err);

/**
 * Compute the static bounds of tables (tables.h). Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive
 * tables.
 */
int odo_floor_rate(const odo_tables *t, odo_rating *out, odo_error *err);

/** Return one figure for a rating, 0 .. 1: the geometric mean of both bounds. A relative gain in
 * one makes up for the same relative loss in the other. */
double odo_floor_mean(const odo_rating *r);

/**
 * Compute the ceiling of tables that are worth making.
 * @param needed mean that they must exceed: odo_mean_needed()
 * @param out free with odo_floor_ceiling_clear(), also after a failure
 * Errors: ODO_ENOMEM.
 */
int odo_floor_ceiling(const odo_fabric *f, double needed, odo_ceiling *out, odo_error *err);
void odo_floor_ceiling_clear(odo_ceiling *ceiling);

#endif
