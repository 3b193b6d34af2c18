/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Graphs that are no known kind: random regular ones. Mapping must call them unknown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fabric/topology/generators.h"
#include "base/random.h"

static int unknown_coordinates(const odo_fabric *f, const char *reason, odo_coordinates **c,
			       odo_error *err)
{
	int status = odo_coordinates_create(f, 0, c, err);
	if (!status)
		snprintf((*c)->reason, sizeof(*c)->reason, "%s", reason);
	return status;
}

enum { N, D, C, L, SEED, PORTS };

/* Exchanges for each link; the graph is then drawn. 2^24 of them took 8 to 15 s of processor time
 * (random:n=131072,d=12, random:n=24576,d=64). The builder bounds what all topologies cost, by
 * their ports. */
enum { EXCHANGES = 20, MOST_EXCHANGES = 1 << 24 };

static int check_exchanges(uint32_t n, uint32_t d, odo_error *err)
{
	uint64_t links = (uint64_t)n * d / 2;
	if (links * EXCHANGES <= MOST_EXCHANGES)
		return 0;
	return odo_fail(err, ODO_EINPUT,
			"expected at most %u links, found %u switches with %" PRIu64
			" links, which take minutes to draw: take fewer switches, or a lower "
			"degree",
			MOST_EXCHANGES / EXCHANGES, n, links);
}

/* Maximum vertices, above the number of LIDs: drawing and writing a graph of millions takes
 * minutes. */
#define MOST_PLACES (1u << 17)

#define RANDOM_OPTIONS(n_help)                                                                     \
	[N] = {"n", ODO_OPTION_NUMBER, NULL, n_help, NULL, 2, MOST_PLACES},                        \
	[D] = {"d", ODO_OPTION_NUMBER, NULL, "others that each switch is linked to", NULL,         \
	       1,   ODO_MAX_PORTS},                                                                \
	[L] = {"l", ODO_OPTION_NUMBER, "1", "cables of each link", NULL, 1, ODO_MAX_PORTS},        \
	[C] = ODO_OPTION_HOSTS("c"), [SEED] = {"seed",    ODO_OPTION_NUMBER,                       \
					       "1",       "the same one gives the same graph",     \
					       NULL,      0,                                       \
					       UINT32_MAX},                                        \
	[PORTS] = ODO_OPTION_PORTS

static const odo_option random_options[] = {RANDOM_OPTIONS("switches"), {0}};
static const odo_option bipartite_options[] = {RANDOM_OPTIONS("switches on each side"), {0}};

/* A regular graph as a list of links. Swapping the far ends of two links keeps all degrees. After
 * enough swaps the initial graph has no influence. */
typedef struct swapper {
	odo_arena memory;
	uint32_t n, d, n_edges;
	uint32_t (*edge)[2];
	uint32_t *next; /* [n * d] neighbours */
} swapper;

static bool has_neighbour(const swapper *x, uint32_t v, uint32_t w)
{
	for (uint32_t i = 0; i < x->d; i++)
		if (x->next[v * x->d + i] == w)
			return true;
	return false;
}

static void replace_neighbour(swapper *x, uint32_t v, uint32_t old, uint32_t new)
{
	uint32_t i = 0;
	while (x->next[v * x->d + i] != old)
		i++;
	x->next[v * x->d + i] = new;
}

/* Swap the far ends of two random links, unless that creates a loop or a parallel link.
 * @param sided keep the first end of each cable on its side */
static void swap_far_ends(swapper *x, odo_rng *rng, bool sided)
{
	uint32_t *e = x->edge[odo_rng_below(rng, x->n_edges)];
	uint32_t *f = x->edge[odo_rng_below(rng, x->n_edges)];
	unsigned side = sided ? 1 : odo_rng_below(rng, 2);
	uint32_t a = e[0], b = e[1], c = f[1 - side], d = f[side];
	if (e == f || a == d || c == b || has_neighbour(x, a, d) || has_neighbour(x, c, b))
		return;
	replace_neighbour(x, a, b, d);
	replace_neighbour(x, b, a, c);
	replace_neighbour(x, c, d, b);
	replace_neighbour(x, d, c, a);
	e[1] = d;
	f[0] = c;
	f[1] = b;
}

static void add_graph_edge(swapper *x, uint32_t *filled, uint32_t v, uint32_t w)
{
	x->edge[x->n_edges][0] = v;
	x->edge[x->n_edges++][1] = w;
	x->next[v * x->d + filled[v]++] = w;
	x->next[w * x->d + filled[w]++] = v;
}

/* Start from a circulant graph, or from a bipartite one of the same sort. */
static int start_graph(swapper *x, bool sided)
{
	uint32_t n = x->n, half = n / 2;
	uint32_t *filled = odo_arena_new(&x->memory, n, sizeof *filled);
	x->edge = odo_arena_new(&x->memory, (size_t)n * x->d / 2, sizeof *x->edge);
	x->next = odo_arena_new(&x->memory, (size_t)n * x->d, sizeof *x->next);
	if (x->memory.failed)
		return ODO_ENOMEM;
	for (uint32_t v = 0; v < (sided ? half : n); v++) {
		for (uint32_t i = 1; i <= (sided ? x->d : x->d / 2); i++)
			add_graph_edge(x, filled, v, sided ? half + (v + i) % half : (v + i) % n);
		if (!sided && x->d % 2 && v < half)
			add_graph_edge(x, filled, v, v + half);
	}
	return 0;
}

static int link_random(const odo_value *value, uint32_t n, bool sided, odo_builder *b,
		       odo_error *err)
{
	swapper x = {.n = n, .d = value[D].number[0]};
	uint32_t *port = odo_arena_new(&x.memory, n, sizeof *port);
	int status = !port || start_graph(&x, sided)
			     ? odo_fail(err, ODO_ENOMEM, "no memory for %u switches", n)
			     : 0;
	odo_rng rng = odo_rng_make(value[SEED].number[0], 0);
	for (uint64_t i = 0; i < (uint64_t)EXCHANGES * x.n_edges && !status; i++)
		swap_far_ends(&x, &rng, sided);
	uint32_t width = value[L].number[0], n_cables = x.n_edges * width;
	for (uint32_t i = 0; i < n_cables && !status; i++) {
		const uint32_t *edge = x.edge[i / width];
		uint32_t v = edge[0], w = edge[1], first = value[C].number[0] + 1;
		status = odo_add_cable(b, v, first + port[v]++, w, first + port[w]++, err);
	}
	odo_arena_free(&x.memory);
	return status;
}

static int build_random(const odo_value *value, uint32_t n, bool sided, odo_builder *b,
			odo_error *err)
{
	uint32_t d = value[D].number[0], c = value[C].number[0], ports = 0;
	if (d >= (sided ? n / 2 + 1 : n) || (uint64_t)n * d % 2)
		return odo_fail(err, ODO_EINPUT,
				"expected a degree below the number of switches, and one of the "
				"two even, found d=%u for %u switches",
				d, n);
	int status = odo_switch_ports(c + d * value[L].number[0], value[PORTS].number[0], &ports,
				      err);
	for (uint32_t i = 0; i < n && !status; i++)
		status = odo_add_switch(b, ports, err, "S%u", i);
	if (!status)
		status = check_exchanges(n, d, err);
	if (!status)
		status = odo_add_hosts(b, 0, n, c, err);
	if (!status)
		status = link_random(value, n, sided, b, err);
	return status;
}

static int random_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	return build_random(value, value[N].number[0], false, b, err);
}

static int random_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
			odo_error *err)
{
	(void)value;
	return unknown_coordinates(f, "built as a random regular graph", c, err);
}

static int bipartite_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	return build_random(value, 2 * value[N].number[0], true, b, err);
}

static int bipartite_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
			   odo_error *err)
{
	(void)value;
	return unknown_coordinates(f, "built as a random bipartite graph", c, err);
}

const odo_topology odo_topology_random = {
	.name = "random",
	.summary = "random regular graph: no structure to be found",
	.example = "random:n=64,d=6,c=2",
	.paper = "Steger and Wormald, 1999",
	.options = random_options,
	.build = random_build,
	.truth = random_truth,
};

const odo_topology odo_topology_bipartite = {
	.name = "bipartite",
	.summary = "random regular bipartite graph",
	.example = "bipartite:n=32,d=5,c=2",
	.paper = "Steger and Wormald, 1999",
	.options = bipartite_options,
	.build = bipartite_build,
	.truth = bipartite_truth,
};
