/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>

#include "routing/engines.h"
#include "routing/tree/tree.h"

int odo_route_tree(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		   const odo_route_options *options, odo_tables *t, odo_error *err)
{
	odo_tree *tree;
	odo_tree_goal *goals = NULL;
	uint32_t n_goals = 0;
	int status = odo_tree_create(f, c, options, &tree, err);
	if (status)
		return status;
	status = odo_tree_deal(tree, &goals, &n_goals, err);
	if (!status)
		status = odo_tree_fill(tree, goals, n_goals, t, err);
	t->n_vls = t->n_sls = 1;
	if (!status && row->variant == ODO_TREE_VALIANT)
		status = odo_tree_pass_groups(tree, goals, n_goals, t, err);
	free(goals);
	odo_tree_free(tree);
	return status;
}
