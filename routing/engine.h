/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Routing engines: rows of one table. */
#ifndef ODONATA_ROUTING_ENGINE_H
#define ODONATA_ROUTING_ENGINE_H

#include "fabric/coordinates.h"
#include "routing/tables.h"

struct odo_ceiling;
struct odo_history;

/** Restrictions by the operator. Zeroes mean: no restriction, defaults. */
typedef struct odo_route_options {
	unsigned max_vls; /**< VLs that the routing may use, within those of the ports; 0: no limit
			   */
	unsigned max_sls; /**< SLs that the routing may use, from 0; 0: all 16 */
	bool strict;      /**< decline a fabric whose coordinates have contradictions */
	bool no_fallback; /**< decline a fabric that no engine made for its kind can serve */
	/** If hosts have several LIDs (LMC), prefer an engine that uses different paths for them,
	 * even longer ones. */
	bool spread_lids;
	/** Tables of the fabric before, or NULL. If only failures happened since, `layered` and
	 * `fattree` keep the paths that still work. odo_route() also judges the change from them.
	 */
	const odo_tables *before;
	/** Tables may be a step: the caller routes again, with these as `before`, until they have no
	 * odo_tables.goal. */
	bool steps;
	/** Tables before that are a step (odo_tables.goal) stay: they are not in all switches yet.
	 */
	bool hold_step;
	/** Start detours where a path leaves its source, not where it is broken. odo_route() tries
	 * this by itself. */
	bool detours_anew;
	/** Route a damaged fabric from what it has, without the tables of the undamaged fabric.
	 * odo_route() tries this by itself. */
	bool afresh;
	/** NULL; or bounds that tables must exceed to be of use. `updown` declines as soon as its
	 * tables cannot exceed them (forest/ceiling.h). */
	struct odo_ceiling *ceiling;
	/** Also compare the tables of a named engine with up*\/down* paths, for the record only. */
	bool compare;
	/** SLs assigned so far (reroute/connections.h), or NULL. Paths keep their SLs where that is
	 * safe, and tables are proved with all SLs that connections may use. */
	const struct odo_history *history;
	/** GUIDs of switches, best first. For up*\/down*, the first that a connected part has is
	 * its root. Without one, the most central of some switches is the root. */
	const uint64_t *roots;
	uint32_t n_roots;
	/** GUIDs of hosts' ports, lent, as in OpenSM's cn_guid_file and io_guid_file. In a fat
	 * tree, compute nodes are assigned to spines first, as if there were no other hosts.
	 * Compute nodes are those in the first list, or all hosts if it is empty, except those in
	 * the second list. */
	const uint64_t *compute, *io;
	uint32_t n_compute, n_io;
	const odo_watch *watch; /**< NULL, or gets reports of progress */
} odo_route_options;

/** Kinds of an engine that routes any graph. */
#define ODO_ANY_KIND ((1u << ODO_N_KINDS) - 1)

struct odo_engine;

/**
 * Fill tables from odo_tables_create().
 * @param row the engine's row, whose `variant` distinguishes engines that share a function
 * Errors: ODO_EDECLINE with the reason if the engine cannot serve this fabric.
 */
typedef int odo_route_function(const struct odo_engine *row, const odo_fabric *f,
			       const odo_coordinates *c, const odo_route_options *options,
			       odo_tables *t, odo_error *err);

typedef struct odo_engine {
	const char *name, *summary;
	const char *paper; /**< paper and section */
	odo_profile profile;
	uint32_t kinds; /**< bit 1 << odo_kind for each kind it routes */
	unsigned n_vls; /**< VLs needed on an undamaged fabric; 0: depends on the fabric */
	odo_route_function *route; /**< NULL for profile algorithmic */
	unsigned variant;          /**< distinguishes engines of a family that share a function */
	bool spreads_lids; /**< LIDs of one host use paths that differ in more than a cable */
	bool mends;        /**< routes round damage by detours that `detours_anew` controls */
	bool spares;     /**< a damaged fabric keeps the entries of the undamaged one, unless it is
			    routed afresh */
	bool deals_anew; /**< assigns paths by load: a lost cable moves most paths, unless they are
			    kept */
	bool uneven;     /**< a fabric of its kinds may be uneven even without a fault */
	/** NULL, or an engine of its kind with other strengths, which odo_route() tries if an
	 * undamaged fabric is uneven. */
	const char *rival;
} odo_engine;

/** Table of all engines, ending with a NULL name. */
extern const odo_engine odo_engines[];

const odo_engine *odo_engine_find(const char *name);

/**
 * Route and verify: only proved tables are returned (verify.h). Without a name, the first tables
 * are compared by their static bounds with others, such as up*\/down* paths, if odo_floor_due()
 * says so (choose/floor.h). This is not due for most undamaged fabrics of a known kind. The tables
 * that are worth their price are returned, with the judgement in their provenance
 * (choose/portfolio.h).
 * @param engine name, or NULL for the engine that suits the coordinates, or else an engine for any
 *               graph
 * @param out    free with odo_tables_free()
 * Errors: ODO_EDECLINE, ODO_EUNSAFE, ODO_EINPUT for an unknown name.
 */
int odo_route(const odo_fabric *f, const odo_coordinates *c, const char *engine,
	      const odo_route_options *options, odo_tables **out, odo_error *err);

#endif
