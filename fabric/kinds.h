/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Kinds of fabric, and the graphs of which they are products. Each has a line in a list here, and a
 * row in the file of its generator (fabric/topology/). Code reads the properties of a kind from its
 * row, and never tests its name.
 */
#ifndef ODONATA_FABRIC_KINDS_H
#define ODONATA_FABRIC_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/** Kinds with a name. General kinds precede special ones: if a product is of several kinds, the
 * last one names it. */
#define ODO_KINDS(KIND)                                                                            \
	KIND(FLATFLY, flatfly)                                                                     \
	KIND(HYPERCUBE, hypercube)                                                                 \
	KIND(MESH, mesh)                                                                           \
	KIND(TORUS, torus)                                                                         \
	KIND(DRAGONFLY, dragonfly)                                                                 \
	KIND(SLIMFLY, slimfly)                                                                     \
	KIND(SLIMFLY_FLATFLY, slimfly_flatfly)                                                     \
	KIND(FATTREE, fattree)                                                                     \
	KIND(DRAGONFLY_PLUS, dragonfly_plus)

/** Graphs of one dimension. MMS is the graph of McKay, Miller and Siran: a Slim Fly. LABELS is no
 * graph: kinds that are no products use it to number their switches. */
#define ODO_FACTORS(FACTOR)                                                                        \
	FACTOR(COMPLETE, complete)                                                                 \
	FACTOR(PATH, path)                                                                         \
	FACTOR(CYCLE, cycle)                                                                       \
	FACTOR(MMS, mms)                                                                           \
	FACTOR(GROUPS, groups)                                                                     \
	FACTOR(LABELS, labels)

#define ODO_ENUMERATE(upper, lower) ODO_KIND_##upper,
typedef enum odo_kind { ODO_KIND_UNKNOWN, ODO_KINDS(ODO_ENUMERATE) ODO_N_KINDS } odo_kind;
#undef ODO_ENUMERATE
#define ODO_ENUMERATE(upper, lower) ODO_##upper,
typedef enum odo_factor { ODO_FACTORS(ODO_ENUMERATE) ODO_N_FACTORS } odo_factor;
#undef ODO_ENUMERATE

/** Factors of a product. */
typedef struct odo_factor_counts {
	unsigned n;                 /**< dimensions */
	unsigned of[ODO_N_FACTORS]; /**< number of each graph */
	unsigned pairs;             /**< complete graphs of two */
} odo_factor_counts;

typedef struct odo_kind_row {
	const char *name; /**< "slimfly-flatfly" */
	/** Coordinate 0 is the group, and global cables run between groups. */
	bool grouped;
	/** Return true if a product of these factors is of this kind. NULL: factors do not
	 * determine the kind. */
	bool (*made_of)(const odo_factor_counts *n);
	/** Name of each coordinate, such as "pod". NULL: coordinates are dimensions of a
	 * product. */
	const char *const *dimensions;
} odo_kind_row;

/** Renumberings of a factor's vertices that do not change its links. */
typedef enum odo_numbering {
	ODO_NUMBERED_FREELY,  /**< in any order */
	ODO_NUMBERED_AROUND,  /**< turned or reflected */
	ODO_NUMBERED_ALONG,   /**< reflected */
	ODO_NUMBERED_BY_LINKS /**< as the links demand: numbers that were read are kept */
} odo_numbering;

typedef struct odo_factor_row {
	const char *name;  /**< "complete graph" */
	const char *title; /**< before its size in a picture: "complete graph of" */
	odo_numbering numbering;
	/** Return true if vertices a and b of `size` are linked. NULL: a table has the links
	 * (odo_placement). */
	bool (*linked)(uint32_t size, uint32_t a, uint32_t b);
	/** Return log2 of the number of numberings that keep its links. */
	double (*label_bits)(uint32_t size);
} odo_factor_row;

/** Return the row of a kind, or of a factor. */
const odo_kind_row *odo_kind_of(odo_kind kind);
const odo_factor_row *odo_factor_of(odo_factor factor);

/** Return the kind of a product of `n` factors, or ODO_KIND_UNKNOWN if it has no name. */
odo_kind odo_kind_of_factors(const odo_factor *factor, const uint32_t *size, unsigned n);

/** Return "dragonfly", "flatfly", ... */
const char *odo_kind_name(odo_kind kind);

/** Return true if the vertices differ: for complete graphs, and for groups of which every two are
 * cabled. */
bool odo_linked_all(uint32_t size, uint32_t a, uint32_t b);

/** Return log2(size!). */
double odo_bits_of_orders(uint32_t size);

#define ODO_DECLARE(upper, lower) extern const odo_kind_row odo_kind_##lower;
ODO_KINDS(ODO_DECLARE)
#undef ODO_DECLARE
#define ODO_DECLARE(upper, lower) extern const odo_factor_row odo_factor_##lower;
ODO_FACTORS(ODO_DECLARE)
#undef ODO_DECLARE

#endif
