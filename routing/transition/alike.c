/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "routing/transition/internal.h"

/* What a switch does with packets to each LID: its port, and the SLs by which its hosts send there.
 */
typedef struct deeds {
	const uint8_t *port, *sl;
	const uint16_t *held; /* or NULL */
} deeds;

static deeds deeds_of(const odo_side *side, uint32_t s)
{
	const odo_tables *t = side->t;
	size_t row = (size_t)side->at[s] * t->fabric->lid_count;
	return (deeds){t->lft + row, t->sl_of_pair ? t->sl_of_pair + row : t->sl_of_lid,
		       t->held_of_pair ? t->held_of_pair + row : t->held_of_lid};
}

static inline uint64_t deed(const deeds *d, uint32_t lid)
{
	return (uint64_t)(d->held ? d->held[lid] : 0) << 16 | (unsigned)d->sl[lid] << 8 |
	       d->port[lid];
}

/* Row by row, as tables are kept. */
static void sum_up(const odo_mix *mix, const odo_side *side, const uint8_t *wanted, uint64_t *sum)
{
	const odo_fabric *f = mix->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		if (side->at[s] == ODO_NONE)
			continue;
		const deeds d = deeds_of(side, s);
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (wanted[lid] && f->lid_switch[lid] != s) {
				uint64_t x = (sum[lid] ^ deed(&d, lid)) * 0x9E3779B97F4A7C15u;
				sum[lid] = x ^ x >> 29;
			}
	}
}

/* Two sums may be the same by chance: who differs anywhere stands for itself. */
static void compare(const odo_mix *mix, const odo_side *side, uint32_t *like)
{
	const odo_fabric *f = mix->f;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		if (side->at[s] == ODO_NONE)
			continue;
		const deeds d = deeds_of(side, s);
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (like[lid] != lid && f->lid_switch[lid] != s &&
			    deed(&d, lid) != deed(&d, like[lid]))
				like[lid] = lid;
	}
}

int odo_mix_alike(const odo_mix *mix, const uint8_t *wanted, uint32_t *like)
{
	const odo_fabric *f = mix->f;
	uint64_t *sum = odo_new(f->lid_count, sizeof *sum);
	uint32_t *last = odo_new(f->n_switches, sizeof *last);
	uint32_t *next = odo_new(f->lid_count, sizeof *next);
	bool room = sum && last && next;
	for (uint32_t s = 0; room && s < f->n_switches; s++)
		last[s] = ODO_NONE;
	for (unsigned i = 0; room && i < mix->n_sides; i++)
		sum_up(mix, &mix->side[i], wanted, sum);
	for (uint32_t lid = 0; room && lid < f->lid_count; lid++) {
		like[lid] = lid;
		if (!wanted[lid])
			continue;
		uint32_t *of = &last[f->lid_switch[lid]], other = *of;
		while (other != ODO_NONE && sum[other] != sum[lid])
			other = next[other];
		if (other != ODO_NONE) {
			like[lid] = other;
			continue;
		}
		next[lid] = *of;
		*of = lid;
	}
	for (unsigned i = 0; room && i < mix->n_sides; i++)
		compare(mix, &mix->side[i], like);
	free(sum);
	free(last);
	free(next);
	return room ? 0 : ODO_ENOMEM;
}

bool odo_transition_is_dear(const odo_tables *now)
{
	const odo_fabric *f = now->fabric;
	uint64_t trees = 0, most = ODO_TRANSITION_MOST / (f->n_switches ? f->n_switches : 1);
	if (f->lid_count <= most)
		return false;
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
	free(like);
	free(same);
	free(wanted);
	return !room || trees > most;
}
