/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Generators: the rows of odo_topologies[], each in a file of its own. */
#ifndef ODONATA_FABRIC_TOPOLOGY_GENERATORS_H
#define ODONATA_FABRIC_TOPOLOGY_GENERATORS_H

#include "fabric/topology/topology.h"

/** Generators. Every kind has one, odo_topology_<kind>; the three at the end make no known kind. */
#define ODO_GENERATORS(ROW)                                                                        \
	ODO_KINDS(ROW)                                                                             \
	ROW(, random)                                                                              \
	ROW(, bipartite)                                                                           \
	ROW(, pgft)

#define ODO_DECLARE(upper, lower) extern const odo_topology odo_topology_##lower;
ODO_GENERATORS(ODO_DECLARE)
#undef ODO_DECLARE

/** Options that many rows share. */
#define ODO_OPTION_HOSTS(name)                                                                     \
	{                                                                                          \
		name, ODO_OPTION_NUMBER, "1", "hosts on each switch", NULL, 0, ODO_MAX_PORTS       \
	}
#define ODO_OPTION_PORTS                                                                           \
	{                                                                                          \
		"ports", ODO_OPTION_NUMBER, "0",                                                   \
			"ports of each switch; 0 for as many as are cabled", NULL, 0,              \
			ODO_MAX_PORTS                                                              \
	}

#endif
