/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Generators: the rows of odo_topologies[], each in a file of its own, and what they share. */
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
#define ODO_OPTION_WIDTHS(name)                                                                    \
	{                                                                                          \
		name, ODO_OPTION_LIST, "1", "cables of a link: one number, or one per dimension",  \
			NULL, 1, ODO_MAX_PORTS                                                     \
	}

/** Maximum switches of a generated fabric. */
#define ODO_MAX_SWITCHES (1u << 22)

/** ODO_EINPUT above ODO_MAX_SWITCHES. */
int odo_check_switches(uint64_t n, odo_error *err);

/** Compute the ports of each switch: `wanted`, or `needed` if `wanted` is 0. ODO_EINPUT if `wanted`
 * is too small. */
int odo_switch_ports(uint32_t needed, uint32_t wanted, uint32_t *ports, odo_error *err);

/** Add the next switch. @param name format of its name */
int odo_add_switch(odo_builder *b, uint32_t ports, odo_error *err, const char *name, ...)
	__attribute__((format(printf, 4, 5)));

/** Add an adapter at a port of a switch. @param name format of its name */
int odo_add_host(odo_builder *b, uint32_t s, unsigned port, odo_error *err, const char *name, ...)
	__attribute__((format(printf, 5, 6)));

/** Add an adapter "H<switch>_<i>" at each of ports 1 .. hosts of `n` switches from `first` on. */
int odo_add_hosts(odo_builder *b, uint32_t first, uint32_t n, uint32_t hosts, odo_error *err);

/** Cable two ports, with 8 VLs. topology.c gives all cables their rates. */
int odo_add_cable(odo_builder *b, uint32_t v, unsigned port, uint32_t far, unsigned far_port,
		  odo_error *err);

#endif
