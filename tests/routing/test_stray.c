/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LIDs that no port has, judged by walking each packet hop by hop. */
#include "base/memory.h"
#include "base/random.h"
#include "naive.h"

static odo_tables *routed(const fixture *x, const char *engine)
{
	odo_tables *t = NULL;
	odo_error err;
	odo_route_options options = {0};
	return odo_route(x->f, x->c, engine, &options, &t, &err) ? NULL : t;
}

/* A new LID, with an entry of each switch. @return [n_switches] entries */
static uint8_t *add_stray(odo_tables *t)
{
	odo_strays *strays = &t->strays;
	uint32_t n = t->fabric->n_switches;
	assert_int_equal(
		odo_grow(&strays->lid, &strays->lids, strays->n + 1ul, sizeof *strays->lid), 0);
	assert_int_equal(odo_grow(&strays->port, &strays->room, (strays->n + 1ul) * n, 1), 0);
	strays->lid[strays->n] = (uint16_t)(t->fabric->lid_count + strays->n);
	return memset(strays->port + (size_t)n * strays->n++, ODO_NO_PORT, n);
}

/* Entries like those that other tables have for some LID; a share of them, in percent, is missing
 * or leads elsewhere. */
static void draw_stray(odo_tables *t, const odo_tables *model, odo_rng *draw, unsigned spoilt)
{
	const odo_fabric *f = t->fabric;
	uint8_t *port = add_stray(t);
	uint32_t like = f->port_lid[f->host_slot[odo_rng_below(draw, f->n_hosts)]];
	for (uint32_t s = 0; s < f->n_switches; s++) {
		port[s] = odo_next_port(model, s, like);
		if (odo_rng_below(draw, 100) < spoilt)
			port[s] = (uint8_t)(odo_rng_below(draw, 3)
						    ? odo_rng_below(draw, odo_n_ports(f, s) + 2)
						    : ODO_NO_PORT);
	}
}

typedef struct walked {
	bool round, arrives, waits;
} walked;

/* A packet of SL 0 that came into switch s by port `in` (0: it starts there). */
static void walk_stray(naive *x, const uint8_t *port, uint32_t s, unsigned in, walked *seen)
{
	const odo_fabric *f = x->f;
	uint32_t held = ODO_NONE;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		if (!port[s])
			seen->arrives = true;
		if (!port[s] || port[s] > odo_n_ports(f, s))
			return;
		uint32_t slot = odo_slot(f, s, port[s]);
		if (odo_next_switch(f, slot) == ODO_NONE) {
			seen->arrives |= f->slot_host[slot] != ODO_NONE;
			return;
		}
		uint32_t channel = slot * NAIVE_VLS + odo_vl(x->t, s, in, port[s], 0);
		if (held != ODO_NONE) {
			x->waits[(size_t)held * x->n + channel] = 1;
			seen->waits = true;
		}
		held = channel;
		in = odo_port(f, f->peer[slot]);
		s = odo_next_switch(f, slot);
	}
	seen->round = true;
}

static walked walk_all(naive *x, const uint8_t *port)
{
	walked seen = {0};
	for (uint32_t s = 0; s < x->f->n_switches; s++) {
		walk_stray(x, port, s, 0, &seen);
		for (uint32_t i = x->f->first_slot[s]; i < x->f->first_slot[s + 1]; i++)
			if (x->f->slot_host[i] != ODO_NONE)
				walk_stray(x, port, s, odo_port(x->f, i), &seen);
	}
	return seen;
}

typedef struct tally {
	unsigned safe, round, closed, arrive, guessed;
} tally;

static void check_strays(const odo_tables *t, tally *n)
{
	odo_verdict verdict;
	odo_error err;
	naive x = naive_follow(t);
	uint32_t arrive = 0, wait = 0;
	bool round = false, known = t->n_sls == 1 || odo_tables_sls_alike(t);
	naive before = x;
	size_t size = (size_t)x.n * x.n + 1;
	before.waits = memcpy(malloc(size), x.waits, size);
	for (uint32_t i = 0; i < t->strays.n; i++) {
		walked seen = walk_all(&x, t->strays.port + (size_t)i * x.f->n_switches);
		round |= seen.round;
		arrive += seen.arrives;
		wait += seen.waits && !seen.round;
	}
	bool sound = naive_acyclic(known && !round ? &x : &before);
	int status = odo_verify(t, &verdict, &err);
	assert_int_equal(verdict.n_strays, t->strays.n);
	assert_int_equal(verdict.n_stray_arrivals, arrive);
	if (!round)
		assert_int_equal(verdict.n_stray_guesses, known ? 0 : wait);
	assert_int_equal(verdict.deadlock_free, sound && !round);
	if (status == ODO_EUNSAFE && !round)
		assert_true(strstr(verdict.text, "that no port of the fabric has"));
	n->safe += !status;
	n->round += round;
	n->closed += !sound;
	n->arrive += arrive != 0;
	n->guessed += verdict.n_stray_guesses != 0;
	odo_verdict_clear(&verdict);
	free(before.waits);
	free(x.waits);
}

static void each_verdict_is_what_walking_every_packet_finds(void **state)
{
	static const char *const specs[] = {"random:n=8,d=3,c=1", "torus:k=5,c=1",
					    "torus:k=3x3,c=1", "dragonfly:p=1,a=2,h=1"};
	static const char *const engines[] = {"updown", "layered", NULL};
	enum { N_SPECS = sizeof specs / sizeof *specs };
	tally n = {0};
	(void)state;
	for (unsigned i = 0; i < 40 * N_SPECS; i++) {
		fixture whole = make(specs[i % N_SPECS], 0);
		fixture x = damaged(&whole, 0, i % 2 ? 0.1 : 0, i);
		odo_rng draw = odo_rng_make(1, i);
		odo_tables *t = routed(&x, engines[i % 3]), *model = routed(&x, "layered");
		for (uint32_t k = odo_rng_below(&draw, 12); t && model && k; k--)
			draw_stray(t, model, &draw, i % 4 * 2);
		if (t)
			check_strays(t, &n);
		odo_tables_free(model);
		odo_tables_free(t);
		unmake(&x);
		unmake(&whole);
	}
	assert_true(n.safe > 10 && n.round > 10 && n.closed > 3 && n.arrive > 10 && n.guessed > 10);
}

/* Packets to a host that sleeps end at a switch without an entry. Until then they hold channels:
 * two cables of a ring each, and nobody goes on. */
static void packets_that_end_nowhere_may_deadlock(void **state)
{
	fixture x = make("torus:k=5,c=1", 0);
	odo_tables *t = routed(&x, "updown");
	odo_verdict verdict;
	odo_error err;
	(void)state;
	assert_int_equal(odo_verify(t, &verdict, &err), 0);
	for (uint32_t s = 0; s < 5; s++) {
		uint8_t *port = add_stray(t);
		for (uint32_t at = s; at != (s + 2) % 5; at = (at + 1) % 5) {
			unsigned to = 1;
			while (odo_next_switch(x.f, odo_slot(x.f, at, to)) != (at + 1) % 5)
				to++;
			port[at] = (uint8_t)to;
		}
	}
	assert_int_equal(odo_verify(t, &verdict, &err), ODO_EUNSAFE);
	assert_false(verdict.deadlock_free);
	assert_int_equal(verdict.n_stray_arrivals, 0);
	assert_true(strstr(verdict.text, "that no port of the fabric has"));
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_verdict_is_what_walking_every_packet_finds),
		cmocka_unit_test(packets_that_end_nowhere_may_deadlock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
