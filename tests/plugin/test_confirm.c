/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading back, against a switch that is emulated here: ibsim's know no optimized SL2VL
 * programming. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plugin/opensm/confirm.h"
#include "tests/unit.h"

enum { N_PORTS = 4, GUID = 7, N_BLOCKS = 3, N_LIDS = N_BLOCKS * 64, PERIOD = 60, RATE = 1000 };
static char name[] = "S1";

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
	uint8_t lft[N_LIDS], new_lft[N_LIDS], real_lft[N_LIDS];
	bool deaf;            /* nothing is answered */
	bool slow;            /* answers are under way, and never come */
	odo_doubt_kind doubt; /* files show it while tables are read */
	bool keeps;           /* the engine's maps are those that OpenSM believes */
	uint64_t now;
	unsigned n_mads, n_signals;
	unsigned n_asked[1 << 17]; /* by modifier: LFT blocks, maps and VL arbitration differ in it
				    */
} fake;

static const odo_confirm_how how = {.sweep = 1, .seconds = PERIOD, .a_second = RATE};
static fake *now;
static unsigned n_maps; /* asked for */
static unsigned n_logged;

/* Functions of OpenSM's executable. */
volatile unsigned int osm_exit_flag;

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	(void)log, (void)level, (void)format;
	n_logged++;
}

/* OpenSM finds the node, and for maps the port, of an answer by its context. */
static void check_context(ib_net16_t what, const osm_madw_context_t *context)
{
	assert_int_equal(context->lft_context.node_guid, cl_hton64(GUID));
	if (what == IB_MAD_ATTR_LIN_FWD_TBL)
		assert_false(context->lft_context.set_method);
	else if (what == IB_MAD_ATTR_SLVL_TABLE)
		assert_int_equal(context->slvl_context.port_guid, GUID);
	else
		assert_int_equal(context->vla_context.port_guid, GUID);
}

osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	(void)subn;
	return guid == cl_hton64(GUID) ? now->node : NULL;
}

static void answer(ib_net16_t what, unsigned number)
{
	if (what == IB_MAD_ATTR_LIN_FWD_TBL) {
		memcpy(now->lft + number * 64, now->real_lft + number * 64, 64);
		atomic_fetch_add(&now->confirm.n_answers, 1u);
	}
	if (what == IB_MAD_ATTR_SLVL_TABLE)
		now->believed[number & 0xff][number >> 8] = now->real;
	if (what == IB_MAD_ATTR_VL_ARBITRATION)
		now->node->physp_table[number & 0xff].vl_arb[0] = now->weights;
}

/* The answer comes at once, into OpenSM's copy. */
ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path, ib_net16_t what,
			    ib_net32_t modifier, boolean_t find_mkey, ib_net64_t m_key,
			    uint32_t timeout, cl_disp_msgid_t on_error,
			    const osm_madw_context_t *context)
{
	(void)sm, (void)path, (void)find_mkey, (void)m_key, (void)timeout;
	(void)on_error;
	check_context(what, context);
	unsigned number = cl_ntoh32(modifier);
	/* OpenSM's lock is held, as it demands. */
	assert_int_not_equal(pthread_rwlock_trywrlock(&now->osm->lock.lock), 0);
	const odo_reading *r = odo_schedule_find(&now->confirm.schedule, GUID);
	assert_int_equal(r->doubt, now->doubt);
	if (now->slow)
		now->osm->stats.qp0_mads_outstanding++;
	else if (!now->deaf)
		answer(what, number);
	n_maps += what == IB_MAD_ATTR_SLVL_TABLE;
	now->n_asked[number & 0x1ffff]++;
	now->n_mads++;
	return IB_SUCCESS;
}

/* Only the time of the plugin passes. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){(time_t)(now->now / 1000), (long)(now->now % 1000) * 1000000};
	return 0;
}

/* Waiting for the rate takes the plugin's time alone. */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)rest;
	now->now += (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000;
	return 0;
}

static void set_maps(void *data, osm_physp_t *port, uint8_t in, uint8_t out, ib_slvl_table_t *table)
{
	const fake *x = data;
	(void)port, (void)in, (void)out;
	if (!x->keeps)
		memset(table, 0x12, sizeof *table);
}

static void add_node(fake *x)
{
	osm_subn_t *subn = &x->osm->subn;
	cl_qmap_init(&subn->node_guid_tbl);
	cl_qmap_init(&subn->sw_guid_tbl);
	x->node->node_info.node_guid = cl_hton64(GUID);
	x->node->discovery_count = 1;
	x->node->print_desc = name;
	cl_qmap_insert(&subn->node_guid_tbl, cl_hton64(GUID), &x->node->map_item);
	cl_qmap_insert(&subn->sw_guid_tbl, cl_hton64(GUID), &x->sw.map_item);
}

static void set_up_ports(fake *x)
{
	for (unsigned port = 0; port < N_PORTS; port++) {
		osm_physp_t *p = &x->node->physp_table[port];
		p->port_guid = GUID;
		p->p_node = x->node;
		ib_port_info_set_port_state(&p->port_info, IB_LINK_ACTIVE);
		ib_port_info_set_op_vls(&p->port_info, 4); /* 8 VLs */
		p->port_info.capability_mask = IB_PORT_CAP_HAS_SL_MAP;
		for (unsigned in = 0; in < N_PORTS; in++)
			x->tables[port][in] = &x->believed[port][in];
		p->slvl_by_port.p_ptr_array = (const void **)x->tables[port];
	}
}

static void begin(fake *x, bool optimized, bool own_maps)
{
	*x = (fake){.osm = odo_new(1, sizeof *x->osm), .now = 1000000, .keeps = true};
	x->node = odo_new(1, sizeof *x->node + N_PORTS * sizeof(osm_physp_t));
	assert_non_null(x->osm);
	assert_non_null(x->node);
	now = x;
	n_maps = 0;
	cl_plock_init(&x->osm->lock);
	x->osm->subn.opt.qos = TRUE;
	x->osm->subn.opt.use_optimized_slvl = optimized;
	x->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	x->osm->routing_engine_used = &x->engine;
	x->engine.update_sl2vl = own_maps ? set_maps : NULL;
	x->engine.context = x;
	x->sw.switch_info.life_state = 1; /* it can be programmed so */
	x->sw.p_node = x->node;
	x->sw.lft = x->lft;
	x->sw.new_lft = x->new_lft;
	x->sw.max_lid_ho = N_LIDS - 1;
	x->node->sw = &x->sw;
	x->node->physp_tbl_size = N_PORTS;
	memset(&x->real, 0x12, sizeof x->real);
	set_up_ports(x);
	add_node(x);
}

/* It is in doubt when the sweep ends. */
static void put_in_doubt(fake *x, odo_doubt_kind kind)
{
	x->confirm.list = odo_new(1, sizeof *x->confirm.list);
	assert_non_null(x->confirm.list);
	x->confirm.list[0] = (odo_doubt){.guid = GUID, .kind = kind};
	x->doubt = kind;
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
	fake x;
	begin(&x, true, false);
	put_in_doubt(&x, ODO_DOUBT_CHANGED);
	assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
	assert_int_equal(x.confirm.n, 0);
	assert_int_equal(n_maps, 0);
	end(&x);
}

/* OpenSM has zeroes as its copy of a map whose answer was lost: nobody knows what the switch holds,
 * so that the map must be written even if it is wanted as zeroes. */
static void copies_of_zeroes_are_doubted(void **state)
{
	(void)state;
	fake x;
	begin(&x, false, false);
	memset(x.believed, 0, sizeof x.believed);
	odo_confirm_discovered(&x.confirm, x.osm);
	const uint8_t *copy = (const uint8_t *)&x.believed[1][1];
	assert_int_equal(copy[sizeof x.believed[1][1] - 1], 0xFF);
	end(&x);
}

static void maps_that_opensm_notes_are_compared(void **state)
{
	(void)state;
	static const struct {
		bool optimized, own_maps;
	} cases[] = {{false, false}, {false, true}, {true, true}};
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		fake x;
		begin(&x, cases[i].optimized, cases[i].own_maps);
		put_in_doubt(&x, ODO_DOUBT_CHANGED);
		assert_true(odo_confirm_read(&x.confirm, x.osm, &how));
		assert_int_equal(x.confirm.n, 1);
		assert_int_equal(x.confirm.list[0].kind, ODO_DOUBT_LOST);
		assert_int_equal(n_maps, (N_PORTS - 1) * N_PORTS);
		/* OpenSM believes from now on what was read. */
		x.doubt = ODO_DOUBT_LOST;
		assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
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
		begin(&x, true, false);
		put_in_doubt(&x, ODO_DOUBT_CHANGED);
		x.weights.vl_entry[entry].weight = 3;
		for (unsigned port = 1; port < N_PORTS; port++) {
			ib_port_info_t *info = &x.node->physp_table[port].port_info;
			info->vl_cap = 3 << 4;
			info->vl_arb_low_cap = CAP;
		}
		assert_int_equal(odo_confirm_read(&x.confirm, x.osm, &how), entry < CAP);
		end(&x);
	}
}

/* ---- What is not acknowledged ---- */

/* OpenSM believes in zeroes until the switch has answered. */
static void a_table_that_is_not_acknowledged_is_read_at_once(void **state)
{
	(void)state;
	static const struct {
		bool written, again; /* the switch has it; another sweep follows anyway */
		bool lft;
	} cases[] = {{true, false, true},
		     {false, false, true},
		     {true, true, true},
		     {true, false, false},
		     {false, false, false}};
	for (size_t i = 0; TEST_ROW(i, cases, NULL); i++) {
		fake x;
		begin(&x, false, true);
		memset(x.believed, 0x12, sizeof x.believed);
		x.keeps = false;
		if (cases[i].lft)
			x.new_lft[70] = 3;
		else
			memset(&x.believed[2][1], 0, sizeof x.real);
		if (!cases[i].written)
			memset(&x.real, cases[i].lft ? 0x12 : 0, sizeof x.real);
		x.real_lft[70] = cases[i].written ? x.new_lft[70] : 0;
		odo_confirm_how last = how;
		last.again = cases[i].again;
		bool lost = !cases[i].written;
		x.doubt = ODO_DOUBT_LATE;
		assert_int_equal(odo_confirm_read(&x.confirm, x.osm, &last), lost);
		assert_int_equal(x.confirm.n, lost);
		assert_int_equal(x.n_mads > 0, !cases[i].again);
		const odo_reading *r = odo_schedule_find(&x.confirm.schedule, GUID);
		assert_false(r->acknowledged);
		assert_int_equal(r->doubt, lost ? ODO_DOUBT_LOST : ODO_DOUBT_NONE);
		assert_int_equal(odo_reading_seen(r), lost || last.again ? 0 : x.now);
		end(&x);
	}
}

/* At most a second's worth without a pause, and then as many as the rate allows. */
static void reading_in_doubt_keeps_the_rate(void **state)
{
	(void)state;
	enum { N = N_BLOCKS + (N_PORTS - 1) * N_PORTS };
	static const unsigned rates[] = {1, 4, 7, N, 4000};
	for (size_t i = 0; TEST_ROW(i, rates, NULL); i++) {
		fake x;
		begin(&x, false, true);
		memset(x.believed, 0x12, sizeof x.believed);
		put_in_doubt(&x, ODO_DOUBT_CHANGED);
		odo_confirm_how slow = how;
		slow.a_second = rates[i];
		uint64_t before = x.now;
		assert_false(odo_confirm_read(&x.confirm, x.osm, &slow));
		assert_int_equal(x.n_mads, N);
		uint64_t least = rates[i] < N ? (N - rates[i]) * 1000ull / rates[i] : 0;
		/* The last of the reads that go together may be few. */
		assert_in_range(x.now - before, least, least + (rates[i] > N ? 0 : 1100));
		end(&x);
	}
}

/* A sweep that is requested meanwhile goes first: the node stays in doubt. */
static void a_requested_sweep_ends_reading(void **state)
{
	(void)state;
	fake x;
	begin(&x, false, true);
	memset(x.believed, 0x12, sizeof x.believed);
	put_in_doubt(&x, ODO_DOUBT_CHANGED);
	x.osm->subn.force_heavy_sweep = TRUE;
	assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
	assert_int_equal(x.n_mads, 0);
	assert_int_equal(odo_confirm_unknown(&x.confirm), 1);
	assert_false(odo_confirm_all(&x.confirm));
	assert_int_equal(odo_schedule_find(&x.confirm.schedule, GUID)->doubt, ODO_DOUBT_CHANGED);
	x.osm->subn.force_heavy_sweep = FALSE;
	assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
	assert_true(odo_confirm_all(&x.confirm));
	x.confirm.n_cut = 1; /* OpenSM has cut maps */
	assert_false(odo_confirm_all(&x.confirm));
	end(&x);
}

/* ---- Reading in turn ---- */

/* A sweep has ended, and the switch holds what was sent. */
static void begin_idle(fake *x)
{
	begin(x, false, true);
	x->keeps = false;
	memset(x->believed, 0x12, sizeof x->believed);
	for (unsigned lid = 0; lid < N_LIDS; lid++)
		x->lft[lid] = x->new_lft[lid] = x->real_lft[lid] = (uint8_t)(1 + lid % 3);
	assert_false(odo_confirm_read(&x->confirm, x->osm, &how));
	assert_int_equal(x->n_mads, 0); /* nothing is in doubt */
}

/* Let time pass. @return true as soon as the switch is found with other tables */
static bool pass(fake *x, uint64_t ms)
{
	odo_news news = {.lost = false};
	for (uint64_t until = x->now + ms; x->now < until && !news.lost;) {
		uint64_t next = odo_confirm_beat(&x->confirm, x->osm, x->now, &news);
		assert_true(next > x->now);
		x->now = next < until ? next : until;
	}
	return news.lost;
}

static const odo_reading *reading_of(const fake *x)
{
	return odo_schedule_find(&x->confirm.schedule, GUID);
}

static void an_idle_switch_is_read_as_a_whole_within_the_period(void **state)
{
	(void)state;
	fake x;
	begin_idle(&x);
	assert_false(pass(&x, PERIOD * 1000));
	for (unsigned block = 0; block < N_BLOCKS; block++)
		assert_in_range(x.n_asked[block], 1, 2);
	for (unsigned out = 1; out < N_PORTS; out++)
		for (unsigned in = 0; in < N_PORTS;
		     in++) /* block 1 is map (0, 1) here, and so on */
			assert_in_range(x.n_asked[in << 8 | out], 1, in || out >= N_BLOCKS ? 2 : 4);
	assert_true(odo_reading_seen(reading_of(&x)));
	assert_false(pass(&x, 5 * PERIOD * 1000));
	assert_true(x.now - odo_reading_seen(reading_of(&x)) <= PERIOD * 1000);
	assert_int_equal(x.confirm.schedule.n_asked, x.n_mads);
	assert_int_equal(x.confirm.n_alarms, 0);
	end(&x);
}

/* Any single entry, and silence. */
static void a_loss_without_a_sign_is_found_within_the_period(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int lid;
		uint8_t map;
		bool deaf;
	} cases[] = {{"first entry", 0, 0x12, false},
		     {"last entry", N_LIDS - 1, 0x12, false},
		     {"maps", -1, 0x10, false},
		     {"silence", -1, 0x12, true}};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].name); i++) {
		fake x;
		begin_idle(&x);
		assert_false(pass(&x, 2 * PERIOD * 1000));
		uint64_t seen = odo_reading_seen(reading_of(&x));
		if (cases[i].lid >= 0)
			x.real_lft[cases[i].lid] = 0xff;
		memset(&x.real, cases[i].map, sizeof x.real);
		x.deaf = cases[i].deaf;
		n_logged = 0;
		assert_true(pass(&x, PERIOD * 1000));
		assert_int_equal(n_logged, 1);
		assert_int_equal(reading_of(&x)->doubt, ODO_DOUBT_LOST);
		assert_int_equal(x.confirm.n_alarms, 1);
		/* Nobody says that it holds the tables until it was read right. */
		unsigned n = x.n_mads;
		assert_false(pass(&x, 5 * PERIOD * 1000));
		assert_int_equal(x.n_mads, n);
		assert_true(odo_reading_seen(reading_of(&x)) <= seen + PERIOD * 1000);
		/* The sweep that follows writes all its tables, and reads them. */
		odo_confirm_discovered(&x.confirm, x.osm);
		assert_true(x.sw.need_update && x.node->physp_table[1].need_update);
		assert_int_equal(odo_confirm_unknown(&x.confirm), 1);
		memcpy(x.real_lft, x.new_lft, sizeof x.lft);
		memcpy(x.lft, x.new_lft, sizeof x.lft);
		memset(&x.real, 0x12, sizeof x.real);
		memset(x.believed, 0x12, sizeof x.believed);
		x.deaf = false;
		x.doubt = ODO_DOUBT_LOST;
		assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
		x.doubt = ODO_DOUBT_NONE;
		assert_int_equal(odo_confirm_unknown(&x.confirm), 0);
		assert_int_equal(reading_of(&x)->doubt, ODO_DOUBT_NONE);
		assert_int_equal(odo_reading_seen(reading_of(&x)), x.now);
		assert_false(pass(&x, 2 * PERIOD * 1000));
		end(&x);
	}
}

/* OpenSM works, does not answer, or is not the master: nothing is concluded. */
static void nothing_is_read_while_it_would_disturb(void **state)
{
	(void)state;
	fake x;
	begin_idle(&x);
	assert_int_equal(pthread_rwlock_rdlock(&x.osm->lock.lock), 0); /* somebody reads */
	assert_false(pass(&x, PERIOD * 1000));
	assert_int_equal(x.n_mads, 0);
	cl_plock_release(&x.osm->lock);
	x.osm->stats.qp0_mads_outstanding = 1;
	assert_false(pass(&x, PERIOD * 1000));
	assert_int_equal(x.n_mads, 0);
	x.osm->stats.qp0_mads_outstanding = 0;
	x.osm->subn.sm_state = IB_SMINFO_STATE_STANDBY;
	assert_false(pass(&x, PERIOD * 1000));
	assert_int_equal(x.n_mads, 0);
	x.osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	odo_confirm_hold(&x.confirm);
	assert_false(pass(&x, PERIOD * 1000));
	assert_int_equal(x.n_mads, 0);
	end(&x);
}

/* Answers that are under way prove no loss; those to an earlier sweep's queries count for nothing.
 */
static void answers_are_awaited_until_tables_change(void **state)
{
	(void)state;
	fake x;
	begin_idle(&x);
	x.slow = true;
	assert_false(pass(&x, 3 * PERIOD * 1000));
	unsigned n = x.n_mads;
	assert_in_range(n, 1, ODO_MOST_ASKED);
	assert_int_equal(odo_reading_seen(reading_of(&x)), 0);
	odo_confirm_hold(&x.confirm);
	x.osm->stats.qp0_mads_outstanding = 0;
	memset(x.believed, 0x12, sizeof x.believed); /* the sweep writes it */
	x.slow = false;
	assert_false(odo_confirm_read(&x.confirm, x.osm, &how));
	assert_false(pass(&x, 2 * PERIOD * 1000));
	assert_true(odo_reading_seen(reading_of(&x)));
	end(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_that_opensm_does_not_note_are_not_missed),
		cmocka_unit_test(copies_of_zeroes_are_doubted),
		cmocka_unit_test(maps_that_opensm_notes_are_compared),
		cmocka_unit_test(entries_of_vl_arbitration_that_are_none_do_not_count),
		cmocka_unit_test(a_table_that_is_not_acknowledged_is_read_at_once),
		cmocka_unit_test(reading_in_doubt_keeps_the_rate),
		cmocka_unit_test(a_requested_sweep_ends_reading),
		cmocka_unit_test(an_idle_switch_is_read_as_a_whole_within_the_period),
		cmocka_unit_test(a_loss_without_a_sign_is_found_within_the_period),
		cmocka_unit_test(nothing_is_read_while_it_would_disturb),
		cmocka_unit_test(answers_are_awaited_until_tables_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
