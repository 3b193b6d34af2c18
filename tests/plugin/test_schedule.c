/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The schedule of reading back, by a simulated clock, beside a model that notes when it read each
 * table. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plugin/opensm/schedule.h"
#include "tests/unit.h"

enum { SECOND = 1000, MOST_SWITCHES = 40, MOST_TABLES = 200, MOST_SENT = 200000 };

typedef struct model {
	odo_schedule schedule;
	uint64_t now, read[MOST_SWITCHES][MOST_TABLES]; /* ms at which a table was read last */
	uint64_t longest;                               /* ms between two reads of a table */
	uint64_t longest_touch, touch[MOST_SWITCHES];   /* between two of any tables of a switch */
	unsigned n_sent;
	uint64_t sent[MOST_SENT]; /* ms at which each MAD was sent */
} model;

static void set_switches(model *m, unsigned n, unsigned tables, unsigned sweep, uint32_t digest)
{
	odo_reading *list = odo_new(n, sizeof *list);
	assert_non_null(list);
	for (unsigned s = 0; s < n; s++) {
		list[s] = (odo_reading){.guid = 100 + s, .n_mads = tables + s};
		list[s].digest[3] = digest;
	}
	odo_schedule_replace(&m->schedule, list, n, m->now, sweep);
}

static model *begin(unsigned n, unsigned tables, uint64_t period, unsigned rate)
{
	model *m = odo_new(1, sizeof *m);
	assert_non_null(m);
	m->now = 5000 * SECOND;
	m->schedule.period = period;
	m->schedule.rate = rate;
	set_switches(m, n, tables, 1, 7);
	for (unsigned s = 0; s < n; s++) {
		m->touch[s] = m->now;
		for (unsigned i = 0; i < MOST_TABLES; i++)
			m->read[s][i] = m->now;
	}
	return m;
}

static void end(model *m)
{
	odo_schedule_clear(&m->schedule);
	free(m);
}

static void note_read(model *m, unsigned s, unsigned i)
{
	uint64_t since = m->now - m->read[s][i], touch = m->now - m->touch[s];
	m->longest = since > m->longest ? since : m->longest;
	m->longest_touch = touch > m->longest_touch ? touch : m->longest_touch;
	m->read[s][i] = m->touch[s] = m->now;
	assert_true(m->n_sent < MOST_SENT);
	m->sent[m->n_sent++] = m->now;
}

/* Read what is due, as in_turn.c does. */
static void read_due(model *m)
{
	odo_schedule *x = &m->schedule;
	odo_schedule_credit(x, m->now);
	for (unsigned most; (most = odo_schedule_may_ask(x));) {
		odo_reading *r = odo_schedule_next(x);
		if (!r)
			return;
		unsigned i = x->part + x->next * ODO_PARTS, n = 0;
		if (!x->next)
			x->began = x->now;
		for (; i < r->n_mads && n < most; i += ODO_PARTS, n++)
			note_read(m, (unsigned)(r->guid - 100), i);
		odo_schedule_asked(x, n, false);
		if (i < r->n_mads)
			x->next = i / ODO_PARTS;
		else
			odo_schedule_end_part(x, r, true);
	}
}

/* @param late the thread wakes up so many ms later than it wanted */
static void pass(model *m, uint64_t ms, uint64_t late)
{
	uint64_t until = m->now + ms;
	while (m->now < until) {
		read_due(m);
		uint64_t wait = odo_schedule_wait(&m->schedule);
		assert_true(wait > 0);
		m->now += (wait < until - m->now ? wait : until - m->now) + late;
	}
}

/* Return the most MADs of any window. */
static unsigned most_within(const model *m, uint64_t ms)
{
	unsigned most = 0;
	for (unsigned i = 0, from = 0; i < m->n_sent; i++) {
		while (m->sent[i] - m->sent[from] >= ms)
			from++;
		most = i + 1 - from > most ? i + 1 - from : most;
	}
	return most;
}

static const struct {
	unsigned n, tables, seconds, rate;
	uint64_t late;
} fabrics[] = {{1, 1, 600, 1000, 0},  {1, 17, 1, 100, 0},    {3, 60, 600, 1000, 0},
	       {3, 60, 10, 1000, 50}, {40, 150, 600, 12, 0}, {40, 150, 60, 500, 3},
	       {40, 3, 10, 200, 7},   {7, 16, 86400, 1, 0}};

/* Each block and each map, of every switch. */
static void every_table_is_read_within_the_period(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, fabrics, NULL); i++) {
		uint64_t period = (uint64_t)fabrics[i].seconds * SECOND;
		model *m = begin(fabrics[i].n, fabrics[i].tables, period, fabrics[i].rate);
		pass(m, 4 * period, fabrics[i].late);
		assert_true(m->longest <= period);
		for (unsigned s = 0; s < fabrics[i].n; s++)
			for (unsigned k = 0; k < fabrics[i].tables + s; k++)
				assert_true(m->now - m->read[s][k] <= period);
		/* And not much more often than is needed. */
		assert_true(m->n_sent <= 5 * m->schedule.n_mads + 16);
		assert_int_equal(m->n_sent, m->schedule.n_asked);
		end(m);
	}
}

/* A switch that has lost all tables is found long before all its tables are read again. */
static void some_table_of_each_switch_is_read_often(void **state)
{
	(void)state;
	model *m = begin(40, 150, 600 * SECOND, 1000);
	pass(m, 2000 * SECOND, 0);
	assert_true(m->longest_touch <= 600 * SECOND / ODO_PARTS);
	end(m);
}

static void no_more_mads_are_sent_than_the_rate_allows(void **state)
{
	(void)state;
	static const unsigned rates[] = {1, 5, 16, 100, 4000};
	for (size_t i = 0; TEST_ROW(i, rates, NULL); i++) {
		model *m = begin(40, 150, SECOND / 10, rates[i]); /* more than any rate allows */
		uint64_t seconds = rates[i] > 1000 ? 20 : 200;
		pass(m, seconds / 2 * SECOND, 0);
		m->now += 3600 * SECOND; /* a long sweep saves up nothing but a second's */
		pass(m, seconds / 2 * SECOND, 0);
		assert_true(most_within(m, SECOND) <= 2 * rates[i]);
		assert_true(most_within(m, 10 * SECOND) <= 11 * rates[i]);
		assert_in_range(m->n_sent, (seconds - 2) * rates[i], (seconds + 2) * rates[i]);
		/* Reading everything at the rate takes longer than the period, and it says so. */
		uint64_t round = odo_schedule_round(&m->schedule);
		assert_in_range(round, m->schedule.n_mads * SECOND / rates[i],
				m->schedule.n_mads * SECOND / rates[i] + 1);
		end(m);
	}
}

/* Tables that are read because of a doubt count, too. */
static void urgent_reading_keeps_the_rate(void **state)
{
	(void)state;
	model *m = begin(4, 50, 600 * SECOND, 100);
	unsigned n = 0;
	for (uint64_t start = m->now; m->now < start + 20 * SECOND; n += 50) {
		odo_schedule_credit(&m->schedule, m->now);
		m->now += odo_schedule_pause(&m->schedule, 50);
		odo_schedule_asked(&m->schedule, 50, true);
	}
	assert_in_range(n, 2000, 2200); /* a second's worth was saved up */
	assert_int_equal(odo_schedule_may_ask(&m->schedule), 0);
	end(m);
}

/* During a sweep nothing is read; what was missed is made up for at the rate. */
static void a_sweep_delays_only_by_its_length(void **state)
{
	(void)state;
	model *m = begin(20, 50, 100 * SECOND, 1000);
	for (unsigned i = 0; i < 20; i++) {
		pass(m, 13 * SECOND, 0);
		m->now += 9 * SECOND;
	}
	assert_true(m->longest <= 109 * SECOND);
	end(m);
}

static void age_is_that_of_the_oldest_table(void **state)
{
	(void)state;
	model *m = begin(5, 40, 50 * SECOND, 1000);
	assert_int_equal(odo_schedule_seen(&m->schedule).n, 0);
	assert_int_equal(odo_schedule_seen(&m->schedule).oldest, m->now); /* sent then */
	pass(m, 20 * SECOND, 0);
	assert_int_equal(odo_schedule_seen(&m->schedule).n, 0); /* only some tables */
	pass(m, 200 * SECOND, 0);
	odo_seen seen = odo_schedule_seen(&m->schedule);
	assert_int_equal(seen.n, 5);
	uint64_t oldest = UINT64_MAX;
	for (unsigned s = 0; s < 5; s++)
		for (unsigned i = 0; i < 40 + s; i++)
			oldest = m->read[s][i] < oldest ? m->read[s][i] : oldest;
	/* A part counts from its first MAD, and once it was read as a whole. */
	assert_true(seen.oldest <= oldest && seen.oldest + 4 * SECOND >= oldest);
	end(m);
}

static void new_tables_are_not_seen_yet(void **state)
{
	(void)state;
	model *m = begin(3, 40, 50 * SECOND, 1000);
	pass(m, 100 * SECOND, 0);
	const odo_reading *first = odo_schedule_find(&m->schedule, 100);
	uint64_t sent = first->sent, seen = odo_reading_seen(first);
	assert_true(seen);
	set_switches(m, 3, 40, 2, 7); /* the same ones */
	first = odo_schedule_find(&m->schedule, 100);
	assert_int_equal(odo_reading_seen(first), seen);
	assert_true(first->sent == sent && first->sent_sweep == 1);
	set_switches(m, 3, 40, 3, 8); /* other ones in one part */
	first = odo_schedule_find(&m->schedule, 100);
	assert_int_equal(odo_reading_seen(first), 0);
	assert_true(first->seen[3] == 0 && first->seen[4] >= seen);
	assert_true(first->sent == m->now && first->sent_sweep == 3);
	set_switches(m, 4, 40, 4, 8); /* a switch has come */
	assert_int_equal(odo_schedule_find(&m->schedule, 103)->sent_sweep, 4);
	assert_int_equal(odo_schedule_find(&m->schedule, 100)->sent_sweep, 3);
	assert_null(odo_schedule_find(&m->schedule, 104));
	pass(m, 100 * SECOND, 0);
	assert_int_equal(odo_schedule_seen(&m->schedule).n, 4);
	end(m);
}

/* Sweeps read them. Others do not wait for them. */
static void switches_in_doubt_are_left_out(void **state)
{
	(void)state;
	model *m = begin(3, 40, 50 * SECOND, 1000);
	odo_schedule_find(&m->schedule, 101)->doubt = 1;
	pass(m, 100 * SECOND, 0);
	assert_int_equal(odo_schedule_seen(&m->schedule).n, 2);
	assert_int_equal(odo_schedule_seen(&m->schedule).n_doubts, 1);
	assert_int_equal(odo_reading_seen(odo_schedule_find(&m->schedule, 101)), 0);
	odo_reading_is_right(odo_schedule_find(&m->schedule, 101), m->now);
	assert_int_equal(odo_schedule_seen(&m->schedule).n, 3);
	for (unsigned s = 0; s < 3; s++)
		odo_schedule_find(&m->schedule, 100 + s)->doubt = 1;
	assert_null(odo_schedule_next(&m->schedule));
	end(m);
}

static void nothing_is_read_where_that_is_off(void **state)
{
	(void)state;
	model *m = begin(3, 40, 0, 1000);
	assert_int_equal(odo_schedule_wait(&m->schedule), UINT64_MAX);
	m->now += 86400 * (uint64_t)SECOND;
	odo_schedule_credit(&m->schedule, m->now);
	assert_int_equal(odo_schedule_may_ask(&m->schedule), 0);
	assert_int_equal(odo_schedule_round(&m->schedule), 0);
	end(m);
	m = begin(0, 0, 600 * SECOND, 1000);
	assert_int_equal(odo_schedule_wait(&m->schedule), UINT64_MAX);
	assert_null(odo_schedule_next(&m->schedule));
	assert_int_equal(odo_schedule_seen(&m->schedule).oldest, 0);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_is_read_within_the_period),
		cmocka_unit_test(some_table_of_each_switch_is_read_often),
		cmocka_unit_test(no_more_mads_are_sent_than_the_rate_allows),
		cmocka_unit_test(urgent_reading_keeps_the_rate),
		cmocka_unit_test(a_sweep_delays_only_by_its_length),
		cmocka_unit_test(age_is_that_of_the_oldest_table),
		cmocka_unit_test(new_tables_are_not_seen_yet),
		cmocka_unit_test(switches_in_doubt_are_left_out),
		cmocka_unit_test(nothing_is_read_where_that_is_off),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
