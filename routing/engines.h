/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Functions of the engines' rows (choose/rows.c), each in a file of its own. */
#ifndef ODONATA_ROUTING_ENGINES_H
#define ODONATA_ROUTING_ENGINES_H

#include "routing/engine.h"

odo_route_function odo_route_dor; /* flatfly.c */
/** Variant of odo_route_dor: several orders of dimensions. */
enum { ODO_DOR_MIXED = 1 };
odo_route_function odo_route_dragonfly; /* dragonfly.c */
/** Variant of odo_route_dragonfly: over another group to the further LIDs of a host (LMC). */
enum { ODO_DRAGONFLY_VALIANT = 1 };
odo_route_function odo_route_torus; /* torus.c */
odo_route_function odo_route_tree;  /* route.c */
/** Variants of odo_route_tree. */
enum { ODO_TREE_VALIANT = 1, ODO_TREE_SHIFTS };
odo_route_function odo_route_updown;  /* updown_engine.c */
odo_route_function odo_route_layered; /* layered.c */
odo_route_function odo_route_turns;   /* together.c */

#endif
