/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A seeded simulation of subnets: the plugin as it is built, under a manager that behaves as OpenSM
 * does, on hardware where cables, switches, adapters and managers come and go at any moment. After
 * each event the tables in the hardware are judged by all SLs that connections may use.
 *
 *   sim [--seed N] [--runs N] [--events N] [--spec FABRIC] [--options TEXT] [--log FILE] [--one N]
 *       [--spoil yes]
 *
 * A run is a fabric and its events; run N of a seed is always the same. A failure prints the run,
 * and the fewest of its events that still fail. --one runs only that run, --log writes OpenSM's
 * log. Exit code: 0, or 1 after a failure.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fabric/format/format.h"
#include "tests/sim/clock.h"
#include "tests/sim/manager.h"

typedef enum kind {
	CABLE,    /* a cable is pulled, or put back */
	SWITCH,   /* a switch goes off, or comes back without tables */
	RESET,    /* a switch loses its tables at once */
	HOST,     /* an adapter goes off, or comes back */
	MOVE,     /* an adapter is plugged into another switch */
	TAKEOVER, /* another manager finds the files of the one before */
	N_KINDS
} kind;
static const char *const kind_names[N_KINDS] = {"cable", "switch", "reset",
						"host",  "move",   "takeover"};

typedef struct event {
	kind kind;
	uint32_t target; /* a random number: taken modulo what there is */
	int when;        /* sim_point in the sweep, or -1: before it */
	unsigned lost;   /* MADs of 1,000 */
	bool skipped;
} event;

typedef struct run {
	sim_world world;
	event *events;
	unsigned n, next; /* next: the one that waits for its point */
	const char *spec, *options;
	bool spoil;
	char failure[300];
} run;

/* Most seconds between two points of a sweep, and between two events. */
enum { SWEEP_STEP = 4, PAUSE = 60 };

static run *current; /* at_point() gets the world alone */

/* Fabrics: half of the events on 36 or more switches, a tenth on 500 or more. */
typedef struct fabric_row {
	const char *spec;
	unsigned weight; /* of 20 */
} fabric_row;
static const fabric_row small[] = {
	{"torus:k=4x3,c=1,ports=8", 3},   {"torus:k=5,c=2,ports=6", 2},
	{"flatfly:k=3x3,c=1,ports=7", 2}, {"dragonfly:p=1,a=3,h=2,ports=8", 3},
	{"mesh:k=4x3,c=1,ports=7", 2},    {"random:n=14,d=3,c=1,ports=6", 3},
	{"fattree:k=4,levels=3", 2},      {"hypercube:n=4,c=1,ports=7", 3}};
static const fabric_row middle[] = {{"torus:k=6x6,c=1,ports=7", 5},
				    {"demo-dragonfly", 4},
				    {"flatfly:k=4x4x3,c=1,ports=12", 3},
				    {"slimfly:q=5,c=1,ports=10", 2},
				    {"random:n=48,d=5,c=1,ports=8", 2},
				    {"hypercube:n=6,c=1,ports=9", 2},
				    {"dragonfly-plus:p=2,leaves=3,spines=3,h=3,g=7", 2}};
static const fabric_row large[] = {{"flatfly:k=8x8x8,c=1,ports=24", 8},
				   {"torus:k=8x8x8,c=1,ports=9", 4},
				   {"dragonfly:p=1,a=12,h=4,ports=20", 8}};
static const char *const options[] = {"", "", "", "max_vls=4", "max_vls=2", "max_sls=1"};

static const char *draw_spec(odo_rng *rng, unsigned *n_events)
{
	unsigned which = odo_rng_next(rng) % 10, at = odo_rng_next(rng) % 20;
	const fabric_row *row = which < 5 ? small : which < 9 ? middle : large;
	*n_events = 24;
	while (at >= row->weight)
		at -= (row++)->weight;
	return row->spec;
}

static void draw_events(run *r, odo_rng *rng)
{
	static const unsigned weight[N_KINDS] = {8, 3, 2, 4, 2, 1};
	for (unsigned i = 0; i < r->n; i++) {
		unsigned at = odo_rng_next(rng) % 20, k = 0;
		while (at >= weight[k])
			at -= weight[k++];
		uint32_t when = odo_rng_next(rng) % 15;
		r->events[i] = (event){.kind = (kind)k,
				       .target = odo_rng_next(rng),
				       .when = when <= SIM_MAPPED ? (int)when : -1,
				       .lost = odo_rng_next(rng) % 8 ? 0 : 20};
	}
}

/* ---- Events ---- */

static uint32_t free_port(const sim_hardware *hw, uint32_t from)
{
	const odo_fabric *f = hw->f;
	uint32_t n = f->first_slot[f->n_switches];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = (from + i) % n;
		if (hw->peer[slot] == ODO_NONE && f->peer[slot] == ODO_NONE &&
		    hw->on[f->owner[slot]])
			return slot;
	}
	return ODO_NONE;
}

static void change_cable(sim_hardware *hw, uint32_t target)
{
	uint32_t slot = hw->cable[target % hw->n_cables], far = hw->f->peer[slot];
	if (hw->f->owner[far] >= hw->f->n_switches)
		return; /* adapters move, or go */
	if (hw->peer[slot] == ODO_NONE)
		sim_plug(hw, slot, far);
	else
		sim_unplug(hw, slot);
}

static void move_host(sim_world *w, uint32_t target)
{
	sim_hardware *hw = &w->hw;
	uint32_t host = target % hw->f->n_hosts, slot = hw->f->host_slot[host];
	uint32_t to = free_port(hw, target / 7);
	if (hw->f->owner[slot] == w->at || to == ODO_NONE)
		return;
	sim_unplug(hw, slot);
	sim_plug(hw, slot, to);
}

static bool is_managers_switch(const sim_world *w, uint32_t s)
{
	uint32_t peer = w->hw.peer[w->hw.f->first_slot[w->at]];
	return w->hw.f->owner[peer] == s;
}

static void happen(sim_world *w, const event *e)
{
	sim_hardware *hw = &w->hw;
	uint32_t s = e->target % hw->f->n_switches;
	uint32_t host = hw->f->owner[hw->f->host_slot[e->target % hw->f->n_hosts]];
	if (e->kind == CABLE)
		change_cable(hw, e->target);
	else if (e->kind == MOVE)
		move_host(w, e->target);
	else if (e->kind == HOST && host != w->at)
		sim_power(hw, host, !hw->on[host]);
	else if (e->kind == SWITCH && !is_managers_switch(w, s))
		sim_power(hw, s, !hw->on[s]);
	else if (e->kind == RESET && hw->on[s]) {
		sim_power(hw, s, false);
		sim_power(hw, s, true);
	}
}

static void at_point(sim_world *w, sim_point point)
{
	event *e = current->next < current->n ? &current->events[current->next] : NULL;
	if (e && e->when == (int)point) {
		e->when = -2 - (int)point; /* it happened; restored by begin_run() */
		happen(w, e);
	}
	sim_clock_pass(odo_rng_below(&w->time, SWEEP_STEP));
	if (point != SIM_DISCOVERED)
		sim_manager_ask(w, 8);
}

/* ---- A run ---- */

static bool fail_run(run *r, unsigned i, const char *what, const sim_verdict *v)
{
	snprintf(r->failure, sizeof r->failure,
		 "after event %u: %s; channels in cycles %u, pairs lost %u, SLs dropped %u "
		 "(adapter %u to LID %u, SL %u)",
		 i, what, v->n_cyclic, v->n_lost, v->n_dropped, v->from, v->lid, v->sl);
	return false;
}

static void digest_tables(sim_world *w)
{
	const sim_hardware *hw = &w->hw;
	const odo_fabric *f = hw->f;
	sim_digest(w, &w->n_sweeps, sizeof w->n_sweeps);
	sim_digest(w, hw->lft, (size_t)f->n_switches * f->lid_count);
	sim_digest(w, hw->map, hw->first_map[f->n_switches] * sizeof *hw->map);
	sim_digest(w, hw->host_map, f->n_nodes * sizeof *hw->host_map);
}

static bool judge_state(run *r, unsigned i, bool settled)
{
	sim_world *w = &r->world;
	digest_tables(w);
	if (!settled)
		return fail_run(r, i, "it does not settle", &(sim_verdict){0});
	w->n_declined += w->refused;
	if (w->refused)
		return true;
	if (!sim_manager_is_installed(w))
		return fail_run(r, i, "switches hold other tables than wanted", &(sim_verdict){0});
	sim_manager_ask(w, 1);
	if (r->spoil)
		memset(w->hw.map, 0, w->hw.first_map[w->hw.f->n_switches] * sizeof *w->hw.map);
	sim_verdict v = sim_judge_all(&w->judge, w->at);
	return v.n_cyclic || v.n_lost || v.n_dropped ? fail_run(r, i, "not safe", &v) : true;
}

static void empty_folder(const char *folder)
{
	char command[300];
	snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
	if (system(command))
		exit(2);
}

static void begin_run(run *r, const odo_fabric *f, const char *folder, uint64_t seed, FILE *log)
{
	empty_folder(folder);
	r->world = (sim_world){.at = f->owner[f->host_slot[0]],
			       .options = r->options,
			       .folder = folder,
			       .rng = odo_rng_make(seed, 2),
			       .time = odo_rng_make(seed, 3),
			       .at_point = at_point,
			       .log = log};
	for (unsigned i = 0; i < r->n; i++)
		if (r->events[i].when < -1)
			r->events[i].when = -2 - r->events[i].when;
	sim_hardware_init(&r->world.hw, f);
	sim_judge_init(&r->world.judge, &r->world.hw);
	r->next = r->n;
	current = r;
	sim_clock_reset();
	sim_manager_start(&r->world);
}

/* @return true if every state was as it should be */
static bool do_run(run *r, const odo_fabric *f, const char *folder, uint64_t seed, FILE *log)
{
	begin_run(r, f, folder, seed, log);
	sim_world *w = &r->world;
	bool good = judge_state(r, 0, sim_manager_sweep(w));
	for (unsigned i = 0; i < r->n && good; i++) {
		event *e = &r->events[i];
		if (e->skipped)
			continue;
		r->next = i;
		w->lost = e->lost;
		sim_clock_pass(odo_rng_below(&w->time, PAUSE));
		if (log)
			fprintf(log, "---- event %u: %s %u at %d\n", i + 1, kind_names[e->kind],
				e->target, e->when);
		if (e->kind == TAKEOVER) {
			sim_manager_stop(w);
			sim_manager_start(w);
		}
		if (e->when == -1)
			happen(w, e);
		bool settled = sim_manager_sweep(w);
		w->lost = 0; /* what was lost is written at last */
		r->next = r->n;
		good = judge_state(r, i + 1, settled && sim_manager_sweep(w));
	}
	sim_manager_stop(w);
	sim_judge_clear(&w->judge);
	sim_hardware_clear(&w->hw);
	return good;
}

/* Leave out events, at first many together, as long as the run still fails. */
static void shrink(run *r, const odo_fabric *f, const char *folder, uint64_t seed)
{
	char failure[sizeof r->failure];
	for (unsigned width = r->n; width; width /= 2)
		for (unsigned from = 0; from < r->n; from += width) {
			unsigned n = 0;
			for (unsigned i = from; i < from + width && i < r->n; i++)
				n += !r->events[i].skipped;
			if (!n)
				continue;
			bool *was = sim_new(r->n, sizeof *was);
			for (unsigned i = from; i < from + width && i < r->n; i++) {
				was[i] = r->events[i].skipped;
				r->events[i].skipped = true;
			}
			memcpy(failure, r->failure, sizeof failure);
			if (do_run(r, f, folder, seed, NULL)) {
				for (unsigned i = from; i < from + width && i < r->n; i++)
					r->events[i].skipped = was[i];
				memcpy(r->failure, failure, sizeof failure);
			}
			free(was);
		}
}

static void print_failure(const run *r, uint64_t seed, uint64_t number)
{
	printf("FAILED: --seed %" PRIu64 " --one %" PRIu64 ": %s, options \"%s\"\n  %s\n", seed,
	       number, r->spec, r->options, r->failure);
	for (unsigned i = 0; i < r->n; i++)
		if (!r->events[i].skipped)
			printf("  event %u: %s %u, %s %d, %u of 1,000 MADs lost\n", i + 1,
			       kind_names[r->events[i].kind], r->events[i].target,
			       r->events[i].when == -1 ? "before the sweep" : "at point",
			       r->events[i].when < -1 ? -2 - r->events[i].when : r->events[i].when,
			       r->events[i].lost);
}

typedef struct settings {
	uint64_t seed, runs, one;
	unsigned events;
	const char *spec, *options, *log;
	bool spoil;
} settings;

typedef struct totals {
	uint64_t runs, events, failed, sweeps, asked, told, declined;
	uint64_t large, huge; /* events on 36 or more switches, on 500 or more */
	uint64_t digest;      /* of all runs */
} totals;

static void one_run(const settings *s, uint64_t number, const char *folder, totals *t)
{
	odo_rng rng = odo_rng_make(s->seed, 16 * number);
	run r = {.n = 0};
	odo_error err;
	odo_fabric *f;
	r.spec = draw_spec(&rng, &r.n);
	r.options = options[odo_rng_next(&rng) % (sizeof options / sizeof *options)];
	if (s->spec)
		r.spec = s->spec;
	if (s->options)
		r.options = s->options;
	if (s->events)
		r.n = s->events;
	r.spoil = s->spoil;
	if (odo_fabric_open(r.spec, 0, &f, NULL, &err)) {
		fprintf(stderr, "sim: %s\n", err.text);
		exit(2);
	}
	r.events = sim_new(r.n, sizeof *r.events);
	draw_events(&r, &rng);
	FILE *log = s->log ? fopen(s->log, "w") : NULL;
	if (!do_run(&r, f, folder, s->seed + number, log)) {
		t->failed++;
		shrink(&r, f, folder, s->seed + number);
		print_failure(&r, s->seed, number);
	}
	if (log)
		fclose(log);
	t->runs++;
	t->events += r.n;
	t->large += f->n_switches >= 36 ? r.n : 0;
	t->huge += f->n_switches >= 500 ? r.n : 0;
	t->sweeps += r.world.n_sweeps;
	t->asked += r.world.n_asked;
	t->told += r.world.n_told;
	t->declined += r.world.n_declined;
	t->digest = t->digest * 31 + r.world.digest;
	free(r.events);
	odo_fabric_free(f);
}

static settings parse(int argc, char **argv)
{
	settings s = {.seed = 1, .runs = 10, .one = UINT64_MAX};
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			s.seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--runs"))
			s.runs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--one"))
			s.one = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--events"))
			s.events = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--spec"))
			s.spec = argv[i + 1];
		else if (!strcmp(argv[i], "--options"))
			s.options = argv[i + 1];
		else if (!strcmp(argv[i], "--log"))
			s.log = argv[i + 1];
		else if (!strcmp(argv[i], "--spoil"))
			s.spoil = !strcmp(argv[i + 1], "yes");
		else
			exit((fprintf(stderr, "sim: unknown option %s\n", argv[i]), 2));
	}
	return s;
}

static double cpu_seconds(void)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	settings s = parse(argc, argv);
	char in_memory[] = "/dev/shm/odonata-sim-XXXXXX", on_disk[] = "/tmp/odonata-sim-XXXXXX";
	char *folder = mkdtemp(in_memory);
	totals t = {0};
	folder = folder ? folder : mkdtemp(on_disk);
	if (!folder || setenv("OSM_CACHE_DIR", folder, 1)) {
		fputs("sim: no folder for state files\n", stderr);
		return 2;
	}
	for (uint64_t i = 0; i < s.runs; i++)
		if (s.one == UINT64_MAX || s.one == i)
			one_run(&s, i, folder, &t);
	if (s.one != UINT64_MAX && s.one >= s.runs)
		one_run(&s, s.one, folder, &t);
	empty_folder(folder);
	rmdir(folder);
	printf("%" PRIu64 " runs, %" PRIu64 " events (%" PRIu64 " on 36 or more switches, %" PRIu64
	       " on 500 or more), %" PRIu64 " sweeps, %" PRIu64 " path SLs asked, %" PRIu64
	       " times told to reconnect, %" PRIu64 " states declined and not judged, %" PRIu64
	       " failed; digest %016" PRIx64 "; %.1f s\n",
	       t.runs, t.events, t.large, t.huge, t.sweeps, t.asked, t.told, t.declined, t.failed,
	       t.digest, cpu_seconds());
	return t.failed != 0;
}
