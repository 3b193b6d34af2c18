/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For scripts and people: how often mapping is right about dragonflies of every arrangement.
 *
 *   tool_tapered SWITCHES LINKS SEEDS [A[,A...] [H[,H...] [G[,G...]]]] [-v]
 *
 * Shares of switches and links missing; groups, as in "2x3,3x4,8", with other options as in
 * "2x3:l=2:w=2"; global links a switch, numbers of groups. Prints for each A how many are right;
 * another structure that is as true, since it explains every cable (of a damaged fabric: by the
 * true sizes; verify.h); another one that is not; unknown; and the longest processor time of one
 * mapping. With -v, each that is not right. */
#include <stdio.h>
#include <string.h>

#include "trial.h"
#include "verify.h"

static const char *const arrangements[] = {"palmtree", "consecutive", "relative", "circulant",
					   "shuffled"};
enum { ARRANGEMENTS = sizeof arrangements / sizeof *arrangements, MOST = 40 };

typedef struct tally {
	unsigned trials, right, also, wrong, unknown;
	double seconds;
} tally;

static void describe(const char *verdict, const trial *t, const outcome *o)
{
	fprintf(stderr, "%s %s seed %u: %s", verdict, t->spec, (unsigned)t->damage.seed,
		odo_kind_name(o->found->kind));
	for (unsigned i = 0; i < o->found->n_dims; i++)
		fprintf(stderr, "%c%u", i ? 'x' : ' ', o->found->size[i]);
	fprintf(stderr, "; %s %s\n", o->why.text, o->found->reason);
}

static void try_one(const trial *t, bool verbose, tally *sum)
{
	outcome o;
	odo_error err;
	if (trial_prepare(t, &o, &err))
		return; /* not every number of groups has such ports */
	double start = trial_time();
	if (odo_map(o.fabric, &o.found, &err)) {
		fprintf(stderr, "tool_tapered: %s\n", err.text);
		exit(1);
	}
	double took = trial_time() - start;
	bool whole = t->damage.switches == 0 && t->damage.links == 0;
	const char *verdict = "right";
	sum->seconds = took > sum->seconds ? took : sum->seconds;
	sum->trials++;
	if (same_coordinates(o.fabric, o.found, o.truth, &o.why))
		sum->right++;
	else if (o.found->kind == ODO_KIND_UNKNOWN)
		sum->unknown++, verdict = "unknown";
	else if (whole ? verify(o.fabric, o.found) : verify_as_good(o.fabric, o.found, o.truth))
		sum->also++, verdict = "also true";
	else
		sum->wrong++, verdict = "wrong";
	if (verbose && strcmp(verdict, "right"))
		describe(verdict, t, &o);
	outcome_clear(&o);
}

static void print(const char *what, const tally *t)
{
	printf("%-8s %5u trials, %5u right, %4u also true, %4u wrong, %4u unknown, %.1f ms\n", what,
	       t->trials, t->right, t->also, t->wrong, t->unknown, 1e3 * t->seconds);
	fflush(stdout);
}

static void add(tally *to, const tally *t)
{
	to->trials += t->trials;
	to->right += t->right;
	to->also += t->also;
	to->wrong += t->wrong;
	to->unknown += t->unknown;
	to->seconds = t->seconds > to->seconds ? t->seconds : to->seconds;
}

static unsigned split(char *text, const char *part[MOST])
{
	unsigned n = 0;
	for (char *s = strtok(text, ","); s && n < MOST; s = strtok(NULL, ","))
		part[n++] = s;
	return n;
}

int main(int argc, char **argv)
{
	char all_a[200] = "2x3,2x4,3x3,2x2x3,3x4,2x3x4", all_h[200] = "1,2,3,4";
	char all_g[200] = "4,5,7,9,13,17", *texts[] = {all_a, all_h, all_g};
	const char *a[MOST], *h[MOST], *g[MOST];
	bool verbose = argc > 1 && !strcmp(argv[argc - 1], "-v");
	argc -= verbose;
	if (argc < 4) {
		fprintf(stderr, "usage: tool_tapered SWITCHES LINKS SEEDS [A [H [G]]] [-v]\n");
		return 2;
	}
	for (int i = 4; i < argc && i < 7; i++)
		snprintf(texts[i - 4], sizeof all_a, "%s", argv[i]);
	unsigned n_a = split(all_a, a), n_h = split(all_h, h), n_g = split(all_g, g);
	tally sum = {0};
	for (unsigned i = 0; i < n_a; i++) {
		tally one = {0};
		for (unsigned j = 0; j < n_h * n_g * ARRANGEMENTS * (unsigned)atoi(argv[3]); j++) {
			char spec[200];
			unsigned k = j;
			const char *arrangement = arrangements[k % ARRANGEMENTS];
			k /= ARRANGEMENTS;
			const char *groups = g[k % n_g], *links = h[k / n_g % n_h];
			unsigned seed = 1 + k / n_g / n_h;
			snprintf(spec, sizeof spec, "dragonfly:p=0,a=%s,h=%s,g=%s,arrangement=%s",
				 a[i], links, groups, arrangement);
			for (char *colon; (colon = strchr(strchr(spec, ','), ':'));)
				*colon = ',';
			try_one(&(trial){spec, {atof(argv[1]), atof(argv[2]), seed}, 0, 0}, verbose,
				&one);
		}
		print(a[i], &one);
		add(&sum, &one);
	}
	print("all", &sum);
	return 0;
}
