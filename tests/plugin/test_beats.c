/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The plugin's thread by a simulated clock: what is due depends on the time, not on how often or
 * why the thread wakes up. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "plugin/monitor/heartbeat.h"
#include "tests/unit.h"

enum { SECOND = 1000, BEAT = ODO_HEARTBEAT * SECOND, HOUR = 3600 * SECOND };

static uint64_t now;       /* ms */
static unsigned n_signals; /* sweeps requested */

/* ---- In place of OpenSM, the clock and the thread ---- */

volatile unsigned int osm_exit_flag;

void osm_sm_signal(osm_sm_t *sm, osm_signal_t signal)
{
	(void)sm, (void)signal;
	n_signals++;
}

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	(void)log, (void)level, (void)format;
}

/* No switch is in the schedule here (test_schedule.c, test_confirm.c). */
osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	(void)subn, (void)guid;
	return NULL;
}

ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path, ib_net16_t what,
			    ib_net32_t modifier, boolean_t find_mkey, ib_net64_t m_key,
			    uint32_t timeout, cl_disp_msgid_t on_error,
			    const osm_madw_context_t *context)
{
	(void)sm, (void)path, (void)what, (void)modifier, (void)find_mkey, (void)m_key;
	(void)timeout, (void)on_error, (void)context;
	return IB_ERROR;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){(time_t)(now / 1000), (long)(now % 1000) * 1000000};
	return 0;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *data)
{
	(void)attributes, (void)function, (void)data;
	*id = pthread_self();
	return 0;
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
	(void)id, (void)result, (void)until;
	return 0;
}

/* ---- A manager with its thread ---- */

typedef struct manager {
	osm_opensm_t *osm;
	odo_confirm confirm;
	odo_heartbeat *heartbeat;
	char folder[64];
} manager;

static void begin(manager *m)
{
	*m = (manager){.osm = odo_new(1, sizeof *m->osm)};
	assert_non_null(m->osm);
	strcpy(m->folder, "/tmp/odonata-beats.XXXXXX");
	assert_non_null(mkdtemp(m->folder));
	m->osm->subn.opt.dump_files_dir = m->folder;
	m->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	now = 1000 * SECOND;
	n_signals = 0;
	odo_heartbeat_set(&m->heartbeat, m->osm, &m->confirm, "0123456789abcdef");
	assert_non_null(m->heartbeat);
}

static void end(manager *m)
{
	char command[128];
	odo_heartbeat_stop(m->heartbeat);
	snprintf(command, sizeof command, "rm -r '%s'", m->folder);
	assert_int_equal(system(command), 0);
	free(m->osm);
}

static unsigned beats_of(const manager *m, const char *id)
{
	static const char figure[] = "odonata_heartbeats_total{";
	char path[ODO_PATH_ROOM], line[200];
	unsigned n = 0;
	odo_heartbeat_path(m->folder, id, path);
	FILE *from = fopen(path, "r");
	while (from && fgets(line, sizeof line, from))
		if (!strncmp(line, figure, sizeof figure - 1))
			n = (unsigned)strtoul(strchr(line, '}') + 1, NULL, 10);
	if (from)
		fclose(from);
	return n;
}

/* ---- Tests ---- */

/* As often as it is called: a busy machine, or a new name of the subnet, wakes the thread early or
 * late. */
static void beats_count_by_time(void **state)
{
	(void)state;
	manager m;
	begin(&m);
	for (unsigned i = 0; i < 50; i++, now += BEAT / 50)
		odo_heartbeat_beat(m.heartbeat, now);
	assert_int_equal(beats_of(&m, "0123456789abcdef"), 1);
	odo_heartbeat_set(&m.heartbeat, m.osm, &m.confirm, "fedcba9876543210");
	now -= SECOND;
	odo_heartbeat_beat(m.heartbeat, now);
	assert_int_equal(beats_of(&m, "fedcba9876543210"), 1);
	now += SECOND;
	assert_int_equal(odo_heartbeat_beat(m.heartbeat, now), now + BEAT);
	assert_int_equal(beats_of(&m, "fedcba9876543210"), 2);
	end(&m);
}

/* Run the thread's work for so long, waking it so often besides. */
static void pass(manager *m, uint64_t ms, uint64_t step)
{
	for (uint64_t until = now + ms; now < until; now += step)
		odo_heartbeat_beat(m->heartbeat, now);
}

static void sweeps_for_unconfirmed_nodes_come_at_set_times(void **state)
{
	(void)state;
	static const uint64_t steps[] = {SECOND, 100, BEAT};
	for (size_t i = 0; TEST_ROW(i, steps, NULL); i++) {
		manager m;
		begin(&m);
		pass(&m, HOUR, steps[i]);
		assert_int_equal(n_signals, 0); /* all are confirmed */
		odo_heartbeat_note(m.heartbeat, true);
		pass(&m, BEAT, steps[i]);
		assert_int_equal(n_signals, 0);
		odo_heartbeat_note(m.heartbeat, true); /* a sweep that helped nobody */
		pass(&m, BEAT, steps[i]);
		assert_int_equal(n_signals, 1);
		pass(&m, 2 * BEAT, steps[i]);
		assert_int_equal(n_signals, 2);
		pass(&m, 4 * BEAT, steps[i]);
		assert_int_equal(n_signals, 3);
		pass(&m, 3 * (uint64_t)HOUR, steps[i]);
		assert_in_range(n_signals, 9, 10); /* an hour apart at last */
		odo_heartbeat_note(m.heartbeat, false);
		unsigned n = n_signals;
		pass(&m, HOUR, steps[i]);
		assert_int_equal(n_signals, n);
		end(&m);
	}
}

static void only_a_master_sweeps(void **state)
{
	(void)state;
	manager m;
	begin(&m);
	odo_heartbeat_note(m.heartbeat, true);
	m.osm->subn.sm_state = IB_SMINFO_STATE_STANDBY;
	pass(&m, HOUR, SECOND);
	assert_int_equal(n_signals, 0);
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beats_count_by_time),
		cmocka_unit_test(sweeps_for_unconfirmed_nodes_come_at_set_times),
		cmocka_unit_test(only_a_master_sweeps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
