/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a routing must not fall below: paths that any fabric can have. */
#ifndef ODONATA_ROUTING_CHOOSE_FLOOR_H
#define ODONATA_ROUTING_CHOOSE_FLOOR_H

#include "routing/engine.h"
#include "routing/forest/ceiling.h"

/**
 * True if tables are to be compared with others: those of an engine for any graph, and those of the
 * kind's own engine on a damaged fabric, or one that may be uneven without a fault, as trees are.
 */
bool odo_floor_due(const odo_tables *t, const odo_coordinates *c);

/** True if more than up*\/down* paths may be tried beside tables: up to 1,024 switches, since
 * others take longer to make than the tables themselves and seldom win; and where layers of VLs ran
 * out. */
bool odo_floor_worth_more(const odo_tables *t);

/** Shifts that are rated: to the next switch, and a fifth, a third and half of the way round. */
#define ODO_FLOOR_SHIFTS 4u
/** These, and the complement: to the host as far from the end. */
#define ODO_FLOOR_PATTERNS 5u

/** Patterns by which tables are judged, the same however the fabric is stored.
 * @param to [ODO_FLOOR_PATTERNS * n_senders] whom each host sends to, pattern by pattern */
int odo_floor_patterns(const odo_fabric *f, uint32_t *to, odo_error *err);

/** The same the other way round: who sends to each host.
 * @param sender [n_patterns * n_senders] of the first so many patterns */
int odo_floor_senders(const odo_fabric *f, unsigned n_patterns, uint32_t *sender, odo_error *err);

/** Static bounds of tables (tables.h). Errors: ODO_ENOMEM; ODO_EDECLINE for adaptive tables. */
int odo_floor_rate(const odo_tables *t, odo_rating *out, odo_error *err);

/** One figure for a rating, 0 .. 1: the geometric mean of both bounds, of which a part more of one
 * makes up for a part less of the other. */
double odo_floor_mean(const odo_rating *r);

/** How others stand to tables: they need to be better by 15 %; they are to stay unless the tables
 * are better by 15 %; or, at the first sweep of a whole fabric, both were made for it, and 3 % will
 * do. */
typedef enum odo_standing { ODO_CHALLENGER, ODO_INCUMBENT, ODO_EVEN } odo_standing;

/** True if odo_floor_prefers() would take no others, however good. */
bool odo_floor_is_met(const odo_rating *own, odo_standing standing);

/** True if `other`, which stands so, is to be taken instead. */
bool odo_floor_prefers(const odo_rating *own, const odo_rating *other, odo_standing standing);

/** What tables must exceed to be preferred. @param out for odo_floor_ceiling_clear(), also after a
 * failure. Errors: ODO_ENOMEM. */
int odo_floor_ceiling(const odo_fabric *f, const odo_rating *own, odo_standing standing,
		      odo_ceiling *out, odo_error *err);
void odo_floor_ceiling_clear(odo_ceiling *ceiling);

#endif
