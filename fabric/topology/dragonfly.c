/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dragonfly (paper 001, section 3.1): groups that are FlatFlies, global cables between them.
 *
 * Ports of a switch: 1 .. p hosts, then local ports by dimension, then w ports for each of h
 * global links; then those of an escape subnetwork: for each ring one to the next switch along it
 * and one to the switch before, for a tree one up and then those down. */
#include "fabric/topology/dragonfly.h"

#include <stdlib.h>

#include "fabric/topology/generators.h"
#include "base/memory.h"
#include "base/gcd.h"
#include "fabric/topology/product.h"
#include "base/random.h"

enum { P, A, H, G, ARRANGEMENT, SEED, L, W, CABLES, ESCAPE, PORTS };

enum { NO_ESCAPE, ONE_RING, TWO_RINGS, TREE };
static const char *const escapes[] = {"no", "ring", "rings", "tree", NULL};
static const char *const arrangements[] = {
	[ODO_PALMTREE] = "palmtree",
	[ODO_CONSECUTIVE] = "consecutive",
	[ODO_RELATIVE] = "relative",
	[ODO_CIRCULANT] = "circulant",
	[ODO_NUMBERED] = "numbered",
	[ODO_SHUFFLED] = "shuffled",
	NULL,
};

static const odo_option options[] = {
	[P] = ODO_OPTION_HOSTS("p"),
	[A] = {"a", ODO_OPTION_LIST, NULL,
	       "switches in a group: a complete graph, or the dimensions of a FlatFly", NULL, 1,
	       254},
	[H] = {"h", ODO_OPTION_NUMBER, NULL, "global links of each switch", NULL, 1, 254},
	[G] = {"g", ODO_OPTION_NUMBER, "0", "groups; 0 for the most there can be, a*h + 1", NULL, 0,
	       ODO_MAX_SWITCHES},
	[ARRANGEMENT] = {"arrangement", ODO_OPTION_WORD, "palmtree",
			 "order in which a group's global ports go to the others", arrangements, 0,
			 0},
	[SEED] = {"seed", ODO_OPTION_NUMBER, "1", "of arrangement=shuffled", NULL, 0, UINT32_MAX},
	[L] = {"l", ODO_OPTION_LIST, "1",
	       "cables of a local link: one number, or one per dimension", NULL, 1, 254},
	[W] = {"w", ODO_OPTION_NUMBER, "1", "cables of a global link, side by side", NULL, 1,
	       ODO_MAX_PORTS},
	[CABLES] = {"cables", ODO_OPTION_NUMBER, "0",
		    "links between two groups at most, for a tapered one; 0 for as many as fit",
		    NULL, 0, ODO_MAX_SWITCHES},
	[ESCAPE] = {"escape", ODO_OPTION_WORD, "no",
		    "cables of its own for an escape subnetwork: one Hamiltonian ring or two, or a "
		    "tree; for policies that escape by them",
		    escapes, 0, 0},
	[PORTS] = ODO_OPTION_PORTS,
	{0},
};

odo_global_links odo_global_links_make(uint32_t groups, uint32_t ports, odo_arrangement arrangement,
				       uint32_t most)
{
	odo_global_links d = {.groups = groups, .ports = ports, .arrangement = arrangement};
	bool numbered = arrangement == ODO_NUMBERED;
	d.rounds = numbered ? ports / groups : ports / (groups - 1);
	d.extra = numbered ? 0 : ports % (groups - 1);
	if (groups % 2 && d.extra % 2) /* only an even ring has opposite groups */
		d.extra--;
	if (most && d.rounds >= most) {
		d.rounds = most;
		d.extra = 0;
	}
	return d;
}

/* A ring of n groups and the `e` offsets in use: 1 .. e/2, n/2 for an odd e, and n - e/2 .. n - 1.
 * With e = n - 1 all offsets are in use. */
typedef struct offsets {
	uint32_t n, e;
} offsets;

/* Return how many of the offsets are less than d. */
static uint32_t rank_of(offsets o, uint32_t d)
{
	uint32_t half = o.e / 2, rank = d - 1 < half ? d - 1 : half;
	if (o.e % 2 && d > o.n / 2)
		rank++;
	if (d > o.n - half)
		rank += d - (o.n - half);
	return rank;
}

static uint32_t offset_at(offsets o, uint32_t rank)
{
	uint32_t half = o.e / 2;
	if (rank < half)
		return rank + 1;
	if (o.e % 2 && rank == half)
		return o.n / 2;
	return o.n - o.e + rank;
}

/* Return the rank in ascending order of group numbers instead of offsets: offsets that wrap come
 * first. */
static uint32_t first_wrapped(offsets o, uint32_t group)
{
	return group ? rank_of(o, o.n - group) : o.e;
}

/* Return the offset of the i-th port in an arrangement; below, the port of an offset. */
static uint32_t offset_of_port(const odo_global_links *d, offsets o, uint32_t group, uint32_t i)
{
	uint32_t wrapped = first_wrapped(o, group);
	switch (d->arrangement) {
	case ODO_PALMTREE:
		return offset_at(o, o.e - 1 - i);
	case ODO_CONSECUTIVE:
		return offset_at(o, (i + wrapped) % o.e);
	case ODO_CIRCULANT:
		return i % 2 ? offset_at(o, o.e - 1 - i / 2) : offset_at(o, i / 2);
	case ODO_RELATIVE:
	case ODO_NUMBERED:
	case ODO_SHUFFLED:
		break;
	}
	return offset_at(o, i);
}

static uint32_t port_of_offset(const odo_global_links *d, offsets o, uint32_t group,
			       uint32_t offset)
{
	uint32_t rank = rank_of(o, offset), wrapped = first_wrapped(o, group);
	switch (d->arrangement) {
	case ODO_PALMTREE:
		return o.e - 1 - rank;
	case ODO_CONSECUTIVE:
		return (rank + o.e - wrapped) % o.e;
	case ODO_CIRCULANT:
		return rank <= (o.e - 1) / 2 ? 2 * rank : 2 * (o.e - 1 - rank) + 1;
	case ODO_RELATIVE:
	case ODO_NUMBERED:
	case ODO_SHUFFLED:
		break;
	}
	return rank;
}

/* Port n of group g and port g of group n are one link. This repeats in every round, which has as
 * many ports as groups. */
static bool far_by_number(const odo_global_links *d, uint32_t group, uint32_t n,
			  uint32_t *far_group, uint32_t *far_n)
{
	*far_group = n % d->groups;
	*far_n = n - *far_group + group;
	return n / d->groups < d->rounds && *far_group != group;
}

bool odo_global_links_far(const odo_global_links *d, uint32_t group, uint32_t n,
			  uint32_t *far_group, uint32_t *far_n)
{
	if (d->arrangement == ODO_NUMBERED)
		return far_by_number(d, group, n, far_group, far_n);
	uint32_t round = n / (d->groups - 1), first, i;
	if (round > d->rounds)
		round = d->rounds;
	first = round * (d->groups - 1);
	i = n - first;
	offsets o = {d->groups, round < d->rounds ? d->groups - 1 : d->extra};
	if (i >= o.e)
		return false;
	uint32_t offset = offset_of_port(d, o, group, i);
	*far_group = (group + offset) % d->groups;
	*far_n = first + port_of_offset(d, o, *far_group, d->groups - offset);
	return true;
}

typedef struct shape {
	odo_product group;
	/* `a`: switches of a group; `first_global`: first global port. */
	uint32_t p, a, h, w, first_global;
	unsigned escape; /* NO_ESCAPE .. TREE */
	odo_global_links global;
	uint32_t *order; /* [groups * ports] place of each group's links; NULL: in order */
} shape;

static void clear_shape(shape *s)
{
	odo_product_clear(&s->group);
	free(s->order);
}

static int shuffle_links(shape *s, uint32_t seed, odo_error *err)
{
	uint32_t groups = s->global.groups, ports = s->global.ports;
	s->order = odo_new((size_t)groups * ports, sizeof *s->order);
	if (!s->order)
		return odo_fail(err, ODO_ENOMEM, "no memory for %u groups", groups);
	for (uint32_t g = 0; g < groups; g++) {
		uint32_t *order = s->order + (size_t)g * ports;
		odo_rng rng = odo_rng_make(seed, g);
		for (uint32_t n = 0; n < ports; n++)
			order[n] = n;
		odo_rng_shuffle(&rng, order, ports);
	}
	return 0;
}

static int find_dragonfly_shape(const odo_value *value, shape *s, odo_error *err)
{
	uint32_t g = value[G].number[0];
	s->p = value[P].number[0];
	s->h = value[H].number[0];
	s->w = value[W].number[0];
	s->escape = value[ESCAPE].number[0];
	int status = odo_product_each(&s->group, odo_product_complete, &value[A], &value[L], err);
	if (!status && s->group.n == ODO_MAX_DIMS)
		status = odo_fail(err, ODO_EINPUT, "expected groups of up to %d dimensions",
				  ODO_MAX_DIMS - 1);
	if (!status)
		status = odo_product_size(&s->group, &s->a, err);
	if (status)
		return status;
	uint64_t most = (uint64_t)s->a * s->h + 1;
	if (!g && most <= ODO_MAX_SWITCHES)
		g = (uint32_t)most;
	if (g < 2 || g > most)
		return odo_fail(err, ODO_EINPUT, "expected 2 to a*h + 1 = %llu groups, found %u",
				(unsigned long long)most, g);
	status = odo_check_switches((uint64_t)g * s->a, err);
	if (status)
		return status;
	s->global = odo_global_links_make(g, s->a * s->h,
					  (odo_arrangement)value[ARRANGEMENT].number[0],
					  value[CABLES].number[0]);
	if (s->global.arrangement == ODO_NUMBERED && g > s->a * s->h)
		return odo_fail(err, ODO_EINPUT,
				"expected up to a*h = %u groups for arrangement=numbered, found %u",
				s->a * s->h, g);
	s->first_global = s->p + odo_product_ports(&s->group) + 1;
	return s->global.arrangement == ODO_SHUFFLED ? shuffle_links(s, value[SEED].number[0], err)
						     : 0;
}

static int add_group_switches(const shape *s, uint32_t ports, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t v = 0; v < s->global.groups * s->a && !status; v++)
		status = odo_add_switch(b, ports, err, "g%ur%u", v / s->a, v % s->a);
	return status;
}

/* Return the switch and the first port of global link `n` of group `g`. */
static uint32_t place_global_link(const shape *s, uint32_t g, uint32_t n, unsigned *port)
{
	if (s->order)
		n = s->order[(size_t)g * s->global.ports + n];
	*port = s->first_global + n % s->h * s->w;
	return g * s->a + n / s->h;
}

static int link_group(const shape *s, uint32_t g, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t n = 0; n < s->global.ports; n++) {
		uint32_t far_g, far_n;
		unsigned port, far_port;
		if (!odo_global_links_far(&s->global, g, n, &far_g, &far_n) || far_g < g)
			continue;
		uint32_t v = place_global_link(s, g, n, &port),
			 far = place_global_link(s, far_g, far_n, &far_port);
		for (uint32_t i = 0; i < s->w && !status; i++)
			status = odo_add_cable(b, v, port + i, far, far_port + i, err);
	}
	return status;
}

static uint32_t first_escape(const shape *s)
{
	return s->first_global + s->h * s->w;
}

static uint32_t escape_ports(const shape *s)
{
	return s->escape == NO_ESCAPE ? 0 : s->escape == TREE ? s->a + s->h : 2 * s->escape;
}

/* Return the n-th number from 1 on that is coprime to m, or 1 if there are too few. */
static uint32_t coprime(uint32_t m, uint32_t n)
{
	for (uint32_t x = 1; x < m; x++)
		if (odo_gcd(m, x) == 1 && n-- == 0)
			return x;
	return 1;
}

/* Ring 0 is ring A of paper 000, section 3.3.2: it passes through each group in order, then to the
 * next. Ring 1 takes other steps, so that it differs, as ring B does. */
static int link_ring(const shape *s, uint32_t number, odo_builder *b, odo_error *err)
{
	uint32_t groups = s->global.groups, n = groups * s->a, before = ODO_NONE, first = 0;
	uint32_t offset = coprime(groups, number), step = coprime(s->a, number);
	unsigned port = first_escape(s) + 2 * number;
	int status = 0;
	for (uint32_t i = 0; i < n && !status; i++) {
		uint64_t group = (uint64_t)(i / s->a) * offset % groups;
		uint64_t at = group * s->a + (uint64_t)(i % s->a) * step % s->a;
		if (before == ODO_NONE)
			first = (uint32_t)at;
		else
			status = odo_add_cable(b, before, port, (uint32_t)at, port + 1, err);
		before = (uint32_t)at;
	}
	return status ? status : odo_add_cable(b, before, port, first, port + 1, err);
}

/* `next` counts the children of each switch so far. The first child's port follows the port up. */
static int link_child(const shape *s, uint32_t parent, uint32_t child, uint32_t *next,
		      odo_builder *b, odo_error *err)
{
	unsigned down = first_escape(s) + 1 + next[parent]++;
	return odo_add_cable(b, child, first_escape(s), parent, down, err);
}

/* Cable the tree of section 3.3.1 with switch 0 as its root: first the root's group, then an entry
 * switch of every other group by a global cable, then the rest of each group. */
static int link_tree(const shape *s, odo_builder *b, odo_error *err)
{
	odo_arena memory = {0};
	uint32_t groups = s->global.groups, far_g, far_n;
	uint32_t *next = odo_arena_new(&memory, (size_t)groups * s->a, sizeof *next);
	uint32_t *entry = odo_arena_new(&memory, groups, sizeof *entry);
	unsigned port;
	int status = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory for a tree") : 0;
	for (uint32_t g = 1; g < groups && !status; g++)
		entry[g] = ODO_NONE;
	for (uint32_t i = 1; i < s->a && !status; i++)
		status = link_child(s, 0, i, next, b, err);
	for (uint32_t n = 0; n < s->global.ports && !status; n++) {
		if (!odo_global_links_far(&s->global, 0, n, &far_g, &far_n) ||
		    entry[far_g] != ODO_NONE)
			continue;
		entry[far_g] = place_global_link(s, far_g, far_n, &port);
		status = link_child(s, place_global_link(s, 0, n, &port), entry[far_g], next, b,
				    err);
		for (uint32_t v = far_g * s->a; v < (far_g + 1) * s->a && !status; v++)
			if (v != entry[far_g])
				status = link_child(s, entry[far_g], v, next, b, err);
	}
	odo_arena_free(&memory);
	return status;
}

static int link_escape(const shape *s, odo_builder *b, odo_error *err)
{
	if (s->escape == TREE)
		return link_tree(s, b, err);
	int status = 0;
	for (uint32_t i = 0; i < s->escape && !status; i++)
		status = link_ring(s, i, b, err);
	return status;
}

static int dragonfly_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	shape s = {0};
	uint32_t ports = 0;
	int status = find_dragonfly_shape(value, &s, err);
	if (!status)
		status = odo_switch_ports(first_escape(&s) - 1 + escape_ports(&s),
					  value[PORTS].number[0], &ports, err);
	if (!status)
		status = add_group_switches(&s, ports, b, err);
	if (!status)
		status = odo_add_hosts(b, 0, s.global.groups * s.a, s.p, err);
	for (uint32_t g = 0; g < s.global.groups && !status; g++) {
		status = odo_product_link(&s.group, b, g * s.a, s.p + 1, err);
		if (!status)
			status = link_group(&s, g, b, err);
	}
	if (!status)
		status = link_escape(&s, b, err);
	clear_shape(&s);
	return status;
}

/* The escape's cables between groups count as global. Within groups they get no dimension, so
 * routing ignores them. */
static void classify_escape(const shape *s, const odo_fabric *f, odo_coordinates *c)
{
	for (uint32_t v = 0; v < f->n_switches; v++)
		for (uint32_t i = 0; i < escape_ports(s); i++) {
			uint32_t slot = odo_slot(f, v, first_escape(s) + i);
			if (f->peer[slot] != ODO_NONE && f->owner[f->peer[slot]] / s->a != v / s->a)
				c->port_class[slot] = ODO_PORT_GLOBAL;
		}
}

static void classify_dragonfly(const shape *s, const odo_fabric *f, odo_coordinates *c)
{
	c->kind = ODO_KIND_DRAGONFLY;
	c->factor[0] = ODO_GROUPS;
	c->size[0] = s->global.groups;
	c->width[0] = s->w * (s->global.rounds + !!s->global.extra) +
		      (s->escape == TREE ? 1 : s->escape);
	odo_product_describe(&s->group, 1, c);
	for (uint32_t g = 0; g < s->global.groups; g++)
		odo_product_classify(&s->group, f, g * s->a, s->p + 1, 1, c);
	for (uint32_t v = 0; v < f->n_switches; v++) {
		c->at[(size_t)v * c->n_dims] = v / s->a;
		for (uint32_t i = 0; i < s->h * s->w; i++) {
			uint32_t slot = odo_slot(f, v, s->first_global + i);
			if (f->peer[slot] != ODO_NONE)
				c->port_class[slot] = ODO_PORT_GLOBAL;
		}
	}
	classify_escape(s, f, c);
}

static int dragonfly_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
			   odo_error *err)
{
	shape s = {0};
	int status = find_dragonfly_shape(value, &s, err);
	if (!status)
		status = odo_coordinates_create(f, s.group.n + 1, c, err);
	if (!status)
		classify_dragonfly(&s, f, *c);
	clear_shape(&s);
	return status;
}

const odo_topology odo_topology_dragonfly = {
	.name = "dragonfly",
	.summary = "groups that are FlatFlies, every two of them cabled to each other",
	.example = "dragonfly:p=2,a=4,h=2",
	.paper = "paper 001, section 3.1",
	.options = options,
	.build = dragonfly_build,
	.truth = dragonfly_truth,
};

static bool is_dragonfly_product(const odo_factor_counts *n)
{
	return n->of[ODO_GROUPS] == 1;
}

const odo_kind_row odo_kind_dragonfly = {
	.name = "dragonfly", .grouped = true, .made_of = is_dragonfly_product};

const odo_factor_row odo_factor_groups = {
	.name = "groups",
	.title = "groups:",
	.numbering = ODO_NUMBERED_FREELY,
	.linked = odo_linked_all,
	.label_bits = odo_bits_of_orders,
};
