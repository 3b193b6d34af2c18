/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether coordinates explain every cable: the links of what they say are made anew and compared,
 * with nothing of mapping's own. Some fabrics are two things at once, and a finding that is not
 * what the generator meant may be as true. */
#ifndef ODONATA_TESTS_MAPPING_VERIFY_H
#define ODONATA_TESTS_MAPPING_VERIFY_H

#include <stdlib.h>
#include <string.h>

#include "fabric/coordinates.h"
#include "fabric/topology/slimfly.h"

typedef struct verification {
	const odo_fabric *f;
	const odo_coordinates *c;
	uint32_t *at;      /* [positions] switch */
	uint32_t *cables;  /* [n_switches] of one switch to each other */
	uint32_t *between; /* [groups * groups] cables */
	uint8_t *mms;      /* [size * size] links of the Slim Fly; NULL without */
	uint32_t least;    /* cables of any global link */
} verification;

static inline bool verify_factor(const verification *v, unsigned i, uint32_t a, uint32_t b)
{
	uint32_t size = v->c->size[i];
	switch (v->c->factor[i]) {
	case ODO_COMPLETE:
		return a != b;
	case ODO_PATH:
		return a + 1 == b || b + 1 == a;
	case ODO_CYCLE:
		return (a + 1) % size == b || (b + 1) % size == a;
	case ODO_MMS:
		return v->mms[(size_t)a * size + b];
	default:
		return false;
	}
}

static inline size_t verify_position(const odo_coordinates *c, const uint32_t *at)
{
	size_t index = 0;
	for (unsigned i = 0; i < c->n_dims; i++)
		index = index * c->size[i] + at[i];
	return index;
}

/* All links of switch s are there, in full width, and what is left leads to other groups. */
static inline bool verify_switch(verification *v, uint32_t s)
{
	const odo_fabric *f = v->f;
	const odo_coordinates *c = v->c;
	uint32_t at[ODO_MAX_DIMS];
	bool fine = true;
	memset(v->cables, 0, f->n_switches * sizeof *v->cables);
	for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
		if (odo_next_switch(f, i) != ODO_NONE)
			v->cables[odo_next_switch(f, i)]++;
	memcpy(at, odo_at(c, s), c->n_dims * sizeof *at);
	for (unsigned i = 0; i < c->n_dims; i++) {
		for (at[i] = 0; at[i] < c->size[i]; at[i]++) {
			if (!verify_factor(v, i, odo_at(c, s)[i], at[i]))
				continue;
			uint32_t far = v->at[verify_position(c, at)];
			fine = fine && v->cables[far] == c->width[i];
			v->cables[far] = 0;
		}
		at[i] = odo_at(c, s)[i];
	}
	for (uint32_t t = 0; t < f->n_switches; t++) {
		if (!v->cables[t])
			continue;
		fine = fine && c->kind == ODO_KIND_DRAGONFLY && odo_at(c, t)[0] != at[0];
		if (c->kind == ODO_KIND_DRAGONFLY)
			v->between[(size_t)at[0] * c->size[0] + odo_at(c, t)[0]] += v->cables[t];
		v->least = v->cables[t] < v->least ? v->cables[t] : v->least;
	}
	return fine;
}

/* Each two groups have as many cables, but for one link where ports do not divide: then all groups
 * have as many. */
static inline bool verify_groups(const verification *v)
{
	uint32_t n = v->c->size[0], most = 0, least = UINT32_MAX, ports = 0;
	bool even = true;
	for (uint32_t a = 0; a < n; a++) {
		uint32_t sum = 0;
		for (uint32_t b = 0; b < n; b++) {
			uint32_t x = v->between[(size_t)a * n + b];
			sum += x;
			if (a == b)
				continue;
			most = x > most ? x : most;
			least = x < least ? x : least;
		}
		even = even && (!a || sum == ports);
		ports = sum;
	}
	return least && (most == least || (even && most - least <= v->least));
}

/* Every switch has a place of its own, and there are no more places. */
static inline bool verify_places(verification *v)
{
	const odo_coordinates *c = v->c;
	size_t places = 1;
	for (unsigned i = 0; i < c->n_dims; i++)
		places *= c->size[i];
	if (places != c->n_switches || !places)
		return false;
	v->at = malloc(places * sizeof *v->at);
	memset(v->at, 0xFF, places * sizeof *v->at);
	for (uint32_t s = 0; s < c->n_switches; s++) {
		for (unsigned i = 0; i < c->n_dims; i++)
			if (odo_at(c, s)[i] >= c->size[i])
				return false;
		uint32_t *held = &v->at[verify_position(c, odo_at(c, s))];
		if (*held != ODO_NONE)
			return false;
		*held = s;
	}
	return true;
}

static inline bool verify_mms(verification *v)
{
	uint32_t *next, degree, n = 2 * v->c->q * v->c->q;
	odo_error err;
	if (!v->c->q)
		return true;
	if (odo_slimfly_neighbours(v->c->q, &next, &degree, &err))
		return false;
	v->mms = calloc((size_t)n * n, 1);
	for (size_t i = 0; i < (size_t)n * degree; i++)
		v->mms[i / degree * n + next[i]] = 1;
	free(next);
	return true;
}

/* The coordinates say of every two switches how many cables they have, and have them. */
static inline bool verify(const odo_fabric *f, const odo_coordinates *c)
{
	size_t groups = c->kind == ODO_KIND_DRAGONFLY ? c->size[0] : 1;
	verification v = {.f = f, .c = c, .least = UINT32_MAX};
	bool fine = c->kind != ODO_KIND_UNKNOWN && verify_places(&v) && verify_mms(&v);
	v.cables = calloc(f->n_switches, sizeof *v.cables);
	v.between = calloc(groups * groups, sizeof *v.between);
	for (uint32_t s = 0; s < f->n_switches && fine; s++)
		fine = verify_switch(&v, s);
	fine = fine && (c->kind != ODO_KIND_DRAGONFLY || verify_groups(&v));
	free(v.at);
	free(v.cables);
	free(v.between);
	free(v.mms);
	return fine;
}

static inline size_t verify_count(const odo_coordinates *c)
{
	size_t places = 1;
	for (unsigned i = 0; i < c->n_dims; i++)
		places *= c->size[i];
	return places;
}

/* The sizes are the true ones, or those of paths others that make no more places: then nothing is
 * left that shows more. */
static inline bool verify_sizes(const odo_coordinates *c, const odo_coordinates *t)
{
	uint32_t used[ODO_MAX_DIMS] = {0};
	if (c->kind != t->kind || c->n_dims != t->n_dims || verify_count(c) > verify_count(t))
		return false;
	for (unsigned i = 0; i < c->n_dims; i++) {
		unsigned j = 0;
		while (j < t->n_dims &&
		       (used[j] || c->width[i] != t->width[j] || c->factor[i] != t->factor[j] ||
			(c->size[i] != t->size[j] && c->factor[i] != ODO_PATH)))
			j++;
		if (j == t->n_dims)
			return false;
		used[j] = 1;
	}
	return true;
}

/* Switches from level `lowest` to below `end` that are connected by cables among themselves have
 * one value of `dim`, and no others: what the word says, of what damage has left. */
static inline bool verify_part(const odo_fabric *f, const odo_coordinates *c, unsigned dim,
			       uint32_t lowest, uint32_t end)
{
	uint32_t *queue = malloc((f->n_switches + 1) * sizeof *queue);
	uint8_t *seen = calloc(f->n_switches + 1, 1), *taken = calloc(f->n_switches + 1, 1);
	bool fine = true;
	for (uint32_t v = 0; v < f->n_switches && fine; v++) {
		uint32_t level = odo_at(c, v)[ODO_TREE_LEVEL], part = odo_at(c, v)[dim];
		if (seen[v] || level < lowest || level >= end)
			continue;
		fine = part < f->n_switches && !taken[part];
		if (fine)
			taken[part] = 1;
		queue[0] = v;
		seen[v] = 1;
		for (uint32_t head = 0, tail = 1; head < tail; head++) {
			uint32_t u = queue[head];
			fine = fine && odo_at(c, u)[dim] == part;
			for (uint32_t i = f->first_slot[u]; i < f->first_slot[u + 1]; i++) {
				uint32_t w = odo_next_switch(f, i);
				if (w == ODO_NONE || seen[w] ||
				    odo_at(c, w)[ODO_TREE_LEVEL] < lowest ||
				    odo_at(c, w)[ODO_TREE_LEVEL] >= end)
					continue;
				seen[w] = 1;
				queue[tail++] = w;
			}
		}
	}
	free(queue);
	free(seen);
	free(taken);
	return fine;
}

static inline bool verify_is_cut_off(const odo_fabric *f, uint32_t v)
{
	uint32_t i = f->first_slot[v];
	while (i < f->first_slot[v + 1] && odo_next_switch(f, i) == ODO_NONE)
		i++;
	return i == f->first_slot[v + 1];
}

/* A fat tree: the true levels, no cable called wrong, and pods and planes are what is connected. A
 * pod or plane that damage has parted is several: no cable that is left shows that it was one. A
 * switch without a cable to any other has no place that could be told. */
static inline bool verify_tree(const odo_fabric *f, const odo_coordinates *c,
			       const odo_coordinates *t)
{
	if (c->kind != ODO_KIND_FATTREE || t->kind != c->kind || c->n_dims != t->n_dims)
		return false;
	for (uint32_t i = 0; i < c->n_faults; i++)
		if (c->faults[i].type == ODO_FAULT_WRONG_LINK)
			return false;
	for (uint32_t v = 0; v < f->n_switches; v++)
		if (odo_at(c, v)[ODO_TREE_LEVEL] != odo_at(t, v)[ODO_TREE_LEVEL] &&
		    !verify_is_cut_off(f, v))
			return false;
	uint32_t top = t->size[ODO_TREE_LEVEL] - 1;
	return verify_part(f, c, ODO_TREE_POD, 0, top > 1 ? top : 0) &&
	       verify_part(f, c, ODO_TREE_PLANE, 1, top + 1);
}

/* Cables of v's group to each group, spines of each group, and to which groups v itself is cabled.
 */
typedef struct verify_home {
	uint32_t groups;
	uint32_t *between; /* [groups * groups], both ways */
	uint32_t *spines;  /* [groups] */
} verify_home;

static inline verify_home verify_home_make(const odo_fabric *f, const odo_coordinates *t)
{
	uint32_t n = t->size[0];
	verify_home h = {n, calloc((size_t)n * n, sizeof *h.between), calloc(n, sizeof *h.spines)};
	for (uint32_t v = 0; v < f->n_switches; v++)
		h.spines[odo_at(t, v)[0]] += odo_at(t, v)[1] == 1;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t far = odo_next_switch(f, slot);
		if (far != ODO_NONE)
			h.between[odo_at(t, f->owner[slot])[0] * n + odo_at(t, far)[0]]++;
	}
	return h;
}

/* Group `other` could have spine v: it lacks a spine, and a cable to each group that v is cabled
 * to. */
static inline bool verify_could_have(const odo_fabric *f, const odo_coordinates *t,
				     const verify_home *h, uint32_t v, uint32_t other)
{
	uint32_t most = 0;
	for (uint32_t g = 0; g < h->groups; g++)
		most = h->spines[g] > most ? h->spines[g] : most;
	bool could = h->spines[other] < most;
	for (uint32_t i = f->first_slot[v]; i < f->first_slot[v + 1]; i++) {
		uint32_t far = odo_next_switch(f, i);
		if (far == ODO_NONE)
			continue;
		uint32_t g = odo_at(t, far)[0];
		could = could && g != other && g != odo_at(t, v)[0] &&
			h->between[other * h->groups + g] < t->width[0];
	}
	return could;
}

/* A Dragonfly+: all places that are given are true, up to the names of groups, and no cable is
 * called wrong. A switch without a place has no cable to another, or global ones only that suit
 * another group as well as its own. */
static inline bool verify_dragonfly_plus(const odo_fabric *f, const odo_coordinates *c,
					 const odo_coordinates *t)
{
	if (c->kind != t->kind)
		return false;
	bool fine = true;
	verify_home h = verify_home_make(f, t);
	uint32_t *to = malloc((f->n_switches + 1) * sizeof *to);
	uint8_t *taken = calloc(h.groups, 1);
	memset(to, 0xFF, (f->n_switches + 1) * sizeof *to);
	for (uint32_t i = 0; i < c->n_faults; i++)
		fine = fine && c->faults[i].type != ODO_FAULT_WRONG_LINK;
	for (uint32_t v = 0; v < f->n_switches && fine; v++) {
		uint32_t found = odo_at(c, v)[0], group = odo_at(t, v)[0], others = 0;
		for (uint32_t g = 0; g < h.groups && found == ODO_NONE; g++)
			others += g != group && verify_could_have(f, t, &h, v, g);
		if (found == ODO_NONE) {
			fine = others || verify_is_cut_off(f, v);
			continue;
		}
		if (to[found] == ODO_NONE && !taken[group]++)
			to[found] = group;
		fine = to[found] == group && odo_at(c, v)[1] == odo_at(t, v)[1];
	}
	free(h.between);
	free(h.spines);
	free(to);
	free(taken);
	return fine;
}

/* Every switch that has a link to another has a place in a product of the true sizes, and every
 * cable fits: then nothing that is left of the fabric speaks for the true places rather than these.
 */
static inline bool verify_as_good(const odo_fabric *f, const odo_coordinates *c,
				  const odo_coordinates *t)
{
	if (t->kind == ODO_KIND_FATTREE)
		return verify_tree(f, c, t);
	if (t->kind == ODO_KIND_DRAGONFLY_PLUS)
		return verify_dragonfly_plus(f, c, t);
	if (!verify_sizes(c, t))
		return false;
	for (uint32_t i = 0; i < c->n_faults; i++)
		if (c->faults[i].type == ODO_FAULT_WRONG_LINK)
			return false;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (odo_next_switch(f, slot) != ODO_NONE &&
		    odo_at(c, f->owner[slot])[0] == ODO_NONE)
			return false;
	return true;
}

#endif
