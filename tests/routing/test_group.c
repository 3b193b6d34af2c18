/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Multicast entries are called a tree where they are one that reaches all members, and what is
 * wrong is told where not: on the trees that the routing makes, and on each of them spoilt in every
 * slot. */
#include "fixture.h"
#include "base/memory.h"
#include "routing/multicast/multicast.h"
#include "routing/verify/group.h"

typedef struct entries {
	uint8_t *on, *own, *part;
} entries;

/* Every `step`-th host is a member; the tree is that which the plugin would install. */
static entries make_tree(const fixture *x, uint32_t step)
{
	const odo_fabric *f = x->f;
	odo_tables *t;
	odo_mcast *mcast;
	odo_error err;
	entries e = {odo_new(f->n_slots, 1), odo_new(f->n_switches, 1), odo_new(f->n_hosts, 1)};
	uint32_t *member = odo_new(f->n_hosts, sizeof *member), n = 0;
	assert_true(e.on && e.own && e.part && member);
	assert_int_equal(odo_route(f, x->c, NULL, NULL, &t, &err), 0);
	assert_int_equal(odo_mcast_create(t, 1, &mcast, &err), 0);
	for (uint32_t h = 0; h < f->n_hosts; h += step) {
		member[n++] = f->peer[f->host_slot[h]];
		e.part[h] = ODO_GROUP_RECEIVES;
	}
	assert_int_equal(odo_mcast_ports(mcast, member, n, NULL, 0, e.on, &err), 0);
	odo_mcast_free(mcast);
	odo_tables_free(t);
	free(member);
	return e;
}

static void clear(entries *e)
{
	free(e->on);
	free(e->own);
	free(e->part);
}

static void expect(const odo_fabric *f, const entries *e, const char *said)
{
	odo_group group = {0xc001, e->on, e->own, e->part};
	odo_error err = {0};
	int status = odo_group_verify(f, &group, &err);
	assert_int_equal(status, said ? ODO_EUNSAFE : 0);
	if (said && (!strstr(err.text, said) || !strstr(err.text, "0xc001")))
		fail_msg("expected \"%s\" in \"%s\"", said, err.text);
}

static void each_spoilt_entry_is_found(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	entries e = make_tree(&x, 5);
	expect(x.f, &e, NULL);
	unsigned n_gone = 0, n_new = 0;
	for (uint32_t slot = 0; slot < x.f->first_slot[x.f->n_switches]; slot++) {
		uint32_t peer = x.f->peer[slot];
		bool cable = odo_next_switch(x.f, slot) != ODO_NONE, was = e.on[slot];
		if (peer == ODO_NONE)
			continue;
		e.on[slot] ^= 1;
		expect(x.f, &e,
		       cable ? "does not send back"
		       : was ? "does not send to the member there"
			     : NULL); /* sent to, and no member */
		n_gone += was;
		if (cable && was && slot < peer) { /* half of the tree */
			e.on[peer] = 0;
			expect(x.f, &e, "cut off");
			e.on[peer] = 1;
		}
		e.on[slot] ^= 1;
	}
	/* Cables between two switches of the tree close a circle. */
	for (uint32_t slot = 0; slot < x.f->first_slot[x.f->n_switches]; slot++) {
		uint32_t peer = x.f->peer[slot], s = x.f->owner[slot],
			 u = odo_next_switch(x.f, slot);
		bool at_s = false, at_u = false;
		for (uint32_t i = 0; u != ODO_NONE && i < x.f->first_slot[x.f->n_switches]; i++) {
			at_s |= x.f->owner[i] == s && e.on[i];
			at_u |= x.f->owner[i] == u && e.on[i];
		}
		if (u == ODO_NONE || e.on[slot] || !at_s || !at_u)
			continue;
		e.on[slot] = e.on[peer] = 1;
		expect(x.f, &e, "closes a loop");
		e.on[slot] = e.on[peer] = 0;
		n_new++;
	}
	assert_true(n_gone > 20 && n_new > 5);
	clear(&e);
	unmake(&x);
}

/* A single member needs nothing, one that only sends is not sent to, and switches may be members.
 */
static void what_a_member_needs_is_asked(void **state)
{
	(void)state;
	fixture x = make("dragonfly:p=2,a=4,h=2", 0);
	entries e = make_tree(&x, 71);
	uint32_t last = x.f->peer[x.f->host_slot[71]];
	expect(x.f, &e, NULL);
	e.on[last] = 0;
	expect(x.f, &e, "does not send to the member there");
	e.part[71] = ODO_GROUP_SENDS;
	expect(x.f, &e, NULL);
	memset(e.on, 0, x.f->n_slots);
	e.on[x.f->peer[x.f->host_slot[0]]] = 1;
	expect(x.f, &e, "cut off");
	e.part[71] = ODO_GROUP_OUTSIDE;
	memset(e.on, 0, x.f->n_slots);
	expect(x.f, &e, NULL);
	e.own[20] = 1;
	e.on[x.f->peer[x.f->host_slot[0]]] = 1;
	expect(x.f, &e, "switch");
	clear(&e);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_spoilt_entry_is_found),
		cmocka_unit_test(what_a_member_needs_is_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
