/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every policy on random fabrics, switches, options and traffic, with a cable lost in the run
 * where a policy says it can bear that; and in every fifth case static tables of a damaged fabric,
 * under each preset of the model. A case is drawn from its number alone, so one that fails is run
 * again by its number.
 *
 *   tool_stress FIRST COUNT [TIMES]   cases FIRST .. FIRST + COUNT - 1, so many times as long; exit
 * 1 if one fails
 *
 * Held true: bursts are received to the last packet, in open loop no packet is lost or made, and in
 * every third case (of longer ones, fewer) no credit in any cycle;
 * nothing deadlocks; no packet takes more hops than its policy allows; threads and wide
 * instructions change nothing.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "emulator/policy.h"
#include "emulator/traffic/workload.h"
#include "base/random.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "routing/engine.h"

/* Links between switches that a packet takes at most; 0 where only the run can tell. */
static const struct {
	const char *policy;
	unsigned hops, per_dimension;
} bounds[] = {
	{"min", 3, 0},
	{"val", 5, 0},
	{"val-any", 6, 0},
	{"ugal-l", 5, 0},
	{"ugal-l-vc", 5, 0},
	{"ugal-l-vch", 5, 0},
	{"ugal-l-cr", 5, 0},
	{"ugal-g", 5, 0},
	{"ugal-phase", 6, 0},
	{"pb", 5, 0},
	{"par", 6, 0},
	{"ofar", 0, 0},
	{"dor", 0, 1},
	{"flatfly-val", 0, 2},
	{"flatfly-ugal", 0, 2},
	{"dal", 0, 2},
	{"fattree-random", 6, 0},
	{"fattree-adaptive", 6, 0},
	{"dragonfly-plus-min", 3, 0},
	{"dragonfly-plus-val", 6, 0},
	{"dragonfly-plus-ugal", 6, 0},
	{"dragonfly-plus-par", 6, 0},
};

typedef struct drawn {
	odo_rng rng;
	const odo_policy *policy;
	char fabric[100], routing[400], model[400], pattern[40];
	double load;      /* 0: a burst */
	uint32_t packets; /* of a burst, per host */
	uint64_t cycles;
	bool breaks; /* lose a cable */
	bool tables; /* of a damaged fabric, and no policy */
	odo_damage damage;
	unsigned dims;
} drawn;

static uint32_t below(drawn *d, uint32_t n)
{
	return odo_rng_below(&d->rng, n);
}
static uint32_t from_to(drawn *d, uint32_t least, uint32_t most)
{
	return least + below(d, most - least + 1);
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
						      ...)
{
	va_list args;
	size_t n = strlen(text);
	va_start(args, format);
	vsnprintf(text + n, size - n, format, args);
	va_end(args);
}

static void draw_dragonfly(drawn *d)
{
	static const char *const arrangements[] = {"palmtree", "consecutive", "relative",
						   "circulant"};
	uint32_t h = from_to(d, 1, 3), a = below(d, 3) ? 2 * h : from_to(d, 2, 6);
	add(d->fabric, sizeof d->fabric, "dragonfly:p=%u,a=%u,h=%u", from_to(d, 1, 3), a, h);
	if (below(d, 3) == 0)
		add(d->fabric, sizeof d->fabric, ",g=%u", from_to(d, 3, a * h + 1));
	if (below(d, 3) == 0)
		add(d->fabric, sizeof d->fabric, ",arrangement=%s", arrangements[below(d, 4)]);
	const char *own = strstr(d->routing, "escape=own-");
	if (own)
		add(d->fabric, sizeof d->fabric, ",escape=%.*s",
		    (int)strcspn(own + strlen("escape=own-"), ","), own + strlen("escape=own-"));
}

static void draw_flatfly(drawn *d)
{
	d->dims = from_to(d, 1, 3);
	add(d->fabric, sizeof d->fabric, "flatfly:c=%u,k=", from_to(d, 1, 4));
	for (unsigned i = 0; i < d->dims; i++)
		add(d->fabric, sizeof d->fabric, "%s%u", i ? "x" : "", from_to(d, 2, 5));
}

static void draw_tree(drawn *d)
{
	uint32_t levels = from_to(d, 2, 4);
	add(d->fabric, sizeof d->fabric, "pgft:m=");
	for (uint32_t l = 0; l < levels; l++)
		add(d->fabric, sizeof d->fabric, "%s%u", l ? "x" : "", from_to(d, 2, 4));
	add(d->fabric, sizeof d->fabric, ",w=1");
	for (uint32_t l = 1; l < levels; l++)
		add(d->fabric, sizeof d->fabric, "x%u", from_to(d, 1, 3));
	add(d->fabric, sizeof d->fabric, ",p=1");
	for (uint32_t l = 1; l < levels; l++)
		add(d->fabric, sizeof d->fabric, "x%u", from_to(d, 1, 2));
}

static void draw_plus(drawn *d)
{
	uint32_t spines = from_to(d, 1, 4), h = from_to(d, 1, 3);
	add(d->fabric, sizeof d->fabric, "dragonfly-plus:p=%u,leaves=%u,spines=%u,h=%u,g=%u",
	    from_to(d, 1, 3), from_to(d, 1, 4), spines, h, from_to(d, 2, spines * h + 1));
}

static bool routes(const drawn *d, odo_kind kind)
{
	return d->policy->kinds & 1u << kind;
}

static void draw_fabric(drawn *d)
{
	if (routes(d, ODO_KIND_DRAGONFLY))
		draw_dragonfly(d);
	else if (routes(d, ODO_KIND_FATTREE))
		draw_tree(d);
	else if (routes(d, ODO_KIND_DRAGONFLY_PLUS))
		draw_plus(d);
	else
		draw_flatfly(d);
}

/* What a policy's own words say can go wrong is left out: UGAL's VLs by phase make cycles, and
 * OFAR without its counter may bounce for ever. */
static bool is_sound(const char *routing)
{
	return !strstr(routing, "vls=phase") && !strstr(routing, "bounces=0");
}

/* Half of a policy's options; only OFAR on several rings outlives a cable, and then only a counter
 * ends bouncing. Numbers from the small ones, which are the hard ones. */
static void draw_options(drawn *d)
{
	char separator = ':';
	d->routing[0] = 0;
	add(d->routing, sizeof d->routing, "%s", d->policy->name);
	for (const odo_option *o = d->policy->options; o->name; o++) {
		bool counter = !strcmp(o->name, "bounces");
		bool rings = d->breaks && !strcmp(o->name, "escape");
		if (!counter && !rings && below(d, 2))
			continue;
		add(d->routing, sizeof d->routing, "%c%s=", separator, o->name);
		separator = ',';
		uint32_t n = 0;
		if (rings) {
			add(d->routing, sizeof d->routing, "ab");
		} else if (counter) {
			add(d->routing, sizeof d->routing, "%u", from_to(d, 1, 15));
		} else if (o->type == ODO_OPTION_WORD) {
			while (o->words[n])
				n++;
			add(d->routing, sizeof d->routing, "%s", o->words[below(d, n)]);
		} else {
			uint32_t most = o->max - o->min < 5 || below(d, 4) ? o->min + 4 : o->max;
			add(d->routing, sizeof d->routing, "%u",
			    from_to(d, o->min, most < o->max ? most : o->max));
		}
	}
}

static void draw_model(drawn *d)
{
	uint32_t packet = from_to(d, 1, 12);
	add(d->model, sizeof d->model, "packet=%u,latency-local=%u,latency-global=%u", packet,
	    from_to(d, 1, 20), from_to(d, 1, 60));
	add(d->model, sizeof d->model, ",buffer-local=%u,buffer-global=%u,buffer-host=%u",
	    packet * from_to(d, 2, 6) + below(d, packet), packet * from_to(d, 2, 12),
	    packet * from_to(d, 1, 9));
	add(d->model, sizeof d->model,
	    ",injection-queues=%u,queue-policy=%s,source-full=%s,iterations=%u,arbiter=%s",
	    from_to(d, 1, 3), below(d, 2) ? "dest" : "random", below(d, 2) ? "waits" : "stops",
	    from_to(d, 1, 3), below(d, 2) ? "lrs" : "round-robin");
	add(d->model, sizeof d->model, ",input-parallel=%u,transit-first=%u,paced-hosts=%u",
	    from_to(d, 1, 4), below(d, 2), below(d, 2));
	if (below(d, 2))
		add(d->model, sizeof d->model, ",speedup=%u,output-buffer=%u,pipeline=%u",
		    from_to(d, 1, 3), packet * from_to(d, 1, 5), below(d, 30));
}

static void draw_traffic(drawn *d)
{
	static const char *const any[] = {"uniform", "permutation", "shift", "hotregion"};
	uint32_t n = below(d, d->tables ? 4 : 6);
	if (n < 4)
		add(d->pattern, sizeof d->pattern, "%s", any[n]);
	else if (routes(d, ODO_KIND_FATTREE))
		add(d->pattern, sizeof d->pattern, "advl");
	else if (routes(d, ODO_KIND_FLATFLY))
		add(d->pattern, sizeof d->pattern, "neighbour");
	else
		add(d->pattern, sizeof d->pattern, "%s:n=%u", n == 4 ? "advg" : "advl",
		    n == 4 ? from_to(d, 1, 2) : 1);
	if (below(d, 2) && !d->breaks)
		d->load = 0.05 + 0.95 * below(d, 1000) / 1000;
	d->packets = from_to(d, 5, 120);
}

/* A fabric of any kind with parts missing; a preset of the model, some with flits. */
static void draw_tables(drawn *d)
{
	static const char *const specs[] = {
		"dragonfly:p=2,a=4,h=2", "dragonfly:p=1,a=6,h=2,g=7",
		"flatfly:k=4x4,c=3",     "flatfly:k=3x4x2,c=2",
		"torus:k=4x4,c=2",       "torus:k=5x3x3,c=1",
		"mesh:k=4x5,c=2",        "slimfly:q=5,c=2",
		"fattree:k=4,levels=3",  "random:n=30,d=5,c=2",
		"hypercube:n=4,c=2",     "dragonfly-plus:p=2,leaves=4,spines=4,h=2",
	};
	unsigned presets = 0;
	d->tables = true;
	add(d->fabric, sizeof d->fabric, "%s", specs[below(d, sizeof specs / sizeof *specs)]);
	d->damage = (odo_damage){.switches = 0.02 * below(d, 6),
				 .links = 0.03 * below(d, 6),
				 .seed = below(d, 1000000)};
	while (odo_model_presets[presets].name)
		presets++;
	add(d->model, sizeof d->model, "%s", odo_model_presets[below(d, presets)].name);
	if (!strcmp(d->model, "ofar") || !strcmp(d->model, "kim"))
		add(d->model, sizeof d->model, "%s",
		    below(d, 2) ? ":flow=flits,input-parallel=1" : "");
	draw_traffic(d);
}

static void draw(uint64_t number, drawn *d)
{
	unsigned n = 0;
	odo_value value[ODO_MAX_OPTIONS];
	odo_error err;
	*d = (drawn){.rng = odo_rng_make(number, 0)};
	if (number % 5 == 4) {
		draw_tables(d);
		return;
	}
	while (odo_policies[n])
		n++;
	d->policy = odo_policies[number / 2 % n];
	if (number % 2) /* the one whose VLs prove nothing */
		odo_policy_parse("ofar", &d->policy, value, &err);
	d->breaks = !strcmp(d->policy->name, "ofar") && below(d, 3) == 0;
	do
		draw_options(d);
	while (!is_sound(d->routing));
	draw_fabric(d);
	draw_model(d);
	draw_traffic(d);
}

static odo_failure draw_cable(drawn *d, const odo_fabric *f)
{
	odo_failure lost = {.cycle = below(d, 300)};
	do
		lost.slot = below(d, f->first_slot[f->n_switches]);
	while (odo_next_switch(f, lost.slot) == ODO_NONE);
	return lost;
}

static unsigned longest(const odo_measures *m)
{
	unsigned hops = 255;
	while (hops && !m->path[hops])
		hops--;
	return hops;
}

#define NO_BOUND UINT_MAX

static unsigned bound_of(const drawn *d)
{
	if (d->tables)
		return 0;
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
		if (!strcmp(bounds[i].policy, d->policy->name))
			return bounds[i].hops + bounds[i].per_dimension * d->dims;
	return NO_BOUND;
}

/* NULL, or what is wrong. */
static const char *judge(const drawn *d, const odo_measures *m)
{
	unsigned bound = bound_of(d);
	if (bound == NO_BOUND)
		return "expected the policy's most hops in bounds[] of tool_stress.c, found none";
	/* The one host of a small hot region has nobody there to send to. */
	uint64_t senders = m->n_hosts - !strcmp(d->pattern, "hotregion");
	uint64_t full = senders * d->packets;
	if (m->outcome != ODO_RUN_DONE)
		return m->report[0] ? m->report : "did not finish";
	if (m->generated != m->delivered + m->dropped + m->in_network + m->waiting)
		return "packets lost or made";
	if (d->load == 0 && (m->delivered != m->generated || m->generated < full))
		return "a burst not received in full";
	if (bound && longest(m) > bound)
		return "too many hops";
	return NULL;
}

/* @return 0, or the errors of odo_emulate() */
static int run(const drawn *d, const odo_fabric *f, const odo_coordinates *c,
	       const odo_tables *tables, const odo_traffic *traffic, bool conserve,
	       const odo_failure *lost, unsigned threads, odo_measures **out, odo_error *err)
{
	odo_model model;
	odo_workload burst = {0};
	uint32_t *host = calloc(f->n_hosts, sizeof *host);
	int status = host ? odo_model_parse(d->model, NULL, &model, err) : ODO_ENOMEM;
	for (uint32_t i = 0; !status && i < f->n_hosts; i++)
		host[i] = i;
	odo_workload_setup setup = {
		.n_hosts = f->n_hosts, .host = host, .n_ranks = f->n_hosts, .seed = 1};
	if (!status && d->load == 0) {
		setup.packet = model.packet;
		status = odo_workload_burst(traffic, d->packets, &setup, &burst, err);
	}
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .tables = tables,
			   .policy = tables ? NULL : d->routing,
			   .model = &model,
			   .traffic = d->load > 0 ? traffic : NULL,
			   .workload = d->load > 0 ? NULL : &burst,
			   .run = {.seed = 1,
				   .load = d->load,
				   .measured = d->load > 0 ? d->cycles : 20000000ull,
				   .threads = threads,
				   .conserve = conserve,
				   .plain = threads > 1,
				   .failures = lost,
				   .n_failures = d->breaks}};
	if (!status)
		status = odo_emulate(&e, out, err);
	odo_workload_free(&burst);
	free(host);
	return status;
}

/* All that a case needs. */
typedef struct prepared {
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *tables;
	odo_traffic *traffic;
} prepared;

static int damage(const drawn *d, prepared *x, odo_error *err)
{
	prepared whole = *x;
	odo_origin origin = {0};
	*x = (prepared){0};
	int status = odo_fabric_damage(whole.f, &d->damage, &x->f, &origin, err);
	if (!status)
		status = odo_coordinates_carry(whole.c, x->f, &origin, &x->c, err);
	odo_origin_free(&origin);
	odo_coordinates_free(whole.c);
	odo_fabric_free(whole.f);
	return status;
}

static int prepare(const drawn *d, prepared *x, odo_error *err)
{
	int status = odo_topology_generate(d->fabric, 0, &x->f, &x->c, err);
	if (!status && d->tables)
		status = damage(d, x, err);
	if (!status && d->tables)
		status = odo_route(x->f, x->c, NULL, &(odo_route_options){0}, &x->tables, err);
	return status ? status : odo_traffic_create(d->pattern, x->f, x->c, 1, &x->traffic, err);
}

static void clear(prepared *x)
{
	odo_traffic_free(x->traffic);
	odo_tables_free(x->tables);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
}

static void tell(uint64_t number, const drawn *d, const odo_failure *lost, const char *wrong)
{
	printf("case %llu: %s on %s without %.2f of its switches and %.2f of its cables (seed "
	       "%llu), %s, %s, "
	       "load %.3f, %u packets, cable %u at %llu:\n%s\n",
	       (unsigned long long)number, d->tables ? "tables" : d->routing, d->fabric,
	       d->damage.switches, d->damage.links, (unsigned long long)d->damage.seed, d->model,
	       d->pattern, d->load, d->packets, d->breaks ? lost->slot : 0,
	       (unsigned long long)lost->cycle, wrong);
}

/* @param hops packet-hops are added to it
 * @return 0 well, 1 wrong, 2 refused: the options or the fabric are none for the policy */
static int try_case(uint64_t number, uint32_t times, uint64_t *hops)
{
	drawn d;
	odo_error err = {0};
	prepared x = {0};
	odo_measures *one = NULL, *two = NULL;
	draw(number, &d);
	d.packets *= times;
	d.cycles = 3000ull * times;
	int status = prepare(&d, &x, &err);
	odo_failure lost = status ? (odo_failure){0} : draw_cable(&d, x.f);
	if (!status)
		status = run(&d, x.f, x.c, x.tables, x.traffic, number % (3ull * times) == 0, &lost,
			     1, &one, &err);
	const char *wrong = status == ODO_EIO ? err.text : status ? NULL : judge(&d, one);
	if (!status && !wrong && number % 4 == 0) {
		status = run(&d, x.f, x.c, x.tables, x.traffic, false, &lost, 2, &two, &err);
		if (!status &&
		    (one->latency.sum != two->latency.sum || one->packet_hops != two->packet_hops))
			wrong = "two threads by plain instructions found something else";
	}
	if (wrong)
		tell(number, &d, &lost, wrong);
	*hops += (one ? one->packet_hops : 0) + (two ? two->packet_hops : 0);
	odo_measures_free(one);
	odo_measures_free(two);
	clear(&x);
	return wrong ? 1 : status ? 2 : 0;
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: %s FIRST COUNT [TIMES]\n", argv[0]);
		return 2;
	}
	uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
	uint32_t times = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
	uint64_t n[3] = {0}, hops = 0;
	for (uint64_t i = 0; i < count; i++)
		n[try_case(first + i, times, &hops)]++;
	printf("cases %llu to %llu: %llu well, %llu refused, %llu wrong; %llu packet-hops\n",
	       (unsigned long long)first, (unsigned long long)(first + count - 1),
	       (unsigned long long)n[0], (unsigned long long)n[2], (unsigned long long)n[1],
	       (unsigned long long)hops);
	return n[1] ? 1 : 0;
}
