/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Functions of the engines' rows (choose/rows.c), each in a file of its own. */
#ifndef ODONATA_ROUTING_ENGINES_H
#define ODONATA_ROUTING_ENGINES_H

#include "routing/engine.h"

odo_route_function odo_route_dor;               /* flatfly.c */
odo_route_function odo_route_mixed_dor;         /* flatfly.c */
odo_route_function odo_route_dragonfly_valiant; /* dragonfly.c */
odo_route_function odo_route_dragonfly;         /* dragonfly.c */
odo_route_function odo_route_torus;             /* torus.c */
odo_route_function odo_route_tree;              /* route.c */
/** Variants of odo_route_tree. */
enum { ODO_TREE_VALIANT = 1, ODO_TREE_SHIFTS };
odo_route_function odo_route_updown;  /* updown_engine.c */
odo_route_function odo_route_layered; /* layered.c */

#endif
