/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes and ports by name, GUID and LID. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/address.h"
#include "fabric/format/format.h"
#include "tests/unit.h"

/* Two switches; node "n1" with two adapters; an adapter with two ports; a name with a slash. */
static const char net[] =
	"vendid=0x0\ndevid=0x0\nsysimgguid=0x0\nswitchguid=0x10(10)\n"
	"Switch 6 \"S-0000000000000010\" # \"leaf/1\" base port 0 lid 1 lmc 0\n"
	"[1] \"H-0000000000000020\"[1](21) # \"n1 mlx5_0\" lid 4 4xEDR\n"
	"[2] \"H-0000000000000030\"[1](31) # \"n1 mlx5_1\" lid 5 4xEDR\n"
	"[3] \"H-0000000000000040\"[1](41) # \"n2 mlx5_0\" lid 6 4xEDR\n"
	"[4] \"H-0000000000000040\"[2](42) # \"n2 mlx5_0\" lid 7 4xEDR\n"
	"[5] \"S-0000000000000011\"[6] # \"leaf 1\" lid 2 4xEDR\n"
	"\nvendid=0x0\ndevid=0x0\nsysimgguid=0x0\nswitchguid=0x11(11)\n"
	"Switch 6 \"S-0000000000000011\" # \"leaf 1\" base port 0 lid 2 lmc 0\n"
	"[6] \"S-0000000000000010\"[5] # \"leaf/1\" lid 1 4xEDR\n"
	"\nvendid=0x0\ndevid=0x0\nsysimgguid=0x0\ncaguid=0x20\n"
	"Ca 1 \"H-0000000000000020\" # \"n1 mlx5_0\"\n"
	"[1](21) \"S-0000000000000010\"[1] # lid 4 lmc 0 \"leaf/1\" lid 1 4xEDR\n"
	"\nvendid=0x0\ndevid=0x0\nsysimgguid=0x0\ncaguid=0x30\n"
	"Ca 1 \"H-0000000000000030\" # \"n1 mlx5_1\"\n"
	"[1](31) \"S-0000000000000010\"[2] # lid 5 lmc 0 \"leaf/1\" lid 1 4xEDR\n"
	"\nvendid=0x0\ndevid=0x0\nsysimgguid=0x0\ncaguid=0x40\n"
	"Ca 2 \"H-0000000000000040\" # \"n2 mlx5_0\"\n"
	"[1](41) \"S-0000000000000010\"[3] # lid 6 lmc 0 \"leaf/1\" lid 1 4xEDR\n"
	"[2](42) \"S-0000000000000010\"[4] # lid 7 lmc 0 \"leaf/1\" lid 1 4xEDR\n";

typedef struct address_row {
	const char *text;
	const char *name; /* NULL: refused */
	unsigned port;    /* 0: none named */
	unsigned lid;
} address_row;

static const address_row rows[] = {
	{"leaf/1", "leaf/1", 0, 1},
	{"leaf 1", "leaf 1", 0, 2},
	{"leaf/1/5", "leaf/1", 5, 1},
	{"leaf/1/7", NULL, 0, 0},
	{"leaf/2", NULL, 0, 0},
	{"n1 mlx5_1", "n1 mlx5_1", 0, 5},
	{"n1", NULL, 0, 0},
	{"n2", "n2 mlx5_0", 0, 0},
	{"n2/2", "n2 mlx5_0", 2, 7},
	{"n2/0", NULL, 0, 0},
	{"0x10", "leaf/1", 0, 1},
	{"0x0000000000000030", "n1 mlx5_1", 0, 5},
	{"0x42", "n2 mlx5_0", 2, 7},
	{"0x40/1", "n2 mlx5_0", 1, 6},
	{"6", "n2 mlx5_0", 1, 6},
	{"2", "leaf 1", 0, 2},
	{"0", NULL, 0, 0},
	{"3", NULL, 0, 0},
	{"49152", NULL, 0, 0},
	{"0x", NULL, 0, 0},
	{"", NULL, 0, 0},
	{"/", NULL, 0, 0},
	{"/1", NULL, 0, 0},
	{"99999999999999999999", NULL, 0, 0},
	{"n2/99999999999", NULL, 0, 0},
};

static odo_fabric *read_net(void)
{
	char path[] = "/tmp/odonata-address-XXXXXX";
	int file = mkstemp(path);
	odo_fabric *f;
	odo_error err;
	assert_true(file >= 0);
	assert_int_equal(write(file, net, sizeof net - 1), sizeof net - 1);
	close(file);
	int status = odo_fabric_read(path, 0, &f, &err);
	unlink(path);
	if (status)
		fail_msg("%s", err.text);
	return f;
}

static void an_address_is_found_or_refused(void **state)
{
	(void)state;
	odo_fabric *f = read_net();
	odo_error err;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].text); i++) {
		odo_address a;
		int status = odo_address_find(f, rows[i].text, &a, &err);
		assert_int_equal(status, rows[i].name ? 0 : ODO_EINPUT);
		if (status) {
			assert_non_null(strstr(err.text, rows[i].text));
			continue;
		}
		assert_string_equal(odo_name(f, a.node), rows[i].name);
		assert_int_equal(a.slot == ODO_NONE ? 0 : odo_port(f, a.slot), rows[i].port);
		assert_int_equal(a.lid, rows[i].lid);
	}
	assert_int_equal(odo_address_find(f, "n1", &(odo_address){0}, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "0x0000000000000020"));
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(an_address_is_found_or_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
