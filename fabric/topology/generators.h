/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the rows of odo_topologies[] are made of: one file each. */
#ifndef ODONATA_FABRIC_TOPOLOGY_GENERATORS_H
#define ODONATA_FABRIC_TOPOLOGY_GENERATORS_H

#include "fabric/topology/topology.h"

#define ODO_GENERATOR(name)                                                                        \
	extern const odo_option odo_##name##_options[];                                            \
	int odo_##name##_build(const odo_value *value, odo_builder *b, odo_error *err);            \
	int odo_##name##_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,   \
			       odo_error *err)

ODO_GENERATOR(flatfly);
ODO_GENERATOR(hypercube);
ODO_GENERATOR(torus);
ODO_GENERATOR(dragonfly);
ODO_GENERATOR(slimfly);
ODO_GENERATOR(slimfly_flatfly);
ODO_GENERATOR(random);
ODO_GENERATOR(bipartite);
ODO_GENERATOR(fattree);

#undef ODO_GENERATOR

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
