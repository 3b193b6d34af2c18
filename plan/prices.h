/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Costs of parts, and space in racks: numbers of a YAML file (configs/plan/prices.yaml).
 *
 * Paper 001 gives prices of cables as the lines of Figure 2, and takes prices of routers and
 * electrical cables from its reference [14]. Its text gives neither, only where the lines meet: at
 * 10 m in section 2, while section 5 changes to optical cables at 8 m. These lines meet at 7.3 m;
 * section 5 decides here. For routers of other radices the paper says "adjust appropriately": here
 * a router costs in proportion to its ports.
 */
#ifndef ODONATA_PLAN_PRICES_H
#define ODONATA_PLAN_PRICES_H

#include "base/error.h"

/** Prices: name, default, minimum and maximum. */
#define ODO_PLAN_PRICES(PRICE)                                                                     \
	/* Gb/s of a cable. */                                                                     \
	PRICE(gbps, 20, 0.001, 1e6)                                                                \
	/* Dollars for each Gb/s of a cable: fixed, and for each metre. */                         \
	PRICE(electrical_fixed, 2.16, 0, 1e6)                                                      \
	PRICE(electrical_metre, 1.4, 0, 1e6)                                                       \
	PRICE(optical_fixed, 9.7103, 0, 1e6)                                                       \
	PRICE(optical_metre, 0.364, 0, 1e6)                                                        \
	/* Metres up to which cables are electrical. */                                            \
	PRICE(electrical_most, 8, 0, 1e6)                                                          \
	/* Dollars for each Gb/s of a cable inside a rack: as for an electrical one of 1 m. */     \
	PRICE(inside_price, 3.56, 0, 1e6)                                                          \
	/* Dollars for a switch, and for each of its ports. */                                     \
	PRICE(switch_fixed, 0, 0, 1e9)                                                             \
	PRICE(switch_port, 6.09, 0, 1e9)                                                           \
	/* Maximum contents of a rack. */                                                          \
	PRICE(rack_hosts, 128, 1, 1e5)                                                             \
	PRICE(rack_switches, 32, 1, 1e5)                                                           \
	/* Metres from rack to rack along a row, and from row to row. */                           \
	PRICE(rack_width, 0.57, 0.01, 1000)                                                        \
	PRICE(rack_depth, 1.44, 0.01, 1000)                                                        \
	/* Metres of a cable inside a rack, and the extra length of one between racks, besides     \
	 * the way along the floor. */                                                             \
	PRICE(inside, 1, 0, 1000)                                                                  \
	PRICE(overhead, 2, 0, 1000)

typedef struct odo_plan_prices {
#define PRICE(name, fallback, least, most) double name;
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
} odo_plan_prices;

/** Default prices. */
extern const odo_plan_prices odo_plan_default_prices;

/**
 * Read a file; prices that it does not name keep their defaults.
 * Errors: ODO_EINPUT as "path:line: expected ..., found ..."; ODO_EIO; ODO_ENOMEM.
 */
int odo_plan_prices_read(const char *path, odo_plan_prices *out, odo_error *err);

/** Dollars for a cable of so many metres between racks; and for one inside a rack. */
double odo_plan_cable_price(const odo_plan_prices *p, double metres);
double odo_plan_inside_price(const odo_plan_prices *p);

#endif
