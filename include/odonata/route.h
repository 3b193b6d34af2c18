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

/** What a routing may use. Zeroes stand for no restriction. */
typedef struct odonata_route_options {
	size_t size;
	const char *engine;    /**< one of ODONATA_ENGINES; NULL: the first that suits the fabric */
	uint32_t max_vls;      /**< VLs that may be used, besides what ports can; 0: no limit */
	uint32_t max_sls;      /**< SLs that may be used, from 0; 0: all 16 */
	uint32_t strict;       /**< 1: decline a fabric whose coordinates have faults */
	uint32_t no_fallback;  /**< 1: decline what no engine made for its kind can serve */
	uint32_t spread_lids;  /**< 1: LIDs of one host take different ways where possible */
	uint32_t n_roots;
	const uint64_t *roots; /**< GUIDs of switches, best first, as roots of up-down trees */
} odonata_route_options;

/**
 * Route a fabric. Tables are given only after the verifier has proved that they deliver
 * everything, cannot deadlock, and keep to the VLs of the ports.
 * @param coordinates of this fabric; NULL: they are not known, and engines for any graph route
 * @param options     NULL for no restriction
 * @param out         for odonata_tables_free()
 * Errors: ODONATA_EDECLINE with the reason where no engine can serve; ODONATA_EUNSAFE where tables
 * were made but could not be proved; ODONATA_EINPUT for an unknown engine; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_route(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
			      const odonata_route_options *options, odonata_tables **out,
			      odonata_error *err);

/**
 * Read tables of other routings from dumps of OpenSM, ibdiagnet or Odonata: LFTs, SL2VL maps and
 * SLs, a file each. What no file says is "no port", SL 0, VL 0. Nothing is proved by reading: ask
 * odonata_verify().
 * @param coordinates of this fabric, or NULL
 * @param paths       [n_paths] "-" is standard input
 * @param out         for odonata_tables_free()
 * Errors: ODONATA_EINPUT as "file:line: expected ..., found ...", or for no such file; ODONATA_EIO;
 * ODONATA_ENOMEM.
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
/** Answer for an SL or VL where there is no such switch, port, host or LID. */
#define ODONATA_NO_VL 0xFF

/** Tables as arrays, which belong to them. */
typedef struct odonata_tables_view {
	size_t size;
	const char *engine;
	const char *profile; /**< "ib": any InfiniBand switch. "ib-ar", "ib-ext": adaptive ones */
	uint32_t proved;     /**< 1: by the verifier, as all of odonata_route() are. 0: not asked */
	uint32_t n_vls;      /**< VLs used are 0 to n_vls - 1 */
	uint32_t n_sls;      /**< SLs used are 0 to n_sls - 1 */
	uint32_t n_maps;     /**< distinct SL2VL maps */
	uint32_t n_switches, n_lids;
	/** [n_switches * n_lids] output port of switch s for LID d at s * n_lids + d; 0 for the
	 * switch itself, ODONATA_NO_PORT for none. Profiles other than "ib" have more ways than
	 * these, which are not shown here. */
	const uint8_t *lft;
	const uint8_t *sl_of_lid; /**< [n_lids] SL of every path to a LID */
	/** NULL, or [n_switches * n_lids] SL from hosts of switch s to LID d; overrides sl_of_lid.
	 */
	const uint8_t *sl_of_pair;
} odonata_tables_view;

/**
 * Look into tables. Their arrays are lent.
 * @param view filled up to its `size`
 * Errors: ODONATA_EINPUT for NULL or a `size` too small.
 */
ODONATA_API int odonata_tables_get(const odonata_tables *tables, odonata_tables_view *view,
				   odonata_error *err);

/** SL of the path from hosts of a switch to a LID; ODONATA_NO_VL where there is none. */
ODONATA_API unsigned odonata_tables_sl(const odonata_tables *tables, uint32_t from_switch,
				       uint32_t lid);

/** VL on which a switch sends on what came in by a port on an SL; port 0 is the switch itself. */
ODONATA_API unsigned odonata_tables_vl(const odonata_tables *tables, uint32_t at_switch,
				       unsigned in_port, unsigned out_port, unsigned sl);

/** VL on which a host's own port sends packets of an SL. */
ODONATA_API unsigned odonata_tables_host_vl(const odonata_tables *tables, uint32_t host,
					    unsigned sl);

/**
 * The way of packets from a host to a LID: the slots that send them, the host's own first.
 * @param slots [room] filled as far as there is room; may be NULL where room is 0
 * @param n     slots of the whole path; 0 where it does not arrive
 * Errors: ODONATA_EINPUT where there is no such host or LID; ODONATA_EDECLINE for adaptive tables,
 * which have many ways.
 */
ODONATA_API int odonata_tables_path(const odonata_tables *tables, uint32_t from_host, uint32_t lid,
				    uint32_t *slots, size_t room, size_t *n, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
