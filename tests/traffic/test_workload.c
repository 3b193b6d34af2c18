/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Workloads through a network of random delays: every message arrives where it belongs, nobody
 * runs ahead of what it waits for, and collectives compute what their name says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/traffic/workload_internal.h"
#include "emulator/traffic/workload_trace.h"
#include "base/options.h"
#include "base/random.h"
#include "tests/unit.h"

#define MAX_HOSTS 64

/** A packet on its way. */
struct flight {
	uint64_t arrival;
	uint32_t source, target, tag;
};

/** The delays and what was seen. */
struct network {
	struct flight flight[1 << 16];
	unsigned n;
	uint32_t pair[MAX_HOSTS][MAX_HOSTS]; /**< packets */
	uint64_t phits, packets, cycle;
	odo_rng rng;
};

static void deliver(struct network *net, odo_workload *w)
{
	for (unsigned i = 0; i < net->n;) {
		struct flight f = net->flight[i];
		if (f.arrival > net->cycle) {
			i++;
			continue;
		}
		net->flight[i] = net->flight[--net->n];
		w->arrived(w->state, f.target, f.source, f.tag, net->cycle);
	}
}

static bool inject(struct network *net, odo_workload *w, uint32_t host, uint32_t packet)
{
	odo_send send;
	uint64_t not_before = 0;
	/* At most two a cycle, as a host's queue would have it. */
	for (int i = 0; i < 2; i++) {
		if (!w->next(w->state, host, net->cycle, &send, &not_before))
			return not_before != UINT64_MAX;
		assert_in_range(send.phits, 1, packet);
		assert_int_not_equal(send.target, host);
		assert_true(net->n < sizeof net->flight / sizeof *net->flight);
		net->flight[net->n++] = (struct flight){
			net->cycle + 1 + odo_rng_below(&net->rng, 50), host, send.target, send.tag};
		net->pair[host][send.target]++;
		net->phits += send.phits;
		net->packets++;
	}
	return true;
}

/** Run until nobody has anything to do. */
static struct network *run(odo_workload *w, uint32_t n_hosts, uint32_t packet, uint64_t seed)
{
	struct network *net = calloc(1, sizeof *net);
	net->rng = odo_rng_make(seed, 99);
	for (bool busy = true; busy || net->n; net->cycle++) {
		busy = false;
		deliver(net, w);
		for (uint32_t h = 0; h < n_hosts; h++)
			busy |= inject(net, w, h, packet);
		assert_true(net->cycle < 2000000);
	}
	return net;
}

/** Ranks on every second host, from the last one down. */
static odo_workload_setup place(uint32_t n_ranks, uint32_t *host)
{
	for (uint32_t r = 0; r < n_ranks; r++)
		host[r] = 2 * (n_ranks - 1 - r);
	return (odo_workload_setup){.n_hosts = 2 * n_ranks,
				    .host = host,
				    .n_ranks = n_ranks,
				    .packet = 8,
				    .phit_bytes = 4,
				    .seed = 5};
}

static struct network *run_spec(const char *spec, uint32_t n_ranks)
{
	uint32_t host[MAX_HOSTS];
	odo_workload_setup setup = place(n_ranks, host);
	odo_workload w;
	odo_error err = {0};
	if (odo_workload_create(spec, &setup, &w, &err))
		fail_msg("%s: %s", spec, err.text);
	struct network *net = run(&w, setup.n_hosts, setup.packet, 3);
	odo_workload_free(&w);
	return net;
}

static uint32_t at(const struct network *net, uint32_t n, uint32_t from, uint32_t to)
{
	return net->pair[2 * (n - 1 - from)][2 * (n - 1 - to)];
}

static void all_to_all_sends_each_pair_one_message(void **state)
{
	(void)state;
	static const char *const specs[] = {"alltoall:bytes=100,order=linear", "alltoall:bytes=100",
					    "alltoall:bytes=100,sync=0",
					    "alltoall:bytes=100,order=own"};
	for (size_t k = 0; k < 4; k++)
		for (uint32_t n = 2; n <= 23; n += 7) {
			struct network *net = run_spec(specs[k], n);
			for (uint32_t i = 0; i < n; i++)
				for (uint32_t j = 0; j < n; j++) /* 25 phits: 8 + 8 + 8 + 1 */
					assert_int_equal(at(net, n, i, j), i == j ? 0 : 4);
			assert_int_equal(net->phits, 25ull * n * (n - 1));
			free(net);
		}
}

static void random_orders_differ_and_own_ones_by_rank(void **state)
{
	(void)state;
	odo_value value[ODO_MAX_OPTIONS];
	const odo_step_workload *all = odo_step_workloads;
	odo_step a, b, c;
	unsigned moved = 0, apart = 0;
	assert_string_equal(all->name, "alltoall");
	assert_int_equal(odo_spec_parse("alltoall:order=own", all->options, value, NULL), 0);
	for (uint32_t k = 0; k < 99; k++) {
		a = b = c = (odo_step){0};
		all->step(value, 100, 1, 0, k, &a);
		all->step(value, 100, 2, 0, k, &b);
		all->step(value, 100, 1, 1, k, &c);
		moved += a.peer[0] != b.peer[0];
		apart += a.peer[0] + 1 != c.peer[0];
	}
	assert_true(moved > 80);
	assert_true(apart > 80);
}

/* A random order is the same in every version: here of 16 others, where every bit of the cipher's
 * numbers is used. */
static void random_orders_stay_as_they_are(void **state)
{
	(void)state;
	odo_value value[ODO_MAX_OPTIONS];
	const odo_step_workload *all = odo_step_workloads;
	static const uint32_t order[16] = {16, 12, 10, 7, 6, 14, 4, 5, 13, 1, 15, 2, 11, 3, 9, 8};
	assert_int_equal(odo_spec_parse("alltoall", all->options, value, NULL), 0);
	for (uint32_t k = 0; k < 16; k++) {
		odo_step a = {0};
		all->step(value, 17, 1, 0, k, &a);
		assert_int_equal(a.peer[0], order[k]);
	}
}

/** For every row: what is sent in a step is expected in it, rank by rank. */
static void sends_and_receipts_of_a_step_agree(void **state)
{
	(void)state;
	for (const odo_step_workload *row = odo_step_workloads; row->name; row++)
		for (uint32_t n = 2; n < 40; n++) {
			odo_value value[ODO_MAX_OPTIONS] = {{0}};
			char spec[64];
			snprintf(spec, sizeof spec, "%s%s%ux1", row->name, ":size=", n);
			bool halo = row->check;
			assert_int_equal(
				odo_spec_parse(halo ? spec : row->name, row->options, value, NULL),
				0);
			uint64_t steps = row->n_steps(value, n);
			for (uint32_t k = 0; k < steps; k++) {
				int balance[40] = {0};
				for (uint32_t r = 0; r < n; r++) {
					odo_step step = {0};
					row->step(value, n, 1, r, k, &step);
					balance[r] -= (int)step.n_recvs;
					for (uint32_t i = 0; i < step.n_sends; i++)
						if (!step.unawaited)
							balance[step.peer[i]]++;
				}
				for (uint32_t r = 0; r < n; r++)
					assert_int_equal(balance[r], 0);
			}
		}
}

/** Who has contributed to what a rank holds, as a bit mask. */
static void doubling_brings_every_contribution_to_all(void **state)
{
	(void)state;
	const odo_step_workload *row = odo_step_workloads;
	while (strcmp(row->name, "doubling"))
		row++;
	odo_value value[ODO_MAX_OPTIONS];
	assert_int_equal(odo_spec_parse("doubling", row->options, value, NULL), 0);
	for (uint32_t n = 2; n <= 64; n++) {
		uint64_t has[64], next[64];
		for (uint32_t r = 0; r < n; r++)
			has[r] = 1ull << r;
		for (uint32_t k = 0; k < row->n_steps(value, n); k++) {
			memcpy(next, has, sizeof has);
			for (uint32_t r = 0; r < n; r++) {
				odo_step step = {0};
				row->step(value, n, 1, r, k, &step);
				for (uint32_t i = 0; i < step.n_sends; i++)
					next[step.peer[i]] |= has[r];
			}
			memcpy(has, next, sizeof has);
		}
		for (uint32_t r = 0; r < n; r++)
			assert_true(has[r] == (n == 64 ? ~0ull : (1ull << n) - 1));
	}
}

static void ring_passes_pieces_to_the_next_rank(void **state)
{
	(void)state;
	struct network *net = run_spec("ring:bytes=1000", 10);
	for (uint32_t i = 0; i < 10; i++)
		for (uint32_t j = 0; j < 10; j++) /* 18 steps of 100 bytes: 25 phits */
			assert_int_equal(at(net, 10, i, j), j == (i + 1) % 10 ? 18 * 4 : 0);
	/* A piece cannot be passed on before it is here: 18 flights of 1 cycle or more. */
	assert_true(net->cycle > 18);
	free(net);
}

static void halo_reaches_both_neighbours_in_each_dimension(void **state)
{
	(void)state;
	struct network *net = run_spec("halo:size=3x4,bytes=32,rounds=5", 12);
	for (uint32_t i = 0; i < 12; i++)
		for (uint32_t j = 0; j < 12; j++) {
			uint32_t dx = (i / 4 + 3 - j / 4) % 3, dy = (i % 4 + 4 - j % 4) % 4;
			bool next = (dx != 0 && dy == 0) || (dx == 0 && dy % 2);
			assert_int_equal(at(net, 12, i, j), next ? 5 : 0);
		}
	free(net);
	net = run_spec("halo:size=2x3x2,bytes=32,rounds=1,wrap=0", 12);
	assert_int_equal(net->packets, 2 * (6 + 8 + 6)); /* two ways on each edge of the grid */
	free(net);
}

static void computing_delays_each_round(void **state)
{
	(void)state;
	struct network *net = run_spec("halo:size=4,bytes=4,rounds=3,compute=1000", 4);
	assert_in_range(net->cycle, 3000, 3500);
	free(net);
}

/* Traces. */

static const char *const good =
	"trace 1\nranks 3\nrank 0\ncompute 500\nsend 1 65536 after 1\nrecv 2 64 tag 7 after 2\n"
	"rank 1\nrecv 0 65536\nsend 2 65536 after 1 # on\n\nrank 2\nrecv 1 65536\n"
	"send 0 64 tag 7 after 1\n";

static struct network *replay(const char *text, uint32_t n_ranks)
{
	char path[] = "/tmp/odonata-trace-XXXXXX", spec[64];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	snprintf(spec, sizeof spec, "trace:%s", path);
	struct network *net = run_spec(spec, n_ranks);
	unlink(path);
	return net;
}

static void trace_keeps_its_dependencies(void **state)
{
	(void)state;
	struct network *net = replay(good, 4);
	assert_int_equal(at(net, 4, 0, 1), 2048);
	assert_int_equal(at(net, 4, 1, 2), 2048);
	assert_int_equal(at(net, 4, 2, 0), 2);
	assert_int_equal(net->packets, 4098);
	/* 500 cycles, then twice 1,024 cycles of injection one after the other. */
	assert_true(net->cycle > 500 + 2 * 1024);
	free(net);
}

static void computing_overlaps_unless_it_comes_after(void **state)
{
	(void)state;
	const char *together = "trace 1\nranks 2\nrank 0\ncompute 900\ncompute 900\n"
			       "send 1 4 after 1 2\nrank 1\nrecv 0 4\n";
	const char *in_turn = "trace 1\nranks 2\nrank 0\ncompute 900\ncompute 900 after 1\n"
			      "send 1 4 after 1 2\nrank 1\nrecv 0 4\n";
	struct network *net = replay(together, 2);
	assert_in_range(net->cycle, 900, 1000);
	free(net);
	net = replay(in_turn, 2);
	assert_in_range(net->cycle, 1800, 1900);
	free(net);
}

static void random_traces_end(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(4, 0);
	for (int round = 0; round < 50; round++) {
		/* Messages in a global order are a trace that can end. */
		static char line[8][1 << 16];
		unsigned number[8] = {0};
		char text[1 << 19], *to = text;
		uint64_t packets = 0;
		for (int r = 0; r < 8; r++)
			sprintf(line[r], "rank %d\n", r);
		for (int m = 0; m < 200; m++) {
			uint32_t a = odo_rng_below(&rng, 8),
				 b = (a + 1 + odo_rng_below(&rng, 7)) % 8;
			uint32_t bytes = odo_rng_below(&rng, 300), phits = (bytes + 3) / 4;
			uint32_t tag = odo_rng_below(&rng, 2);
			const char *const kind[] = {"send", "recv"};
			packets += phits ? (phits + 7) / 8 : 1;
			for (int k = 0; k < 2; k++) {
				uint32_t me = k ? b : a, you = k ? a : b;
				char *end = line[me] + strlen(line[me]);
				end += sprintf(end, "%s %u %u tag %u", kind[k], you, bytes, tag);
				if (number[me]++)
					end += sprintf(end, " after %u",
						       1 + odo_rng_below(&rng, number[me] - 1));
				sprintf(end, "\n");
			}
		}
		to += sprintf(to, "trace 1\nranks 8\n");
		for (int r = 0; r < 8; r++)
			to += sprintf(to, "%s", line[r]);
		struct network *net = replay(text, 8);
		assert_int_equal(net->packets, packets);
		free(net);
	}
}

static void bad_traces_are_refused_with_their_line(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"trace 0\nranks 2\n", "t:1: expected version 1, found \"0\""},
		{"trace 1\nranks 1\n", "t:2: expected 2 to 16777216 ranks, found \"1\""},
		{"# a\n\ntrace 1\n \n# b\nranks 1\n", "t:6: expected 2 to 16777216 ranks"},
		{"trace 1\nranks 2\nrank 0\nsend 1 8 after\nrank 1\nrecv 0 8\n",
		 "t:4: expected the number of an earlier operation of this rank, found the end"},
		{"", "t:1: expected \"trace 1\", found the end"},
		{"trace 2\n", "t:1: expected version 1, found \"2\""},
		{"trace 1 x\n", "t:1: expected the end of the line, found \"x\""},
		{"trace 1\nranks 1\n", "t:2: expected 2 to 16777216 ranks"},
		{"trace 1\nranks -3\n", "t:2: expected 2 to 16777216 ranks, found \"-3\""},
		{"trace 1\nranks 99999999999999999999\n", "t:2: expected 2 to"},
		{"trace 1\nranks 2\nsend 1 5\n", "t:3: expected \"rank N\" first"},
		{"trace 1\nranks 2\nrank 2\n", "t:3: expected a rank of the trace"},
		{"trace 1\nranks 2\nrank 1\nrank 0\n", "t:4: expected ranks in rising order"},
		{"trace 1\nranks 2\nrank 0\nput 1 5\n", "t:4: expected rank, send, recv or comp"},
		{"trace 1\nranks 2\nrank 0\nsend 0 5\n", "t:4: expected another rank"},
		{"trace 1\nranks 2\nrank 0\nsend 1\n", "t:4: expected bytes, found the end"},
		{"trace 1\nranks 2\nrank 0\nsend 1 5 tog\n", "t:4: expected \"tag\", \"after\""},
		{"trace 1\nranks 2\nrank 0\ncompute 5 tag 1\n", "t:4: expected \"tag\", \"after\""},
		{"trace 1\nranks 2\nrank 0\ncompute 5 after 1\n", "t:4: expected the number of an"},
		{"trace 1\nranks 2\nrank 0\ncompute 5\ncompute 5 after 0\n",
		 "t:5: expected operat"},
		{"trace 1\nranks 2\nrank 0\nsend 1 5\n",
		 "t:4: expected a recv of rank 1 with tag 0"},
		{"trace 1\nranks 2\nrank 0\nrecv 1 5\n",
		 "t:4: expected a send of rank 1 with tag 0"},
		{"trace 1\nranks 2\nrank 0\nsend 1 5\nsend 1 5 tag 1\nrank 1\nrecv 0 5\n",
		 "t:5: expected a recv"},
		{"trace 1\nranks 2\nrank 0\nsend 1 5\nrank 1\nrecv 0 6\n",
		 "t:6: expected 5 bytes, as line 4 sends, found 6"},
		{"trace 1\nranks 2\nrank 0\nrecv 1 5\nsend 1 5 after 1\nrank 1\nrecv 0 5\n"
		 "send 0 5 after 1\n",
		 "expected operations that can all be done"},
	};
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		odo_error err = {0};
		odo_trace *trace;
		assert_int_equal(
			odo_trace_parse("t", bad[i][0], strlen(bad[i][0]), 0, &trace, &err),
			ODO_EINPUT);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("trace %zu: %s", i, err.text);
	}
	odo_error err = {0};
	odo_trace *trace;
	assert_int_equal(odo_trace_parse("t", "trace 1\nranks 2\n\0x", 18, 0, &trace, &err),
			 ODO_EINPUT);
	assert_non_null(strstr(err.text, "t:3: expected text, found a zero byte"));
	assert_int_equal(odo_trace_parse("t", "trace 1\nranks 2 #\0x", 18, 0, &trace, &err),
			 ODO_EINPUT);
	assert_non_null(strstr(err.text, "t:2: expected text, found a zero byte"));
}

/** Bytes changed, cut out and doubled at random: refused in one line, or a sound trace. */
static void damaged_traces_never_harm(void **state)
{
	(void)state;
	odo_rng rng = odo_rng_make(8, 0);
	static const char letters[] = "0123456789 \n#\tsendrecvrankafter-\377";
	size_t size = strlen(good);
	unsigned refused = 0;
	for (int round = 0; round < 20000; round++) {
		char text[600];
		size_t n = size;
		memcpy(text, good, size);
		for (uint32_t k = 1 + odo_rng_below(&rng, 4); k; k--) {
			size_t i = odo_rng_below(&rng, (uint32_t)n);
			uint32_t what = odo_rng_below(&rng, 3);
			if (what == 0)
				text[i] = letters[odo_rng_below(&rng, sizeof letters - 1)];
			else if (what == 1)
				n = i + 1;
			else
				memmove(text + i, text + i + 1, --n - i);
			n += n == 0;
		}
		text[n] = '\0';
		odo_trace *trace;
		odo_error err = {0};
		int status = odo_trace_parse("t", text, n, 0, &trace, &err);
		refused += status != 0;
		if (status)
			assert_true(status == ODO_EINPUT && !strncmp(err.text, "t:", 2) &&
				    !strchr(err.text, '\n'));
		else
			odo_trace_free(trace);
	}
	assert_in_range(refused, 10000, 20000);
}

static void bad_specs_are_refused(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"alltogether", "expected a workload of alltoall"},
		{"halo:bytes=5", "expected size="},
		{"halo:size=3x3", "expected a size of 4 ranks, found one of 9"},
		{"halo:size=1x2x1x2x1", "up to four dimensions"},
		{"halo:size=65535x65535x65535x65535", "expected a size of 4 ranks"},
		{"ring:bytes=x", "expected bytes=a number"},
		{"trace:/nowhere", "cannot open"},
		{"ring:rounds=1048577", "from 1 to 1048576"},
	};
	uint32_t host[MAX_HOSTS];
	odo_workload_setup setup = place(4, host);
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		odo_workload w;
		odo_error err = {0};
		assert_true(odo_workload_create(bad[i][0], &setup, &w, &err) < 0);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], err.text);
	}
}

static uint64_t steps_beyond_32_bits(const odo_value *value, uint32_t n_ranks)
{
	(void)value;
	return UINT32_MAX + (uint64_t)(n_ranks - 4);
}

/* The last number means that there is none. */
static void too_many_steps_are_refused(void **state)
{
	(void)state;
	uint32_t host[MAX_HOSTS];
	odo_step_workload row = odo_step_workloads[0];
	odo_value value[ODO_MAX_OPTIONS] = {0};
	row.n_steps = steps_beyond_32_bits;
	for (uint32_t n = 4; n < 6; n++) {
		odo_workload_setup setup = place(n, host);
		odo_workload w;
		odo_error err = {0};
		assert_int_equal(odo_workload_steps(&row, value, &setup, &w, &err), ODO_EINPUT);
		assert_non_null(strstr(err.text, "expected fewer than 4,294,967,295 steps"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_specs_are_refused),
		cmocka_unit_test(too_many_steps_are_refused),
		cmocka_unit_test(bad_traces_are_refused_with_their_line),
		cmocka_unit_test(damaged_traces_never_harm),
		cmocka_unit_test(random_orders_stay_as_they_are),
		cmocka_unit_test(sends_and_receipts_of_a_step_agree),
		cmocka_unit_test(all_to_all_sends_each_pair_one_message),
		cmocka_unit_test(random_orders_differ_and_own_ones_by_rank),
		cmocka_unit_test(doubling_brings_every_contribution_to_all),
		cmocka_unit_test(ring_passes_pieces_to_the_next_rank),
		cmocka_unit_test(halo_reaches_both_neighbours_in_each_dimension),
		cmocka_unit_test(computing_delays_each_round),
		cmocka_unit_test(trace_keeps_its_dependencies),
		cmocka_unit_test(computing_overlaps_unless_it_comes_after),
		cmocka_unit_test(random_traces_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
