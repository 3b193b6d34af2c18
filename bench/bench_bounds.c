/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bounds of the plugin in operation, under the simulated OpenSM (tests/sim): memory, the time of
 * each part of a full sweep, and path records that are answered meanwhile.
 *   bench_bounds SPEC SWEEPS FOLDER
 * Before each sweep a cable, a switch or an adapter goes or comes back, at random by a fixed seed.
 * FOLDER gets the plugin's files. A line for each sweep: memory of the plugin in MB, ms of
 * processor time of the sweep's thread and of each part (the disk's thread does subnet_find,
 * state_write, handover_write and certificate_write), ms for which OpenSM's lock is held, path
 * records answered by a second thread during the sweep, and the ms that one waited at most.
 *
 * Memory is what the heap has in use, without records of the simulated OpenSM, less what it had
 * before the plugin began its first sweep. Pieces that glibc keeps for a thread after free() count
 * as in use and pile up, some hundred kB a thread: the program runs without them.
 */
#include <opensm/osm_config.h>

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/must.h"
#include "fabric/format/format.h"
#include "mapping/mapping.h"
#include "plugin/memory/handover.h"
#include "plugin/monitor/state.h"
#include "plugin/opensm/multicast.h"
#include "plugin/opensm/translate.h"
#include "routing/reroute/carry.h"
#include "tests/sim/manager.h"

/* ---- Parts of a sweep: functions of the plugin, wrapped by the linker ---- */

#define PARTS(ROW)                                                                                 \
	ROW(confirm_discovered, void, (odo_confirm * c, osm_opensm_t * o), (c, o))                 \
	ROW(subnet_find, void,                                                                     \
	    (odo_subnet * s, const char *e, uint64_t *g, uint32_t n, char *p, osm_log_t *l),       \
	    (s, e, g, n, p, l))                                                                    \
	ROW(translate, int, (const osm_subn_t *s, odo_fabric **f, odo_error *e), (s, f, e))        \
	ROW(map, int, (const odo_fabric *f, odo_coordinates **c, odo_error *e), (f, c, e))         \
	ROW(route, int,                                                                            \
	    (const odo_fabric *f, const odo_coordinates *c, const char *n,                         \
	     const odo_route_options *o, odo_tables **t, odo_error *e),                            \
	    (f, c, n, o, t, e))                                                                    \
	ROW(connections_compare, int,                                                              \
	    (const odo_connections *c, const odo_tables *t, odo_sl_update *u, odo_error *e),       \
	    (c, t, u, e))                                                                          \
	ROW(install_lfts, int,                                                                     \
	    (const odo_routed *r, const osm_subn_t *s, odo_lft_changes *c, odo_error *e),          \
	    (r, s, c, e))                                                                          \
	ROW(is_large_change, bool, (const odo_tables *b, const odo_tables *n), (b, n))             \
	ROW(state_write, int, (const odo_state_texts *t, odo_error *e), (t, e))                    \
	ROW(transition_count, int,                                                                 \
	    (const odo_tables *b, const odo_tables *n, bool h, odo_transition *t, odo_error *e),   \
	    (b, n, h, t, e))                                                                       \
	ROW(handover_write, int,                                                                   \
	    (const odo_subnet *s, const char *n, odo_handover_file *f, const odo_routed *r,        \
	     const odo_connections *c, odo_error *e),                                              \
	    (s, n, f, r, c, e))                                                                    \
	ROW(multicast_prepare, int, (odo_routed * r, unsigned s, unsigned *p, odo_error *e),       \
	    (r, s, p, e))                                                                          \
	ROW(confirm_read, bool, (odo_confirm * c, osm_opensm_t * o, const odo_confirm_how *h),     \
	    (c, o, h))                                                                             \
	ROW(verify_sls, int, (const odo_tables *t, bool p, odo_sl_verdict *v, odo_error *e),       \
	    (t, p, v, e))                                                                          \
	ROW(certificate_write, int,                                                                \
	    (const char *f, const odo_subnet *s, const odo_routed *t, odo_error *e), (f, s, t, e))

#define NUMBER(name, type, parameters, arguments) PART_##name,
enum { PARTS(NUMBER) N_PARTS };
#define NAME(name, type, parameters, arguments) #name,
static const char *const part_names[] = {PARTS(NAME)};

static double part_ms[N_PARTS];

static double own_ms(void)
{
	return 1e3 * bench_seconds(CLOCK_THREAD_CPUTIME_ID);
}

typedef struct timing {
	unsigned part;
	double begin;
} timing;

static void end_timing(timing *t)
{
	part_ms[t->part] += own_ms() - t->begin;
}

#define WRAPPED(name, type, parameters, arguments)                                                 \
	extern __typeof__(odo_##name) __real_odo_##name;                                           \
	type __wrap_odo_##name parameters;                                                         \
	type __wrap_odo_##name parameters                                                          \
	{                                                                                          \
		timing part __attribute__((cleanup(end_timing))) = {PART_##name, own_ms()};        \
		(void)part;                                                                        \
		return __real_odo_##name arguments;                                                \
	}
PARTS(WRAPPED)

/* ---- Path records ---- */

static osm_opensm_t *manager_of_plugin;
static _Atomic(struct osm_routing_engine *) answering; /* NULL: do not ask */
static atomic_ulong n_answers;
static atomic_bool end_of_asking;
static double longest_wait; /* ms; under the lock */

static void *ask_paths(void *data)
{
	const odo_fabric *f = data;
	odo_rng rng = odo_rng_make(7, 7);
	while (!atomic_load(&end_of_asking)) {
		struct osm_routing_engine *engine = atomic_load(&answering);
		if (!engine) {
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
			continue;
		}
		uint16_t from = (uint16_t)(1 + odo_rng_below(&rng, f->lid_count - 1));
		uint16_t to = (uint16_t)(1 + odo_rng_below(&rng, f->lid_count - 1));
		double asked = bench_seconds(CLOCK_MONOTONIC);
		cl_plock_acquire(&manager_of_plugin->lock);
		engine->path_sl(engine->context, 0, cl_hton16(from), cl_hton16(to));
		double waited = 1e3 * (bench_seconds(CLOCK_MONOTONIC) - asked);
		longest_wait = waited > longest_wait ? waited : longest_wait;
		cl_plock_release(&manager_of_plugin->lock);
		atomic_fetch_add(&n_answers, 1);
	}
	return NULL;
}

/* ---- The simulated OpenSM ---- */

extern osm_event_plugin_t osm_event_plugin;
static osm_event_plugin_t plugin_itself;
static size_t memory_before;
static double ms_at[N_SIM_POINTS], ms_to[N_SIM_POINTS]; /* to a point from the one before */

/* The judge of tests/sim follows each packet, which takes too long here. */
void sim_judge_told(sim_judge *judge, uint32_t s, uint32_t lid)
{
	(void)judge, (void)s, (void)lid;
}

void sim_judge_answered(sim_judge *judge, uint32_t node, uint32_t lid, unsigned sl)
{
	(void)judge, (void)node, (void)lid, (void)sl;
}

/* ---- Memory ---- */

static size_t records; /* bytes that the simulated OpenSM has allocated */

static size_t record_size(void *record)
{
	return record ? malloc_usable_size(record) + sizeof(size_t) : 0; /* the heap's own word */
}

/* In tests/sim these are calloc() and free(): CMakeLists.txt. */
void *bench_record_new(size_t n, size_t size);
void bench_record_free(void *record);

void *bench_record_new(size_t n, size_t size)
{
	void *record = calloc(n, size);
	records += record_size(record);
	return record;
}

void bench_record_free(void *record)
{
	records -= record_size(record);
	free(record);
}

static size_t memory_in_use(void)
{
	struct mallinfo2 all = mallinfo2();
	return all.uordblks + all.hblkhd - records;
}

static void run_without_caches(char **argv)
{
	static const char name[] = "GLIBC_TUNABLES", tunables[] = "glibc.malloc.tcache_count=0";
	const char *set = getenv(name);
	if (set && !strcmp(set, tunables))
		return;
	setenv(name, tunables, 1);
	execv("/proc/self/exe", argv);
	perror("bench_bounds: /proc/self/exe");
	exit(2);
}

/* ---- Sweeps ---- */

static void *note_manager(osm_opensm_t *osm)
{
	manager_of_plugin = osm;
	return plugin_itself.create(osm);
}

static void note_event(void *plugin, osm_epi_event_id_t event, void *data)
{
	if (event == OSM_EVENT_ID_HEAVY_SWEEP_DONE && !memory_before)
		memory_before = memory_in_use();
	plugin_itself.report(plugin, event, data);
}

static void note_point(sim_world *w, sim_point point)
{
	(void)w;
	ms_at[point] = own_ms();
	ms_to[point] += point ? ms_at[point] - ms_at[point - 1] : 0;
}

/* Take down a cable, a switch or an adapter; the next call brings it back, as operators do. */
static void change_something(sim_world *w, odo_rng *rng)
{
	static odo_rng last;
	static bool is_down;
	sim_hardware *hw = &w->hw;
	if (is_down)
		*rng = last;
	last = *rng;
	is_down = !is_down;
	const odo_fabric *f = hw->f;
	uint32_t kind = odo_rng_below(rng, 4), node = odo_rng_below(rng, f->n_switches);
	uint32_t slot = hw->cable[odo_rng_below(rng, hw->n_cables)], far = f->peer[slot];
	if (kind == 0)
		node = f->owner[f->host_slot[odo_rng_below(rng, f->n_hosts)]];
	if (kind <= 1 && node != w->at && node != f->owner[f->peer[f->first_slot[w->at]]]) {
		sim_power(hw, node, !hw->on[node]);
	} else if (f->owner[far] < f->n_switches) {
		if (hw->peer[slot] == ODO_NONE)
			sim_plug(hw, slot, far);
		else
			sim_unplug(hw, slot);
	}
}

static void sweep_and_print(sim_world *w, unsigned sweep)
{
	uint64_t sweeps = w->n_sweeps;
	unsigned long answers = atomic_load(&n_answers);
	double begin = own_ms(), clock = bench_seconds(CLOCK_MONOTONIC);
	memset(part_ms, 0, sizeof part_ms);
	memset(ms_to, 0, sizeof ms_to);
	longest_wait = 0;
	sim_manager_sweep(w);
	double all = own_ms() - begin, took = bench_seconds(CLOCK_MONOTONIC) - clock;
	answers = atomic_load(&n_answers) - answers;
	printf("%u,%u,%.3f,%.0f,%.0f,%.0f,%.0f,%.0f", sweep, (unsigned)(w->n_sweeps - sweeps),
	       ((double)memory_in_use() - (double)memory_before) * 1e-6, all, ms_to[SIM_ROUTED],
	       ms_to[SIM_MAPPED], (double)answers / took, longest_wait);
	for (unsigned i = 0; i < N_PARTS; i++)
		printf(",%.0f", part_ms[i]);
	putchar('\n');
	fflush(stdout);
	atomic_store(&answering, manager_of_plugin->routing_engine_used);
}

int main(int argc, char **argv)
{
	odo_error err;
	odo_fabric *f;
	pthread_t asking;
	if (argc != 4) {
		fputs("usage: bench_bounds SPEC SWEEPS FOLDER\n", stderr);
		return 2;
	}
	run_without_caches(argv);
	setenv("OSM_CACHE_DIR", argv[3], 1);
	bench_must(odo_fabric_open(argv[1], 0, &f, NULL, &err), &err);
	sim_world w = {.at = f->owner[f->host_slot[0]],
		       .options = "good_after=0",
		       .folder = argv[3],
		       .rng = odo_rng_make(1, 1),
		       .at_point = note_point};
	w.is_member = sim_new((size_t)SIM_GROUPS * f->n_nodes, sizeof *w.is_member);
	memset(w.is_member, true, f->n_nodes); /* of the first group, as with IPoIB */
	odo_rng rng = odo_rng_make(1, 2);
	sim_hardware_init(&w.hw, f);
	plugin_itself = osm_event_plugin;
	osm_event_plugin.create = note_manager;
	osm_event_plugin.report = note_event;
	sim_manager_start(&w);
	pthread_create(&asking, NULL, ask_paths, f);
	printf("sweep,steps,memory_mb,all_ms,locked_ms,sl2vl_ms,answers_per_s,longest_wait_ms");
	for (unsigned i = 0; i < N_PARTS; i++)
		printf(",%s_ms", part_names[i]);
	putchar('\n');
	for (unsigned i = 1; i <= strtoul(argv[2], NULL, 10); i++) {
		sweep_and_print(&w, i);
		change_something(&w, &rng);
	}
	atomic_store(&end_of_asking, true);
	pthread_join(asking, NULL);
	sim_manager_stop(&w);
	sim_hardware_clear(&w.hw);
	free(w.is_member);
	odo_fabric_free(f);
	return 0;
}
