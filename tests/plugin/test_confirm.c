/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading back, against a switch that is emulated here: ibsim's know no optimized SL2VL
 * programming. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plugin/opensm/confirm.h"
#include "tests/unit.h"

enum { N_PORTS = 4, GUID = 7 };

/* A switch with a cable in each port, as OpenSM sees it, and its maps as they are. */
typedef struct fake {
	osm_opensm_t *osm;
	osm_switch_t sw;
	osm_node_t *node;
	odo_confirm confirm;
	struct osm_routing_engine engine;
	ib_slvl_table_t believed[N_PORTS][N_PORTS], real; /* [output][input] */
	void *tables[N_PORTS][N_PORTS];
	ib_vl_arb_table_t weights; /* real ones, of each port */
	uint8_t lft[64];
} fake;

static fake *now;
static unsigned n_maps; /* asked for */

/* Functions of OpenSM's executable. */
volatile unsigned int osm_exit_flag;

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	(void)log, (void)level, (void)format;
}

osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	(void)subn;
	return guid == cl_hton64(GUID) ? now->node : NULL;
}

/* The answer comes at once, into OpenSM's copy. */
ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path, ib_net16_t what,
			    ib_net32_t modifier, boolean_t find_mkey, ib_net64_t m_key,
			    uint32_t timeout, cl_disp_msgid_t on_error,
			    const osm_madw_context_t *context)
{
	(void)sm, (void)path, (void)find_mkey, (void)m_key, (void)timeout;
	(void)on_error, (void)context;
	unsigned number = cl_ntoh32(modifier);
	if (what == IB_MAD_ATTR_LIN_FWD_TBL)
		atomic_fetch_add(&now->confirm.n_answers, 1u);
	if (what == IB_MAD_ATTR_SLVL_TABLE)
		now->believed[number & 0xff][number >> 8] = now->real;
	if (what == IB_MAD_ATTR_VL_ARBITRATION)
		now->node->physp_table[number & 0xff].vl_arb[0] = now->weights;
	n_maps += what == IB_MAD_ATTR_SLVL_TABLE;
	return IB_SUCCESS;
}

static void set_maps(void *data, osm_physp_t *port, uint8_t in, uint8_t out, ib_slvl_table_t *table)
{
	(void)data, (void)port, (void)in, (void)out, (void)table;
}

static void begin(fake *x, bool optimized, bool own_maps, odo_doubt_kind kind)
{
	*x = (fake){.osm = odo_new(1, sizeof *x->osm)};
	x->node = odo_new(1, sizeof *x->node + N_PORTS * sizeof(osm_physp_t));
	assert_non_null(x->osm);
	assert_non_null(x->node);
	now = x;
	n_maps = 0;
	cl_plock_init(&x->osm->lock);
	x->osm->subn.opt.qos = TRUE;
	x->osm->subn.opt.use_optimized_slvl = optimized;
	x->osm->routing_engine_used = &x->engine;
	x->engine.update_sl2vl = own_maps ? set_maps : NULL;
	x->sw.switch_info.life_state = 1; /* it can be programmed so */
	x->sw.p_node = x->node;
	x->sw.lft = x->sw.new_lft = x->lft;
	x->node->sw = &x->sw;
	x->node->physp_tbl_size = N_PORTS;
	memset(&x->real, 0x12, sizeof x->real);
	for (unsigned port = 0; port < N_PORTS; port++) {
		osm_physp_t *p = &x->node->physp_table[port];
		p->port_guid = GUID;
		p->p_node = x->node;
		ib_port_info_set_port_state(&p->port_info, IB_LINK_ACTIVE);
		p->port_info.capability_mask = IB_PORT_CAP_HAS_SL_MAP;
		for (unsigned in = 0; in < N_PORTS; in++)
			x->tables[port][in] = &x->believed[port][in];
		p->slvl_by_port.p_ptr_array = (const void **)x->tables[port];
	}
	x->confirm.list = odo_new(1, sizeof *x->confirm.list);
	assert_non_null(x->confirm.list);
	x->confirm.list[0] = (odo_doubt){.guid = GUID, .kind = kind};
	x->confirm.n = x->confirm.room = 1;
}

static void end(fake *x)
{
	odo_confirm_clear(&x->confirm);
	cl_plock_destroy(&x->osm->lock);
	free(x->osm);
	free(x->node);
}

/* OpenSM sends one map for all ports then, and notes it for none of them. */
static void maps_that_opensm_does_not_note_are_not_missed(void **state)
{
	(void)state;
	static const odo_doubt_kind kinds[] = {ODO_DOUBT_NONE, ODO_DOUBT_CHANGED};
	for (unsigned i = 0; i < 2; i++) {
		fake x;
		begin(&x, true, false, kinds[i]);
		assert_false(odo_confirm_read(&x.confirm, x.osm));
		assert_int_equal(x.confirm.n, 0);
		assert_int_equal(n_maps, 0);
		end(&x);
	}
}

static void maps_that_opensm_notes_are_compared(void **state)
{
	(void)state;
	static const struct {
		bool optimized, own_maps;
	} cases[] = {{false, false}, {false, true}, {true, true}};
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		fake x;
		begin(&x, cases[i].optimized, cases[i].own_maps, ODO_DOUBT_CHANGED);
		assert_true(odo_confirm_read(&x.confirm, x.osm));
		assert_int_equal(x.confirm.n, 1);
		assert_int_equal(x.confirm.list[0].kind, ODO_DOUBT_LOST);
		assert_int_equal(n_maps, (N_PORTS - 1) * N_PORTS);
		/* OpenSM believes from now on what was read. */
		assert_false(odo_confirm_read(&x.confirm, x.osm));
		assert_int_equal(x.confirm.n, 0);
		end(&x);
	}
}

/* A port has fewer entries than a block, and answers anything for the rest. */
static void entries_of_vl_arbitration_that_are_none_do_not_count(void **state)
{
	(void)state;
	enum { CAP = 8 };
	for (unsigned entry = CAP - 1; entry <= CAP; entry++) {
		fake x;
		begin(&x, true, false, ODO_DOUBT_CHANGED);
		x.weights.vl_entry[entry].weight = 3;
		for (unsigned port = 1; port < N_PORTS; port++) {
			ib_port_info_t *info = &x.node->physp_table[port].port_info;
			info->vl_cap = 3 << 4;
			info->vl_arb_low_cap = CAP;
		}
		assert_int_equal(odo_confirm_read(&x.confirm, x.osm), entry < CAP);
		end(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_that_opensm_does_not_note_are_not_missed),
		cmocka_unit_test(maps_that_opensm_notes_are_compared),
		cmocka_unit_test(entries_of_vl_arbitration_that_are_none_do_not_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
