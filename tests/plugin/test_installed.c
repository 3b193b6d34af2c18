/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What OpenSM is answered from tables that are installed: SLs of paths, and how many ports cut VLs
 * short. And what becomes of records of OpenSM's that contradict each other. */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/topology/topology.h"
#include "plugin/opensm/install.h"
#include "plugin/opensm/multicast.h"
#include "plugin/opensm/translate.h"
#include "routing/engine.h"
#include "routing/reroute/connections.h"
#include "routing/verify/verify.h"
#include "tests/unit.h"

/* Of OpenSM's executable, wanted by what is not called here. */
void osm_port_get_lid_range_ho(const osm_port_t *port, uint16_t *first, uint16_t *last)
{
	(void)port;
	*first = *last = 0;
	abort();
}

struct osm_port *osm_get_port_by_lid_ho(const osm_subn_t *subn, uint16_t lid)
{
	(void)subn;
	(void)lid;
	return NULL; /* no switch has a LID yet */
}

int osm_link_is_healthy(const osm_physp_t *port)
{
	(void)port;
	return 1;
}

enum { HINT = 13 };

static uint8_t expected_sl(const odo_routed *r, uint32_t slid, uint32_t dlid)
{
	const odo_fabric *f = r->fabric;
	bool known = slid < f->lid_count && dlid < f->lid_count &&
		     f->lid_switch[slid] != ODO_NONE && f->lid_switch[dlid] != ODO_NONE;
	uint8_t sl = known ? odo_path_sl(r->tables, f->lid_switch[slid], dlid) : HINT;
	return r->any_sl && !sl ? HINT : sl;
}

/* LIDs beyond the last, and such as nobody has, are answered with what OpenSM would give by itself.
 */
static void paths_have_the_sl_of_the_tables(void **state)
{
	(void)state;
	odo_routed r = {0};
	odo_connections c = {0};
	odo_error err;
	unsigned sls = 0;
	assert_int_equal(
		odo_topology_generate("torus:k=5x5,c=1", 1, &r.fabric, &r.coordinates, &err), 0);
	assert_int_equal(odo_route(r.fabric, r.coordinates, "layered", NULL, &r.tables, &err), 0);
	for (unsigned any = 0; any < 2; any++) {
		r.any_sl = any;
		for (uint32_t slid = 0; slid < r.fabric->lid_count + 3; slid++)
			for (uint32_t dlid = 0; dlid < r.fabric->lid_count + 3; dlid++) {
				uint8_t sl = odo_connections_answer(&c, r.tables, any, HINT,
								    (uint16_t)slid,
								    (uint16_t)dlid);
				assert_int_equal(sl, expected_sl(&r, slid, dlid));
				sls |= 1u << sl;
			}
	}
	assert_true((sls & 1u << HINT) && (sls & 3) == 3); /* several, and the hint */
	odo_tables_free(r.tables);
	odo_coordinates_free(r.coordinates);
	odo_fabric_free(r.fabric);
}

/* A switch as OpenSM has it: port p is linked, unless p is 3, and has this many operational VLs. */
static osm_switch_t *make_switch(uint64_t guid, unsigned n_ports, const uint8_t *code)
{
	osm_switch_t *sw = calloc(1, sizeof *sw);
	osm_node_t *node = calloc(1, sizeof *node + (n_ports + 1) * sizeof(osm_physp_t));
	assert_true(sw && node);
	sw->p_node = node;
	node->sw = sw;
	node->physp_tbl_size = (uint8_t)(n_ports + 1);
	for (unsigned p = 1; p <= n_ports; p++) {
		osm_physp_t *port = &node->physp_table[p];
		port->port_guid = cl_hton64(guid);
		port->p_remote_physp = p == 3 ? NULL : port;
		ib_port_info_set_op_vls(&port->port_info, code[p - 1]);
	}
	return sw;
}

static void ports_that_cut_vls_short_are_counted(void **state)
{
	(void)state;
	static const uint8_t code[2][5] = {{1, 2, 1, 3, 4},
					   {2, 2, 2, 5, 5}}; /* 1, 2, 4, 8, 15 VLs */
	static const struct {
		uint8_t n_vls;
		uint32_t ports;
	} masked[] = {{1, 0}, {2, 1}, {3, 4}, {4, 4}, {5, 5}, {8, 5}, {9, 6}, {15, 6}};
	osm_subn_t *subn = calloc(1, sizeof *subn);
	osm_switch_t *sw[2];
	odo_tables tables = {0};
	odo_routed r = {.tables = &tables};
	assert_non_null(subn);
	cl_qmap_init(&subn->sw_guid_tbl);
	for (unsigned i = 0; i < 2; i++) {
		sw[i] = make_switch(i + 1, 5, code[i]);
		cl_qmap_insert(&subn->sw_guid_tbl, i + 1, &sw[i]->map_item);
	}
	for (size_t i = 0; TEST_ROW(i, masked, NULL); i++) {
		tables.n_vls = masked[i].n_vls;
		assert_int_equal(odo_masked_ports(&r, subn), masked[i].ports);
	}
	for (unsigned i = 0; i < 2; i++) {
		free(sw[i]->p_node);
		free(sw[i]);
	}
	free(subn);
}

enum { RING = 4, PORTS = 3 };

/* Switches in a ring: port 1 of each is cabled to port 2 of the next. */
static osm_subn_t *make_ring(osm_node_t *node[RING])
{
	static const uint8_t code[PORTS] = {1, 1, 1};
	osm_subn_t *subn = calloc(1, sizeof *subn);
	assert_non_null(subn);
	cl_qmap_init(&subn->node_guid_tbl);
	cl_qmap_init(&subn->port_guid_tbl);
	for (unsigned s = 0; s < RING; s++) {
		osm_switch_t *sw = make_switch(s + 1, PORTS, code);
		node[s] = sw->p_node;
		node[s]->node_info = (ib_node_info_t){.node_type = IB_NODE_TYPE_SWITCH,
						      .num_ports = PORTS,
						      .node_guid = cl_hton64(s + 1)};
		node[s]->print_desc = "ring";
		sw->num_ports = PORTS + 1;
		for (unsigned p = 0; p <= PORTS; p++) {
			node[s]->physp_table[p].p_node = node[s];
			node[s]->physp_table[p].port_num = (uint8_t)p;
			node[s]->physp_table[p].p_remote_physp = NULL;
		}
		cl_qmap_insert(&subn->node_guid_tbl, s + 1, &node[s]->map_item);
	}
	for (unsigned s = 0; s < RING; s++) {
		osm_physp_t *a = &node[s]->physp_table[1],
			    *b = &node[(s + 1) % RING]->physp_table[2];
		a->p_remote_physp = b;
		b->p_remote_physp = a;
	}
	return subn;
}

static void free_ring(osm_subn_t *subn, osm_node_t *node[RING])
{
	for (unsigned s = 0; s < RING; s++) {
		free(node[s]->sw);
		free(node[s]);
	}
	free(subn);
}

/* Half of the ports that lead to another switch, as the plugin sees them. */
static uint32_t count_cables(const osm_subn_t *subn)
{
	odo_fabric *f;
	odo_error err;
	uint32_t ends = 0;
	assert_int_equal(odo_translate(subn, &f, &err), 0);
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		ends += odo_next_switch(f, slot) != ODO_NONE;
	odo_fabric_free(f);
	assert_int_equal(ends % 2, 0);
	return ends / 2;
}

/* A cable is one of which both ends say so: no other is routed over. */
static void ports_that_lie_about_their_peers_are_left_out(void **state)
{
	(void)state;
	osm_node_t *node[RING];
	osm_subn_t *subn = make_ring(node);
	osm_physp_t *port = &node[0]->physp_table[1], *honest = port->p_remote_physp;
	assert_int_equal(count_cables(subn), RING);
	port->p_remote_physp = &node[2]->physp_table[1]; /* which has another peer */
	assert_int_equal(count_cables(subn), RING - 1);
	port->p_remote_physp = &node[2]->physp_table[3]; /* which has none */
	assert_int_equal(count_cables(subn), RING - 1);
	port->p_remote_physp = port;
	assert_int_equal(count_cables(subn), RING - 1);
	port->p_remote_physp = NULL;
	assert_int_equal(count_cables(subn), RING - 1);
	port->p_remote_physp = honest;
	assert_int_equal(count_cables(subn), RING);
	free_ring(subn, node);
}

static void expect_contradiction(const osm_subn_t *subn, const char *what)
{
	odo_fabric *f;
	odo_error err = {0};
	assert_int_equal(odo_translate(subn, &f, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, what));
}

/* No array of OpenSM's is read beyond what another record of it says. */
static void records_that_contradict_each_other_are_declined(void **state)
{
	(void)state;
	osm_node_t *node[RING];
	osm_subn_t *subn = make_ring(node);
	node[1]->node_info.num_ports = 254;
	expect_contradiction(subn, "another number of ports");
	node[1]->node_info.num_ports = PORTS;
	node[1]->sw->num_ports = PORTS;
	expect_contradiction(subn, "that of its switch differ");
	node[1]->sw->num_ports = PORTS + 1;
	node[1]->sw->p_node = node[2];
	expect_contradiction(subn, "that of its switch differ");
	node[1]->sw->p_node = node[1];
	node[0]->physp_table[2].port_num = 3;
	expect_contradiction(subn, "not its own");
	node[0]->physp_table[2].port_num = 2;
	node[0]->physp_table[2].p_node = node[2];
	expect_contradiction(subn, "not its own");
	node[0]->physp_table[2].p_node = node[0];
	node[1]->node_info.node_guid = node[2]->node_info.node_guid; /* two nodes with one GUID */
	odo_fabric *f;
	odo_error err;
	assert_int_not_equal(odo_translate(subn, &f, &err), 0);
	free_ring(subn, node);
}

/* The path from s to the LID's switch two cables on goes through `mid` (or is shorter: ODO_NONE). */
static uint32_t middle(const odo_tables *t, uint32_t s, uint32_t lid, bool *clockwise)
{
	const odo_fabric *f = t->fabric;
	uint32_t to = f->lid_switch[lid];
	if (to == ODO_NONE || to == s)
		return ODO_NONE;
	uint32_t mid = odo_next_switch(f, odo_slot(f, s, t->lft[s * f->lid_count + lid]));
	*clockwise = mid == (s + 1) % f->n_switches;
	return mid == to ? ODO_NONE : mid;
}

/* Connections hold SL 0 round the ring both ways, but for the turns at one switch of each way. */
static void hold_but(odo_tables *t, uint32_t a, uint32_t b)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			bool clockwise = false;
			uint32_t mid = middle(t, s, lid, &clockwise);
			t->held_of_pair[s * f->lid_count + lid] =
				mid != ODO_NONE && mid != (clockwise ? a : b);
		}
}

/* Returns whether the tree that is found is beside new paths alone. */
static bool prepare_beside_held(odo_tables *t)
{
	odo_routed r = {.tables = t};
	odo_mcast *beside_all = NULL;
	odo_error err;
	unsigned spare;
	int status = odo_mcast_create(t, 1, &beside_all, &err);
	assert_true(!status || status == ODO_EDECLINE);
	assert_int_equal(odo_multicast_prepare(&r, 1, &spare, &err), 0);
	assert_non_null(r.mcast);
	assert_int_equal(r.mcast->sls, 1);
	assert_int_equal(r.mcast_beside_new, status != 0);
	odo_mcast_free(beside_all);
	odo_mcast_free(r.mcast);
	return status != 0;
}

/* A tree that leaves out a cable of a ring leaves out the turns at both its ends. Where what is held
 * leaves out turns at switches far apart, no tree is beside it, and groups get one beside new paths.
 */
static void groups_have_a_tree_where_none_is_beside_what_is_held(void **state)
{
	(void)state;
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t;
	odo_error err;
	unsigned held = 0, beside_new = 0;
	assert_int_equal(odo_topology_generate("torus:k=5,c=1", 1, &f, &c, &err), 0);
	assert_int_equal(odo_route(f, c, "layered", NULL, &t, &err), 0);
	t->held_of_pair = calloc((size_t)f->n_switches * f->lid_count, sizeof *t->held_of_pair);
	assert_non_null(t->held_of_pair);
	for (uint32_t a = 0; a < f->n_switches; a++)
		for (uint32_t b = 0; b < f->n_switches; b++) {
			odo_verdict verdict = {0};
			hold_but(t, a, b);
			bool proved = !odo_verify(t, &verdict, &err);
			odo_verdict_clear(&verdict);
			if (!proved) /* the new paths with SL 0 have these turns */
				continue;
			held++;
			beside_new += prepare_beside_held(t);
		}
	assert_true(beside_new > 0);
	assert_true(beside_new < held);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* A step says how many pairs it leaves without a path, also where no sweep follows at once. Tables
 * that were kept have a count of their own. Only these were kept already, when memory fails again.
 */
static void a_step_is_told_from_tables_that_were_kept(void **state)
{
	odo_routed r = {.n_cut = 7};
	odo_tables *goal;
	odo_error err;
	(void)state;
	assert_int_equal(odo_topology_generate("mesh:k=3,c=1", 0, &r.fabric, &r.coordinates, &err),
			 0);
	assert_int_equal(odo_route(r.fabric, r.coordinates, NULL, NULL, &r.tables, &err), 0);
	assert_int_equal(odo_tables_copy(r.tables, &goal, &err), 0);
	assert_false(odo_is_kept(r.tables));
	r.tables->from.carried = r.tables->from.unfinished = true;
	odo_routed_note_step(&r);
	assert_int_equal(r.n_cut, 7);
	assert_true(odo_is_kept(r.tables));
	r.tables->goal = goal;
	r.tables->lft[r.fabric->lid_count + r.fabric->switch_lid[0]] = ODO_NO_PORT;
	odo_routed_note_step(&r);
	assert_int_equal(r.n_cut, 1);
	assert_false(odo_is_kept(r.tables));
	odo_tables_free(r.tables);
	odo_coordinates_free(r.coordinates);
	odo_fabric_free(r.fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_told_from_tables_that_were_kept),
		cmocka_unit_test(groups_have_a_tree_where_none_is_beside_what_is_held),
		cmocka_unit_test(paths_have_the_sl_of_the_tables),
		cmocka_unit_test(ports_that_cut_vls_short_are_counted),
		cmocka_unit_test(ports_that_lie_about_their_peers_are_left_out),
		cmocka_unit_test(records_that_contradict_each_other_are_declined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
