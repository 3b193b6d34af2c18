/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SLs that connections hold, in all subnets of up to 5 switches (explore.h): a small depth.
 * slow_model.sh goes deeper. */
#include "explore.h"
#include "tests/unit.h"

static unsigned kind_of(const char *name)
{
	for (unsigned row = 0; row < EXPLORE_N_ROWS; row++)
		if (!strcmp(explore_rows[row].name, name))
			return 1u << row;
	return 0;
}

static void all_connected_graphs_are_listed(void **state)
{
	(void)state;
	static model_graph graphs[32];
	static const unsigned counts[] = {0, 1, 1, 2, 6, 21};
	for (unsigned n = 1; n <= MODEL_MOST; n++)
		assert_int_equal(model_list_graphs(n, graphs), counts[n]);
}

typedef struct world_row {
	const char *what;
	unsigned n, n_cables, n_perms; /* the graph; n_cables 0: all of n switches */
	unsigned depth, asks;
	const char *kinds[4]; /* none: all */
} world_row;

#define ALL (1u << MODEL_ALL)
#define HINT (1u << MODEL_ALL_HINT)
#define NOBODY (1u << MODEL_NOBODY)

static const world_row worlds[] = {
	{"one switch", 1, 0, 0, 1, ALL | HINT | NOBODY, {NULL}},
	{"two switches", 2, 0, 0, 1, ALL | HINT | NOBODY, {NULL}},
	{"three switches", 3, 0, 0, 1, ALL, {NULL}},
	{"four switches", 4, 0, 0, 1, ALL, {NULL}},
	{"a ring of four", 4, 4, 8, 2, ALL, {"cable", "host", "option"}},
	{"a ring of five", 5, 5, 10, 1, ALL | HINT, {NULL}},
	{"a ring of five, LIDs that are used again", 5, 5, 10, 2, ALL, {"cable", "swap"}},
};

static void explore_row_of(const world_row *row)
{
	static model_graph graphs[32];
	unsigned n = model_list_graphs(row->n, graphs);
	size_t n_states = 0;
	uint64_t n_steps = 0;
	for (unsigned i = 0; i < n; i++) {
		explorer e = {.g = &graphs[i], .asks = row->asks};
		if (row->n_cables &&
		    (graphs[i].n_cables != row->n_cables || graphs[i].n_perms != row->n_perms))
			continue;
		for (unsigned k = 0; k < 4 && row->kinds[k]; k++)
			e.kinds |= kind_of(row->kinds[k]);
		if (!e.kinds)
			e.kinds = (1u << EXPLORE_N_ROWS) - 1;
		explore_graph(&e, row->depth);
		if (*e.found)
			fail_msg("%s", e.found);
		n_states += e.n_seen;
		n_steps += e.n_steps;
		free(e.seen);
	}
	assert_true(n_states > 10);
	print_message("%s: %zu states, %llu steps\n", row->what, n_states,
		      (unsigned long long)n_steps);
}

static void connections_are_safe_or_told(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, worlds, worlds[i].what); i++)
		explore_row_of(&worlds[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_connected_graphs_are_listed),
		cmocka_unit_test(connections_are_safe_or_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
