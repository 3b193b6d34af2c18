/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "routing/transition/internal.h"

/* A LID, and all that other switches do with it in one number. */
typedef struct summary {
	uint32_t home, lid;
	uint64_t sum;
} summary;

typedef struct classes {
	const odo_mix *mix;
	summary *of; /* [n] of the wanted LIDs */
	uint32_t n;
	uint32_t *like; /* [lid_count] */
} classes;

typedef void see_row(classes *x, const odo_deeds *row, uint32_t s);

/* Row by row, as tables are kept. */
static void for_each_row(classes *x, see_row *see)
{
	for (unsigned i = 0; i < x->mix->n_sides; i++)
		for (uint32_t s = 0; s < x->mix->f->n_switches; s++)
			if (x->mix->side[i].at[s] != ODO_NONE) {
				const odo_deeds row = odo_deeds_of(&x->mix->side[i], s);
				see(x, &row, s);
			}
}

static void sum_up(classes *x, const odo_deeds *row, uint32_t s)
{
	for (summary *of = x->of; of < x->of + x->n; of++)
		if (of->home != s) {
			uint64_t sum = (of->sum ^ odo_deed(row, of->lid)) * 0x9E3779B97F4A7C15u;
			of->sum = sum ^ sum >> 29;
		}
}

/* Sums may be equal by chance: a LID that differs anywhere stands for itself. */
static void compare_row(classes *x, const odo_deeds *row, uint32_t s)
{
	for (const summary *of = x->of; of < x->of + x->n; of++)
		if (x->like[of->lid] != of->lid && of->home != s &&
		    odo_deed(row, of->lid) != odo_deed(row, x->like[of->lid]))
			x->like[of->lid] = of->lid;
}

static int by_home_and_hash(const void *a, const void *b)
{
	const summary *x = a, *y = b;
	return x->home != y->home ? (x->home < y->home ? -1 : 1)
	       : x->sum != y->sum ? (x->sum < y->sum ? -1 : 1)
				  : (x->lid > y->lid) - (x->lid < y->lid);
}

int odo_mix_alike(const odo_mix *mix, const uint8_t *wanted, uint32_t *like)
{
	const odo_fabric *f = mix->f;
	classes x = {.mix = mix, .of = odo_new(f->lid_count, sizeof *x.of), .like = like};
	if (!x.of)
		return ODO_ENOMEM;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		like[lid] = lid;
		if (wanted[lid])
			x.of[x.n++] = (summary){.home = f->lid_switch[lid], .lid = lid};
	}
	for_each_row(&x, sum_up);
	qsort(x.of, x.n, sizeof *x.of, by_home_and_hash);
	for (uint32_t i = 1; i < x.n; i++)
		if (x.of[i].home == x.of[i - 1].home && x.of[i].sum == x.of[i - 1].sum)
			like[x.of[i].lid] = like[x.of[i - 1].lid];
	for_each_row(&x, compare_row);
	free(x.of);
	return 0;
}

int odo_transition_is_dear(const odo_tables *now, bool *dear, odo_error *err)
{
	const odo_fabric *f = now->fabric;
	uint64_t trees = 0, most = ODO_TRANSITION_MOST / (f->n_switches ? f->n_switches : 1);
	*dear = f->lid_count > most;
	bool few = now->proved && !now->held_of_lid && !now->held_of_pair && now->n_trees <= most;
	if (!*dear || few) {
		*dear = false;
		return 0;
	}
	uint32_t *like = odo_new(f->lid_count, sizeof *like);
	uint32_t *same = odo_new(f->n_switches, sizeof *same);
	uint8_t *wanted = odo_new(f->lid_count, 1);
	odo_mix mix = {.f = f, .side = {{now, same}}, .n_sides = 1};
	bool room = like && same && wanted;
	for (uint32_t s = 0; room && s < f->n_switches; s++)
		same[s] = s;
	for (uint32_t lid = 0; room && lid < f->lid_count; lid++)
		wanted[lid] = f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] != ODO_NONE;
	room = room && !odo_mix_alike(&mix, wanted, like);
	for (uint32_t lid = 0; room && lid < f->lid_count; lid++)
		trees += wanted[lid] && like[lid] == lid;
	*dear = trees > most;
	free(like);
	free(same);
	free(wanted);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to compare trees");
}
