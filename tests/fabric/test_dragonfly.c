/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arithmetic of global cables: both ends agree, pairs of groups get even shares, and the
 * named arrangements are the ones that the literature names. */
#include <string.h>

#include "fabric/topology/dragonfly.h"
#include "tests/unit.h"

#define MOST 40

static void check_both_ends(const odo_global_links *d)
{
	uint32_t count[MOST][MOST] = {{0}}, spare = 0;
	for (uint32_t g = 0; g < d->groups; g++) {
		for (uint32_t n = 0; n < d->ports; n++) {
			uint32_t far_g, far_n, back_g, back_n;
			if (!odo_global_links_far(d, g, n, &far_g, &far_n)) {
				spare++;
				continue;
			}
			assert_true(far_g < d->groups && far_g != g && far_n < d->ports);
			assert_true(odo_global_links_far(d, far_g, far_n, &back_g, &back_n));
			assert_int_equal(back_g, g);
			assert_int_equal(back_n, n);
			count[g][far_g]++;
		}
	}
	for (uint32_t g = 0; g < d->groups; g++)
		for (uint32_t k = 0; k < d->groups; k++)
			if (g != k)
				assert_in_range(count[g][k], d->rounds, d->rounds + !!d->extra);
	assert_int_equal(spare, d->groups * (d->ports - d->rounds * (d->groups - 1) - d->extra));
}

static void both_ends_agree_and_shares_are_even(void **state)
{
	(void)state;
	for (uint32_t ports = 1; ports < MOST; ports++)
		for (uint32_t groups = 2; groups <= ports + 1; groups++)
			for (int order = ODO_PALMTREE; order <= ODO_CIRCULANT; order++) {
				odo_global_links d = odo_global_links_make(
					groups, ports, (odo_arrangement)order, 0);
				check_both_ends(&d);
				uint32_t left = ports % (groups - 1);
				bool odd = groups % 2 && left % 2;
				assert_int_equal(d.extra, left - odd);
				d = odo_global_links_make(groups, ports, (odo_arrangement)order, 1);
				check_both_ends(&d);
				assert_int_equal(d.rounds, 1);
			}
}

/* Port n of group g to port g of group n, so that a group's own number is left free. */
static void numbered_ports_go_to_groups_of_their_number(void **state)
{
	(void)state;
	for (uint32_t ports = 2; ports < MOST; ports++)
		for (uint32_t groups = 2; groups <= ports; groups++) {
			odo_global_links d = odo_global_links_make(groups, ports, ODO_NUMBERED, 0);
			assert_int_equal(d.rounds, ports / groups);
			check_both_ends(&d);
			for (uint32_t n = 0; n < groups; n++) {
				uint32_t far_g, far_n;
				bool linked = odo_global_links_far(&d, 1, n, &far_g, &far_n);
				assert_int_equal(linked, n != 1);
				assert_true(!linked || (far_g == n && far_n == 1));
			}
		}
}

static uint32_t group_at(odo_arrangement order, uint32_t group, uint32_t n)
{
	uint32_t far_g = 0, far_n;
	odo_global_links d = odo_global_links_make(9, 8, order, 0);
	assert_true(odo_global_links_far(&d, group, n, &far_g, &far_n));
	return far_g;
}

static void arrangements_are_the_named_ones(void **state)
{
	(void)state;
	for (uint32_t g = 0; g < 9; g++) {
		for (uint32_t n = 0; n < 8; n++) {
			assert_int_equal(group_at(ODO_PALMTREE, g, n), (g + 9 - n - 1) % 9);
			assert_int_equal(group_at(ODO_RELATIVE, g, n), (g + n + 1) % 9);
			assert_int_equal(group_at(ODO_CONSECUTIVE, g, n), n < g ? n : n + 1);
			uint32_t d = n % 2 ? 9 - n / 2 - 1 : n / 2 + 1;
			assert_int_equal(group_at(ODO_CIRCULANT, g, n), (g + d) % 9);
		}
	}
}

/* Kept in order also where groups are few and each has several cables to another. */
static void consecutive_ports_go_to_ascending_groups(void **state)
{
	(void)state;
	odo_global_links d = odo_global_links_make(7, 10, ODO_CONSECUTIVE, 0);
	assert_int_equal(d.rounds, 1);
	assert_int_equal(d.extra, 4);
	for (uint32_t g = 0; g < 7; g++) {
		uint32_t before = 0, far_g, far_n;
		for (uint32_t n = 6; n < 10; n++) {
			assert_true(odo_global_links_far(&d, g, n, &far_g, &far_n));
			assert_true(n == 6 || far_g > before);
			before = far_g;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_agree_and_shares_are_even),
		cmocka_unit_test(arrangements_are_the_named_ones),
		cmocka_unit_test(numbered_ports_go_to_groups_of_their_number),
		cmocka_unit_test(consecutive_ports_go_to_ascending_groups),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
