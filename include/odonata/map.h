/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Mapping: the topology that a fabric was built as, and the cables that contradict it. */
#ifndef ODONATA_MAP_H
#define ODONATA_MAP_H

#include <odonata/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct odonata_coordinates odonata_coordinates;

/**
 * Find the topology that a fabric was built as, from its cables alone. A fabric of no known kind is
 * no error: its kind is "unknown", with the reason.
 * @param out for odonata_coordinates_free()
 * Errors: ODONATA_ENOMEM.
 */
ODONATA_API int odonata_map(const odonata_fabric *fabric, odonata_coordinates **out,
			    odonata_error *err);

/** Free the caller's handle of coordinates. NULL is allowed. */
ODONATA_API void odonata_coordinates_free(odonata_coordinates *coordinates);

#define ODONATA_MAX_DIMS 16

/** Classes of ports, except the dimension of their cable. */
enum odonata_port_class {
	ODONATA_PORT_WRONG = 0xFD, /**< cabled to a switch, and contradicting the finding */
	ODONATA_PORT_HOST = 0xFE,  /**< cabled to an adapter or router */
	ODONATA_PORT_FREE = 0xFF   /**< no cable */
};

/**
 * Result of mapping. Most kinds are products of dimensions. Dimension 0 of a "dragonfly" is the
 * group, and global cables belong to it. Dimension 0 of a "slimfly" is the whole Slim Fly.
 *
 * Two kinds are no products. The coordinates of a "fattree" are level (0: leaves), pod, plane and
 * index. Cables from level l to l + 1 are of class l and have the width dim_width[l]. The
 * coordinates of a "dragonfly-plus" are group, level and index. Its global cables are of class 0,
 * others of class 1.
 */
typedef struct odonata_coordinates_view {
	size_t size;
	const char *kind;   /**< "dragonfly", "flatfly", ..., or "unknown" */
	const char *reason; /**< unknown kind: the reason, in a line; else "" */
	uint32_t n_switches;
	uint32_t n_dims;
	uint32_t dim_size[ODONATA_MAX_DIMS];  /**< number of coordinates in each dimension */
	uint32_t dim_width[ODONATA_MAX_DIMS]; /**< parallel cables between neighbours */
	const uint32_t *at; /**< [n_switches * n_dims] coordinates; ODONATA_NONE where unknown */
	const uint8_t *port_class; /**< [n_slots] dimension, or odonata_port_class */
	uint32_t n_faults;         /**< for odonata_fault_get() */
	uint32_t unused;
} odonata_coordinates_view;

/**
 * Get the arrays of coordinates, which still own them.
 * @param view filled up to its `size`
 * Errors: ODONATA_EINPUT for NULL or a `size` too small.
 */
ODONATA_API int odonata_coordinates_get(const odonata_coordinates *coordinates,
					odonata_coordinates_view *view, odonata_error *err);

/** Values of odonata_fault.type. */
enum odonata_fault_type {
	ODONATA_MISSING_SWITCH, /**< no switch at these coordinates */
	ODONATA_MISSING_CABLES, /**< fewer cables between two switches than usual */
	ODONATA_WRONG_CABLE,    /**< a cable that belongs elsewhere, or nowhere */
	ODONATA_SLOW_CABLE      /**< a cable that is slower than usual in its dimension */
};

/** A contradiction between a fabric and its kind. Members that do not apply are ODONATA_NONE. */
typedef struct odonata_fault {
	size_t size;
	uint32_t type;       /**< odonata_fault_type */
	uint32_t count;      /**< number of missing cables; else 1 */
	uint32_t node[2];    /**< missing cables: the two switches */
	uint32_t slot[2];    /**< wrong or slow cable: its ends */
	uint32_t belongs[2]; /**< wrong cable: the slot where each end belongs, if known */
	uint32_t at[ODONATA_MAX_DIMS]; /**< missing switch: its coordinates */
	char text[256];                /**< the fault described in a line for people */
} odonata_fault;

/**
 * Get a fault of coordinates.
 * @param number counted from 0
 * @param fault filled up to its `size`
 * Errors: ODONATA_EINPUT after the last; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_fault_get(const odonata_coordinates *coordinates, uint32_t number,
				  odonata_fault *fault, odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
