/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Breadth-first search over a graph that can be followed by hand: a ring of five vertices, an arc
 * that leads nowhere, and a pair that hangs on nothing. */
#include <string.h>

#include "fabric/search.h"
#include "tests/unit.h"

enum { N = 7 };

static const uint32_t first[N + 1] = {0, 2, 5, 7, 9, 11, 12, 13};
static const uint32_t to[] = {1, 4, 0, ODO_NONE, 2, 1, 3, 2, 4, 3, 0, 6, 5};

static void hops_are_the_fewest_and_the_queue_is_in_their_order(void **state)
{
	uint32_t hops[N], queue[N] = {0};
	const uint32_t expected[] = {0, 1, 2, 2, 1, ODO_NONE, ODO_NONE}, order[] = {0, 1, 4, 2, 3};
	(void)state;
	memset(hops, 0xFF, sizeof hops);
	hops[0] = 0;
	assert_int_equal(odo_count_hops(first, to, hops, queue, 1), 5);
	assert_memory_equal(hops, expected, sizeof expected);
	assert_memory_equal(queue, order, sizeof order);
}

static void several_starts_share_what_is_between_them(void **state)
{
	uint32_t hops[N], queue[N] = {5, 1, 3};
	const uint32_t expected[] = {1, 0, 1, 0, 1, 0, 1}, order[] = {5, 1, 3, 6, 0, 2, 4};
	(void)state;
	memset(hops, 0xFF, sizeof hops);
	hops[5] = hops[1] = hops[3] = 0;
	assert_int_equal(odo_count_hops(first, to, hops, queue, 3), N);
	assert_memory_equal(hops, expected, sizeof expected);
	assert_memory_equal(queue, order, sizeof order);
}

static void no_start_reaches_nothing(void **state)
{
	uint32_t hops[N], queue[N];
	(void)state;
	memset(hops, 0xFF, sizeof hops);
	assert_int_equal(odo_count_hops(first, to, hops, queue, 0), 0);
	for (uint32_t v = 0; v < N; v++)
		assert_int_equal(hops[v], ODO_NONE);
}

/* Only arcs to higher vertices; `x` is the vertices reached. */
static uint32_t up(void *x, uint32_t vertex, uint32_t arc)
{
	bool *reached = x;
	if (to[arc] == ODO_NONE || to[arc] < vertex || reached[to[arc]])
		return ODO_NONE;
	reached[to[arc]] = true;
	return to[arc];
}

static void rows_end_where_the_caller_says_and_arcs_lead_where_it_says(void **state)
{
	uint32_t queue[N] = {0}, end[N];
	const uint32_t order[] = {0, 1, 4, 2, 3};
	bool all[N] = {true}, some[N] = {true};
	(void)state;
	assert_int_equal(odo_breadth_first(first, first + 1, up, all, queue, 1), 5);
	assert_memory_equal(queue, order, sizeof order);
	memcpy(end, first + 1, sizeof end);
	end[1]--; /* without the arc from 1 to 2 */
	assert_int_equal(odo_breadth_first(first, end, up, some, queue, 1), 3);
	assert_false(some[2] || some[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hops_are_the_fewest_and_the_queue_is_in_their_order),
		cmocka_unit_test(several_starts_share_what_is_between_them),
		cmocka_unit_test(no_start_reaches_nothing),
		cmocka_unit_test(rows_end_where_the_caller_says_and_arcs_lead_where_it_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
