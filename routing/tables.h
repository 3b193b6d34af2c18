/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Tables: the complete routing of a fabric. The plugin installs them, exporters write them, the
 * verifier proves them, and the emulator forwards packets through the same arrays. They are built
 * by an engine, or from other tables; once they are proved they do not change.
 */
#ifndef ODONATA_ROUTING_TABLES_H
#define ODONATA_ROUTING_TABLES_H

#include <stdint.h>

#include "base/watch.h"
#include "fabric/fabric.h"
#include "routing/provenance.h"

/** Switches that can run a routing (docs/architecture.md, "Two kinds of switch"). */
typedef enum odo_profile {
	ODO_PROFILE_IB,          /**< LFT + SL2VL + SL per path + LMC: any switch */
	ODO_PROFILE_IB_AR,       /**< + port groups per LID, a few tables selected by VL */
	ODO_PROFILE_IB_EXT,      /**< + all that paper 004 section 3.1 assumes */
	ODO_PROFILE_ALGORITHMIC, /**< state in packets: emulated only */
} odo_profile;

#define ODO_N_SLS 16
#define ODO_MAX_VLS 15
/** LFT entry of a LID that the switch cannot reach. */
#define ODO_NO_PORT 0xFF
/** SL2VL entry that drops the packet (InfiniBand volume 1, 7.6.6). */
#define ODO_VL_DROP 15

/** VL of each SL. */
typedef struct odo_sl2vl {
	uint8_t vl[ODO_N_SLS];
} odo_sl2vl;

/** A (link, VL), which packets occupy and wait for: the slot that sends, and its VL. */
typedef struct odo_channel {
	uint32_t slot;
	uint8_t vl;
} odo_channel;

struct odo_adaptive;

/** Entries of LIDs that no port of the fabric has: LIDs of a sleeping host or of a virtual port, or
 * further LIDs of a port whose LMC the fabric's file omits. */
typedef struct odo_strays {
	uint32_t n;
	uint16_t *lid;     /**< [n] */
	uint8_t *port;     /**< [n * n_switches] as in an LFT, LID by LID */
	size_t lids, room; /**< allocated */
} odo_strays;

typedef struct odo_tables {
	const odo_fabric *fabric; /**< borrowed; outlives the tables */
	char engine[48];
	odo_profile profile;
	uint8_t n_vls; /**< VLs used are 0 .. n_vls-1 */
	uint8_t n_sls; /**< SLs used are 0 .. n_sls-1 */

	/** [n_switches * lid_count] output port of switch s for LID d at s * lid_count + d;
	 * 0 for the switch itself, ODO_NO_PORT for none. */
	uint8_t *lft;

	/** [lid_count] SL of every path to a LID. */
	uint8_t *sl_of_lid;
	/** NULL, or [n_switches * lid_count] SL from the hosts of switch s to LID d; overrides
	 * sl_of_lid. */
	uint8_t *sl_of_pair;
	/** NULL, or SLs that connections from earlier tables still use (reroute/connections.h),
	 * besides the path's own SL: a bit each, by LID or by pair as above. Packets carry these
	 * SLs, so the verifier follows them, too. They may be beyond n_sls. */
	uint16_t *held_of_lid, *held_of_pair;

	/** Distinct SL2VL maps; row 0 maps every SL to VL 0. */
	odo_sl2vl *rows;
	uint32_t n_rows;
	size_t rows_room;
	/** [sl2vl_at[n_switches]] row of (switch s, input port i, output port o), port 0 included:
	 * at sl2vl_at[s] + i * (ports + 1) + o. */
	uint16_t *sl2vl;
	uint32_t *sl2vl_at; /**< [n_switches + 1] */
	uint16_t *host_row; /**< [n_hosts] row that a host's own port uses to inject */

	/** Paths to switches' own LIDs are not guaranteed (management over VL 15 needs no tables).
	 * The verifier leaves them out, as ibdmchk does. */
	bool hosts_only;
	/** NULL, or [n_slots] VLs with a weight in the port's VL arbitration, a bit each; all bits
	 * if that is unknown. Packets on other VLs never leave. */
	uint16_t *served;

	odo_strays strays;

	odo_provenance from; /**< origin of these tables */
	/** NULL; or the tables that are to follow these, which are a step on the way there, for the
	 * same fabric (turns/stage.h). Owned; copies have none. */
	struct odo_tables *goal;

	/** NULL, or what packets to hosts wait for, as in odo_dependencies: odo_route() proved that
	 * these tables deliver everything and cannot deadlock. The next transition begins with it.
	 * Forget it before an entry changes. */
	uint64_t *proved;
	uint32_t n_trees; /**< if proved: at least the number of different trees to hosts' LIDs */

	/** NULL, but for odo_tables_watched(). */
	const odo_watch *watch;

	/** Decisions of adaptive switches, beyond profile ib; NULL otherwise. See adaptive.h. */
	struct odo_adaptive *adaptive;
} odo_tables;

/** Create tables for `f`: every LFT entry is ODO_NO_PORT except the switches' own; SL 0, VL 0. */
int odo_tables_create(const odo_fabric *f, const char *engine, odo_tables **out, odo_error *err);
void odo_tables_free(odo_tables *t);

/** Return the number of pairs (switch, LID) that have a path in the goal of a step alone. */
uint64_t odo_tables_missing(const odo_tables *t);

/** Copy tables that are not adaptive. Errors: ODO_ENOMEM. */
int odo_tables_copy(const odo_tables *t, odo_tables **out, odo_error *err);

/** Forget that tables are proved: something in them will change. */
void odo_tables_forget_proof(odo_tables *t);

/** Return the same tables, for long work that reports to a watch. They share the arrays of `t`, so
 * they are not freed. */
static inline odo_tables odo_tables_watched(const odo_tables *t, const odo_watch *watch)
{
	odo_tables watched = *t;
	watched.watch = watch;
	return watched;
}

/**
 * Return the row with these VLs; add it if there is none. ODO_ENOMEM, or ODO_EDECLINE beyond 65,535
 * rows.
 */
int odo_tables_row(odo_tables *t, const odo_sl2vl *map, uint16_t *row, odo_error *err);

/** Report to t->watch, if there is one, how much of some work on these tables is done. */
void odo_tables_tell(const odo_tables *t, const char *what, size_t done, size_t n);

/**
 * Return true if the switches map all SLs in the same way, so that any SL is as safe as another.
 */
bool odo_tables_sls_alike(const odo_tables *t);

static inline uint8_t odo_next_port(const odo_tables *t, uint32_t s, uint32_t lid)
{
	return t->lft[(size_t)s * t->fabric->lid_count + lid];
}
/** Return the entry with the row index of (switch, input port, output port). */
static inline uint16_t *odo_sl2vl_entry(const odo_tables *t, uint32_t s, unsigned in, unsigned out)
{
	return &t->sl2vl[t->sl2vl_at[s] + in * (odo_n_ports(t->fabric, s) + 1) + out];
}
static inline uint8_t odo_vl(const odo_tables *t, uint32_t s, unsigned in, unsigned out,
			     unsigned sl)
{
	return t->rows[*odo_sl2vl_entry(t, s, in, out)].vl[sl];
}
/** Return the number of pairs whose SL is assumed: see odo_unheard. */
static inline odo_unheard odo_unheard_sls(const odo_tables *t)
{
	odo_unheard all = t->from.unheard[0];
	all.assumed += t->hosts_only ? 0 : t->from.unheard[1].assumed;
	all.alike += t->hosts_only ? 0 : t->from.unheard[1].alike;
	return all;
}
/** Return the SL of the path from hosts of switch `s` to a LID. */
static inline uint8_t odo_path_sl(const odo_tables *t, uint32_t s, uint32_t lid)
{
	return t->sl_of_pair ? t->sl_of_pair[(size_t)s * t->fabric->lid_count + lid]
			     : t->sl_of_lid[lid];
}
/**
 * Return the SLs that packets from hosts of switch `s` to a LID may carry besides the SL of its
 * path.
 */
static inline unsigned odo_held_sls(const odo_tables *t, uint32_t s, uint32_t lid)
{
	unsigned held = t->held_of_pair  ? t->held_of_pair[(size_t)s * t->fabric->lid_count + lid]
			: t->held_of_lid ? t->held_of_lid[lid]
					 : 0;
	return held & ~(1u << odo_path_sl(t, s, lid));
}

#endif
