/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Topology generators: rows of one table, each made from a spec string such as
 * "dragonfly:p=2,a=4,h=2" or "flatfly:k=4x4x4,c=4". A preset is a name for a spec, and may have
 * more options behind it: "demo-torus:speed=ndr".
 */
#ifndef ODONATA_FABRIC_TOPOLOGY_TOPOLOGY_H
#define ODONATA_FABRIC_TOPOLOGY_TOPOLOGY_H

#include <stdio.h>

#include "base/options.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"

struct odo_product;

typedef struct odo_topology {
	const char *name, *summary, *example;
	const char *paper;         /**< reference to its definition */
	const odo_option *options; /**< ends with a NULL name */
	/** A topology that is one product (product.h): fill in its factors. `hosts` and `ports` are
	 * the indices of the options with the hosts and ports of a switch.
	 * @param value one per option, in the order of the rows, defaults filled in */
	int (*multiply)(const odo_value *value, struct odo_product *product, odo_error *err);
	unsigned hosts, ports;
	/** Any other topology: add all nodes and cables to `b`, switches first, in the order of the
	 * arrays of the true coordinates. */
	int (*build)(const odo_value *value, odo_builder *b, odo_error *err);
	/** Write the truth into `c`: kind, factors, sizes, widths, `at`, port classes. */
	int (*truth)(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
		     odo_error *err);
} odo_topology;

/** Topologies, ending with NULL. */
extern const odo_topology *const odo_topologies[];

/** Options that every topology has after its own: the rates of its cables. Ends with a NULL name.
 */
extern const odo_option odo_topology_common[];

/** A name for a spec, such as the reference systems of paper 004, section 1. */
typedef struct odo_preset {
	const char *name, *spec, *summary;
} odo_preset;

/** Presets, ending with a NULL name. */
extern const odo_preset odo_presets[];

/**
 * Make the fabric that a spec or preset describes. LIDs are filled with ODO_LIDS_FILL.
 * @param lmc LMC of every host
 * @param truth its true coordinates, for odo_coordinates_free(); may be NULL
 */
int odo_topology_generate(const char *spec, uint8_t lmc, odo_fabric **out, odo_coordinates **truth,
			  odo_error *err);

/** Return true if `text` names a topology or preset rather than a file. */
bool odo_topology_is_spec(const char *text);

/** True if `text` is a spec that leaves the rates of cables to the default, which is 4xQDR. */
bool odo_topology_lacks_speed(const char *text);

/**
 * Parse a spec or preset, without making it.
 * @param row   its row
 * @param value [ODO_MAX_OPTIONS] one per option of the row, and of odo_topology_common[] after
 *              these, defaults filled in
 */
int odo_topology_parse(const char *spec, const odo_topology **row, odo_value *value,
		       odo_error *err);

/** Write a spec with all options, defaults included. odo_topology_parse() gives the same values. */
void odo_topology_write(const odo_topology *row, const odo_value *value, FILE *to);

#endif
