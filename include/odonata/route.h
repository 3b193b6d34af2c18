/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Routing: forwarding tables, SL2VL maps and SLs. Tables never change and may be read by any
 * number of threads.
 */
#ifndef ODONATA_ROUTE_H
#define ODONATA_ROUTE_H

#include <odonata/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct odonata_tables odonata_tables;

/** Restrictions of a routing. Zeroes mean no restriction. */
typedef struct odonata_route_options {
	size_t size;
	const char *engine;   /**< one of ODONATA_ENGINES; NULL: the first that suits the fabric */
	uint32_t max_vls;     /**< maximum VLs, besides the limits of ports; 0: no limit */
	uint32_t max_sls;     /**< maximum SLs, from 0; 0: all 16 */
	uint32_t strict;      /**< 1: decline a fabric whose coordinates have faults */
	uint32_t no_fallback; /**< 1: decline a fabric that no engine for its kind can serve */
	uint32_t spread_lids; /**< 1: use different paths for the LIDs of one host if possible */
	uint32_t n_roots;
	/** GUIDs of switches that become roots of up-down trees, best first. */
	const uint64_t *roots;
} odonata_route_options;

/**
 * Route a fabric. Tables are returned only if the verifier has proved that they deliver everything,
 * cannot deadlock, and use only VLs that the ports have.
 * @param coordinates of this fabric; NULL: unknown, so only engines for any graph are used
 * @param options NULL for no restriction
 * @param out for odonata_tables_free()
 * Errors: ODONATA_EDECLINE with the reason if no engine can serve; ODONATA_EUNSAFE if tables were
 * made but could not be proved; ODONATA_EINPUT for an unknown engine; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_route(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
			      const odonata_route_options *options, odonata_tables **out,
			      odonata_error *err);

/**
 * Read tables of other routings from dumps of OpenSM, ibdiagnet or Odonata: LFTs, SL2VL maps and
 * SLs, each in a file. Missing entries become "no port", SL 0 and VL 0. Reading proves nothing;
 * call odonata_verify().
 * @param coordinates of this fabric, or NULL
 * @param paths [n_paths] "-" is standard input
 * @param out for odonata_tables_free()
 * Errors: ODONATA_EINPUT as "file:line: expected ..., found ...", or if there is no such file;
 * ODONATA_EIO; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_tables_read(const odonata_fabric *fabric,
				    const odonata_coordinates *coordinates,
				    const char *const *paths, size_t n_paths, odonata_tables **out,
				    odonata_error *err);

/** Free tables. NULL is allowed. */
ODONATA_API void odonata_tables_free(odonata_tables *tables);

/** LFT entry of a LID that the switch cannot reach. */
#define ODONATA_NO_PORT 0xFF
/** VL of packets that are dropped. */
#define ODONATA_VL_DROP 15
/** Result for an SL or VL if there is no such switch, port, host or LID. */
#define ODONATA_NO_VL 0xFF

/** Tables as arrays, owned by the tables. */
typedef struct odonata_tables_view {
	size_t size;
	const char *engine;
	const char *profile; /**< "ib": any InfiniBand switch. "ib-ar", "ib-ext": adaptive ones */
	uint32_t proved; /**< 1: by the verifier, as always after odonata_route(). 0: not proved */
	uint32_t n_vls;  /**< VLs used are 0 to n_vls - 1 */
	uint32_t n_sls;  /**< SLs used are 0 to n_sls - 1 */
	uint32_t n_maps; /**< distinct SL2VL maps */
	uint32_t n_switches, n_lids;
	/** [n_switches * n_lids] output port of switch s for LID d at s * n_lids + d; 0 for the
	 * switch itself, ODONATA_NO_PORT for none. Profiles other than "ib" have more paths, which
	 * are not shown here. */
	const uint8_t *lft;
	const uint8_t *sl_of_lid; /**< [n_lids] SL of every path to a LID */
	/** NULL, or [n_switches * n_lids] SL from hosts of switch s to LID d; overrides sl_of_lid.
	 */
	const uint8_t *sl_of_pair;
} odonata_tables_view;

/**
 * Get the arrays of tables, which still own them.
 * @param view filled up to its `size`
 * Errors: ODONATA_EINPUT for NULL or a `size` too small.
 */
ODONATA_API int odonata_tables_get(const odonata_tables *tables, odonata_tables_view *view,
				   odonata_error *err);

/** Return the SL of the path from hosts of a switch to a LID, or ODONATA_NO_VL if there is none. */
ODONATA_API unsigned odonata_tables_sl(const odonata_tables *tables, uint32_t from_switch,
				       uint32_t lid);

/** Return the VL on which a switch forwards packets that arrived by a port on an SL. Port 0 is the
 * switch itself. */
ODONATA_API unsigned odonata_tables_vl(const odonata_tables *tables, uint32_t at_switch,
				       unsigned in_port, unsigned out_port, unsigned sl);

/** Return the VL on which a host's own port sends packets of an SL. */
ODONATA_API unsigned odonata_tables_host_vl(const odonata_tables *tables, uint32_t host,
					    unsigned sl);

/**
 * List the slots that send packets on their path from a host to a LID, the host's own first.
 * @param slots [room] filled as far as there is room; may be NULL if room is 0
 * @param n slots of the whole path; 0 if it does not arrive
 * Errors: ODONATA_EINPUT if there is no such host or LID; ODONATA_EDECLINE for adaptive tables,
 * which have many paths.
 */
ODONATA_API int odonata_tables_path(const odonata_tables *tables, uint32_t from_host, uint32_t lid,
				    uint32_t *slots, size_t room, size_t *n, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
