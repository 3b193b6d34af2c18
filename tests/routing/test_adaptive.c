/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier follows every choice of an adaptive routing. A toy on a complete graph stands
 * for engines: it may be told to do what is wrong. */
#include "fixture.h"
#include "routing/adaptive.h"

enum {
	SOUND,       /* direct, or first to any switch on VL 1 and then direct on VL 0 */
	ONE_VL,      /* the same on one VL */
	DEAD_END,    /* no way on at switch 2 on VL 1 */
	WRONG_HOST,  /* delivers to the port of another */
	OVER_BUDGET, /* VL 9 */
	ESCAPED,     /* wanders for ever on VL 1; VL 0, direct, is the escape */
	UNESCAPED,   /* the same, and switch 2 offers no escape */
	NARROW,      /* delivers on VL 1 where hosts' cables have one VL */
	UNLIKE,      /* calls LIDs alike that are not */
	ASTRAY,      /* the last LID, called alike, is not delivered from one of many ports */
};

static int mode_of(const odo_tables *t)
{
	return *(const int *)t->adaptive->state;
}

static uint8_t inject(const odo_tables *t, uint32_t host, uint32_t lid)
{
	(void)host;
	(void)lid;
	return mode_of(t) == OVER_BUDGET ? 9 : 0;
}

static unsigned deliver(const odo_tables *t, uint32_t lid, unsigned in_port, odo_candidate *way)
{
	bool astray = mode_of(t) == ASTRAY && lid == t->fabric->lid_count - 1 && in_port == 9;
	unsigned wrong = astray || (mode_of(t) == WRONG_HOST && lid % 2);
	way[0] = (odo_candidate){.port = (uint8_t)(t->fabric->lid_port[lid] + wrong),
				 .vl = mode_of(t) == NARROW};
	return 1;
}

static unsigned ways(const odo_tables *t, uint32_t s, unsigned in_port, unsigned in_vl,
		     uint32_t lid, odo_candidate *way)
{
	const odo_fabric *f = t->fabric;
	int mode = mode_of(t);
	uint32_t home = f->lid_switch[lid], from = odo_neighbour(f, odo_slot(f, s, in_port));
	bool first = !odo_is_switch(f, from), wanders = mode == ESCAPED || mode == UNESCAPED;
	unsigned n = 0;
	if (s == home)
		return deliver(t, lid, in_port, way);
	if (mode == DEAD_END && s == 2 && in_vl == 1)
		return 0;
	for (unsigned port = 1; port <= odo_n_ports(f, s); port++) {
		uint32_t to = odo_next_switch(f, odo_slot(f, s, port));
		if (to == ODO_NONE)
			continue;
		if (to == home && !(mode == UNESCAPED && s == 2))
			way[n++] = (odo_candidate){.port = (uint8_t)port, .escape = wanders};
		else if (to != home && (first || (wanders && in_vl == 1)))
			way[n++] = (odo_candidate){
				.port = (uint8_t)port, .vl = mode == ONE_VL ? 0 : 1, .priority = 1};
	}
	if (mode == UNLIKE && lid % 2)
		n = 1;
	return n;
}

static unsigned all_alike(const odo_tables *t, uint32_t lid)
{
	(void)t;
	(void)lid;
	return 0;
}

static int verify_toy(int mode, odo_verdict *verdict, odo_error *err)
{
	fixture x = make(mode == ASTRAY ? "flatfly:k=30,c=2" : "flatfly:k=4,c=2", 0);
	odo_tables *t;
	for (uint32_t h = 0; mode == NARROW && h < x.f->n_hosts; h++)
		x.f->n_vls[x.f->host_slot[h]] = x.f->n_vls[x.f->peer[x.f->host_slot[h]]] = 1;
	assert_int_equal(odo_tables_create(x.f, "toy", &t, err), 0);
	t->profile = ODO_PROFILE_IB_EXT;
	t->n_vls = 2;
	t->adaptive = calloc(1, sizeof *t->adaptive);
	*t->adaptive = (odo_adaptive){.state = &mode,
				      .inject = inject,
				      .candidates = ways,
				      .alike = mode >= UNLIKE ? all_alike : NULL,
				      .has_escape = mode == ESCAPED || mode == UNESCAPED};
	int status = odo_verify(t, verdict, err);
	odo_tables_free(t);
	unmake(&x);
	return status;
}

static void expect(int mode, int status, const char *said)
{
	odo_verdict verdict;
	odo_error err = {0};
	assert_int_equal(verify_toy(mode, &verdict, &err), status);
	if (said && !strstr(verdict.text, said))
		fail_msg("expected \"%s\" in \"%s\"", said, verdict.text);
	odo_verdict_clear(&verdict);
}

static void sound_choices_pass(void **state)
{
	(void)state;
	odo_verdict verdict;
	odo_error err = {0};
	assert_int_equal(verify_toy(SOUND, &verdict, &err), 0);
	assert_int_equal(verdict.max_hops, 2);
	assert_true(verdict.n_dependencies > 0);
	odo_verdict_clear(&verdict);
}

static void cycles_among_choices_are_found(void **state)
{
	(void)state;
	expect(ONE_VL, ODO_EUNSAFE, "deadlock");
}

static void missing_ways_are_found(void **state)
{
	(void)state;
	expect(DEAD_END, ODO_EUNSAFE, "no way on");
	expect(WRONG_HOST, ODO_EUNSAFE, "not delivered");
	expect(OVER_BUDGET, ODO_EUNSAFE, "needs VL 9");
	expect(NARROW, ODO_EUNSAFE, "needs VL 1");
}

static void escape_channels_must_be_offered_everywhere(void **state)
{
	(void)state;
	odo_verdict verdict;
	odo_error err = {0};
	assert_int_equal(verify_toy(ESCAPED, &verdict, &err), 0);
	assert_int_equal(verdict.max_hops, ODO_NONE);
	odo_verdict_clear(&verdict);
	expect(UNESCAPED, ODO_EUNSAFE, "no escape channel");
}

static void false_likeness_is_found(void **state)
{
	(void)state;
	expect(UNLIKE, ODO_EUNSAFE, "declared alike");
	expect(ASTRAY, ODO_EUNSAFE, "not delivered");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_choices_pass),
		cmocka_unit_test(cycles_among_choices_are_found),
		cmocka_unit_test(missing_ways_are_found),
		cmocka_unit_test(escape_channels_must_be_offered_everywhere),
		cmocka_unit_test(false_likeness_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
