/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dragonfly+ (Shpiner et al., 2017), which is Megafly (Flajslik et al., 2018): a group is a fat
 * tree of two levels, and global cables join the spines.
 *
 * Leaves of a group come before its spines. Ports of a leaf: hosts, then one cable to each spine;
 * of a spine: one cable to each leaf, then global ones. */
#include "fabric/topology/dragonfly.h"
#include "fabric/topology/generators.h"

enum { P, LEAVES, SPINES, H, G, CABLES };

static const odo_option options[] = {
	[P] = {"p", ODO_OPTION_NUMBER, "1", "hosts on each leaf", NULL, 0, ODO_MAX_PORTS},
	[LEAVES] = {"leaves", ODO_OPTION_NUMBER, NULL, "leaves of a group", NULL, 1, 254},
	[SPINES] = {"spines", ODO_OPTION_NUMBER, NULL, "spines of a group", NULL, 1, 254},
	[H] = {"h", ODO_OPTION_NUMBER, NULL, "global cables of each spine", NULL, 1, 254},
	[G] = {"g", ODO_OPTION_NUMBER, "0", "groups; 0 for the most there can be, spines*h + 1",
	       NULL, 0, ODO_MAX_SWITCHES},
	[CABLES] = {"cables", ODO_OPTION_NUMBER, "0",
		    "cables between two groups at most; 0 for as many as fit", NULL, 0,
		    ODO_MAX_SWITCHES},
	{0},
};

typedef struct shape {
	uint32_t p, leaves, spines, h, a; /* `a`: switches of a group */
	odo_global_links global;
} shape;

static int find_dragonfly_plus_shape(const odo_value *value, shape *s, odo_error *err)
{
	*s = (shape){.p = value[P].number[0],
		     .leaves = value[LEAVES].number[0],
		     .spines = value[SPINES].number[0],
		     .h = value[H].number[0]};
	uint32_t ports = s->spines * s->h, groups = value[G].number[0];
	groups = groups ? groups : ports + 1;
	s->a = s->leaves + s->spines;
	if (groups < 2 || groups > ports + 1)
		return odo_fail(err, ODO_EINPUT,
				"expected 2 to %u groups for %u global cables each, found %u",
				ports + 1, ports, groups);
	s->global = odo_global_links_make(groups, ports, ODO_PALMTREE, value[CABLES].number[0]);
	return odo_check_switches((uint64_t)groups * s->a, err);
}

static int add_group_switch(const shape *s, uint32_t v, odo_builder *b, odo_error *err)
{
	bool leaf = v % s->a < s->leaves;
	uint32_t ports = 0;
	int status = odo_switch_ports(leaf ? s->p + s->spines : s->leaves + s->h, 0, &ports, err);
	return status ? status
		      : odo_add_switch(b, ports, err, "G%u %s%u", v / s->a, leaf ? "leaf" : "spine",
				       leaf ? v % s->a : v % s->a - s->leaves);
}

static int link_leaf(const shape *s, uint32_t group, uint32_t leaf, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t spine = 0; spine < s->spines && !status; spine++)
		status = odo_add_cable(b, group * s->a + leaf, s->p + 1 + spine,
				       group * s->a + s->leaves + spine, leaf + 1, err);
	return status;
}

static uint32_t global_port(const shape *s, uint32_t group, uint32_t n, unsigned *port)
{
	*port = s->leaves + 1 + n % s->h;
	return group * s->a + s->leaves + n / s->h;
}

static int link_groups(const shape *s, uint32_t group, odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t n = 0; n < s->global.ports && !status; n++) {
		uint32_t far_group, far_n;
		unsigned port, far_port;
		if (!odo_global_links_far(&s->global, group, n, &far_group, &far_n) ||
		    far_group < group)
			continue;
		uint32_t v = global_port(s, group, n, &port);
		uint32_t w = global_port(s, far_group, far_n, &far_port);
		status = odo_add_cable(b, v, port, w, far_port, err);
	}
	return status;
}

static int dragonfly_plus_build(const odo_value *value, odo_builder *b, odo_error *err)
{
	shape s;
	int status = find_dragonfly_plus_shape(value, &s, err);
	uint32_t n = status ? 0 : s.global.groups * s.a;
	for (uint32_t v = 0; v < n && !status; v++)
		status = add_group_switch(&s, v, b, err);
	for (uint32_t v = 0; v < n && !status; v += s.a)
		status = odo_add_hosts(b, v, s.leaves, s.p, err);
	for (uint32_t group = 0; !status && group < s.global.groups; group++) {
		for (uint32_t leaf = 0; leaf < s.leaves && !status; leaf++)
			status = link_leaf(&s, group, leaf, b, err);
		if (!status)
			status = link_groups(&s, group, b, err);
	}
	return status;
}

static void describe_dragonfly_plus(const shape *s, const odo_fabric *f, odo_coordinates *c)
{
	uint32_t most = s->leaves > s->spines ? s->leaves : s->spines;
	const uint32_t size[] = {s->global.groups, 2, most};
	c->kind = ODO_KIND_DRAGONFLY_PLUS;
	for (unsigned dim = 0; dim < c->n_dims; dim++) {
		c->factor[dim] = dim ? ODO_LABELS : ODO_GROUPS;
		c->size[dim] = size[dim];
	}
	c->width[0] = s->global.rounds + !!s->global.extra;
	c->width[1] = 1;
	for (uint32_t v = 0; v < f->n_switches; v++) {
		uint32_t *at = c->at + (size_t)v * c->n_dims, i = v % s->a;
		bool spine = i >= s->leaves;
		at[0] = v / s->a;
		at[1] = spine;
		at[2] = spine ? i - s->leaves : i;
		for (uint32_t slot = f->first_slot[v]; slot < f->first_slot[v + 1]; slot++)
			if (c->port_class[slot] == ODO_PORT_WRONG)
				c->port_class[slot] = f->owner[f->peer[slot]] / s->a == v / s->a
							      ? 1
							      : ODO_PORT_GLOBAL;
	}
}

static int dragonfly_plus_truth(const odo_value *value, const odo_fabric *f, odo_coordinates **c,
				odo_error *err)
{
	shape s;
	int status = find_dragonfly_plus_shape(value, &s, err);
	if (!status)
		status = odo_coordinates_create(f, 3, c, err);
	if (!status)
		describe_dragonfly_plus(&s, f, *c);
	return status;
}

const odo_topology odo_topology_dragonfly_plus = {
	.name = "dragonfly-plus",
	.summary = "groups that are trees of two levels, their spines cabled to other groups",
	.example = "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
	.paper = "Shpiner et al., 2017",
	.options = options,
	.build = dragonfly_plus_build,
	.truth = dragonfly_plus_truth,
};

static const char *const dimensions[] = {"group", "level", "index"};

const odo_kind_row odo_kind_dragonfly_plus = {
	.name = "dragonfly-plus", .grouped = true, .dimensions = dimensions};
