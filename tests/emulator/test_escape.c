/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Escape rings are Hamiltonian and share no cable, for every h up to 16 and every arrangement of
 * global links; trees lead from everywhere to everywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/policy/escape.h"
#include "emulator/policy/ring.h"
#include "emulator/policy/tree.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

typedef struct world {
	odo_fabric *fabric;
	odo_coordinates *coordinates;
	odo_ways *ways;
} world;

static world make(unsigned h, const char *rest)
{
	char spec[80];
	world w;
	odo_error err;
	snprintf(spec, sizeof spec, "dragonfly:p=1,a=%u,h=%u%s", 2 * h, h, rest);
	assert_int_equal(odo_topology_generate(spec, 0, &w.fabric, &w.coordinates, &err), 0);
	assert_int_equal(odo_ways_create(w.fabric, w.coordinates, &w.ways, &err), 0);
	return w;
}

static void clear(world *w)
{
	odo_ways_free(w->ways);
	odo_coordinates_free(w->coordinates);
	odo_fabric_free(w->fabric);
}

/* Follow the ring both ways, noting its cables. */
static void check_ring(const odo_fabric *f, const odo_ring *ring, uint8_t *used)
{
	for (unsigned direction = 0; direction < 2; direction++) {
		uint32_t at = 0, n = 0;
		do {
			uint32_t slot = odo_slot(f, at, ring->port[direction][at]);
			uint32_t next = odo_next_switch(f, slot);
			assert_int_not_equal(next, ODO_NONE);
			uint32_t step = direction ? ring->n - 1 : 1;
			assert_int_equal(ring->place[next], (ring->place[at] + step) % ring->n);
			assert_int_equal(used[slot]++, 0);
			at = next;
			n++;
		} while (at != 0 && n <= ring->n);
		assert_int_equal(n, ring->n);
	}
}

static void check_rings(unsigned h, const char *rest, const char *letters, const char *searched)
{
	world w = make(h, rest);
	odo_ring ring[3];
	odo_error err;
	uint8_t *used = calloc(w.fabric->n_slots, 1);
	int status = odo_rings_find(w.ways, letters, ring, &err);
	if (status)
		print_message("h=%u%s %s: %s\n", h, rest, letters, err.text);
	assert_int_equal(status, 0);
	for (unsigned i = 0; letters[i]; i++) {
		check_ring(w.fabric, &ring[i], used);
		if (searched)
			assert_int_equal(ring[i].searched, searched[i] == 'y');
		odo_ring_clear(&ring[i]);
	}
	free(used);
	clear(&w);
}

static void the_papers_rings_are_hamiltonian_and_disjoint(void **state)
{
	(void)state;
	for (unsigned h = 1; h <= 16; h++) {
		check_rings(h, "", "a", "n");
		if (h >= 4)
			check_rings(h, "", "ab", "nn");
		if (h >= 5)
			check_rings(h, "", "abc", "nny");
	}
}

/* One ring or two of cables that nothing else has; and none where there are no such cables. */
static void rings_of_their_own_are_found(void **state)
{
	(void)state;
	static const char *const groups[] = {"", ",g=5", ",arrangement=consecutive"};
	for (unsigned i = 0; i < 9; i++) {
		unsigned h = 2 + i / 3, n = 1 + i % 2;
		char rest[60];
		snprintf(rest, sizeof rest, "%s,escape=%s", groups[i % 3],
			 n > 1 ? "rings" : "ring");
		world w = make(h, rest);
		odo_ring ring;
		odo_error err;
		uint8_t *used = calloc(w.fabric->n_slots, 1);
		for (unsigned which = 0; which < n; which++) {
			assert_int_equal(odo_ring_own(w.fabric, n, which, &ring, &err), 0);
			check_ring(w.fabric, &ring, used);
			odo_ring_clear(&ring);
		}
		free(used);
		clear(&w);
		w = make(h, groups[i % 3]);
		assert_int_equal(odo_ring_own(w.fabric, n, 0, &ring, &err), ODO_EDECLINE);
		odo_ring_clear(&ring);
		clear(&w);
	}
}

static void other_arrangements_are_searched(void **state)
{
	(void)state;
	for (unsigned h = 3; h <= 8; h++) {
		check_rings(h, ",arrangement=consecutive", "a", "y");
		check_rings(h, ",arrangement=relative", "a", NULL);
		check_rings(h, ",arrangement=consecutive", "ab", NULL);
		check_rings(h, ",g=9", "ab", NULL);
	}
}

static void ring_directions_are_the_shorter_ones(void **state)
{
	(void)state;
	world w = make(2, "");
	odo_ring ring;
	odo_error err;
	assert_int_equal(odo_rings_find(w.ways, "a", &ring, &err), 0);
	for (uint32_t from = 0; from < ring.n; from++) {
		for (uint32_t to = 0; to < ring.n; to++) {
			uint32_t hops = 0, at = from;
			unsigned direction = odo_ring_direction(&ring, from, to);
			for (; at != to; hops++) {
				assert_int_equal(odo_ring_direction(&ring, at, to), direction);
				at = odo_next_switch(
					w.fabric, odo_slot(w.fabric, at, ring.port[direction][at]));
			}
			assert_true(hops <= ring.n / 2);
		}
	}
	odo_ring_clear(&ring);
	clear(&w);
}

/* Everything from everywhere, within six hops, never up after down. */
static void check_tree(const odo_fabric *f, const odo_tree *tree)
{
	for (uint32_t from = 0; from < tree->n; from++) {
		for (uint32_t to = 0; to < tree->n; to++) {
			uint32_t at = from, hops = 0;
			bool down = false;
			for (; at != to; hops++) {
				uint8_t port = odo_tree_port(tree, at, to);
				assert_true(port != 0);
				assert_false(down && port == tree->up[at]);
				down = port != tree->up[at];
				at = odo_next_switch(f, odo_slot(f, at, port));
			}
			assert_true(hops <= 6);
		}
	}
}

static void trees_reach_everything_within_six_hops(void **state)
{
	(void)state;
	world w = make(3, "");
	odo_tree tree;
	odo_error err;
	for (uint32_t root = 0; root < w.fabric->n_switches; root += 17) {
		assert_int_equal(odo_tree_find(w.ways, root, &tree, &err), 0);
		check_tree(w.fabric, &tree);
		odo_tree_clear(&tree);
	}
	assert_int_equal(odo_tree_find(w.ways, w.fabric->n_switches, &tree, &err), ODO_EINPUT);
	assert_int_equal(odo_tree_own(w.fabric, &tree, &err), ODO_EDECLINE);
	odo_tree_clear(&tree);
	clear(&w);
}

/* One beyond the last is refused; it is not taken for switch 0. */
static void a_root_is_a_switch(void **state)
{
	(void)state;
	static const unsigned vls[2] = {1, 1};
	world w = make(2, "");
	for (uint32_t beyond = 0; beyond < 2; beyond++) {
		odo_escape escape;
		odo_ways *ways;
		odo_error err;
		uint32_t root = w.fabric->n_switches - 1 + beyond;
		assert_int_equal(odo_escape_create(w.fabric, w.coordinates, "tree", root, 8, vls,
						   &ways, &escape, &err),
				 beyond ? ODO_EINPUT : 0);
		odo_escape_clear(&escape);
		odo_ways_free(ways);
	}
	clear(&w);
}

static void a_tree_of_its_own_is_found(void **state)
{
	(void)state;
	static const char *const rests[] = {",escape=tree", ",g=5,escape=tree",
					    ",arrangement=relative,escape=tree"};
	for (unsigned i = 0; i < 9; i++) {
		world w = make(1 + i / 3, i / 3 || i != 1 ? rests[i % 3] : ",g=3,escape=tree");
		odo_tree tree;
		odo_error err;
		assert_int_equal(odo_tree_own(w.fabric, &tree, &err), 0);
		check_tree(w.fabric, &tree);
		odo_tree_clear(&tree);
		clear(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_rings_are_hamiltonian_and_disjoint),
		cmocka_unit_test(rings_of_their_own_are_found),
		cmocka_unit_test(a_tree_of_its_own_is_found),
		cmocka_unit_test(other_arrangements_are_searched),
		cmocka_unit_test(ring_directions_are_the_shorter_ones),
		cmocka_unit_test(trees_reach_everything_within_six_hops),
		cmocka_unit_test(a_root_is_a_switch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
