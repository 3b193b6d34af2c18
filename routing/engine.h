/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Routing engines: rows of one table. */
#ifndef ODONATA_ROUTING_ENGINE_H
#define ODONATA_ROUTING_ENGINE_H

#include "fabric/coordinates.h"
#include "routing/tables.h"

struct odo_ceiling;
struct odo_history;

/** What the operator allows. Zeroes mean: no restriction, defaults. */
typedef struct odo_route_options {
	unsigned max_vls; /**< VLs the routing may use, besides what ports can; 0: no limit */
	unsigned max_sls; /**< SLs the routing may use, from 0; 0: all 16 */
	bool strict;      /**< decline a fabric whose coordinates have contradictions */
	bool no_fallback; /**< decline what no engine made for its kind can serve */
	/** Where hosts have several LIDs (LMC), prefer an engine that leads them different ways,
	 * longer ones too. */
	bool spread_lids;
	/** Tables of the fabric as it was, or NULL: where only something broke since, `layered` and
	 * `fattree` keep the paths that still stand. */
	const odo_tables *before;
	/** Detours start where a path leaves its source and not where it is broken. odo_route()
	 * tries that by itself. */
	bool detours_anew;
	/** A damaged fabric is routed by what it has, and not by what the whole one would have.
	 * odo_route() tries that by itself. */
	bool afresh;
	/** NULL; or what tables must exceed to be of use. `updown` declines as soon as it knows
	 * that its own do not (forest/ceiling.h). */
	struct odo_ceiling *ceiling;
	/** Compare the tables of a named engine with up*\/down* paths as well, for the record only.
	 */
	bool compare;
	/** SLs handed out so far (reroute/history.h), or NULL: paths keep theirs where that is
	 * safe, and the tables are proved with all that connections may hold. */
	const struct odo_history *history;
	/** GUIDs of switches, best first: where up*\/down* is used, the first that a connected part
	 * has is its root. Without one the most central of some is. */
	const uint64_t *roots;
	uint32_t n_roots;
	/** GUIDs of hosts' ports, lent, as OpenSM's cn_guid_file and io_guid_file have them:
	 * in a fat tree compute nodes are dealt out over spines first, as if others were not there.
	 * They are those listed, or all where none are, without those of the second list. */
	const uint64_t *compute, *io;
	uint32_t n_compute, n_io;
	const odo_watch *watch; /**< NULL, or told of what is being done */
} odo_route_options;

/** Kinds of an engine that routes any graph. */
#define ODO_ANY_KIND ((1u << ODO_N_KINDS) - 1)

struct odo_engine;

/**
 * Fill tables from odo_tables_create().
 * @param row the engine's own, whose `variant` it may share the function by
 * Errors: ODO_EDECLINE with the reason where the engine cannot serve this fabric.
 */
typedef int odo_route_function(const struct odo_engine *row, const odo_fabric *f,
			       const odo_coordinates *c, const odo_route_options *options,
			       odo_tables *t, odo_error *err);

typedef struct odo_engine {
	const char *name, *summary;
	const char *paper; /**< paper and section */
	odo_profile profile;
	uint32_t kinds;            /**< bit 1 << odo_kind for each kind it routes */
	unsigned n_vls;            /**< VLs it needs on a whole fabric; 0: depends on the fabric */
	odo_route_function *route; /**< NULL for profile algorithmic */
	unsigned variant;  /**< engines of a family share a function, and are told apart by this */
	bool spreads_lids; /**< LIDs of one host take ways that differ in more than a cable */
	bool mends;        /**< leads round damage by detours that `detours_anew` tells of */
	bool spares;       /**< a damaged fabric keeps what the whole one would have, unless it is
			    * to be routed afresh */
	bool deals_anew;   /**< by load: a lost cable moves most paths, if they are not kept */
	bool uneven;       /**< a fabric of its kinds without a fault may be uneven all the same */
	/** NULL, or an engine of its kind with other strengths, which odo_route() tries where a
	 * whole fabric is uneven. */
	const char *rival;
} odo_engine;

/** All engines, ending with a NULL name. */
extern const odo_engine odo_engines[];

const odo_engine *odo_engine_find(const char *name);

/**
 * Route and verify: tables come out only with their proof (verify.h).
 * Without a name, tables that are not those of an engine made for a whole fabric are compared with
 * balanced up*\/down* paths, and on a damaged one also with other detours and with `layered`, by
 * their static bounds. The better ones come out, with both figures in them (choose/floor.h).
 * @param engine name, or NULL for the one that suits the coordinates, falling back to
 *               engines for any graph
 * @param out    for odo_tables_free()
 * Errors: ODO_EDECLINE, ODO_EUNSAFE, ODO_EINPUT for an unknown name.
 */
int odo_route(const odo_fabric *f, const odo_coordinates *c, const char *engine,
	      const odo_route_options *options, odo_tables **out, odo_error *err);

#endif
