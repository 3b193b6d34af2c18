/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fat trees: parallel ports generalised fat trees (Zahavi, "D-Mod-K routing", 2010), which are the
 * extended generalised ones of Ohring et al. (1995) with p cables side by side.
 *
 * Level 0 are the leaves, with m[0] hosts each. A switch of level l > 0 has m[l] children below it,
 * one of level l - 1 has w[l] parents, and p[l] cables join each two. A switch is known by the
 * numbers of the subtrees that it is in, from the top down to its own, and then by which parent it
 * is at each level from 1 up to its own; switches are in the order of these numbers, read as
 * digits.
 *
 * Ports of a switch: to its children or hosts, by their number, then to its parents. */
#include "fabric/topology/generators.h"

enum { MAX_LEVELS = 4 };

typedef struct shape {
	uint32_t levels;
	uint32_t m[MAX_LEVELS], w[MAX_LEVELS], p[MAX_LEVELS];
	uint32_t subtrees[MAX_LEVELS]; /* of each level */
	uint32_t copies[MAX_LEVELS];   /* switches of a level in one of its subtrees */
	uint32_t first[MAX_LEVELS];    /* number of the first switch of each level */
	uint32_t n_switches;
	uint32_t rails; /* adapters of a machine, each on a separate leaf; 1: no rails */
} shape;

static int count_tree_switches(shape *s, odo_error *err)
{
	uint64_t n = 0, copies = 1;
	for (uint32_t l = 0; l < s->levels; l++) {
		uint64_t subtrees = 1;
		for (uint32_t above = l + 1; above < s->levels; above++)
			subtrees *= s->m[above];
		copies *= l ? s->w[l] : 1;
		s->subtrees[l] = (uint32_t)subtrees;
		s->copies[l] = (uint32_t)copies;
		s->first[l] = (uint32_t)n;
		n += subtrees * copies;
		int status = odo_check_switches(n, err);
		if (status)
			return status;
	}
	s->n_switches = (uint32_t)n;
	if (s->subtrees[0] % s->rails)
		return odo_fail(err, ODO_EINPUT, "expected rails to divide %u leaves, found %u",
				s->subtrees[0], s->rails);
	return 0;
}

static uint32_t ports_down(const shape *s, uint32_t level)
{
	return s->m[level] * s->p[level];
}

static uint32_t ports_up(const shape *s, uint32_t level)
{
	return level + 1 < s->levels ? s->w[level + 1] * s->p[level + 1] : 0;
}

static int add_tree_switches(const shape *s, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t l = 0, i = 0; l < s->levels; l++)
		for (; i < s->first[l] + s->subtrees[l] * s->copies[l] && !status; i++) {
			uint32_t ports = 0;
			status = odo_switch_ports(ports_down(s, l) + ports_up(s, l), 0, &ports,
						  err);
			if (!status)
				status = odo_add_switch(b, ports, err, "S%u", i);
		}
	return status;
}

/* Add the cables from switch `i` of a level to all its parents. */
static int link_up(const shape *s, uint32_t level, uint32_t i, odo_builder *b, odo_error *err)
{
	uint32_t copies = s->copies[level], subtree = i / copies, copy = i % copies;
	uint32_t m = s->m[level + 1], w = s->w[level + 1], p = s->p[level + 1];
	int status = 0;
	for (uint32_t port = 0; port < w * p && !status; port++) {
		uint32_t parent = (subtree / m * copies + copy) * w + port / p;
		status = odo_add_cable(b, s->first[level] + i, ports_down(s, level) + 1 + port,
				       s->first[level + 1] + parent, subtree % m * p + port % p + 1,
				       err);
	}
	return status;
}

/* Add adapter r of a machine, named as drivers do, at the same port of the r-th of its leaves. */
static int add_rail_adapter(const shape *s, uint32_t machine, uint32_t r, odo_builder *b,
			    odo_error *err)
{
	return odo_add_host(b, machine / s->m[0] * s->rails + r, machine % s->m[0] + 1, err,
			    "H%u mlx5_%u", machine, r);
}

static int add_machines(const shape *s, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t i = 0; i < s->subtrees[0] / s->rails * s->m[0]; i++)
		for (uint32_t r = 0; r < s->rails && !status; r++)
			status = add_rail_adapter(s, i, r, b, err);
	return status;
}

static int build_tree(const shape *s, odo_builder *b, odo_error *err)
{
	int status = add_tree_switches(s, b, err);
	if (!status)
		status = s->rails > 1 ? add_machines(s, b, err)
				      : odo_add_hosts(b, 0, s->subtrees[0], s->m[0], err);
	for (uint32_t l = 0; l + 1 < s->levels; l++)
		for (uint32_t i = 0; i < s->subtrees[l] * s->copies[l] && !status; i++)
			status = link_up(s, l, i, b, err);
	return status;
}

/* A pod is a part connected without the top level, a plane a part connected without the leaves.
 * Their numbers are the first digits of the subtree and of the copy; the other digits are the
 * index. Trees of two levels have no pods. */
static void place_in_tree(const shape *s, uint32_t level, uint32_t i, uint32_t *at)
{
	uint32_t copies = s->copies[level], subtree = i / copies, copy = i % copies;
	uint32_t top = s->levels - 1, in_pod = 1, in_plane = level ? copies / s->w[1] : 1;
	bool pods = s->levels > 2 && level < top;
	if (pods)
		in_pod = s->subtrees[level] / s->m[top];
	at[ODO_TREE_LEVEL] = level;
	at[ODO_TREE_POD] = pods ? subtree / in_pod : 0;
	at[ODO_TREE_PLANE] = copy / in_plane;
	at[ODO_TREE_INDEX] = (pods ? subtree % in_pod : subtree) * in_plane + copy % in_plane;
}

static void describe_levels(const shape *s, odo_coordinates *c)
{
	c->kind = ODO_KIND_FATTREE;
	for (uint32_t dim = 0; dim < ODO_TREE_DIMS; dim++) {
		c->factor[dim] = ODO_LABELS;
		for (uint32_t i = 0; i < c->n_switches; i++)
			if (odo_at(c, i)[dim] >= c->size[dim])
				c->size[dim] = odo_at(c, i)[dim] + 1;
	}
	for (uint32_t l = 0; l + 1 < s->levels; l++)
		c->width[l] = s->p[l + 1];
}

static int describe_tree(const shape *s, const odo_fabric *f, odo_coordinates **out, odo_error *err)
{
	int status = odo_coordinates_create(f, ODO_TREE_DIMS, out, err);
	if (status)
		return status;
	odo_coordinates *c = *out;
	for (uint32_t l = 0, v = 0; l < s->levels; l++)
		for (uint32_t i = 0; i < s->subtrees[l] * s->copies[l]; i++, v++) {
			place_in_tree(s, l, i, c->at + (size_t)v * c->n_dims);
			for (uint32_t port = 1; port <= ports_up(s, l); port++)
				c->port_class[odo_slot(f, v, ports_down(s, l) + port)] = (uint8_t)l;
			for (uint32_t port = 1; l && port <= ports_down(s, l); port++)
				c->port_class[odo_slot(f, v, port)] = (uint8_t)(l - 1);
		}
	describe_levels(s, c);
	return 0;
}

#define RAILS_TEXT "adapters of a machine, each on another leaf"

enum { RADIX, LEVELS, RAILS };

static const odo_option options[] = {
	[RADIX] = {"k", ODO_OPTION_NUMBER, NULL, "ports of each switch, an even number", NULL, 4,
		   ODO_MAX_PORTS},
	[LEVELS] = {"levels", ODO_OPTION_NUMBER, "2", "levels of switches", NULL, 2, MAX_LEVELS},
	[RAILS] = {"rails", ODO_OPTION_NUMBER, "1", RAILS_TEXT, NULL, 1, ODO_MAX_PORTS},
	{0},
};

static int fattree_shape_of(const odo_value *value, shape *s, odo_error *err)
{
	uint32_t k = value[RADIX].number[0];
	*s = (shape){.levels = value[LEVELS].number[0], .rails = value[RAILS].number[0]};
	if (k % 2)
		return odo_fail(err, ODO_EINPUT, "expected an even number of ports, found %u", k);
	for (uint32_t l = 0; l < s->levels; l++) {
		s->m[l] = l + 1 < s->levels ? k / 2 : k;
		s->w[l] = k / 2;
		s->p[l] = 1;
	}
	return count_tree_switches(s, err);
}

static int fattree_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	shape s;
	int status = fattree_shape_of(value, &s, err);
	return status ? status : build_tree(&s, b, err);
}

static int fattree_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
			 odo_error *err)
{
	shape s;
	int status = fattree_shape_of(value, &s, err);
	return status ? status : describe_tree(&s, f, c, err);
}

const odo_topology odo_topology_fattree = {
	.name = "fattree",
	.summary = "folded Clos network of 2 to 4 levels",
	.example = "fattree:k=8,levels=3",
	.paper = "Al-Fares et al., 2008",
	.options = options,
	.build = fattree_build,
	.truth = fattree_truth,
};

enum { M, W, P, PGFT_RAILS };

static const odo_option pgft_options[] = {
	[M] = {"m", ODO_OPTION_LIST, NULL,
	       "children of a switch, level by level from the leaves, whose children are hosts",
	       NULL, 1, ODO_MAX_PORTS},
	[W] = {"w", ODO_OPTION_LIST, NULL,
	       "parents of what is below, level by level: of a host 1, of a leaf, ...", NULL, 1,
	       ODO_MAX_PORTS},
	[P] = {"p", ODO_OPTION_LIST, "1",
	       "cables side by side to each parent: one number, or one a level", NULL, 1,
	       ODO_MAX_PORTS},
	[PGFT_RAILS] = {"rails", ODO_OPTION_NUMBER, "1", RAILS_TEXT, NULL, 1, ODO_MAX_PORTS},
	{0},
};

static int pgft_shape_of(const odo_value *value, shape *s, odo_error *err)
{
	const odo_value *m = &value[M], *w = &value[W], *p = &value[P];
	if (m->n < 2 || m->n > MAX_LEVELS || w->n != m->n || (p->n != 1 && p->n != m->n))
		return odo_fail(err, ODO_EINPUT,
				"expected 2 to %d levels, the same number in m and w and one or as "
				"many in p, found %u, %u and %u",
				MAX_LEVELS, m->n, w->n, p->n);
	if (w->number[0] != 1 || (p->n > 1 && p->number[0] != 1))
		return odo_fail(err, ODO_EINPUT,
				"expected one cable to one leaf for each host, found w=%u, p=%u",
				w->number[0], p->number[0]);
	*s = (shape){.levels = m->n, .rails = value[PGFT_RAILS].number[0]};
	for (uint32_t l = 0; l < s->levels; l++) {
		s->m[l] = m->number[l];
		s->w[l] = w->number[l];
		s->p[l] = !l ? 1 : p->number[p->n == 1 ? 0 : l];
	}
	return count_tree_switches(s, err);
}

static int pgft_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	shape s;
	int status = pgft_shape_of(value, &s, err);
	return status ? status : build_tree(&s, b, err);
}

static int pgft_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
		      odo_error *err)
{
	shape s;
	int status = pgft_shape_of(value, &s, err);
	return status ? status : describe_tree(&s, f, c, err);
}

const odo_topology odo_topology_pgft = {
	.name = "pgft",
	.summary = "fat tree of any oversubscription, with parallel cables",
	.example = "pgft:m=4x6x3,w=1x2x2,p=1x2x1",
	.paper = "Zahavi, 2010",
	.options = pgft_options,
	.build = pgft_build,
	.truth = pgft_truth,
};

static const char *const dimensions[] = {[ODO_TREE_LEVEL] = "level",
					 [ODO_TREE_POD] = "pod",
					 [ODO_TREE_PLANE] = "plane",
					 [ODO_TREE_INDEX] = "index"};

const odo_kind_row odo_kind_fattree = {.name = "fattree", .dimensions = dimensions};

const odo_factor_row odo_factor_labels = {
	.name = "numbers", .title = "", .numbering = ODO_NUMBERED_FREELY};
