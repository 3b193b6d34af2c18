/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A seeded simulation of subnets: the plugin as it is built, under a manager that behaves as OpenSM
 * does, on hardware where cables, switches, adapters and managers come and go at any moment. After
 * each event the tables in the hardware are judged by all SLs that connections may use.
 *
 *   sim [--seed N] [--runs N] [--events N] [--spec FABRIC] [--lmc N] [--options TEXT] [--log FILE]
 *       [--one N] [--only EVENT,EVENT...] [--certify N] [--spoil yes]
 *
 *   sim --replay-at ADAPTER --spec FABRIC [--options TEXT] [--log FILE] < COMMANDS
 *
 * A run is a fabric and its events; run N of a seed is always the same. A failure prints the run,
 * and the fewest of its events that still fail. --one runs only that run, --only only these of
 * its events, --log writes OpenSM's log, --certify has the certificate checked after one in so many
 * events. Exit code: 0, or 1 after a failure.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fabric/format/format.h"
#include "tests/sim/clock.h"
#include "tests/sim/disk.h"
#include "tests/sim/dump.h"
#include "tests/sim/events.h"
#include "tests/sim/replay.h"

typedef struct run {
	sim_world world;
	sim_event *events;
	unsigned n, next; /* next: the one that waits for its point */
	const char *spec, *options;
	bool spoil;
	unsigned certify; /* the certificate is checked after one in so many events, 0: never */
	char failure[300];
} run;

/* Most ms between two points of a sweep, and between two events. */
enum { SWEEP_STEP = 4000, PAUSE = 60000 };

/* Time in which the plugin reads all tables back (read_back_seconds), in ms: a loss without a sign
 * is found by then. It waits in steps, after each of which OpenSM sweeps if it was asked to. */
enum { READ_BACK = 600000, READ_STEP = 20000 };

/* Pairs above which applications ask for a quarter of the SLs after each event, by chance. */
enum { MOST_ASKED = 50000 };

/* An event in so many that lose nothing is followed by a sweep that has nothing to do. */
enum { NO_NEWS = 4 };

enum { EVENTS = 24 };

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
static const fabric_row large[] = {{"flatfly:k=8x8x8,c=1,ports=24", 10},
				   {"dragonfly:p=1,a=12,h=4,ports=20", 10}};
static const char *const options[] = {"", "", "", "max_vls=4", "max_vls=2", "max_sls=1"};

static const char *draw_spec(odo_rng *rng, unsigned *n_events)
{
	unsigned which = odo_rng_next(rng) % 10, at = odo_rng_next(rng) % 20;
	const fabric_row *row = which < 5 ? small : which < 9 ? middle : large;
	*n_events = EVENTS;
	while (at >= row->weight)
		at -= (row++)->weight;
	return row->spec;
}

static bool is_small(const char *spec)
{
	bool found = false;
	for (unsigned i = 0; i < sizeof small / sizeof *small; i++)
		found |= !strcmp(spec, small[i].spec);
	return found;
}

/* ---- Events ---- */

static void at_point(sim_world *w, sim_point point)
{
	sim_event *e = current->next < current->n ? &current->events[current->next] : NULL;
	if (e && !e->happened && e->when == (int)point) {
		e->happened = true;
		sim_happen(w, e);
	}
	sim_clock_pass(odo_rng_below(&w->time, SWEEP_STEP));
	if (point > SIM_DISCOVERED && !w->is_dead)
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

/* Tables that stay because the plugin declines are no worse than before: packets may be lost. */
static bool judge_declined(run *r, unsigned i)
{
	sim_verdict v = sim_judge_all(&r->world.judge, r->world.at);
	r->world.n_declined++;
	return v.n_cyclic ? fail_run(r, i, "declined, and what stays is not safe", &v) : true;
}

static bool judge_groups(run *r, unsigned i, sim_verdict v)
{
	sim_world *w = &r->world;
	sim_groups groups = {w->is_member, w->group_sl, sim_manager_trees(w)};
	sim_judge_groups(&w->judge, &groups, &v);
	if (v.n_lost)
		return fail_run(r, i, "members get no packet, or two", &v);
	w->n_warned += v.n_cyclic && w->is_warned;
	return v.n_cyclic && !w->is_warned ? fail_run(r, i, "multicast is not safe", &v) : true;
}

/* A program that shares nothing with the plugin or the judge follows all packets by the
 * certificate. */
static bool check_certificate_of(run *r, unsigned i)
{
	char said[200];
	sim_answer answer = sim_check_certificate(&r->world, said, sizeof said);
	if (answer == SIM_YES) {
		r->world.n_certified++;
		return true;
	}
	snprintf(r->failure, sizeof r->failure, "after event %u: the checker of certificates: %s",
		 i, said);
	return false;
}

static bool judge_state(run *r, unsigned i, bool settled)
{
	sim_world *w = &r->world;
	digest_tables(w);
	if (!settled)
		return fail_run(r, i, "it does not settle", &(sim_verdict){0});
	if (w->refused)
		return judge_declined(r, i);
	if (!sim_manager_is_installed(w))
		return fail_run(r, i, "switches hold other tables than wanted", &(sim_verdict){0});
	sim_manager_ask(w, (uint64_t)w->hw.f->n_hosts * w->hw.f->lid_count > MOST_ASKED ? 4 : 1);
	if (r->spoil)
		memset(w->hw.map, 0, w->hw.first_map[w->hw.f->n_switches] * sizeof *w->hw.map);
	sim_verdict v = sim_judge_all(&w->judge, w->at);
	w->n_beyond += v.n_beyond != 0;
	if (v.n_cyclic || v.n_lost || v.n_dropped)
		return fail_run(r, i, "not safe", &v);
	return judge_groups(r, i, v) &&
	       (!r->certify || i % r->certify || check_certificate_of(r, i));
}

static void empty_folder(const char *folder)
{
	char command[300];
	snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
	if (system(command))
		exit(2);
}

/* Everybody is in the first group, as with IPoIB. */
static void draw_members(sim_world *w, const odo_fabric *f, uint64_t seed)
{
	odo_rng rng = odo_rng_make(seed, 4);
	w->is_member = sim_new((size_t)SIM_GROUPS * f->n_nodes, sizeof *w->is_member);
	for (unsigned group = 0; group < SIM_GROUPS; group++)
		for (uint32_t v = f->n_switches; v < f->n_nodes; v++)
			w->is_member[group * f->n_nodes + v] = odo_rng_next(&rng) % (group + 1) ==
							       0;
	w->group_sl[SIM_GROUPS - 1] = (uint8_t)(odo_rng_next(&rng) % 3);
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
	draw_members(&r->world, f, seed);
	sim_hardware_init(&r->world.hw, f);
	sim_judge_init(&r->world.judge, &r->world.hw);
	r->next = r->n;
	current = r;
	sim_clock_reset();
	sim_manager_start(&r->world);
}

/* A loss without a sign is found when the plugin reads the switch back in turn. */
static bool wait_for_reading(sim_world *w)
{
	bool settled = true;
	for (unsigned ms = 0; ms <= READ_BACK && settled; ms += READ_STEP) {
		sim_clock_pass(READ_STEP);
		settled = !sim_manager_is_asked(w) || sim_manager_sweep(w);
	}
	return settled;
}

/* @return true if it settles */
static bool do_event(run *r, unsigned i)
{
	sim_world *w = &r->world;
	sim_event *e = &r->events[i];
	bool had_losses = e->lost || e->disk;
	r->next = i;
	e->happened = false;
	w->lost = e->lost;
	sim_disk_set((sim_disk)e->disk);
	sim_clock_pass(odo_rng_below(&w->time, PAUSE));
	if (w->log)
		fprintf(w->log, "---- event %u: %s %u at %d\n", i + 1, sim_kind_names[e->kind],
			e->target, e->when);
	if (e->when == -1)
		sim_happen(w, e);
	/* No sweep follows a reroute. */
	bool whole = e->kind == SIM_REROUTE && !had_losses && !sim_manager_has_trap(w) &&
		     !sim_manager_is_asked(w);
	bool settled = whole || sim_manager_sweep(w);
	w->lost = 0; /* what was lost is written at last */
	sim_disk_set(SIM_DISK_WORKS);
	r->next = r->n;
	if (settled && sim_is_silent(e))
		settled = wait_for_reading(w);
	return settled && (whole || (!had_losses && i % NO_NEWS) || sim_manager_sweep(w));
}

/* @return true if every state was as it should be */
static bool do_run(run *r, const odo_fabric *f, const char *folder, uint64_t seed, FILE *log)
{
	begin_run(r, f, folder, seed, log);
	sim_world *w = &r->world;
	bool good = judge_state(r, 0, sim_manager_sweep(w));
	for (unsigned i = 0; i < r->n && good; i++)
		if (!r->events[i].skipped)
			good = judge_state(r, i + 1, do_event(r, i));
	sim_manager_stop(w);
	sim_judge_clear(&w->judge);
	sim_hardware_clear(&w->hw);
	free(w->is_member);
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
			printf("  event %u: %s %u, %s %d, %u of 1,000 MADs lost, disk %u\n", i + 1,
			       sim_kind_names[r->events[i].kind], r->events[i].target,
			       r->events[i].when == -1 ? "before the sweep" : "at point",
			       r->events[i].when, r->events[i].lost, r->events[i].disk);
}

typedef struct settings {
	uint64_t seed, runs, one;
	unsigned events, certify;
	int lmc; /* -1: drawn */
	const char *spec, *options, *log, *only, *replay_at;
	bool spoil;
} settings;

typedef struct totals {
	uint64_t runs, events, failed, sweeps, asked, told, declined, beyond, warned, certified;
	uint64_t large, huge; /* events on 36 or more switches, on 500 or more */
	uint64_t digest;      /* of all runs */
} totals;

/* Skip all events that are not in a list such as "3,7". */
static void keep_only(run *r, const char *list)
{
	for (unsigned i = 0; i < r->n; i++)
		r->events[i].skipped = true;
	while (*list) {
		unsigned long number = strtoul(list, (char **)&list, 10);
		if (number && number <= r->n)
			r->events[number - 1].skipped = false;
		list += *list != '\0';
	}
}

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
	r.certify = s->certify;
	uint8_t lmc = odo_rng_next(&rng) % 6 == 0 && is_small(r.spec) ? 1 + odo_rng_next(&rng) % 2
								      : 0;
	if (odo_fabric_open(r.spec, s->lmc < 0 ? lmc : (uint8_t)s->lmc, &f, NULL, &err)) {
		fprintf(stderr, "sim: %s\n", err.text);
		exit(2);
	}
	r.events = sim_new(r.n, sizeof *r.events);
	sim_draw_events(r.events, r.n, &rng);
	if (s->only)
		keep_only(&r, s->only);
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
	t->beyond += r.world.n_beyond;
	t->warned += r.world.n_warned;
	t->certified += r.world.n_certified;
	t->digest = t->digest * 31 + r.world.digest;
	free(r.events);
	odo_fabric_free(f);
}

static settings parse(int argc, char **argv)
{
	settings s = {.seed = 1, .runs = 10, .one = UINT64_MAX, .lmc = -1};
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			s.seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--runs"))
			s.runs = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--one"))
			s.one = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--events"))
			s.events = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--lmc"))
			s.lmc = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--certify"))
			s.certify = (unsigned)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--spec"))
			s.spec = argv[i + 1];
		else if (!strcmp(argv[i], "--options"))
			s.options = argv[i + 1];
		else if (!strcmp(argv[i], "--log"))
			s.log = argv[i + 1];
		else if (!strcmp(argv[i], "--only"))
			s.only = argv[i + 1];
		else if (!strcmp(argv[i], "--replay-at"))
			s.replay_at = argv[i + 1];
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

/* Dumps and state files go to the folder that is the present one. */
static int replay(const settings *s, const char *folder)
{
	odo_error err;
	odo_fabric *f;
	if (!s->spec || odo_fabric_open(s->spec, 0, &f, NULL, &err))
		exit((fprintf(stderr, "sim: no fabric to replay on\n"), 2));
	sim_replay(f, s->replay_at, s->options ? s->options : "", ".", s->log);
	odo_fabric_free(f);
	return rmdir(folder);
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
	if (s.replay_at)
		return replay(&s, folder);
	for (uint64_t i = 0; i < s.runs; i++)
		if (s.one == UINT64_MAX || s.one == i)
			one_run(&s, i, folder, &t);
	if (s.one != UINT64_MAX && s.one >= s.runs)
		one_run(&s, s.one, folder, &t);
	empty_folder(folder);
	rmdir(folder);
	printf("%" PRIu64 " runs, %" PRIu64 " events (%" PRIu64 " on 36 or more switches, %" PRIu64
	       " on 500 or more), %" PRIu64 " sweeps, %" PRIu64 " path SLs asked, %" PRIu64
	       " times told to reconnect, %" PRIu64 " states declined, %" PRIu64
	       " safe only without adapters that moved out of reach, %" PRIu64
	       " with multicast as warned, %" PRIu64 " certificates checked, %" PRIu64
	       " failed; digest %016" PRIx64 "; %.1f s\n",
	       t.runs, t.events, t.large, t.huge, t.sweeps, t.asked, t.told, t.declined, t.beyond,
	       t.warned, t.certified, t.failed, t.digest, cpu_seconds());
	return t.failed != 0;
}
