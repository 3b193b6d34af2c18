/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Width and speed of a cable out of a port's PortInfo. */
#include <string.h>

#include "fabric/port_info.h"
#include "tests/unit.h"

enum { SIZE = 64 };

static void every_width_is_read(void **state)
{
	(void)state;
	uint8_t info[SIZE] = {0};
	const unsigned lanes[][2] = {{0, 0},  {1, 1}, {2, 4},  {4, 8},  {8, 12},
				     {16, 2}, {3, 0}, {17, 0}, {255, 0}};
	for (size_t i = 0; TEST_ROW(i, lanes, NULL); i++) {
		info[31] = (uint8_t)lanes[i][0];
		assert_int_equal(odo_port_lanes(info), lanes[i][1]);
	}
}

/* As ports of each generation tell: what they can do and what is enabled stands beside it. */
static void every_speed_is_read(void **state)
{
	(void)state;
	const struct {
		uint8_t plain, more, ext; /* bytes 35, 56 and 62 */
		odo_speed speed;
	} told[] = {
		{0x11, 0x00, 0x00, ODO_SDR},           {0x23, 0x00, 0x00, ODO_DDR},
		{0x47, 0x00, 0x00, ODO_QDR},           {0x47, 0x00, 0x11, ODO_FDR},
		{0x47, 0x00, 0x23, ODO_EDR},           {0x47, 0x00, 0x47, ODO_HDR},
		{0x47, 0x00, 0x8f, ODO_NDR},           {0x47, 0x29, 0x0f, ODO_XDR},
		{0x47, 0x09, 0x8f, ODO_NDR}, /* could do XDR, and does NDR */
		{0x47, 0x80, 0x8f, ODO_NDR}, /* the bit that is still reserved */
		{0x47, 0x40, 0x8f, ODO_NDR}, /* a speed after XDR: as far as is known */
		{0x37, 0x00, 0x30, ODO_SPEED_UNKNOWN}, {0x07, 0x00, 0x00, ODO_SPEED_UNKNOWN},
	};
	for (size_t i = 0; TEST_ROW(i, told, NULL); i++) {
		uint8_t info[SIZE] = {0};
		info[35] = told[i].plain;
		info[56] = told[i].more;
		info[62] = told[i].ext;
		assert_int_equal(odo_port_speed(info, true, false), told[i].speed);
	}
}

static void speeds_mean_nothing_that_the_node_does_not_announce(void **state)
{
	(void)state;
	uint8_t info[SIZE] = {[35] = 0x47, [56] = 0x29, [62] = 0x8f};
	assert_int_equal(odo_port_speed(info, false, false), ODO_QDR);
}

static void fdr10_looks_like_qdr_and_is_told_apart(void **state)
{
	(void)state;
	uint8_t info[SIZE] = {[35] = 0x47};
	assert_int_equal(odo_port_speed(info, true, true), ODO_FDR10);
	info[62] = 0x11;
	assert_int_equal(odo_port_speed(info, true, true), ODO_FDR);
	info[62] = 0;
	info[35] = 0x17;
	assert_int_equal(odo_port_speed(info, true, true), ODO_SDR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_width_is_read),
		cmocka_unit_test(every_speed_is_read),
		cmocka_unit_test(speeds_mean_nothing_that_the_node_does_not_announce),
		cmocka_unit_test(fdr10_looks_like_qdr_and_is_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
