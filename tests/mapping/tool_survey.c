/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For scripts and people: how often mapping is right.
 *
 *   tool_survey SPEC SWITCHES LINKS MISCABLED FIRST_SEED N_SEEDS [-v] [-u UNBOUGHT]
 *
 * Shares of switches and links missing and of links miscabled; switches that the last row never
 * had. Prints one CSV line:
 * spec,switches,links,miscabled,seeds,right,found,precision,recall,seconds of processor time per
 * mapping */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "trial.h"

typedef struct tally {
	unsigned right, found;
	uint64_t reported, moved, hit; /* wrong cables */
	double seconds;
} tally;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count_cables(const outcome *o, tally *sum)
{
	uint8_t *moved = calloc(o->fabric->n_slots, 1);
	for (uint32_t i = 0; i < o->moved.n; i++)
		moved[o->moved.slot[i][0]] = moved[o->moved.slot[i][1]] = 1;
	sum->moved += o->moved.n;
	for (uint32_t i = 0; i < o->found->n_faults; i++) {
		const odo_fault *fault = &o->found->faults[i];
		if (fault->type != ODO_FAULT_WRONG_LINK)
			continue;
		sum->reported++;
		sum->hit += moved[fault->slot[0]];
	}
	free(moved);
}

int main(int argc, char **argv)
{
	if (argc < 7) {
		fprintf(stderr, "usage: tool_survey SPEC SWITCHES LINKS MISCABLED FIRST N [-v] [-u "
				"UNBOUGHT]\n");
		return 2;
	}
	tally sum = {0};
	bool verbose = false;
	uint32_t unbought = 0;
	for (int i = 7; i < argc; i++) {
		verbose |= !strcmp(argv[i], "-v");
		if (!strcmp(argv[i], "-u") && i + 1 < argc)
			unbought = (uint32_t)atoi(argv[++i]);
	}
	unsigned first = (unsigned)atoi(argv[5]), n = (unsigned)atoi(argv[6]);
	for (unsigned seed = first; seed < first + n; seed++) {
		trial t = {argv[1], {atof(argv[2]), atof(argv[3]), seed}, atof(argv[4]), unbought};
		outcome o;
		odo_error err;
		double start;
		if (trial_prepare(&t, &o, &err) ||
		    (start = now(), odo_map(o.fabric, &o.found, &err))) {
			fprintf(stderr, "tool_survey: %s\n", err.text);
			return 1;
		}
		sum.seconds += now() - start;
		o.right = odo_coordinates_same(o.fabric, o.found, o.truth, NULL, &o.why);
		sum.right += o.right;
		sum.found += o.found->kind != ODO_KIND_UNKNOWN;
		if (verbose && !o.right)
			fprintf(stderr, "seed %u: %s %s\n", seed, o.why.text, o.found->reason);
		count_cables(&o, &sum);
		outcome_clear(&o);
	}
	printf("\"%s\",%s,%s,%s,%u,%u,%u,%.5f,%.5f,%.4f\n", argv[1], argv[2], argv[3], argv[4], n,
	       sum.right, sum.found, sum.reported ? (double)sum.hit / (double)sum.reported : 1,
	       sum.moved ? (double)sum.hit / (double)sum.moved : 1, sum.seconds / n);
	return 0;
}
