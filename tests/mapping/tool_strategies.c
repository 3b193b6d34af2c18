/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For strategies.sh: what each strategy of mapping wins on one fabric.
 *
 *   tool_strategies SPEC SWITCHES LINKS MISCABLED UNBOUGHT SEED [STRATEGY...]
 *
 * Shares of switches and links missing and of links miscabled; switches that the last row never
 * had. Maps the fabric with all strategies, notes which of them were asked for, and maps it once
 * more without each of these, or of those that are named; without A and B where a name is A+B. One
 * CSV line each, the first, without a name, with all of them:
 *
 *   spec,switches,links,miscabled,unbought,seed,strategy,same,verdict,missed,accused,seconds
 *
 * same: the finding is that of all strategies, byte by byte. Verdict: right (all switches in their
 * places; or unknown, of a fabric that is nothing), as good (another structure that explains every
 * cable), unknown or wrong. Wrong cables missed, and right ones accused. */
#include <stdio.h>
#include <string.h>

#include "base/strategies.h"
#include "trial.h"
#include "verify.h"

enum { MOST_NAMES = 200 };

/* What odo_uses() answers has no other way to it than this. */
static struct {
	const char *asked[MOST_NAMES];
	unsigned n;
	const char *off;
} survey;

/* `list` is a name, or several with a plus sign between. */
static bool among(const char *list, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = list; at; at = strchr(at, '+')) {
		at += at != list;
		if (!strncmp(at, name, length) && (!at[length] || at[length] == '+'))
			return true;
	}
	return false;
}

bool odo_uses(const char *name)
{
	unsigned i = 0;
	while (i < survey.n && survey.asked[i] != name && strcmp(survey.asked[i], name))
		i++;
	if (i == survey.n && i < MOST_NAMES)
		survey.asked[survey.n++] = name;
	return !survey.off || !among(survey.off, name);
}

typedef struct result {
	const char *verdict;
	unsigned missed, accused;
	double seconds;
} result;

static const char *judge(const trial *t, const outcome *o, const odo_coordinates *found)
{
	uint32_t ports;
	bool whole = t->damage.switches == 0 && t->damage.links == 0 && t->miscabled == 0;
	if (o->truth->kind == ODO_KIND_UNKNOWN)
		return found->kind == ODO_KIND_UNKNOWN ? "right" : "wrong";
	if (found->kind == ODO_KIND_UNKNOWN)
		return "unknown";
	if (same_places(o->fabric, found, o->truth, &ports, NULL))
		return "right";
	if (verify_as_good(o->fabric, found, o->truth) || (whole && verify(o->fabric, found)))
		return "as good";
	return "wrong";
}

static void count_cables(const outcome *o, const odo_coordinates *found, result *r)
{
	uint8_t *moved = calloc(o->fabric->n_slots, 1);
	for (uint32_t i = 0; i < o->moved.n; i++)
		moved[o->moved.slot[i][0]] = moved[o->moved.slot[i][1]] = 1;
	for (uint32_t i = 0; i < o->moved.n && found->kind != ODO_KIND_UNKNOWN; i++)
		r->missed += found->port_class[o->moved.slot[i][0]] != ODO_PORT_WRONG;
	for (uint32_t i = 0; i < found->n_faults; i++)
		r->accused += found->faults[i].type == ODO_FAULT_WRONG_LINK &&
			      !moved[found->faults[i].slot[0]];
	free(moved);
}

static odo_coordinates *map(const trial *t, const outcome *o, const char *without, result *r)
{
	odo_coordinates *found;
	odo_error err;
	survey.off = without;
	double start = trial_time();
	if (odo_map(o->fabric, &found, &err)) {
		fprintf(stderr, "tool_strategies: %s\n", err.text);
		exit(1);
	}
	*r = (result){.seconds = trial_time() - start};
	r->verdict = judge(t, o, found);
	count_cables(o, found, r);
	return found;
}

/* Byte by byte. */
static bool same(const odo_fabric *f, const odo_coordinates *a, const odo_coordinates *b)
{
	return a->kind == b->kind && a->n_dims == b->n_dims && a->n_faults == b->n_faults &&
	       !memcmp(a->size, b->size, sizeof a->size) &&
	       !memcmp(a->width, b->width, sizeof a->width) &&
	       !memcmp(a->at, b->at, (size_t)f->n_switches * a->n_dims * sizeof *a->at) &&
	       !memcmp(a->port_class, b->port_class, f->n_slots) &&
	       (!a->n_faults || !memcmp(a->faults, b->faults, a->n_faults * sizeof *a->faults));
}

/* Some strategy of the list was asked for among the first `n`. */
static bool asked_for(const char *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (among(list, survey.asked[i]))
			return true;
	return false;
}

static void print(const trial *t, const char *name, bool is_same, const result *r)
{
	printf("\"%s\",%g,%g,%g,%u,%u,\"%s\",%d,%s,%u,%u,%.5f\n", t->spec, t->damage.switches,
	       t->damage.links, t->miscabled, (unsigned)t->unbought, (unsigned)t->damage.seed, name,
	       is_same, r->verdict, r->missed, r->accused, r->seconds);
}

int main(int argc, char **argv)
{
	outcome o;
	odo_error err;
	result r;
	if (argc < 7) {
		fprintf(stderr, "usage: tool_strategies SPEC SWITCHES LINKS MISCABLED UNBOUGHT "
				"SEED [STRATEGY...]\n");
		return 2;
	}
	trial t = {argv[1],
		   {atof(argv[2]), atof(argv[3]), (uint64_t)atoll(argv[6])},
		   atof(argv[4]),
		   (uint32_t)atoi(argv[5])};
	if (trial_prepare(&t, &o, &err)) {
		fprintf(stderr, "tool_strategies: %s\n", err.text);
		return 1;
	}
	odo_coordinates *all = map(&t, &o, NULL, &r);
	const unsigned n = survey.n, names = argc > 7 ? (unsigned)argc - 7 : n;
	print(&t, "", true, &r);
	for (unsigned i = 0; i < names; i++) {
		const char *off = argc > 7 ? argv[7 + i] : survey.asked[i];
		if (!asked_for(off, n))
			continue;
		odo_coordinates *found = map(&t, &o, off, &r);
		print(&t, off, same(o.fabric, all, found), &r);
		odo_coordinates_free(found);
	}
	odo_coordinates_free(all);
	outcome_clear(&o);
	return 0;
}
