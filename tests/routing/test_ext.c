/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What papers 004 and 000 say of their adaptive routings, beyond being safe (test_engines). */
#include "export/groups.h"
#include "base/random.h"
#include "fixture.h"
#include "routing/adaptive.h"
#include "routing/graph/distance.h"
#include "routing/adaptive/ext.h"

static odo_tables *route(const fixture *x, const char *engine)
{
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, NULL, &t, &err))
		fail_msg("%s: %s", engine, err.text);
	return t;
}

static const struct {
	const char *spec, *engine;
	uint32_t hops;
	unsigned vls;
} lengths[] = {
	{"flatfly:k=3x4x3,c=3", "ador", 6, 2}, /* one extra hop in each dimension */
	{"flatfly:k=3x4x3,c=3", "mixed-ador", 6, 8},
	{"flatfly:k=3x4x3,c=3", "twisted-dor", 4, 2},
	{"flatfly:k=3x4x3,c=3", "twisted-ador", 6, 2}, /* 1 + 2 + 2 + 1 */
	{"flatfly:k=3x4x3,c=3", "twisted-mixed-ador", 6, 8},
	{"slimfly:q=5,c=2", "ador", 3, 3},
	{"slimfly-flatfly:q=4,k=3,c=2", "ador", 5, 3},
	{"hypercube:n=5,c=2", "negative-first", 5, 1},
	{"hypercube:n=5,c=2", "abo-negative-first", 5, 1},
	{"hypercube:n=5,c=2", "abo-positive-last", 5, 1},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-static", 3, 6},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-s", 4, 6},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-d", 4, 6},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-g", 5, 6},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-gid", 7, 6},
	{"dragonfly:p=2,a=4,h=2", "dragonfly-gsid", 8, 6}, /* "at most 8 total hops" */
	{"dragonfly:p=2,a=4,h=2", "ofar-ar", 7, 6},
	{"dragonfly:p=2,a=4,h=2", "distance-based", 3, 3},
	{"dragonfly:p=2,a=4,h=2", "distance-based+4", 7, 7},
	{"flatfly:k=2x3x3x2,c=1", "distance-based+4", 8, 8}, /* injected on VL 8 mod 8 */
	{"flatfly:k=2x3x3x2,c=1", "deflection+4", 8, 8},
	{"hypercube:n=6,c=1", "deflection+4", 8, 8}, /* two extra hops and not four */
	{"fattree:k=4,levels=4", "fattree-ar", 6, 1},
};

static void paths_and_vls_are_those_of_the_papers(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, lengths, lengths[i].spec); i++) {
		fixture x = make(lengths[i].spec, 0);
		odo_tables *t = route(&x, lengths[i].engine);
		odo_verdict verdict;
		odo_error err;
		assert_int_equal(odo_verify(t, &verdict, &err), 0);
		if (verdict.max_hops != lengths[i].hops || t->n_vls != lengths[i].vls)
			fail_msg("%s on %s: expected %u hops and %u VLs, found %u and %u",
				 lengths[i].engine, lengths[i].spec, lengths[i].hops,
				 lengths[i].vls, verdict.max_hops, t->n_vls);
		odo_verdict_clear(&verdict);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Follows all ways of priority 0, which are to arrive within `left` hops. */
static void follow_first(const odo_tables *t, uint32_t s, unsigned in_port, unsigned vl,
			 uint32_t lid, unsigned left)
{
	const odo_fabric *f = t->fabric;
	odo_candidate way[ODO_MAX_CANDIDATES];
	if (s == f->lid_switch[lid])
		return;
	unsigned n = odo_candidates(t, s, in_port, vl, lid, way);
	if (!left || !n || way[0].priority)
		fail_msg("%s: no minimal way on from switch %u to LID %u", t->engine, s, lid);
	for (unsigned i = 0; i < n && !way[i].priority; i++) {
		uint32_t slot = odo_slot(f, s, way[i].port);
		follow_first(t, odo_next_switch(f, slot), odo_port(f, f->peer[slot]), way[i].vl,
			     lid, left - 1);
	}
}

/* What is not congested goes the papers' minimal ways: misroutings come after these. */
static void what_is_tried_first_is_minimal(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engines[16];
		unsigned hops;
	} cases[] = {
		{"flatfly:k=3x4x3,c=3", {"ador", "mixed-ador", "distance-based+2"}, 3},
		{"hypercube:n=4,c=2",
		 {"ador", "negative-first", "abo-negative-first", "abo-positive-last"},
		 4},
		{"slimfly:q=5,c=2", {"ador", "distance-based+1", "deflection+2"}, 2},
		{"slimfly-flatfly:q=4,k=3,c=2", {"ador", "mixed-ador"}, 3},
		{"dragonfly:p=2,a=4,h=2",
		 {"dragonfly-static", "dragonfly-s", "dragonfly-d", "dragonfly-sd", "dragonfly-g",
		  "dragonfly-gs", "dragonfly-gi", "dragonfly-gd", "dragonfly-gsi", "dragonfly-gid",
		  "dragonfly-gsd", "dragonfly-gsid", "ofar-tree", "ofar-ring", "ofar-ar"},
		 3},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		fixture x = make(cases[i].spec, 0);
		for (unsigned k = 0; k < 16 && cases[i].engines[k]; k++) {
			odo_tables *t = route(&x, cases[i].engines[k]);
			for (uint32_t h = 0; h < x.f->n_hosts; h++) {
				uint32_t in = x.f->peer[x.f->host_slot[h]];
				for (uint32_t lid = 1; lid < x.f->lid_count; lid++)
					follow_first(t, x.f->owner[in], odo_port(x.f, in),
						     t->adaptive->inject(t, h, lid), lid,
						     cases[i].hops);
			}
			odo_tables_free(t);
		}
		unmake(&x);
	}
}

/* Paper 004, section 3.7, word for word, in every state. */
static void follow_rules(const char *spec)
{
	fixture x = make(spec, 0);
	odo_tables *t = route(&x, "deflection+2");
	odo_error err;
	odo_arena memory = {0};
	uint8_t *dist;
	uint32_t n = x.f->n_switches;
	assert_int_equal(odo_distances(x.f, &memory, &dist, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
			uint32_t d = x.f->lid_switch[lid],
				 host = x.f->slot_host[odo_slot(x.f, s, 1)];
			unsigned here = dist[s * n + d], vl = here + 1, k, expected = 0;
			odo_candidate way[ODO_MAX_CANDIDATES];
			if (d == s || d == ODO_NONE || host == ODO_NONE)
				continue;
			assert_int_equal(t->adaptive->inject(t, host, lid), (here + 2) % t->n_vls);
			k = odo_candidates(t, s, 1, (here + 2) % t->n_vls, lid, way);
			for (unsigned i = 0; i < k; i++) {
				uint32_t to = odo_next_switch(x.f, odo_slot(x.f, s, way[i].port));
				unsigned then = dist[to * n + d];
				assert_int_equal(way[i].vl, vl);
				assert_int_equal(way[i].priority, then < here    ? 0
								  : then == here ? 1
										 : 2);
				assert_true(then <= vl);
			}
			for (uint32_t i = x.f->first_slot[s]; i < x.f->first_slot[s + 1]; i++) {
				uint32_t to = odo_next_switch(x.f, i);
				expected += to != ODO_NONE && dist[to * n + d] <= vl;
			}
			assert_int_equal(k, expected);
		}
	}
	odo_arena_free(&memory);
	odo_tables_free(t);
	unmake(&x);
}

static void distance_based_follows_its_rules(void **state)
{
	(void)state;
	follow_rules("random:n=20,d=4,c=1");
	follow_rules("random:n=44,d=36,c=1"); /* more cables than a word has bits */
}

/* Beside its groups an adaptive routing has forwarding tables, which lead by shortest ways. */
static void lfts_lead_by_shortest_ways(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x4,c=2", 0);
	odo_tables *t = route(&x, "ador");
	odo_error err;
	odo_arena memory = {0};
	uint8_t *dist;
	uint32_t n = x.f->n_switches;
	assert_int_equal(odo_distances(x.f, &memory, &dist, &err), 0);
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
			uint32_t d = x.f->lid_switch[lid],
				 port = t->lft[(size_t)s * x.f->lid_count + lid];
			assert_true(d != ODO_NONE);
			if (s == d)
				assert_int_equal(port, x.f->lid_port[lid]);
			else
				assert_int_equal(
					dist[odo_next_switch(x.f, odo_slot(x.f, s, port)) * n + d],
					dist[s * n + d] - 1);
		}
	odo_arena_free(&memory);
	odo_tables_free(t);
	unmake(&x);
}

/* The switch that is cabled with s and differs from it in `dim` alone, where it is at `value`. */
static uint32_t along(const fixture *x, uint32_t s, unsigned dim, unsigned value)
{
	for (unsigned p = 1; p <= odo_n_ports(x->f, s); p++) {
		uint32_t slot = odo_slot(x->f, s, p), v = odo_next_switch(x->f, slot);
		if (v != ODO_NONE && x->c->port_class[slot] == dim && odo_at(x->c, v)[dim] == value)
			return v;
	}
	return ODO_NONE;
}

static unsigned ways_on(const fixture *x, uint32_t s, uint32_t d, unsigned h);

/* By brute force: whether a way is left that corrects dimensions in order, with one more hop in
 * each. */
static bool arrives(const fixture *x, uint32_t s, uint32_t d, unsigned h)
{
	return s == d || ways_on(x, s, d, h);
}

/* How many such ways begin at s, where h hops have been made in the dimension at hand. */
static unsigned ways_on(const fixture *x, uint32_t s, uint32_t d, unsigned h)
{
	unsigned dim = 0, n = 0;
	while (odo_at(x->c, s)[dim] == odo_at(x->c, d)[dim])
		dim++;
	for (unsigned value = 0; value < x->c->size[dim]; value++) {
		bool there = value == odo_at(x->c, d)[dim];
		uint32_t v = along(x, s, dim, value);
		if (v != ODO_NONE && (there || !h))
			n += arrives(x, v, d, there ? 0 : h + 1);
	}
	return n;
}

/* Of the detours that damage leaves none is forgotten. */
static void ador_offers_all_that_damage_leaves(void **state)
{
	(void)state;
	fixture whole = make("flatfly:k=4x4,c=1", 0), x = damaged(&whole, 0, 0.4, 3);
	odo_tables *t = route(&x, "ador");
	uint32_t pairs = 0;
	for (uint32_t h = 0; h < x.f->n_hosts; h++)
		for (uint32_t to = 0; to < x.f->n_hosts; to++) {
			uint32_t in = x.f->peer[x.f->host_slot[h]], s = x.f->owner[in];
			uint32_t d = x.f->owner[x.f->peer[x.f->host_slot[to]]];
			unsigned expected = s == d ? 0 : ways_on(&x, s, d, 0);
			odo_candidate way[ODO_MAX_CANDIDATES];
			if (!expected)
				continue; /* there, or by the tree */
			pairs++;
			assert_int_equal(odo_candidates(t, s, odo_port(x.f, in), 0,
							x.f->port_lid[x.f->host_slot[to]], way),
					 expected);
		}
	assert_in_range(pairs, 150, 239); /* of 240; the tree serves the others */
	odo_tables_free(t);
	unmake(&x);
	unmake(&whole);
}

/* The tree serves a switch that mapping could not place, though all others have ways. */
static void ador_reaches_switches_without_places(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=5,c=1", 0);
	x.c->at[3] = ODO_NONE;
	odo_tables *t = route(&x, "ador"); /* which is verified */
	assert_int_equal(t->n_vls, 3);     /* one more than on a whole one */
	odo_tables_free(t);
	unmake(&x);
}

/* In four dimensions, the orders printed in paper 004, section 3.3. */
static void mixed_orders_are_the_papers(void **state)
{
	(void)state;
	static const uint8_t orders[4][4] = {
		{1, 2, 3, 4}, {2, 4, 1, 3}, {3, 1, 4, 2}, {4, 3, 2, 1}};
	fixture x = make("flatfly:k=2x2x2x2,c=4", 0);
	odo_tables *t = route(&x, "mixed-ador");
	uint32_t far = x.f->n_switches - 1; /* differs from switch 0 in every dimension */
	for (unsigned k = 0; k < 4; k++) {
		uint32_t s = 0, host = x.f->slot_host[odo_slot(x.f, far, k + 1)];
		uint32_t lid = x.f->port_lid[x.f->host_slot[host]];
		unsigned in_port = 1, in_vl = 2 * k;
		for (unsigned hop = 0; hop < 4; hop++) {
			odo_candidate way[ODO_MAX_CANDIDATES];
			assert_true(odo_candidates(t, s, in_port, in_vl, lid, way) >= 1);
			uint32_t slot = odo_slot(x.f, s, way[0].port);
			assert_int_equal(x.c->port_class[slot], orders[k][hop] - 1);
			assert_int_equal(way[0].vl, 2 * k);
			s = odo_next_switch(x.f, slot);
			in_port = odo_port(x.f, x.f->peer[slot]);
			in_vl = way[0].vl;
		}
		assert_int_equal(s, far);
	}
	odo_tables_free(t);
	unmake(&x);
}

static bool same_ports(const odo_switch_tables *st, uint16_t a, uint16_t b)
{
	const odo_port_group *x = &st->groups[a], *y = &st->groups[b];
	if (x->n != y->n)
		return false;
	for (unsigned i = 0; i < x->n; i++)
		if (st->ways[x->first + i].port != st->ways[y->first + i].port ||
		    st->ways[x->first + i].priority != st->ways[y->first + i].priority)
			return false;
	return true;
}

/* Tables that agree wherever both have an entry, VLs apart, can be one. */
static bool mergeable(const odo_switch_tables *st, uint32_t n, uint16_t *a, const uint16_t *b,
		      bool merge)
{
	for (uint32_t i = 0; i < n; i++) {
		if (a[i] == ODO_NO_GROUP || b[i] == ODO_NO_GROUP) {
			if (merge && a[i] == ODO_NO_GROUP)
				a[i] = b[i];
			continue;
		}
		if (!same_ports(st, a[i], b[i]))
			return false;
	}
	return true;
}

static unsigned count_tables(const odo_switch_tables *st, uint32_t n_lids)
{
	unsigned n = 0;
	for (size_t i = 0; i < st->n_tables; i++) {
		size_t k = 0;
		while (k < n &&
		       !mergeable(st, n_lids, st->tables[k].group, st->tables[i].group, false))
			k++;
		if (k < n) {
			mergeable(st, n_lids, st->tables[k].group, st->tables[i].group, true);
			continue;
		}
		uint16_t *held = st->tables[n].group;
		st->tables[n].group = st->tables[i].group;
		st->tables[i].group = held;
		n++;
	}
	return n;
}

/* Flows of a link, by slot, from every host to the one of its index at the far corner. */
static uint32_t fullest_link(const fixture *x, const odo_tables *t, uint32_t *flows)
{
	uint32_t n = x->f->n_switches, most = 0;
	for (uint32_t host = 0; host < x->f->n_hosts; host++) {
		uint32_t slot = x->f->peer[x->f->host_slot[host]], s = x->f->owner[slot];
		uint32_t to = x->f->slot_host[odo_slot(x->f, n - 1 - s, odo_port(x->f, slot))];
		uint32_t lid = x->f->port_lid[x->f->host_slot[to]];
		unsigned vl = t->adaptive->inject(t, host, lid), in_port = odo_port(x->f, slot);
		while (s != x->f->lid_switch[lid]) {
			odo_candidate way[ODO_MAX_CANDIDATES];
			assert_int_equal(odo_candidates(t, s, in_port, vl, lid, way), 1);
			slot = odo_slot(x->f, s, way[0].port);
			most = ++flows[slot] > most ? flows[slot] : most;
			s = odo_next_switch(x->f, slot);
			in_port = odo_port(x->f, x->f->peer[slot]);
			vl = way[0].vl;
		}
	}
	return most;
}

/* Paper 004's table: no worse than a link of its own for the hosts of a switch. */
static void twisted_mixed_orders_do_not_meet(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=4x4x4x4,c=4", 0);
	odo_tables *t = route(&x, "twisted-mixed-dor");
	uint32_t *flows = calloc(x.f->n_slots, sizeof *flows);
	assert_non_null(flows);
	uint32_t most = fullest_link(&x, t, flows);
	if (most > 4)
		fail_msg("expected at most 4 flows on a link, found %u", most);
	free(flows);
	odo_tables_free(t);
	unmake(&x);
}

/* Profile ib-ar: few tables, and a VL out that no destination has a say in. */
static void ofar_ar_fits_the_switches_of_its_profile(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	odo_tables *t = route(&x, "ofar-ar");
	odo_reach reach;
	odo_error err;
	assert_int_equal(odo_reach_find(t, &reach, &err), 0);
	for (uint32_t s = 0; s < x.f->n_switches; s++) {
		odo_switch_tables st;
		assert_int_equal(odo_switch_tables_make(&reach, s, &st, &err), 0);
		uint8_t vl_out[16][64][64];
		memset(vl_out, 0xFF, sizeof vl_out);
		for (size_t i = 0; i < st.n_tables; i++) {
			for (uint32_t lid = 0; lid < x.f->lid_count; lid++) {
				uint16_t group = st.tables[i].group[lid];
				if (group == ODO_NO_GROUP || x.f->lid_switch[lid] == s)
					continue;
				for (unsigned w = 0; w < st.groups[group].n; w++) {
					const odo_candidate
						*c = &st.ways[st.groups[group].first + w];
					for (unsigned p = 1; p <= odo_n_ports(x.f, s); p++) {
						if (!(st.tables[i].inputs[p / 8] >> p % 8 & 1))
							continue;
						uint8_t *held = &vl_out[st.tables[i].vl][p]
								       [c->port];
						assert_true(*held == 0xFF || *held == c->vl);
						*held = c->vl;
					}
				}
			}
		}
		assert_true(count_tables(&st, x.f->lid_count) <= 4);
		odo_switch_tables_clear(&st);
	}
	odo_reach_clear(&reach);
	odo_tables_free(t);
	unmake(&x);
}

/* Labels that mapping gives are not the generator's: the ring must not lean on them. */
static void a_ring_is_found_whatever_groups_are_called(void **state)
{
	(void)state;
	static const char *const specs[] = {
		"dragonfly:p=1,a=4,h=2", "dragonfly:p=1,a=6,h=3,arrangement=relative",
		"dragonfly:p=1,a=4,h=2,g=3", "dragonfly:p=1,a=4,h=2,g=2"};
	for (unsigned i = 0; i < 4; i++) {
		for (uint64_t seed = 0; seed < 6; seed++) {
			fixture x = make(specs[i], 0), y = shuffled(&x, seed);
			uint32_t groups = y.c->size[0];
			odo_rng rng = odo_rng_make(seed, 1);
			uint32_t *name = calloc(groups, sizeof *name);
			for (uint32_t g = 0; g < groups; g++)
				name[g] = g;
			odo_rng_shuffle(&rng, name, groups);
			for (uint32_t s = 0; s < y.f->n_switches; s++)
				y.c->at[s * y.c->n_dims] = name[y.c->at[s * y.c->n_dims]];
			odo_tables *t = route(&y, "ofar-ring");
			odo_tables_free(t);
			free(name);
			unmake(&x);
			unmake(&y);
		}
	}
}

static void too_long_paths_are_declined(void **state)
{
	(void)state;
	fixture x = make("torus:k=20,c=1", 0);
	odo_tables *t;
	odo_error err;
	assert_int_equal(odo_route(x.f, x.c, "distance-based", NULL, &t, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "8 hops far on 8 VLs, and some need 10"));
	unmake(&x);
}

/* Paper 000, section 3.3.1: one global cable from the root's group into every other, and local ones
 * from where it ends to all the rest. */
static void the_escape_tree_is_the_papers(void **state)
{
	(void)state;
	static const char *const specs[] = {"dragonfly:p=1,a=4,h=2", "dragonfly:p=1,a=8,h=4",
					    "dragonfly:p=1,a=6,h=3,g=8"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		uint32_t groups = x.c->size[0], n = x.f->n_switches, global = 0, local = 0;
		uint32_t *seen = calloc(groups, sizeof *seen), root = ODO_NONE;
		odo_arena memory = {0};
		uint8_t *port;
		odo_error err;
		assert_int_equal(odo_ext_tree(x.f, x.c, &memory, &port, &err), 0);
		for (uint32_t s = 0; s < n; s++) {
			bool used[ODO_MAX_PORTS + 1] = {false};
			for (uint32_t d = 0; d < n; d++)
				if (d != s)
					used[port[s * n + d]] = true;
			for (unsigned p = 1; p <= odo_n_ports(x.f, s); p++) {
				bool out = x.c->port_class[odo_slot(x.f, s, p)] == ODO_PORT_GLOBAL;
				global += used[p] && out;
				local += used[p] && !out;
				seen[odo_at(x.c, s)[0]] += used[p] && out;
			}
		}
		for (uint32_t g = 0; g < groups; g++)
			root = seen[g] == groups - 1 ? g : root;
		assert_true(root != ODO_NONE);
		assert_int_equal(global, 2 * (groups - 1));
		assert_int_equal(local, 2 * (n - groups));
		free(seen);
		odo_arena_free(&memory);
		unmake(&x);
	}
}

/* From a leaf of a whole tree all cables up; and the entry of the LFT is one of the group
 * everywhere, damaged or not, since that is what a switch goes by which does not adapt. */
static void trees_offer_all_ways_up(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=6,levels=3", "pgft:m=4x6x3,w=1x2x2,p=1x2x1",
					    "dragonfly-plus:p=2,leaves=3,spines=3,h=2,g=7"};
	for (size_t i = 0; i < 2 * sizeof specs / sizeof *specs; i++) {
		fixture whole = make(specs[i / 2], 0);
		fixture x = damaged(&whole, 0, i % 2 ? 0.05 : 0, 1);
		odo_tables *t = route(&x, "fattree-ar");
		odo_candidate way[ODO_MAX_CANDIDATES];
		unsigned most = 0;
		for (uint32_t s = 0; s < x.f->n_switches; s++)
			for (uint32_t lid = 1; lid < x.f->lid_count; lid++) {
				unsigned n = odo_candidates(t, s, 1, 0, lid, way), k = 0;
				while (k < n && way[k].port != odo_next_port(t, s, lid))
					k++;
				if (k == n && odo_next_port(t, s, lid) != ODO_NO_PORT)
					fail_msg("%s: LID %u, switch %u: entry in no group",
						 specs[i / 2], lid, s);
				most = x.f->lid_host[lid] != ODO_NONE && n > most ? n : most;
			}
		assert_int_equal(most, i / 2 == 1 ? 4 : 3);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
}

/* Eight hops lead round most damage: of 12 dragonflies less 4 % of their cables one needs the tree
 * of rescue, and its VL. A search that overlooks ways would find more. */
static void damage_takes_a_vl_where_no_way_is_left(void **state)
{
	(void)state;
	fixture whole = make("dragonfly:p=1,a=4,h=2", 0);
	unsigned with_tree = 0;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		fixture x = damaged(&whole, 0, 0.04, seed);
		odo_tables *t = route(&x, "dragonfly-gsid");
		with_tree += t->n_vls - 6;
		odo_tables_free(t);
		unmake(&x);
	}
	unmake(&whole);
	assert_int_equal(with_tree, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_and_vls_are_those_of_the_papers),
		cmocka_unit_test(what_is_tried_first_is_minimal),
		cmocka_unit_test(distance_based_follows_its_rules),
		cmocka_unit_test(lfts_lead_by_shortest_ways),
		cmocka_unit_test(trees_offer_all_ways_up),
		cmocka_unit_test(ador_offers_all_that_damage_leaves),
		cmocka_unit_test(ador_reaches_switches_without_places),
		cmocka_unit_test(mixed_orders_are_the_papers),
		cmocka_unit_test(twisted_mixed_orders_do_not_meet),
		cmocka_unit_test(ofar_ar_fits_the_switches_of_its_profile),
		cmocka_unit_test(a_ring_is_found_whatever_groups_are_called),
		cmocka_unit_test(damage_takes_a_vl_where_no_way_is_left),
		cmocka_unit_test(too_long_paths_are_declined),
		cmocka_unit_test(the_escape_tree_is_the_papers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
