/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dimension-order routing of FlatFly and hypercube (paper 004, section 3.3) and of Slim Fly and its
 * products (3.6). A path takes at most one hop in each complete graph, in one order; so its
 * channels' dimensions ascend in that order and one VL has no cycle. A Slim Fly takes two VLs for
 * its two hops. Mixed DOR gives each of up to four orders an SL and VLs of its own. A LID's order
 * depends on its key, so LIDs of one host (LMC) take different orders.
 */
#include "routing/minimal/dor.h"
#include "routing/engines.h"
#include "routing/minimal/hops.h"

/*
 * Put second hops within one factor, which only a Slim Fly has, on the layer's second VL. Paper
 * 004, section 3.6: "if a packet comes from a host, select VL 0, otherwise VL 1". In a product,
 * "from a host" also means: from another dimension.
 */
static void separate_second_hops(odo_forest *forest)
{
	for (unsigned i = 0; i < ODO_MAX_DIMS && forest->n_sub > 1; i++)
		forest->sub[i][i] = 1;
}

static void rank_by_order(odo_forest *forest, const odo_coordinates *c, const odo_dim_order *orders,
			  unsigned n_orders)
{
	for (unsigned k = 0; k < forest->n_trees; k++)
		for (unsigned j = 0; j < c->n_dims; j++)
			for (unsigned sub = 0; sub < forest->n_sub; sub++)
				forest->rank[k][orders[k % n_orders].dim[j]][sub] =
					(uint8_t)(j * forest->n_sub + sub);
}

static unsigned smaller_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* DETOURS: trees for the hosts of a switch in a damaged fabric, so that their detours differ, as
 * with Mixed DOR. MAX_DETOURED: most switches for that. In larger fabrics each cable carries a
 * smaller share of paths, and more trees take longer. */
enum { DETOURS = 4, MAX_DETOURED = 1024 };

static unsigned count_alike_trees(const odo_fabric *f, const odo_coordinates *c, unsigned phases)
{
	unsigned wanted = smaller_of(odo_max_keys(f), DETOURS), room = ODO_MAX_TREES / phases;
	return !odo_is_pure(c) && f->n_switches <= MAX_DETOURED && wanted
		       ? smaller_of(wanted, room)
		       : 1;
}

int odo_route_dor(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
		  const odo_route_options *options, odo_tables *t, odo_error *err)
{
	odo_dim_order orders[ODO_MAX_ORDERS] = {{{0}}};
	unsigned n_sub = c->factor[0] == ODO_MMS ? 2 : 1;
	unsigned n_orders = smaller_of(odo_dor_orders(c->n_dims, orders),
				       row->variant == ODO_DOR_MIXED ? ODO_MAX_ORDERS : 1);
	unsigned affordable = odo_vl_budget(f, options) / n_sub;
	if (options && options->max_sls)
		affordable = smaller_of(affordable, options->max_sls);
	if (affordable)
		n_orders = smaller_of(n_orders, affordable);
	odo_forest *forest;
	unsigned phases = odo_hops_phases(c, 0, ODO_MAX_TREES / n_orders);
	unsigned alike = n_orders == 1 ? count_alike_trees(f, c, phases) : 1;
	unsigned unlike = n_orders * phases;
	/* With fewer trees than phases switches take turns, which spreads better than random
	 * choice. */
	if (c->kind == ODO_KIND_MESH && n_orders == 1 && odo_is_pure(c))
		unlike = smaller_of(odo_max_keys(f), phases);
	int status = odo_forest_create(f, c, options, unlike * alike, n_orders, n_sub, &forest,
				       err);
	if (status)
		return status;
	forest->n_unlike = unlike;
	separate_second_hops(forest);
	rank_by_order(forest, c, orders, n_orders);
	status = odo_dor_fill(forest, c, orders, n_orders, phases, err);
	if (!status)
		status = odo_forest_order(forest, c, err);
	if (!status)
		status = odo_forest_finish(forest, t, err);
	odo_forest_free(forest);
	return status;
}
