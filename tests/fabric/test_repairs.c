/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files as sites have them: what went through other tools is read all the same, what contradicts
 * itself is repaired where it can be known, each with its entry in the ledger, and files of other
 * tools are named. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/format/format.h"
#include "fabric/format/others.h"
#include "fabric/transform/transform.h"
#include "same_fabric.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

static odo_error err;

/* Two leaves, a spine, and a host on each leaf. */
static const char scan[] =
	"#\n# Topology file: generated on Mon Jan  5 10:00:00 2026\n#\n\n"
	"vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xb1(b1)\n"
	"Switch\t40 \"S-00000000000000b1\"\t\t# \"leaf 1\" enhanced port 0 lid 1 lmc 0\n"
	"[1]\t\"H-00000000000000a1\"[1](a2) \t\t# \"n1 mlx5_0\" lid 11 4xHDR\n"
	"[20]\t\"S-00000000000000b3\"[1]\t\t# \"spine\" lid 3 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xb2(b2)\n"
	"Switch\t40 \"S-00000000000000b2\"\t\t# \"leaf 2\" enhanced port 0 lid 2 lmc 0\n"
	"[1]\t\"H-00000000000000a3\"[1](a4) \t\t# \"n2 mlx5_0\" lid 12 4xHDR\n"
	"[20]\t\"S-00000000000000b3\"[2]\t\t# \"spine\" lid 3 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xb3(b3)\n"
	"Switch\t40 \"S-00000000000000b3\"\t\t# \"spine\" enhanced port 0 lid 3 lmc 0\n"
	"[1]\t\"S-00000000000000b1\"[20]\t\t# \"leaf 1\" lid 1 4xHDR\n"
	"[2]\t\"S-00000000000000b2\"[20]\t\t# \"leaf 2\" lid 2 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0x101b\ncaguid=0xa1\n"
	"Ca\t1 \"H-00000000000000a1\"\t\t# \"n1 mlx5_0\"\n"
	"[1](a2) \t\"S-00000000000000b1\"[1]\t\t# lid 11 lmc 0 \"leaf 1\" lid 1 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0x101b\ncaguid=0xa3\n"
	"Ca\t1 \"H-00000000000000a3\"\t\t# \"n2 mlx5_0\"\n"
	"[1](a4) \t\"S-00000000000000b2\"[1]\t\t# lid 12 lmc 0 \"leaf 2\" lid 2 4xHDR\n";

static odo_fabric *read_bytes(const char *text, size_t size)
{
	char path[] = "/tmp/odonata-repairs-XXXXXX";
	int file = mkstemp(path);
	odo_fabric *f = NULL;
	assert_true(file >= 0 && write(file, text, size) == (ssize_t)size);
	close(file);
	int status = odo_fabric_read(path, 0, &f, &err);
	unlink(path);
	assert_int_equal(status, f ? 0 : ODO_EINPUT);
	if (f)
		assert_int_equal(odo_fabric_check(f, &err), 0);
	return f;
}

static odo_fabric *read_whole(const char *text)
{
	odo_fabric *f = read_bytes(text, strlen(text));
	if (!f)
		fail_msg("%s", err.text);
	return f;
}

static uint32_t times(const odo_fabric *f, odo_repair sort)
{
	return f->repairs ? f->repairs->of[sort].n : 0;
}

static uint32_t total(const odo_fabric *f)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < ODO_N_REPAIRS; i++)
		n += times(f, (odo_repair)i);
	return n;
}

/* Reads as the scan does, with entries of one sort. */
static void expect_as_whole(const char *text, size_t size, odo_repair sort, uint32_t n)
{
	odo_fabric *whole = read_whole(scan), *f = read_bytes(text, size);
	if (!f)
		fail_msg("%s, of:\n%.200s", err.text, text);
	if (!same_fabric(whole, f, true))
		fail_msg("another fabric, of:\n%.200s", text);
	if (times(f, sort) != n || total(f) != n)
		fail_msg("%u times, expected %u; %s", times(f, sort), n, f->notes ? f->notes : "");
	odo_fabric_free(whole);
	odo_fabric_free(f);
}

static void add_line(char *to, const char *before, unsigned number, const char *line, size_t n,
		     const char *end)
{
	to += strlen(to);
	to += sprintf(to, before, number, number);
	sprintf(to, "%.*s%s", (int)n, line, end);
}

/* Each line of the scan behind `before`, which may have the line's number twice. */
static char *each_line(const char *before, const char *end)
{
	static char text[20000];
	unsigned number = 0;
	*text = '\0';
	for (const char *line = scan; *line; line += strcspn(line, "\n") + 1)
		add_line(text, before, number++ % 60, line, strcspn(line, "\n"), end);
	return text;
}

static void what_stands_before_each_line_is_taken_off(void **state)
{
	static const char *const before[] = {
		"adm1: ",
		"adm1 | ",
		"> ",
		">> ",
		"| ",
		"%6u\t",
		"%u:",
		"Jan  5 10:00:%02u adm1 ibnetdiscover[7]: ",
		"2026-01-05T10:00:%02u+01:00 adm1 ibnetdiscover: ",
		"[10:00:%02u] ",
		"\"adm1\": ",
		"    adm1: ",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, before, before[i]); i++) {
		char *text = each_line(before[i], "\n");
		unsigned n = 0;
		for (const char *at = text; *at; at++)
			n += *at == '\n';
		expect_as_whole(text, strlen(text), ODO_REPAIR_FRAME, n);
	}
}

static void blanks_and_ends_of_lines_mean_nothing(void **state)
{
	static const char *const before[] = {"   ", "\t", "", "", "        "};
	static const char *const end[] = {"\n", "\n", "\r\n", "\r\r\n", "\r\n"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, before, before[i]); i++) {
		char *text = each_line(before[i], end[i]);
		expect_as_whole(text, strlen(text), ODO_REPAIR_LINE, 0);
	}
	char *text = each_line("", "\n\n");
	expect_as_whole(text, strlen(text), ODO_REPAIR_LINE, 0);
	text = each_line("", "\r");
	expect_as_whole(text, strlen(text), ODO_REPAIR_LINE, 0);
}

/* Of two hosts that answered, one is enough. */
static void one_of_several_hosts_counts(void **state)
{
	static char text[40000];
	unsigned n = 0;
	(void)state;
	*text = '\0';
	for (const char *line = scan; *line; line += strcspn(line, "\n") + 1, n++)
		for (unsigned host = 1; host <= 2; host++)
			sprintf(text + strlen(text), "adm%u: %.*s\n", host,
				(int)strcspn(line, "\n"), line);
	odo_fabric *f = read_whole(text), *whole = read_whole(scan);
	assert_true(same_fabric(f, whole, true));
	assert_int_equal(times(f, ODO_REPAIR_FRAME), n);
	assert_int_equal(times(f, ODO_REPAIR_TALK) + times(f, ODO_REPAIR_LINE), n);
	assert_true(odo_ledger_matters(f->repairs)); /* the other may have seen more */
	odo_fabric_free(f);
	odo_fabric_free(whole);
}

/* Lines end after 48 letters: cables are known, some LIDs and rates are not. */
static void lines_that_are_cut_are_named(void **state)
{
	static char text[20000];
	(void)state;
	*text = '\0';
	for (const char *line = scan; *line; line += strcspn(line, "\n") + 1) {
		int n = (int)strcspn(line, "\n");
		sprintf(text + strlen(text), "%.*s\n", n < 48 ? n : 48, line);
	}
	odo_fabric *f = read_whole(text);
	assert_int_equal(f->n_links, 4);
	assert_in_range(times(f, ODO_REPAIR_LINE), 1, 20);
	odo_fabric_free(f);
}

static void zero_bytes_are_left_out(void **state)
{
	char text[sizeof scan + 8];
	size_t at = 300;
	(void)state;
	memcpy(text, scan, at);
	memset(text + at, 0, 3);
	memcpy(text + at + 3, scan + at, sizeof scan - at);
	expect_as_whole(text, sizeof scan - 1 + 3, ODO_REPAIR_BYTES, 3);
}

/* At every place between two lines. */
static void expect_passed(const char *line, odo_repair sort)
{
	static char text[20000];
	for (const char *at = scan; *at; at += strcspn(at, "\n") + 1) {
		sprintf(text, "%.*s%s\n%s", (int)(at - scan), scan, line, at);
		expect_as_whole(text, strlen(text), sort, 1);
	}
}

static void noise_of_terminals_and_libraries_is_passed_over(void **state)
{
	static const char *const noise[] = {
		"[root@mgmt01 ~]# ibnetdiscover",
		"$ ibnetdiscover -f",
		"```",
		"+ ibnetdiscover",
		"ibwarn: [5650] sim_connect: attached as client 1 at node \"S\"",
		"Warning: Permanently added 'adm1' (ED25519) to the list of known hosts.",
	};
	static const char *const failures[] = {
		"./libibnetdisc/query_smp.c:186; umad (DR path slid 0; dlid 0; 0,1,1,6 Attr "
		"0x11:0) bad status 110; Connection timed out",
		"src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x11:0) bad "
		"status 110",
		"ibwarn: [17] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1)",
		"ibnetdiscover: iberror: [9] main: discover failed",
		"ibpanic: [3] main: query failed",
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, noise, noise[i]); i++)
		expect_passed(noise[i], ODO_REPAIR_TALK);
	for (size_t i = 0; TEST_ROW(i, failures, failures[i]); i++)
		expect_passed(failures[i], ODO_REPAIR_SILENT);
	expect_passed("Good morning", ODO_REPAIR_LINE);
	expect_passed("[1]\t\"H-000", ODO_REPAIR_LINE);
}

/* A message that ran into a line, or the mark of a listing of differences, hides no port. */
static void noise_before_a_port_is_no_noise(void **state)
{
	static const char *const before[] = {"+ ", "$ ", "```", "Warning: ", "ibwarn: [12] x: "};
	(void)state;
	for (unsigned i = 0; TEST_ROW(i, before, before[i]); i++) {
		char text[sizeof scan + 40];
		const char *at = strstr(scan, "switchguid=0xb1");
		sprintf(text, "%.*s%s%s", (int)(at - scan), scan, before[i], at);
		odo_fabric *f = read_whole(text);
		assert_int_equal(times(f, ODO_REPAIR_LINE), 2); /* and the GUID */
		assert_true(odo_ledger_matters(f->repairs));
		odo_fabric_free(f);
	}
}

static void warnings_before_the_first_node_may_be_many(void **state)
{
	enum { LINES = 4000, LONGEST = 60 };
	static char text[LINES * LONGEST + sizeof scan];
	size_t n = 0;
	(void)state;
	for (unsigned i = 0; i < LINES; i++)
		n += (size_t)sprintf(text + n, "ibwarn: [%u] _do_madrpc: recv failed\n", i);
	strcpy(text + n, scan);
	odo_fabric *f = read_whole(text);
	assert_int_equal(times(f, ODO_REPAIR_SILENT), LINES);
	odo_fabric_free(f);
}

/* A line in so many is lost; what it said stands in another one. */
static void every_lost_line_is_survived(void **state)
{
	static char text[20000];
	(void)state;
	for (const char *at = scan; *at; at += strcspn(at, "\n") + 1) {
		const char *next = at + strcspn(at, "\n") + 1;
		sprintf(text, "%.*s%s", (int)(at - scan), scan, next);
		odo_fabric *f = read_whole(text);
		assert_int_equal(f->n_switches, 3);
		assert_int_equal(f->n_links, 4);
		assert_int_equal(f->n_hosts, 2);
		odo_fabric_free(f);
	}
}

/* Cut anywhere behind the first node: never an error, and what is listed is there. */
static void every_cut_is_read_with_a_word(void **state)
{
	(void)state;
	size_t first = (size_t)(strstr(scan, "[20]") - scan);
	for (size_t n = first; n < sizeof scan - 1; n += 7) {
		odo_fabric *f = read_bytes(scan, n);
		if (!f)
			fail_msg("cut at %zu: %s", n, err.text);
		if (f->n_links < 4 || f->n_switches < 3)
			assert_true(odo_ledger_matters(f->repairs));
		odo_fabric_free(f);
	}
}

static void replace_all(char *text, const char *what, const char *by)
{
	assert_int_equal(strlen(what), strlen(by));
	for (char *at = text; (at = strstr(at, what));)
		memcpy(at, by, strlen(by));
}

/* Both ends of a cable tell the name, the LID and the GUID of either. A line that is cut off or
 * lost is seen by that, and its LID is taken from the other, never invented. */
static void what_a_line_has_lost_its_peers_know(void **state)
{
	static const char *const cuts[] = {
		"\t\t# \"leaf 1\" enhanced",
		" 1\" enhanced port 0 lid 1",
		" lid 1 lmc 0\n[1]",
		"switchguid=0xb1(b1)\n",
		"2(b2)\nSwitch",
		"caguid=0xa1\n",
		"\t\t# \"n2 mlx5_0\"\n[1]",
		" mlx5_0\"\n[1](a2)",
		"\t\t# lid 12 lmc",
		"2 lmc 0 \"leaf 2\" lid 2 4xHDR",
	};
	odo_fabric *whole = read_whole(scan);
	(void)state;
	for (unsigned i = 0; TEST_ROW(i, cuts, cuts[i]); i++) {
		char text[sizeof scan];
		const char *at = strstr(scan, cuts[i]), *end = strchr(at, '\n');
		sprintf(text, "%.*s%s", (int)(at - scan), scan, end);
		odo_fabric *f = read_whole(text);
		if (!odo_ledger_matters(f->repairs))
			fail_msg("lost without a word: \"%.*s\"", (int)(end - at), at);
		assert_true(same_fabric(whole, f, true));
		odo_fabric_free(f);
	}
	odo_fabric_free(whole);
}

/* A LID that nobody has given is none that the subnet manager will give. */
static void a_lid_that_no_line_gives_is_named(void **state)
{
	char text[sizeof scan];
	(void)state;
	strcpy(text, scan);
	replace_all(text, "lid 12", "lid 00");
	odo_fabric *f = read_whole(text);
	assert_int_equal(times(f, ODO_REPAIR_LID), 1);
	assert_true(odo_ledger_matters(f->repairs));
	odo_fabric_free(f);
}

static void a_node_that_only_peers_name_is_taken_from_them(void **state)
{
	static char text[20000];
	const char *spine = strstr(scan, "vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xb3");
	const char *host = strstr(spine, "vendid=0x2c9\ndevid=0x101b\ncaguid=0xa3");
	(void)state;
	sprintf(text, "%.*s%s", (int)(spine - scan), scan,
		strstr(spine, "vendid=0x2c9\ndevid=0x101b"));
	text[strlen(text) - strlen(host)] = '\0';
	odo_fabric *f = read_whole(text), *whole = read_whole(scan);
	assert_int_equal(times(f, ODO_REPAIR_UNDEFINED), 2);
	assert_int_equal(total(f), 2);
	assert_string_equal(odo_name(f, 2), "spine");
	assert_int_equal(f->switch_lid[2], 3);
	assert_int_equal(f->lid_host[12], whole->lid_host[12]);
	assert_string_equal(odo_name(f, 4), "n2 mlx5_0");
	assert_int_equal(f->port_guid[odo_slot(f, 4, 1)], 0xa4);
	assert_int_equal(f->speed[odo_slot(f, 2, 1)], ODO_HDR);
	odo_fabric_free(f);
	odo_fabric_free(whole);
}

static void of_two_scans_the_last_counts(void **state)
{
	static char text[20000];
	(void)state;
	/* The first has a host more, which is gone since. */
	sprintf(text,
		"%s\ncaguid=0xa5\nCa 1 \"H-00000000000000a5\" # \"n3\"\n"
		"[1](a6) \"S-00000000000000b2\"[2] # lid 13 lmc 0 \"leaf 2\" lid 2 4xHDR\n\n%s",
		scan, scan);
	expect_as_whole(text, strlen(text), ODO_REPAIR_SCANS, 1);
	sprintf(text, "%s%s%s", scan, scan, scan);
	expect_as_whole(text, strlen(text), ODO_REPAIR_SCANS, 2);
}

/* The same scan with other GUIDs. */
static char *another_subnet(void)
{
	static char text[sizeof scan];
	strcpy(text, scan);
	for (char *at = text; (at = strstr(at, "-00000000000000")); at++)
		at[15] = at[15] == 'a' ? 'c' : 'd';
	for (char *at = text; (at = strstr(at, "guid=0x")); at++)
		at[7] = at[7] == 'a' ? 'c' : 'd';
	return text;
}

static void subnets_have_lids_of_their_own(void **state)
{
	static char text[20000];
	(void)state;
	sprintf(text, "%s%s", scan, another_subnet());
	odo_fabric *f = read_whole(text), *part;
	assert_int_equal(f->n_switches, 6);
	assert_int_equal(times(f, ODO_REPAIR_SUBNETS), 1);
	assert_int_equal(total(f), 1);
	assert_true(f->lids_by_part && !f->lid_count);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(odo_fabric_part(f, i, &part, NULL, &err), 0);
		assert_false(part->lids_by_part);
		assert_int_equal(part->lid_count, 13);
		assert_int_equal(part->switch_lid[2], 3);
		odo_fabric_free(part);
	}
	odo_fabric_free(f);
}

static void a_lid_that_two_ends_have_is_given_once(void **state)
{
	char text[sizeof scan];
	(void)state;
	strcpy(text, scan);
	replace_all(text, "lid 12", "lid 11");
	odo_fabric *f = read_whole(text);
	assert_int_equal(times(f, ODO_REPAIR_LID_TWICE), 1);
	assert_true(odo_ledger_matters(f->repairs));
	assert_int_equal(f->lid_host[11], 0);
	assert_int_equal(f->port_lid[f->host_slot[1]], 4); /* the first that is free */
	odo_fabric_free(f);
}

/* An unaligned base LID, and one beyond the unicast ones. */
static void lids_that_no_port_can_have_are_passed_over(void **state)
{
	char text[sizeof scan];
	(void)state;
	strcpy(text, scan);
	replace_all(text, "lid 11 lmc 0", "lid 11 lmc 2");
	odo_fabric *f = read_whole(text);
	assert_int_equal(times(f, ODO_REPAIR_LID), 1);
	odo_fabric_free(f);
	strcpy(text, scan);
	char *at = strstr(text, "# lid 11");
	memcpy(at, "#lid 50000", 8); /* "#lid 500 lmc 0" */
	f = read_whole(text);
	assert_int_equal(f->port_lid[f->host_slot[0]], 500);
	odo_fabric_free(f);
}

/* Cables that both ends list stay, whatever a third says. */
static void ends_that_disagree_lose_their_cable(void **state)
{
	char text[sizeof scan];
	(void)state;
	strcpy(text, scan);
	char *at = strstr(text, "[2]\t\"S-00000000000000b2\"[20]");
	memcpy(at, "[2]\t\"S-00000000000000b1\"[20]", 28);
	odo_fabric *f = read_whole(text);
	assert_int_equal(times(f, ODO_REPAIR_DISAGREE), 2);
	assert_int_equal(f->n_links, 3);
	assert_int_equal(odo_next_switch(f, odo_slot(f, 0, 20)), 2);
	odo_fabric_free(f);
}

static void the_lower_rate_of_two_ends_counts(void **state)
{
	char text[sizeof scan];
	(void)state;
	for (unsigned end = 0; end < 2; end++) {
		strcpy(text, scan);
		char *at = strstr(text, end ? "[2]\t\"S-00000000000000b2\"[20]"
					    : "[20]\t\"S-00000000000000b3\"[2]");
		memcpy(strstr(at, "4xHDR"), "1xHDR", 5);
		odo_fabric *f = read_whole(text);
		assert_int_equal(times(f, ODO_REPAIR_RATE), 1);
		assert_int_equal(total(f), 1);
		assert_int_equal(f->width[odo_slot(f, 1, 20)], 1);
		assert_int_equal(f->width[odo_slot(f, 2, 2)], 1);
		assert_int_equal(f->width[odo_slot(f, 2, 1)], 4);
		odo_fabric_free(f);
	}
}

/* @param expected "4x4": lanes and odo_speed of port 1 */
static void expect_ibsim(const char *head, const char *near, const char *far, unsigned lanes,
			 odo_speed speed)
{
	char text[400];
	snprintf(text, sizeof text,
		 "%sSwitch 8 \"S0\"\n[1] \"S1\"[1]%s\n[2] \"S1\"[2]\n\n"
		 "Switch 8 \"S1\"\n[1] \"S0\"[1]%s\n[2] \"S0\"[2]\n",
		 head, near, far);
	odo_fabric *f = read_whole(text);
	uint32_t slot = odo_slot(f, 0, 1);
	if (f->width[slot] != lanes || f->speed[slot] != speed)
		fail_msg("'%s' and '%s': %ux and speed %u", near, far, f->width[slot],
			 f->speed[slot]);
	odo_fabric_free(f);
}

/* As ibsim computes it: the fastest that both ends may. */
static void widths_and_speeds_of_ibsim_are_read(void **state)
{
	(void)state;
	expect_ibsim("", "", "", 4, ODO_SPEED_UNKNOWN);
	expect_ibsim("", "\tw=1", "\tw=1", 1, ODO_SDR);
	expect_ibsim("", "\tw=1", "\tw=3", 1, ODO_SDR);
	expect_ibsim("", " w=3 s=7", " w=3 s=7", 4, ODO_QDR);
	expect_ibsim("", " w=15 s=3", " w=8 s=7", 12, ODO_DDR);
	expect_ibsim("", " w=16 s=1", " w=16 s=1", 2, ODO_SDR);
	expect_ibsim("", " w=2 s=0", " w=2 s=4", 4, ODO_QDR);
	expect_ibsim("", " s=7 e=1", " s=7 e=3", 4, ODO_FDR);
	expect_ibsim("", " w=1 s=2.5", " w=1 s=2.5", 1, ODO_SDR);
	expect_ibsim("width=8\nspeed=4\n", "", "", 12, ODO_QDR);
	expect_ibsim("width=8\n", "", " w=2", 4, ODO_SDR);
	expect_ibsim("", " # \"S1\" lid 3 4xEDR s=1 w=2 v=4", " # \"S0\" lid 2 4xEDR", 4, ODO_EDR);
}

/* Where one cable says how it runs, the others run as ibsim has them. */
static void a_slow_cable_of_ibsim_is_slower_than_the_others(void **state)
{
	(void)state;
	odo_fabric *f = read_whole("Switch 8 \"S0\"\n[1] \"S1\"[1] w=1\n[2] \"S1\"[2]\n\n"
				   "Switch 8 \"S1\"\n[1] \"S0\"[1] w=1\n[2] \"S0\"[2]\n");
	assert_int_equal(odo_cable_rate(f, odo_slot(f, 0, 1)), 2000);
	assert_int_equal(odo_cable_rate(f, odo_slot(f, 0, 2)), 8000);
	assert_null(f->repairs);
	odo_fabric_free(f);
}

static const struct named {
	const char *text, *name;
} files[] = {
	{"SW     0 36 0x0b00000000000200 4x SDR                'MF0'\n", "'ibnetdiscover -p'"},
	{"CA    12  1 0x0b00000000001031 4x SDR - SW     0  2 0x0b00000000000200 ( 'a' - 'b' )\n",
	 "'ibnetdiscover -p'"},
	{"START_NODES\nNodeDesc,NumPorts\n", "db_csv"},
	{"Ty : #  : #IB : Sta  : PhysSta : MTU : LWA\n", "net_dump_ext"},
	{"Switch\t: 0x0b00000000000100 ports 40 \"leaf\" enhanced port 0 lid 1 lmc 0\n",
	 "ibswitches"},
	{"Ca\t: 0x0b00000000000100 ports 1 \"n1 mlx5_0\"\n", "ibhosts"},
	{"CA 'mlx5_0'\n\tCA type: MT4123\n", "ibstat"},
	{"hca_id:\tmlx5_0\n", "ibv_devinfo"},
	{"NodeRecord dump:\n\t\tlid....1\n", "saquery"},
	{"Unicast lids [0x0-0x9] of switch Lid 1 guid 0xb1 (leaf):\n", "LFTs"},
	{"dump_ucast_routes: Switch 0xb1\n", ".fdbs"},
	{"SM\n# The port GUID on which the OpenSM is running\nguid 0x0\n", "opensm.conf"},
	{"# nodes\nSwitchName=s1 Nodes=n[1-2]\n", "topology.conf"},
	{"num_ranks 2\nrank 0 {\n", "GOAL"},
	{"cable,kind,metres,from,from_row\n1,a,1.0,\"S0\",1\n", "--cabling"},
	{"{\"format\": \"odonata-tables\", \"version\": 1}\n", "tables"},
	{"{\"devices\": []}\n", "JSON"},
	{"rank,x,y\n1,2,3\n", "CSV"},
	{"0x0b00000000000100\n0x0b00000000000200\n", "GUIDs"},
	{"-I- Using port 1\n", "ibdiagnet"},
	{"<!DOCTYPE html>\n<html>\n", "web page"},
};

static void files_of_other_tools_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, files, NULL); i++) {
		odo_fabric *f = read_bytes(files[i].text, strlen(files[i].text));
		const char *found = f ? NULL : strstr(err.text, ", found ");
		if (!found || !strstr(found, files[i].name) || !strstr(found, ": "))
			fail_msg("%s: %s", files[i].name, f ? "read" : err.text);
	}
	/* All that is packed says how it is unpacked. */
	assert_null(read_bytes("\x1f\x8b\x08 4711", 8));
	assert_non_null(strstr(err.text, "zcat"));
	assert_null(read_bytes("\xff\xfeS\0w\0", 6));
	assert_non_null(strstr(err.text, "iconv"));
}

static void routers_of_anynet_are_switches(void **state)
{
	(void)state;
	/* The cable of routers 0 and 1 is listed at both of its ends. */
	odo_fabric *f = read_whole(
		"# three routers\nrouter 0 node 0 node 1 router 1 10 router 2 10\n"
		"router 1 node 2 5 router 0 10 router 2 10\n"
		"router 2 node 3\n");
	assert_int_equal(f->n_switches, 3);
	assert_int_equal(f->n_hosts, 4);
	assert_int_equal(f->n_links, 7);
	assert_int_equal(odo_hosts_of(f, 0), 2);
	assert_string_equal(odo_name(f, 2), "router 2");
	assert_null(f->repairs);
	odo_fabric_free(f);
	f = read_whole("router 0 node 0 router 1\nrouter 1 node 1 pudding\n");
	assert_int_equal(times(f, ODO_REPAIR_LINE), 1);
	odo_fabric_free(f);
	assert_null(read_bytes("router 0 router 0\n", 18));
}

static void lists_of_cables_are_fabrics(void **state)
{
	(void)state;
	odo_fabric *f = read_whole(
		"cable,kind,metres,from,from_row,from_rack,from_position,from_port,to,"
		"to_row,to_rack,to_position,to_port\n"
		"1,electrical,1.0,\"S0\",1,1,1,1,\"H0_0\",1,1,9,1\n"
		"2,electrical,1.0,\"S0\",1,1,1,2,\"S1\",1,1,2,2\n"
		"3,electrical,1.0,\"S1\",1,1,2,1,\"H1_0\",1,1,10,1\n");
	assert_int_equal(f->n_switches, 2);
	assert_int_equal(f->n_hosts, 2);
	assert_int_equal(odo_next_switch(f, odo_slot(f, 0, 2)), 1);
	assert_null(f->repairs);
	odo_fabric_free(f);
	/* Columns by their names, in any order and without others. */
	f = read_whole("to_port,from,to,from_port\n1,S0,H1,3\n0,S0,H2,4\n2,S0,H2,3\n");
	assert_int_equal(f->n_links, 1);
	assert_int_equal(times(f, ODO_REPAIR_LINE), 1);
	assert_int_equal(times(f, ODO_REPAIR_DISAGREE), 1);
	odo_fabric_free(f);
}

/* Two leaves, a spine and two hosts of two adapters, as other tools list them. */
static const struct listed {
	const char *text;
	uint32_t switches, hosts, cables;
	const char *name; /* of the first host */
	unsigned lanes;   /* of its cable */
	odo_speed speed;
	const char *label; /* of the port where it is cabled */
} listed[] = {
	{"CA: n1 HCA-1:\n      0xb1      3    1[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>      "
	 " 2 "
	 "   1[ 5] \"leaf\" ( )\nSwitch: 0xb2 leaf:\n   2    1[ 5] ==( 4X  25.78125 Gbps Active/  "
	 "LinkUp)==>       3    1[  ] \"n1 HCA-1\" ( )\n   2    2[  ] ==(                Down/ "
	 "Polling)==>             [  ] \"\" ( )\n",
	 1, 1, 1, "n1 HCA-1", 4, ODO_EDR, "5"},
	{"0x0b00000000000100 \"          leaf\" 3 1[  ] ==( 1X 53.125 Gbps Active/  LinkUp)==> "
	 "0xb2 "
	 "4 1[  ] \"n1\" ( )\n0x0b00000000000100 \"leaf\" 3 2[  ] ==( 4X 53.125 Gbps Active/ "
	 "LinkUp)==> 0xb3 5 1[  ] \"n2\" ( )\n",
	 1, 2, 2, "n1", 1, ODO_HDR, ""},
	{"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n\"leaf, 1\",4,2,0xb1\n\"n1\",1,1,0xb2\n"
	 "END_NODES\nSTART_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv\n"
	 "0xb1,0xb1,0,4,255,255\n0xb2,0xb3,1,7,2,1024\nEND_PORTS\nSTART_LINKS\nNodeGuid1,PortNum1,"
	 "NodeGuid2,PortNum2\n"
	 "0xb1,3,0xb2,1\nEND_LINKS\n",
	 1, 1, 1, "n1", 4, ODO_HDR, ""},
	{"# by IBDIAG\n\"l\", Mellanox, 0xb1, LID 1\n # : IB# : Sta : LWA : LSA : Neighbor Guid : "
	 "N# : "
	 "NLID : Neighbor Description\n 1/2 : 2 : ACT : 2x : 100 : 0xb2 : 1 : 5 : \"n1 mlx5_0\"\n",
	 1, 1, 1, "n1 mlx5_0", 2, ODO_NDR, "1/2"},
	{"MT4390 leaf0\n   P1 -4x-25G-> HCA_1 n01 U1/P1\n   P2 -4x-25G-> HCA_1 n01 U2/P1\n"
	 "   P9 -> MT4390 spine0 P1\n",
	 2, 2, 3, "n01 HCA-1", 4, ODO_EDR, "P1"},
	{"Node A;Port A;Node B;Port B;Rate\nleaf 1;1/3/2;dgx1;mlx5_0;4xNDR\nleaf 1;7;spine 1;P2;\n",
	 2, 1, 2, "dgx1 HCA-1", 4, ODO_NDR, "1/3/2"},
};

static void lists_of_other_tools_are_fabrics(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, listed, NULL); i++) {
		odo_fabric *f = read_whole(listed[i].text);
		uint32_t slot = f->peer[f->host_slot[0]];
		assert_int_equal(f->n_switches, listed[i].switches);
		assert_int_equal(f->n_hosts, listed[i].hosts);
		assert_int_equal(f->n_links, listed[i].cables);
		assert_string_equal(odo_name(f, f->owner[f->host_slot[0]]), listed[i].name);
		assert_int_equal(f->width[slot], listed[i].lanes);
		assert_int_equal(f->speed[slot], listed[i].speed);
		assert_string_equal(odo_label(f, slot), listed[i].label);
		assert_null(f->repairs);
		odo_fabric_free(f);
	}
}

#define PLAN "odonata-plan 1\nswitch \"a\" ports 4\nswitch \"b\"\n"

static const struct wrong_plan {
	const char *text, *said;
} wrong_plans[] = {
	{"odonata-plan 2\nend\n", ":1: expected version 1 of a plan"},
	{PLAN "cable \"a\" 1 \"b\" 2 4xHDR\n", "the plan is cut"},
	{PLAN "cable \"a\" 1 \"c\" 2 4xHDR\nend\n", ":4: expected a node that a line above names"},
	{PLAN "cable \"a\" 0 \"b\" 2 4xHDR\nend\n", ":4: expected a port from 1 to 254"},
	{PLAN "cable \"a\" 1 \"b\" 2 4xXXL\nend\n", ":4: expected a rate"},
	{PLAN "cable \"a\" 1 \"b\" 2 4x\ncable \"b\" 2 \"a\" 3 4x\nend\n",
	 ":5: node \"b\" port 2 is "
	 "cabled twice"},
	{PLAN "switch \"a\"\nend\n", ":4: expected a name of its own"},
	{PLAN "switch \"c\" colour \"red\"\nend\n", ":4: expected ports, guid, id, place or at"},
	{PLAN "rack 7\nend\n", ":4: expected switch, host, router, cable, topology or end"},
	{PLAN "end\nswitch \"c\"\n", ":5: expected nothing below"},
};

static void plans_are_checked_word_by_word(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, wrong_plans, wrong_plans[i].said); i++) {
		odo_fabric *f = read_bytes(wrong_plans[i].text, strlen(wrong_plans[i].text));
		if (f || !strstr(err.text, wrong_plans[i].said))
			fail_msg("%s", f ? "read" : err.text);
	}
	odo_fabric *f = read_whole(
		"odonata-plan 1\nswitch \"a \\\"b\\\"\" ports 4 place \"rack 7\"\n"
		"host \"h\"\ncable \"a \\\"b\\\"\" 3 \"h\" 1 2xNDR labels \"1/3\" "
		"\"\"\nend\n");
	assert_string_equal(odo_name(f, 0), "a \"b\"");
	assert_string_equal(odo_location(f, 0), "rack 7");
	assert_string_equal(odo_label(f, odo_slot(f, 0, 3)), "1/3");
	assert_int_equal(odo_n_ports(f, 0), 4);
	assert_int_equal(odo_cable_rate(f, odo_slot(f, 0, 3)), 2 * odo_lane_rate(ODO_NDR));
	assert_true(f->no_guids);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_before_each_line_is_taken_off),
		cmocka_unit_test(blanks_and_ends_of_lines_mean_nothing),
		cmocka_unit_test(zero_bytes_are_left_out),
		cmocka_unit_test(one_of_several_hosts_counts),
		cmocka_unit_test(lines_that_are_cut_are_named),
		cmocka_unit_test(noise_of_terminals_and_libraries_is_passed_over),
		cmocka_unit_test(noise_before_a_port_is_no_noise),
		cmocka_unit_test(warnings_before_the_first_node_may_be_many),
		cmocka_unit_test(every_lost_line_is_survived),
		cmocka_unit_test(every_cut_is_read_with_a_word),
		cmocka_unit_test(what_a_line_has_lost_its_peers_know),
		cmocka_unit_test(a_lid_that_no_line_gives_is_named),
		cmocka_unit_test(a_node_that_only_peers_name_is_taken_from_them),
		cmocka_unit_test(of_two_scans_the_last_counts),
		cmocka_unit_test(subnets_have_lids_of_their_own),
		cmocka_unit_test(a_lid_that_two_ends_have_is_given_once),
		cmocka_unit_test(lids_that_no_port_can_have_are_passed_over),
		cmocka_unit_test(ends_that_disagree_lose_their_cable),
		cmocka_unit_test(the_lower_rate_of_two_ends_counts),
		cmocka_unit_test(widths_and_speeds_of_ibsim_are_read),
		cmocka_unit_test(a_slow_cable_of_ibsim_is_slower_than_the_others),
		cmocka_unit_test(files_of_other_tools_are_named),
		cmocka_unit_test(routers_of_anynet_are_switches),
		cmocka_unit_test(lists_of_cables_are_fabrics),
		cmocka_unit_test(lists_of_other_tools_are_fabrics),
		cmocka_unit_test(plans_are_checked_word_by_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
