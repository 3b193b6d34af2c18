/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For scripts and people: how often mapping is right.
 *
 *   tool_survey SPEC SWITCHES LINKS MISCABLED FIRST_SEED N_SEEDS [-v] [-a] [-u UNBOUGHT]
 *
 * With -a it counts wrong cables apart that nobody can tell: where a global arrangement may be any,
 * a fabric in which a wrong cable of a dragonfly (or Dragonfly+) makes up for one that is missing
 * between the same two groups is as good a dragonfly, and where two groups have a cable too many,
 * each of theirs is as good. Where ports do not divide by the other groups, any two may be those
 * that have a cable more: a wrong cable that makes two groups such is as good as one that others
 * have by rights. Two columns more: precision and recall without those. A third: seeds in which no
 * more cables are called wrong than were moved, and kind and groups are true. There the truth
 * explains the fabric no better than what is reported.
 *
 * What was found of a damaged fabric is as good as the truth, too, if it needs no more repairs
 * (cables moved or added, switches added) and has a place for every switch with a cable to another.
 * Trees do not count: one of which little is sure reports little. With -v it says of each seed what
 * is not right, and whether it needs no more repairs, trees too.
 *
 * Shares of switches and links missing and of links miscabled; switches that the last row never
 * had. Prints one CSV line:
 * spec,switches,links,miscabled,seeds,right,found,precision,recall,seconds of processor time per
 * mapping */
#include <stdio.h>
#include <string.h>

#include "trial.h"
#include "verify.h"

typedef struct tally {
	unsigned right, found, as_good, explained;
	cables wrong;
	uint64_t made_up, exchanged; /* moved ones that nobody can tell */
	double seconds;
} tally;

/* Number of the pair of groups that the cable of a slot joins; 0 for none. */
static size_t pair_of(const outcome *o, const odo_fabric *f, uint32_t slot)
{
	uint32_t s = f->owner[slot], far = odo_next_switch(f, slot);
	if (!odo_is_switch(f, s) || far == ODO_NONE)
		return 0;
	uint32_t a = odo_at(o->truth, s)[0], b = odo_at(o->truth, far)[0];
	return a == b ? 0 : (size_t)(a < b ? a : b) * o->truth->size[0] + (a < b ? b : a);
}

/* What is reported and wrong of the cables of each pair of groups of a dragonfly. */
typedef struct between {
	uint32_t before, now;     /* cables */
	uint32_t missed, accused; /* moved and not reported; reported and not moved */
} between;

static void count_pairs(const outcome *o, between *pair)
{
	for (uint32_t slot = 0; slot < o->fabric->first_slot[o->fabric->n_switches]; slot++) {
		pair[pair_of(o, o->before, slot)].before++; /* twice, from both ends */
		pair[pair_of(o, o->fabric, slot)].now++;
	}
}

static uint32_t least(const between *b)
{
	return b->missed < b->accused ? b->missed : b->accused;
}

/* Twice the cables that two groups have at most, where not all have as many; else 0. */
static uint32_t most_by_rights(const odo_coordinates *truth, const between *pair)
{
	uint32_t most = 0, fewest = UINT32_MAX, groups = truth->size[0];
	for (uint32_t a = 0; a < groups; a++)
		for (uint32_t b = a + 1; b < groups; b++) {
			uint32_t n = pair[(size_t)a * groups + b].before;
			most = n > most ? n : most;
			fewest = n < fewest ? n : fewest;
		}
	return most > fewest ? most : 0;
}

/* No more cables are called wrong than were moved, in a fabric of the true kind and groups. */
static bool is_explained(const outcome *o, const cables *mine)
{
	return mine->reported <= mine->moved && o->found->kind == o->truth->kind &&
	       (!odo_kind_of(o->truth->kind)->grouped || o->found->size[0] == o->truth->size[0]);
}

static uint32_t count_cables(const odo_fabric *f)
{
	uint32_t ends = 0;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		ends += odo_next_switch(f, slot) != ODO_NONE;
	return ends / 2;
}

/* Switches that damage took, and cables between those it left. */
static uint32_t count_lost(const trial *t, const odo_fabric *left)
{
	odo_fabric *whole = NULL, *stands = NULL;
	odo_error err;
	odo_damage switches = {t->damage.switches, 0, t->damage.seed};
	uint32_t lost = 0;
	if (!odo_topology_generate(t->spec, 0, &whole, NULL, &err) &&
	    !odo_fabric_damage(whole, &switches, &stands, NULL, &err))
		lost = whole->n_switches - left->n_switches + count_cables(stands) -
		       count_cables(left);
	odo_fabric_free(whole);
	odo_fabric_free(stands);
	return lost;
}

/* What was found, of the true kind, needs no more repairs than the truth: then that explains the
 * cables no better. */
static bool needs_no_more(const trial *t, const outcome *o)
{
	uint32_t repairs = 0;
	for (uint32_t i = 0; i < o->found->n_faults; i++)
		repairs += o->found->faults[i].count;
	return o->found->kind == o->truth->kind && repairs <= count_lost(t, o->fabric);
}

/* True if what was found is as good an account of what damage left. */
static bool is_as_good(const trial *t, const outcome *o)
{
	if (o->right || verify_as_good(o->fabric, o->found, o->truth))
		return true;
	bool tree = o->truth->kind == ODO_KIND_FATTREE || o->truth->kind == ODO_KIND_DRAGONFLY_PLUS;
	if (tree || o->before || !needs_no_more(t, o))
		return false;
	for (uint32_t v = 0; v < o->fabric->n_switches; v++)
		if (odo_at(o->found, v)[0] == ODO_NONE && !verify_is_cut_off(o->fabric, v))
			return false;
	return true;
}

static void count_apart(const outcome *o, tally *sum)
{
	size_t groups = o->truth->size[0];
	if (!odo_kind_of(o->truth->kind)->grouped || !o->before)
		return;
	between *pair = calloc(groups * groups, sizeof *pair);
	uint8_t *state = calloc(o->fabric->n_slots, 1);
	count_pairs(o, pair);
	uint32_t most = most_by_rights(o->truth, pair);
	for (uint32_t i = 0; i < o->moved.n; i++)
		state[o->moved.slot[i][0]] = state[o->moved.slot[i][1]] = 1;
	for (uint32_t i = 0; i < o->found->n_faults; i++) {
		const odo_fault *fault = &o->found->faults[i];
		if (fault->type != ODO_FAULT_WRONG_LINK)
			continue;
		pair[pair_of(o, o->fabric, fault->slot[0])].accused += !state[fault->slot[0]];
		state[fault->slot[0]] = state[fault->slot[1]] = 2;
	}
	for (uint32_t i = 0; i < o->moved.n; i++)
		if (state[o->moved.slot[i][0]] == 1)
			pair[pair_of(o, o->fabric, o->moved.slot[i][0])].missed++;
	between wide = {0};
	uint32_t narrowed = 0; /* had a cable more, and lost just that */
	for (size_t i = 1; i < groups * groups; i++) {
		between *b = &pair[i];
		narrowed += b->before == most && b->now + 2 == most;
		uint32_t rest = b->missed - least(b);
		if (b->now <= b->before)
			sum->made_up += b->missed;
		else
			sum->exchanged += least(b);
		if (b->now > b->before && b->before < most && rest)
			wide.missed++;
		if (b->before == most)
			wide.accused += b->now > b->before ? b->accused - least(b) : b->accused;
	}
	sum->exchanged += least(&wide);
	uint32_t rest = wide.missed - least(&wide);
	sum->made_up += rest < narrowed ? rest : narrowed;
	free(pair);
	free(state);
}

int main(int argc, char **argv)
{
	if (argc < 7) {
		fprintf(stderr, "usage: tool_survey SPEC SWITCHES LINKS MISCABLED FIRST N [-v] [-u "
				"UNBOUGHT]\n");
		return 2;
	}
	tally sum = {0};
	bool verbose = false, apart = false;
	uint32_t unbought = 0;
	for (int i = 7; i < argc; i++) {
		verbose |= !strcmp(argv[i], "-v");
		apart |= !strcmp(argv[i], "-a");
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
		    (start = trial_time(), odo_map(o.fabric, &o.found, &err))) {
			fprintf(stderr, "tool_survey: %s\n", err.text);
			return 1;
		}
		sum.seconds += trial_time() - start;
		o.right = same_coordinates(o.fabric, o.found, o.truth, &o.why);
		sum.right += o.right;
		sum.as_good += is_as_good(&t, &o);
		if (verbose && !o.right && !o.before && needs_no_more(&t, &o))
			fprintf(stderr, "seed %u: needs no more repairs than the truth\n", seed);
		sum.found += o.found->kind != ODO_KIND_UNKNOWN;
		if (verbose && !o.right)
			fprintf(stderr, "seed %u: %s %s\n", seed, o.why.text, o.found->reason);
		cables mine = {0};
		cables_count(&o, &mine);
		sum.explained += is_explained(&o, &mine);
		cables_count(&o, &sum.wrong);
		count_apart(&o, &sum);
		outcome_clear(&o);
	}
	printf("\"%s\",%s,%s,%s,%u,%u,%u,%.5f,%.5f,%.4f", argv[1], argv[2], argv[3], argv[4], n,
	       sum.right, sum.found,
	       sum.wrong.reported ? (double)sum.wrong.hit / (double)sum.wrong.reported : 1,
	       sum.wrong.moved ? (double)sum.wrong.hit / (double)sum.wrong.moved : 1,
	       sum.seconds / n);
	uint64_t told_reported = sum.wrong.reported - sum.exchanged;
	uint64_t told = sum.wrong.moved - sum.made_up - sum.exchanged;
	if (apart)
		printf(",%u,%.5f,%.5f,%u", sum.as_good,
		       told_reported ? (double)sum.wrong.hit / (double)told_reported : 1,
		       told ? (double)sum.wrong.hit / (double)told : 1, sum.explained);
	putchar('\n');
	return 0;
}
