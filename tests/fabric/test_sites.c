/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What files of sites hold beside a whole fabric is passed over and told, each with its line; and
 * which nodes of switches are no hosts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/format/format.h"
#include "fabric/transform/transform.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

static odo_error err;

/* Reads `text` as a file. */
static odo_fabric *read_file(const char *text)
{
	char path[] = "/tmp/odonata-sites-XXXXXX";
	int file = mkstemp(path);
	odo_fabric *f = NULL;
	assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	int status = odo_fabric_read(path, 0, &f, &err);
	unlink(path);
	assert_int_equal(status, f ? 0 : ODO_EINPUT);
	return f;
}

/* The notes are one line, which is about line `line` and says `what`. */
static void expect_note(const odo_fabric *f, unsigned line, const char *what)
{
	char place[20];
	snprintf(place, sizeof place, ":%u: ", line);
	if (!f || !f->notes || !strstr(f->notes, place) || !strstr(f->notes, what) ||
	    strchr(f->notes, '\n') != f->notes + strlen(f->notes) - 1)
		fail_msg("expected '%s' at line %u, found: %s", what, line,
			 f && f->notes ? f->notes : err.text);
}

#define PAIR                                                                                       \
	"Switch\t8 \"S-1\"\t\t# \"a\" base port 0 lid 1 lmc 0\n"                                   \
	"[1]\t\"S-2\"[1]\t\t# \"b\" lid 2 4xEDR\n\n"                                               \
	"Switch\t8 \"S-2\"\t\t# \"b\" base port 0 lid 2 lmc 0\n"                                   \
	"[1]\t\"S-1\"[1]\t\t# \"a\" lid 1 4xEDR\n\n"

static void whole_files_need_no_note(void **state)
{
	(void)state;
	odo_fabric *f = read_file(PAIR);
	assert_non_null(f);
	assert_null(f->notes);
	odo_fabric_free(f);
}

static void prompts_and_warnings_are_passed_over(void **state)
{
	static const char *const lines[] = {
		"[root@mgmt01 ~]# ibnetdiscover",
		"[root@mgmt01 /var/log (1)]#",
		"admin@mgmt01:~$ sudo ibnetdiscover -p",
		"\357\273\277[root@mgmt01.site dgx]# ibnetdiscover",
		"ibwarn: [5650] sim_connect: attached as client 1 at node \"S\"",
		"ibwarn: [5650] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1)",
		"src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x11:0) bad "
		"status 110",
	};
	char text[1000];
	(void)state;
	for (size_t i = 0; TEST_ROW(i, lines, lines[i]); i++) {
		snprintf(text, sizeof text, "%s\n%s", lines[i], PAIR);
		odo_fabric *f = read_file(text);
		expect_note(f, 1, "passed over");
		assert_int_equal(f->n_links, 1);
		odo_fabric_free(f);
		/* Between the ports of a node. */
		snprintf(text, sizeof text, "%.*s%s\r\n%s", (int)(strchr(PAIR, '\n') + 1 - PAIR),
			 PAIR, lines[i] + (*lines[i] == '\357' ? 3 : 0), strchr(PAIR, '\n') + 1);
		f = read_file(text);
		expect_note(f, 2, "passed over");
		assert_int_equal(f->n_links, 1);
		odo_fabric_free(f);
	}
}

static void other_lines_are_passed_over_and_noted(void **state)
{
	static const char *const lines[] = {
		"Swich 8 \"S-3\"", "[root]", "hello",          "[1", "a@b",
		"\"a@b\"[1]# x",   "ibwarn", "[1]@\t\"S-2\"# "};
	char text[1000];
	(void)state;
	for (size_t i = 0; TEST_ROW(i, lines, lines[i]); i++) {
		snprintf(text, sizeof text, "%s%s\n", PAIR, lines[i]);
		odo_fabric *f = read_file(text);
		expect_note(f, 7, "not understood");
		assert_true(odo_ledger_matters(f->repairs));
		odo_fabric_free(f);
	}
	/* But a file of which less is understood than not is another one. */
	snprintf(text, sizeof text, "%sa\nb\nc\nd\ne\n", PAIR);
	assert_null(read_file(text));
	assert_non_null(strstr(err.text, ":7: expected"));
}

static void ports_that_initialise_have_no_lid(void **state)
{
	(void)state;
	odo_fabric *f = read_file("Switch 8 \"S-1\" # \"a\" base port 0 lid 65535 lmc 0\n"
				  "[1] \"H-1\"[1](11) # \"h\" lid 65535 4xEDR\n"
				  "[2] \"H-2\"[1](21) # \"i\" lid 5 4xEDR\n\n"
				  "Ca 1 \"H-1\" # \"h\"\n"
				  "[1](11) \"S-1\"[1] # lid 65535 lmc 0 \"a\" lid 65535 4xEDR\n\n"
				  "Ca 1 \"H-2\" # \"i\"\n"
				  "[1](21) \"S-1\"[2] # lid 5 lmc 0 \"a\" lid 65535 4xEDR\n\n");
	assert_non_null(strstr(f->notes, ":1: passed over LID 65535"));
	/* They get LIDs that are not the manager's, in a fabric where another port has its own. */
	assert_non_null(strstr(f->notes, "has none, others have theirs"));
	assert_true(odo_ledger_matters(f->repairs));
	assert_int_equal(f->n_hosts, 2);
	for (uint32_t h = 0; h < 2; h++)
		assert_true(f->port_lid[f->host_slot[h]] && f->port_lid[f->host_slot[h]] < 6);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	odo_fabric_free(f);
}

static void a_cable_that_one_end_lists_is_taken(void **state)
{
	(void)state;
	odo_fabric *f = read_file("Switch 8 \"S-1\"\n[1] \"S-2\"[1]\n\nSwitch 8 \"S-2\"\n[2] "
				  "\"S-1\"[2]\n[1] \"S-1\"[1]\n\n");
	expect_note(f, 5, "only one of its ends");
	assert_int_equal(f->n_links, 2);
	odo_fabric_free(f);
	/* But not two of them at one port. */
	f = read_file("Switch 8 \"S-1\"\n[1] \"S-2\"[1]\n\nSwitch 8 \"S-2\"\n[2] \"S-1\"[1]\n\n");
	assert_int_equal(f->n_links, 1);
	assert_non_null(strstr(f->notes, "disagree"));
	odo_fabric_free(f);
}

/* ibdiagnet names the whole director in front of the chip. */
static void chips_of_a_director_are_nodes_of_their_own(void **state)
{
	(void)state;
	odo_fabric *f = read_file("switchguid=0xaa(b1)\nSwitch 8 \"S-00000000000000b1\"\n"
				  "[1](1) \"S-00000000000000b2\"[1]\n\n"
				  "switchguid=0xaa(b2)\nSwitch 8 \"S-00000000000000b2\"\n"
				  "[1](1) \"S-00000000000000b1\"[1]\n\n"
				  /* Here the first is the node's own. */
				  "switchguid=0xb3(cc)\nSwitch 8 \"S-00000000000000b3\"\n\n");
	assert_non_null(f);
	assert_int_equal(f->n_switches, 3);
	for (uint32_t s = 0; s < 3; s++)
		assert_int_equal(f->node_guid[s], 0xb1 + s);
	assert_null(f->notes);
	odo_fabric_free(f);
}

static void aggregation_nodes_send_nothing(void **state)
{
	(void)state;
	odo_fabric *f = read_file("Switch 8 \"S-1\"\n[1] \"H-1\"[1](11)\n[2] \"H-2\"[1](21)\n\n"
				  "Ca 1 \"H-1\" # \"Mellanox Technologies Aggregation Node\"\n"
				  "[1](11) \"S-1\"[1] # lid 3 lmc 0 \"a\" lid 1 4xEDR\n\n"
				  "Ca 1 \"H-2\" # \"node1 HCA-1\"\n"
				  "[1](21) \"S-1\"[2] # lid 5 lmc 0 \"a\" lid 1 4xEDR\n\n");
	odo_fabric *shuffled;
	assert_non_null(f);
	assert_int_equal(f->n_hosts, 2);
	assert_int_equal(f->n_senders, 1);
	assert_string_equal(odo_name(f, f->owner[f->host_slot[0]]), "node1 HCA-1");
	assert_int_equal(odo_hosts_of(f, 0), 1);
	assert_int_equal(f->lid_host[3], 1); /* and yet they are reached */
	assert_int_equal(odo_fabric_shuffle(f, 1, &shuffled, NULL, &err), 0);
	assert_int_equal(shuffled->n_senders, 1);
	odo_fabric_free(shuffled);
	odo_fabric_free(f);
}

/* As a switch of XDR has them: its router, at a port of its own beyond the cages, and hosts on
 * halves of a port. */
static void routers_and_split_ports_are_read(void **state)
{
	(void)state;
	odo_fabric *f = read_file(
		"switchguid=0xb1(b1)\n"
		"Switch 149 \"S-b1\" # \"MF0;a:Q3400/U1\" base port 0 lid 8 lmc 0\n"
		"[1] \"H-11\"[1](12) # \"node1 mlx5_0\" lid 11 2xXDR\n"
		"[2] \"H-21\"[1](22) # \"node2 mlx5_0\" lid 12 2xNDR\n"
		"[149] \"R-b8\"[2](b9) # \"MF0;a:Q3400/U1/RT\" lid 9 1xXDR\n\n"
		"rtguid=0xb8\nRt 8 \"R-b8\" # \"MF0;a:Q3400/U1/RT\"\n"
		"[2](b9) \"S-b1\"[149] # lid 9 lmc 0 \"MF0;a:Q3400/U1\" lid 8 1xXDR\n\n"
		"caguid=0x11\nCa 1 \"H-11\" # \"node1 mlx5_0\"\n"
		"[1](12) \"S-b1\"[1] # lid 11 lmc 0 \"MF0;a:Q3400/U1\" lid 8 2xXDR\n\n"
		"caguid=0x21\nCa 1 \"H-21\" # \"node2 mlx5_0\"\n"
		"[1](22) \"S-b1\"[2] # lid 12 lmc 0 \"MF0;a:Q3400/U1\" lid 8 2xNDR\n");
	if (!f)
		fail_msg("%s", err.text);
	assert_null(f->notes);
	assert_int_equal(f->n_hosts, 3);
	assert_int_equal(f->n_senders, 2); /* a router passes on what others send */
	assert_int_equal(odo_hosts_of(f, 0), 2);
	uint32_t router = f->owner[f->peer[odo_slot(f, 0, 149)]];
	assert_int_equal(f->node_type[router], ODO_ROUTER);
	assert_int_equal(f->node_guid[router], 0xb8);
	assert_int_equal(f->lid_port[9], 149);
	for (unsigned port = 1; port <= 2; port++)
		assert_int_equal(f->width[odo_slot(f, 0, port)], 2);
	assert_int_equal(f->speed[odo_slot(f, 0, 1)], ODO_XDR);
	assert_int_equal(f->speed[odo_slot(f, 0, 2)], ODO_NDR);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_files_need_no_note),
		cmocka_unit_test(prompts_and_warnings_are_passed_over),
		cmocka_unit_test(other_lines_are_passed_over_and_noted),
		cmocka_unit_test(ports_that_initialise_have_no_lid),
		cmocka_unit_test(a_cable_that_one_end_lists_is_taken),
		cmocka_unit_test(chips_of_a_director_are_nodes_of_their_own),
		cmocka_unit_test(aggregation_nodes_send_nothing),
		cmocka_unit_test(routers_and_split_ports_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
