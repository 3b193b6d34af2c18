/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/turns/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fabric/twins.h"

/* Note links that are gone, whose packets go on from their far end. */
static void note_gone_links(odo_stage *x)
{
	const odo_fabric *then = x->before->fabric;
	for (uint32_t s = 0; s < x->f->n_switches; s++)
		for (unsigned in = 1; x->at[s] != ODO_NONE && in <= odo_n_ports(x->f, s); in++) {
			uint32_t slot = odo_slot(then, x->at[s], in);
			if (odo_next_switch(then, slot) != ODO_NONE &&
			    !x->stays[odo_slot(x->f, s, in)])
				x->gone[x->n_gone++] = (odo_gone_link){then->peer[slot], s, in};
		}
}

static int allocate_stage(odo_stage *x, odo_arena *memory)
{
	uint32_t n = x->f->n_switches, slots = x->f->first_slot[n];
	x->at = odo_arena_new(memory, n, sizeof *x->at);
	x->home = odo_arena_new(memory, x->before->fabric->n_switches, sizeof *x->home);
	x->next = odo_arena_new(memory, slots, sizeof *x->next);
	x->stays = odo_arena_new(memory, slots, 1);
	x->gone = odo_arena_new(memory, slots, sizeof *x->gone);
	x->old = odo_arena_new(memory, n, sizeof *x->old);
	x->first = odo_arena_new(memory, n, sizeof *x->first);
	x->changed = odo_arena_new(memory, n, sizeof *x->changed);
	x->added = odo_arena_new(memory, n, sizeof *x->added);
	x->stamp = odo_arena_new(memory, n, sizeof *x->stamp);
	x->stack = odo_arena_new(memory, n, sizeof *x->stack);
	return memory->failed ? ODO_ENOMEM : 0;
}

int odo_stage_init(odo_stage *x, const odo_tables *before, const odo_fabric *f, odo_arena *memory)
{
	const odo_fabric *then = before->fabric;
	*x = (odo_stage){.before = before, .f = f};
	uint32_t *at = odo_twins(f, f->n_switches, then, then->n_switches);
	if (!at || allocate_stage(x, memory)) {
		free(at);
		return ODO_ENOMEM;
	}
	memset(x->home, 0xFF, then->n_switches * sizeof *x->home);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		bool same = at[s] != ODO_NONE && odo_n_ports(then, at[s]) == odo_n_ports(f, s);
		x->at[s] = same ? at[s] : ODO_NONE;
		if (same)
			x->home[at[s]] = s;
	}
	free(at);
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		x->next[i] = odo_next_switch(f, i);
		x->stays[i] = odo_same_cable(f, i, then, x->at);
	}
	note_gone_links(x);
	return 0;
}

bool odo_stage_is_shared(const odo_stage *x, uint32_t lid)
{
	const odo_fabric *f = x->f, *then = x->before->fabric;
	return lid < then->lid_count && lid < f->lid_count && f->lid_switch[lid] != ODO_NONE &&
	       then->lid_switch[lid] != ODO_NONE &&
	       x->home[then->lid_switch[lid]] == f->lid_switch[lid];
}

/* List switches whose entry changes, those nearest to the LID first. */
static uint32_t list_changed(odo_stage *x, const uint32_t *new)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint64_t links = 0;
		if (new[s] == x->old[s] || new[s] == ODO_NONE)
			continue;
		for (uint32_t t = s; links < x->f->n_switches && new[t] != ODO_NONE; links++)
			t = x->next[new[t]];
		x->changed[n++] = links << 32 | s;
	}
	qsort(x->changed, n, sizeof *x->changed, odo_by_u64);
	return n;
}

static void visit_over(odo_stage *x, uint32_t slot, uint32_t *n)
{
	if (slot == ODO_NONE || x->stamp[x->next[slot]] == x->n_stamps)
		return;
	x->stamp[x->next[slot]] = x->n_stamps;
	x->stack[(*n)++] = x->next[slot];
}

/* Return true if packets that a switch sends by a slot can come back to it, by old entries and
 * those that change first. */
static bool can_come_back(odo_stage *x, uint32_t slot)
{
	uint32_t n = 0, s = x->f->owner[slot];
	x->n_stamps++;
	visit_over(x, slot, &n);
	while (n && x->stamp[s] != x->n_stamps) {
		uint32_t t = x->stack[--n];
		visit_over(x, x->old[t], &n);
		visit_over(x, x->added[t], &n);
	}
	return x->stamp[s] == x->n_stamps;
}

/* Remove the first entries of switches whose packets end. */
static void remove_ends(const odo_stage *x, uint32_t home)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		uint32_t t = s, links = 0;
		while (x->first[t] != ODO_NONE && links++ < x->f->n_switches)
			t = x->next[x->first[t]];
		for (uint32_t u = s; t != home && x->first[u] != ODO_NONE;) {
			uint32_t slot = x->first[u];
			x->first[u] = ODO_NONE;
			u = x->next[slot];
		}
	}
}

bool odo_stage_choose(odo_stage *x, const uint32_t *new, uint32_t home)
{
	uint32_t n = list_changed(x, new), n_late = 0;
	memcpy(x->first, new, x->f->n_switches * sizeof *x->first);
	if (n)
		memset(x->added, 0xFF, x->f->n_switches * sizeof *x->added);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = (uint32_t)x->changed[i];
		if (can_come_back(x, new[s])) {
			x->first[s] = x->old[s];
			n_late++;
		} else {
			x->added[s] = new[s];
		}
	}
	if (n_late)
		remove_ends(x, home);
	return n_late;
}

void odo_stage_begin(odo_stage *x, const uint8_t *column, uint32_t home)
{
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		bool sends = x->at[s] != ODO_NONE && s != home;
		uint32_t slot = sends ? odo_stage_slot(x, s, column[x->at[s]]) : ODO_NONE;
		x->old[s] = slot != ODO_NONE && x->stays[slot] ? slot : ODO_NONE;
	}
}

/* A first step that is written. */
typedef struct writing {
	odo_stage stage;
	odo_tables *t;
	odo_first_step step;
	const uint8_t *emptied;
	uint8_t *column; /* [switches of the fabric before] scratch, as `new` */
	uint32_t *new;   /* [n_switches] */
} writing;

static void choose_first(writing *x, uint32_t lid)
{
	odo_stage *stage = &x->stage;
	uint32_t home = stage->f->lid_switch[lid], n = stage->f->n_switches;
	for (uint32_t s = 0; s < stage->before->fabric->n_switches; s++)
		x->column[s] = odo_next_port(stage->before, s, lid);
	odo_stage_begin(stage, x->column, home);
	for (uint32_t s = 0; s < n; s++)
		x->new[s] = s == home ? ODO_NONE
				      : odo_stage_slot(stage, s, odo_next_port(x->t, s, lid));
	if (x->step == ODO_STEP_ENTRIES && !(x->emptied && x->emptied[lid])) {
		odo_stage_choose(stage, x->new, home);
		return;
	}
	memcpy(stage->first, stage->old, n * sizeof *stage->first);
	for (uint32_t s = 0; s < n && x->step == ODO_STEP_ENTRIES; s++)
		if (stage->old[s] != x->new[s])
			stage->first[s] = ODO_NONE;
	remove_ends(stage, home);
}

/* Write the entries of the first step for a LID. @return the number of those that change later */
static uint32_t write_first_entries(writing *x, uint32_t lid)
{
	const odo_fabric *f = x->stage.f;
	uint32_t n_late = 0;
	choose_first(x, lid);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t slot = x->stage.first[s];
		if (slot == x->new[s])
			continue;
		n_late++;
		x->t->lft[(size_t)s * f->lid_count + lid] = slot == ODO_NONE
								    ? ODO_NO_PORT
								    : (uint8_t)odo_port(f, slot);
	}
	return n_late;
}

int odo_stage_tables(const odo_tables *before, const odo_tables *now, odo_first_step step,
		     const uint8_t *emptied, odo_tables **out, odo_error *err)
{
	odo_arena memory = {0};
	writing x = {.step = step, .emptied = emptied};
	uint32_t n_late = 0;
	*out = NULL;
	int status = odo_tables_copy(now, &x.t, err);
	x.column = odo_arena_new(&memory, before->fabric->n_switches, 1);
	x.new = odo_arena_new(&memory, now->fabric->n_switches, sizeof *x.new);
	if (!status && (odo_stage_init(&x.stage, before, now->fabric, &memory) || memory.failed))
		status = odo_fail(err, ODO_ENOMEM, "no memory for steps");
	for (uint32_t lid = 1; !status && lid < now->fabric->lid_count; lid++)
		if (odo_stage_is_shared(&x.stage, lid))
			n_late += write_first_entries(&x, lid);
	odo_arena_free(&memory);
	if (!status && !n_late)
		status = odo_fail(err, ODO_EDECLINE, "all entries may change at once");
	if (status) {
		odo_tables_free(x.t);
		return status;
	}
	x.t->from.carried = x.t->from.unfinished = true;
	*out = x.t;
	return 0;
}
