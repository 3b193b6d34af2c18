/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pairs of hosts from a file: what is written is read, what is wrong is refused with its line, and
 * packets of the worst permutation get what the analyser says, which is below what others get. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emulator/traffic/flows.h"
#include "routing/analyze/worst.h"
#include "saturation/bound.h"
#include "tests/emulator/rig.h"

/** A file, "flows:FILE" in front of its name. */
struct file {
	char spec[64];
	int fd;
};

static struct file make_file(void)
{
	struct file file = {.spec = ODO_FLOWS_PREFIX "/tmp/odonata-flows-XXXXXX"};
	file.fd = mkstemp(file.spec + strlen(ODO_FLOWS_PREFIX));
	assert_true(file.fd >= 0);
	return file;
}

static void remove_file(const struct file *file)
{
	unlink(file->spec + strlen(ODO_FLOWS_PREFIX));
}

static void write_flows(struct file *file, const odo_fabric *f, const uint32_t *to)
{
	FILE *out = fdopen(file->fd, "w");
	assert_non_null(out);
	odo_flows_write(f, to, out);
	assert_int_equal(fclose(out), 0);
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	uint32_t n = r.fabric->n_hosts, *to = calloc(n, sizeof *to);
	assert_non_null(to);
	for (uint32_t h = 0; h < n; h++) /* one in three silent, and host 0 sent to by two */
		to[h] = h % 3 == 2 ? ODO_NONE : h == 3 ? 0 : (h * 5 + 10) % n;
	to[7] = 0;
	struct file file = make_file();
	write_flows(&file, r.fabric, to);
	for (unsigned known = 0; known < 2; known++) {
		odo_traffic *traffic;
		odo_error err;
		assert_int_equal(odo_traffic_create(file.spec, r.fabric,
						    known ? r.coordinates : NULL, 1, &traffic,
						    &err),
				 0);
		for (uint32_t h = 0; h < n; h++) {
			odo_rng rng = odo_rng_make(1, h);
			uint32_t expected = to[h] == h ? ODO_NONE : to[h];
			assert_int_equal(odo_traffic_destination(traffic, h, &rng, 0), expected);
		}
		odo_traffic_free(traffic);
	}
	remove_file(&file);
	free(to);
	rig_free(&r);
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
	(void)state;
	/* %A and %B are the port GUIDs of the two hosts. */
	static const char *const bad[][2] = {
		{"", ":1: expected \"flows 1\""},
		{"# nothing\n\n", ":1: expected \"flows 1\""},
		{"flows 2\n", ":1: expected"},
		{"0x1 0x2\n", ":1: expected \"flows 1\""},
		{"flows 1\n", "expected hosts to send to others"},
		{"flows 1\n\n0x1 0x2\n", ":3: expected the port GUID of a host"},
		{"flows 1\nA B\n", ":2: expected the port GUID of a host"},
		{"flows 1\nhost\n", ":2: expected a port GUID in hexadecimal"},
		{"flows 1\n%A\n", ":2: expected a port GUID in hexadecimal"},
		{"flows 1\n%A %B more\n", ":2: expected the end of the line"},
		{"flows 1\n%A %B # and\n%A %A\n", ":3: expected a host that does not send already"},
	};
	struct rig r;
	rig_make(&r, "flatfly:k=2,c=1", "ofar", "uniform", NULL);
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		struct file file = make_file();
		FILE *out = fdopen(file.fd, "w");
		assert_non_null(out);
		for (const char *at = bad[i][0]; *at; at++) {
			if (*at != '%')
				fputc(*at, out);
			else
				fprintf(out, "0x%llx",
					(unsigned long long)r.fabric
						->port_guid[r.fabric->host_slot[*++at - 'A']]);
		}
		assert_int_equal(fclose(out), 0);
		odo_traffic *traffic;
		odo_error err = {0};
		assert_true(odo_traffic_create(file.spec, r.fabric, NULL, 1, &traffic, &err) < 0);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("\"%s\": %s", bad[i][0], err.text);
		remove_file(&file);
	}
	rig_free(&r);
}

/* Senders share the one cable: together they get what it carries, and below the bound all they ask
 * for. Packets that are on their way count where they arrive, so a run is off by a few. */
static void the_worst_permutation_gets_what_its_bound_says(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"dragonfly:p=2,a=4,h=2", "flatfly:k=4x4x4,c=2"};
	for (unsigned i = 0; i < 2; i++) {
		struct rig r;
		rig_make(&r, fabrics[i], "ofar", "uniform", NULL);
		odo_worst worst;
		odo_error err;
		assert_int_equal(odo_worst_find(r.tables, 0, &worst, &err), 0);
		double share = (double)worst.n_flows / r.fabric->n_hosts, bound = 1 / worst.load;
		struct file file = make_file();
		write_flows(&file, r.fabric, worst.to);
		odo_traffic_free(r.traffic);
		assert_int_equal(
			odo_traffic_create(file.spec, r.fabric, r.coordinates, 1, &r.traffic, &err),
			0);
		assert_true(fabs(odo_traffic_active(r.traffic, 0) - share) < 1e-9);
		for (unsigned full = 0; full < 2; full++) {
			double load = full ? 1 : 0.8 * bound;
			r.e.traffic = r.traffic;
			r.e.run.load = load;
			r.e.run.measured = 20000;
			odo_measures *m = rig_run(&r);
			double expected = full ? bound : load, found = m->accepted / share;
			print_message("%s, load %.3f: %.4f accepted, bound %.4f\n", fabrics[i],
				      load, found, bound);
			assert_true(fabs(found - expected) < 0.03 * expected);
			odo_measures_free(m);
		}
		remove_file(&file);
		odo_worst_clear(&worst);
		rig_free(&r);
	}
}

static double bound_of(const struct rig *r, const char *spec, uint64_t seed)
{
	odo_traffic *traffic;
	odo_bound bound;
	odo_error err;
	assert_int_equal(odo_traffic_create(spec, r->fabric, r->coordinates, seed, &traffic, &err),
			 0);
	assert_int_equal(odo_bound_find(r->tables, traffic, &bound, &err), 0);
	odo_traffic_free(traffic);
	return bound.load;
}

static void each_bound_is_that_of_its_traffic(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"dragonfly:p=2,a=4,h=2", "torus:k=4x5,c=2",
					      "fattree:k=4,levels=3"};
	for (unsigned i = 0; i < 3; i++) {
		struct rig r;
		odo_bounds b;
		odo_error err;
		char spec[40];
		double mean = 0, least = 1, shift = 1;
		rig_make(&r, fabrics[i], "ofar", "uniform", NULL);
		assert_int_equal(odo_bounds_find(r.tables, r.coordinates, 10, 3, NULL, &b, &err),
				 0);
		for (uint64_t seed = 3; seed < 13; seed++) {
			double bound = bound_of(&r, "permutation", seed);
			mean += bound / 10;
			least = fmin(least, bound);
		}
		for (uint32_t by = 1; by < r.fabric->n_hosts; by++) {
			snprintf(spec, sizeof spec, "shift:n=%u", by);
			shift = fmin(shift, bound_of(&r, spec, 1));
		}
		snprintf(spec, sizeof spec, "shift:n=%u", b.shift_by);
		assert_true(fabs(b.shift - shift) < 1e-9);
		assert_true(fabs(b.shift - bound_of(&r, spec, 1)) < 1e-9);
		assert_true(fabs(b.uniform - bound_of(&r, "uniform", 1)) < 1e-5);
		assert_true(fabs(b.complement - bound_of(&r, "complement", 1)) < 1e-9);
		assert_true(fabs(b.mean - mean) < 1e-9 && fabs(b.least - least) < 1e-9);
		assert_true(b.worst <= b.least && b.worst <= b.shift && b.worst <= b.complement);
		assert_true(b.worst_not_below == b.worst);
		rig_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
		cmocka_unit_test(the_worst_permutation_gets_what_its_bound_says),
		cmocka_unit_test(each_bound_is_that_of_its_traffic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
