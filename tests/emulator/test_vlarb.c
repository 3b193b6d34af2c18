/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* VL arbitration: how an arbiter shares an output out, and its tables read from OpenSM's options
 * and from what smpquery printed of an emulated subnet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emulator/vlarb.h"
#include "tests/emulator/rig.h"

static odo_fabric *small(void)
{
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	assert_int_equal(odo_topology_generate("flatfly:k=2,c=2", 0, &f, &c, &err), 0);
	odo_coordinates_free(c);
	return f;
}

static odo_vlarb *parse(const odo_fabric *f, const char *text)
{
	odo_error err = {0};
	odo_vlarb *vlarb = NULL;
	if (odo_vlarb_parse(text, strlen(text), "text", f, &vlarb, &err))
		fail_msg("%s", err.text);
	return vlarb;
}

static uint32_t slot_between(const odo_fabric *f, uint32_t from, uint32_t to)
{
	uint32_t slot = 0;
	while (f->owner[slot] != from || odo_next_switch(f, slot) != to)
		slot++;
	return slot;
}

/* Packets of each VL among 12,000, all of `waiting` having more to send at any time. */
static void share(const odo_vlarb_row *row, uint16_t waiting, unsigned phits, unsigned *sent)
{
	odo_vlarb_turn turn = {0};
	memset(sent, 0, 16 * sizeof *sent);
	for (unsigned i = 0; i < 12000; i++) {
		unsigned table;
		int vl = odo_vlarb_next(row, &turn, waiting, &table);
		assert_in_range(vl, 0, 14);
		odo_vlarb_sent(row, &turn, (unsigned)vl, table, phits);
		sent[vl]++;
	}
}

static void shares_are_as_weights(void **state)
{
	(void)state;
	odo_fabric *f = small();
	unsigned sent[16];
	odo_vlarb *vlarb = parse(f, "qos_vlarb_high 0:32,1:96,2:0\nqos_vlarb_low 2:1\n"
				    "qos_high_limit 255\n");
	share(&vlarb->rows[0], 0x7, 32, sent);
	assert_int_equal(sent[0], 3000);
	assert_int_equal(sent[1], 9000);
	assert_int_equal(sent[2], 0);
	/* Who has nothing to send leaves its share to the others; low only where no high waits. */
	share(&vlarb->rows[0], 0x5, 32, sent);
	assert_int_equal(sent[0], 12000);
	share(&vlarb->rows[0], 0x4, 32, sent);
	assert_int_equal(sent[2], 12000);
	/* A packet that a weight no longer covers is sent whole: 2, 1 and 3 packets of 40 phits. */
	odo_vlarb_free(vlarb);
	vlarb = parse(f, "qos_vlarb_low 0:64,1:32,2:96\nqos_vlarb_high 0:0\n");
	share(&vlarb->rows[0], 0x7, 40, sent);
	assert_int_equal(sent[0], 4000);
	assert_int_equal(sent[1], 2000);
	assert_int_equal(sent[2], 6000);
	odo_vlarb_free(vlarb);
	odo_fabric_free(f);
}

static void high_priority_has_a_limit(void **state)
{
	(void)state;
	static const struct {
		const char *limit;
		unsigned low; /* of 12,000 packets of 2,048 bytes */
	} cases[] = {{"0", 6000}, {"1", 4000}, {"5", 1091}, {"255", 0}};
	odo_fabric *f = small();
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].limit); i++) {
		char text[200];
		unsigned sent[16];
		snprintf(text, sizeof text,
			 "qos_vlarb_high 1:255\nqos_vlarb_low 0:4\nqos_high_limit %s\n",
			 cases[i].limit);
		odo_vlarb *vlarb = parse(f, text);
		share(&vlarb->rows[0], 0x3, 32, sent);
		assert_in_range(sent[0], cases[i].low > 0 ? cases[i].low - 1 : 0, cases[i].low);
		odo_vlarb_free(vlarb);
	}
	odo_fabric_free(f);
}

static void options_of_switches_override_the_general_ones(void **state)
{
	(void)state;
	odo_fabric *f = small();
	odo_vlarb *vlarb = parse(f,
				 "qos_swe_vlarb_high 3:7\r\nqos_vlarb_high 0:4\n"
				 "qos_vlarb_low (null)\nqos_high_limit -1\nqos_ca_high_limit 9\n");
	assert_int_equal(vlarb->rows[0].n[ODO_VLARB_HIGH], 1);
	assert_int_equal(vlarb->rows[0].entry[ODO_VLARB_HIGH][0].vl, 3);
	assert_int_equal(vlarb->rows[0].entry[ODO_VLARB_LOW][5].weight, 4); /* OpenSM's default */
	assert_int_equal(vlarb->rows[0].limit, 0);
	assert_int_equal(odo_vlarb_served(&vlarb->rows[0]), 0x7FFE);
	odo_vlarb_free(vlarb);
	odo_fabric_free(f);
}

/* As smpquery of infiniband-diags 46 prints it. */
static const char query[] = "# VLArbitration tables: Lid 1 port 3 LowCap 8 HighCap 8\n"
			    "# Low priority VL Arbitration Table:\n"
			    "VL    : |0x0 |0x1 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |\n"
			    "WEIGHT: |0x1 |0x2 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |\n"
			    "# High priority VL Arbitration Table:\n"
			    "VL    : |0x0 |0x1 |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |\n"
			    "WEIGHT: |0x4 |0xC |0x0 |0x0 |0x0 |0x0 |0x0 |0x0 |\n"
			    "# No VLArbitration tables (BSP0): Lid 2 port 0\n"
			    "# Port info: Lid 1 port 3\n"
			    "Mkey:............................<not displayed>\n"
			    "VLHighLimit:.....................3\n";

static void tables_of_each_port_are_read(void **state)
{
	(void)state;
	odo_fabric *f = small();
	uint32_t s = f->lid_switch[1];
	assert_int_equal(f->lid_host[1], ODO_NONE);
	odo_vlarb *vlarb = parse(f, query);
	const odo_vlarb_row *row = &vlarb->rows[vlarb->row[odo_slot(f, s, 3)]];
	assert_int_equal(row->n[ODO_VLARB_HIGH], 8);
	assert_int_equal(row->entry[ODO_VLARB_HIGH][1].vl, 1);
	assert_int_equal(row->entry[ODO_VLARB_HIGH][1].weight, 12);
	assert_int_equal(row->entry[ODO_VLARB_LOW][1].weight, 2);
	assert_int_equal(row->limit, 3);
	assert_int_equal(vlarb->row[slot_between(f, 1 - s, s)], 0);
	odo_vlarb_free(vlarb);
	odo_fabric_free(f);
}

static void bad_tables_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *line;
	} bad[] = {
		{"", "text:1: "},
		{"hello\n", "text:1: "},
		{"\nqos_vlarb_high 0:4,1\n", "text:2: "},
		{"qos_vlarb_high 15:4\n", "text:1: "},
		{"qos_vlarb_low 0:256\n", "text:1: "},
		{"qos_vlarb_low 0:1 2\n", "text:1: "},
		{"qos_vlarb_low 0:1\nqos_high_limit 256\n", "text:2: "},
		{"qos_vlarb_low\n", "text:1: "},
		{"# VLArbitration tables: Lid 999 port 3 LowCap 8\n", "text:1: "},
		{"# VLArbitration tables: Lid 1 port 99 LowCap 8\n", "text:1: "},
		{"# VLArbitration tables: Lid 1 port\n", "text:1: "},
		{"# VLArbitration tables: Lid 1 port 3 LowCap 8\n", "text:1: "},
		{"# VLArbitration tables: Lid 1 port 3\n# Low priority VL Arbitration Table:\n"
		 "VL    : |0x0 |0x1 |\nWEIGHT: |0x0 |\n",
		 "text:4: "},
		{"# VLArbitration tables: Lid 1 port 3\n# Low priority VL Arbitration Table:\n"
		 "VL    : |0x0 |0x10 |\n",
		 "text:3: "},
	};
	odo_fabric *f = small();
	for (size_t i = 0; TEST_ROW(i, bad, bad[i].text); i++) {
		odo_error err = {0};
		odo_vlarb *vlarb = NULL;
		assert_int_equal(
			odo_vlarb_parse(bad[i].text, strlen(bad[i].text), "text", f, &vlarb, &err),
			ODO_EINPUT);
		if (strncmp(err.text, bad[i].line, strlen(bad[i].line)) ||
		    !strstr(err.text, "expected") || !strstr(err.text, "found"))
			fail_msg("%zu: %s", i, err.text);
		assert_null(vlarb);
	}
	odo_fabric_free(f);
}

/* SL and VL 1 for everything that goes to odd hosts. */
static void split_by_vl(struct rig *r)
{
	odo_error err = {0};
	odo_tables *t = r->tables;
	odo_sl2vl map = {.vl = {0, 1}};
	uint16_t row;
	assert_int_equal(odo_tables_row(t, &map, &row, &err), 0);
	for (uint32_t i = 0; i < t->sl2vl_at[r->fabric->n_switches]; i++)
		t->sl2vl[i] = row;
	for (uint32_t h = 0; h < r->fabric->n_hosts; h++) {
		t->host_row[h] = row;
		t->sl_of_lid[r->fabric->port_lid[r->fabric->host_slot[h]]] = h % 2;
	}
	t->n_vls = t->n_sls = 2;
}

/* Hosts 0 to 3 of a switch all send to their like of the other over one cable: the share of VL 0,
 * and what the cable carries. */
static double share_of_vl_0(const char *options, double *carried)
{
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=4", "infiniband", "shift:n=4", NULL);
	split_by_vl(&r);
	odo_vlarb *vlarb = parse(r.fabric, options);
	r.e.vlarb = vlarb;
	r.e.run.measured = 20000;
	odo_measures *m = rig_run(&r);
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	double by_vl[2] = {0};
	for (uint32_t h = 4; h < 8; h++)
		by_vl[h % 2] += m->channel[r.fabric->peer[r.fabric->host_slot[h]]];
	*carried = m->channel[slot_between(r.fabric, 0, 1)] / (double)m->cycles;
	odo_measures_free(m);
	odo_vlarb_free(vlarb);
	rig_free(&r);
	return by_vl[0] / (by_vl[0] + by_vl[1]);
}

static void a_link_is_shared_out_by_weights(void **state)
{
	(void)state;
	static const struct {
		const char *options;
		double share;
	} cases[] = {
		{"qos_vlarb_high 0:32,1:96\nqos_vlarb_low 0:0\nqos_high_limit 255\n", 0.25},
		{"qos_vlarb_high 0:32,1:32\nqos_vlarb_low 0:0\nqos_high_limit 255\n", 0.5},
		{"qos_vlarb_high 0:0\nqos_vlarb_low 0:160,1:32\n", 5.0 / 6},
		/* A packet of each table in turn; 4,096 bytes are two packets; and no end. */
		{"qos_vlarb_high 1:4\nqos_vlarb_low 0:4\nqos_high_limit 0\n", 0.5},
		{"qos_vlarb_high 1:4\nqos_vlarb_low 0:4\nqos_high_limit 1\n", 1.0 / 3},
		{"qos_vlarb_high 1:4\nqos_vlarb_low 0:4\nqos_high_limit 255\n", 0},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].options); i++) {
		double carried, share = share_of_vl_0(cases[i].options, &carried);
		print_message("%.4f (%.4f), %.4f of the cable\n", share, cases[i].share, carried);
		assert_true(fabs(share - cases[i].share) < 0.005);
		assert_true(carried > 0.99);
	}
}

static void a_vl_without_weight_is_refused(void **state)
{
	(void)state;
	struct rig r;
	odo_error err = {0};
	odo_measures *m = NULL;
	rig_make(&r, "flatfly:k=2,c=4", "infiniband", "shift:n=4", NULL);
	split_by_vl(&r);
	odo_vlarb *vlarb = parse(r.fabric, "qos_vlarb_high 0:4\nqos_vlarb_low 0:4,1:0\n");
	r.e.vlarb = vlarb;
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "gives VL 1 no weight"));
	r.e.policy = "dor";
	assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_EDECLINE);
	odo_vlarb_free(vlarb);
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_as_weights),
		cmocka_unit_test(high_priority_has_a_limit),
		cmocka_unit_test(options_of_switches_override_the_general_ones),
		cmocka_unit_test(tables_of_each_port_are_read),
		cmocka_unit_test(bad_tables_are_refused),
		cmocka_unit_test(a_link_is_shared_out_by_weights),
		cmocka_unit_test(a_vl_without_weight_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
