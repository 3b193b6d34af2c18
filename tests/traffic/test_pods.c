/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns and placement by the pods of a fat tree. */
#include <stdio.h>
#include <string.h>

#include "emulator/traffic/pattern.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "tests/unit.h"

#define MOST 128

struct world {
	odo_fabric *f;
	odo_coordinates *c;
	odo_traffic *t;
};

static struct world make(const char *fabric)
{
	struct world w = {0};
	odo_error err = {0};
	assert_int_equal(odo_topology_generate(fabric, 0, &w.f, &w.c, &err), 0);
	assert_true(w.f->n_hosts <= MOST);
	return w;
}

static void done(struct world *w)
{
	odo_traffic_free(w->t);
	odo_coordinates_free(w->c);
	odo_fabric_free(w->f);
}

static void send(struct world *w, const char *pattern)
{
	odo_error err = {0};
	odo_traffic_free(w->t);
	if (odo_traffic_create(pattern, w->f, w->c, 1, &w->t, &err))
		fail_msg("%s: %s", pattern, err.text);
}

static uint32_t pod_of(const struct world *w, uint32_t host)
{
	return odo_at(w->c, odo_host_switch(w->f, host))[ODO_TREE_POD];
}

/* Hosts to which one of a pod sends, in many draws, are those of one other pod, and all of them. */
static void check_pods(const struct world *w, uint32_t by)
{
	uint32_t n = w->c->size[ODO_TREE_POD];
	for (uint32_t src = 0; src < w->f->n_hosts; src++) {
		odo_rng rng = odo_rng_make(3, src);
		uint8_t hit[MOST] = {0};
		for (unsigned i = 0; i < 400; i++)
			hit[odo_traffic_destination(w->t, src, &rng, 0)] = 1;
		for (uint32_t h = 0; h < w->f->n_hosts; h++)
			assert_int_equal(hit[h], pod_of(w, h) == (pod_of(w, src) + by) % n);
	}
}

static void advp_reaches_all_of_the_right_pod(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=4,levels=3", "fattree:k=4,levels=4",
					    "pgft:m=3x2x5,w=1x2x2"};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		struct world w = make(specs[i]);
		for (uint32_t by = 1; by < w.c->size[ODO_TREE_POD]; by++) {
			char spec[32];
			snprintf(spec, sizeof spec, "advp:n=%u", by);
			send(&w, spec);
			check_pods(&w, by);
		}
		done(&w);
	}
}

static void a_mapped_fabric_has_its_pods_too(void **state)
{
	(void)state;
	struct world whole = make("fattree:k=6,levels=3"), w = {0};
	odo_error err;
	assert_int_equal(odo_fabric_shuffle(whole.f, 5, &w.f, NULL, &err), 0);
	assert_int_equal(odo_map(w.f, &w.c, &err), 0);
	send(&w, "advp:n=2");
	check_pods(&w, 2);
	done(&w);
	done(&whole);
}

/* A leaf that is none any more stands for storage on a spine. */
static void hosts_above_the_leaves_are_in_no_pod(void **state)
{
	(void)state;
	struct world w = make("fattree:k=4,levels=3");
	uint32_t host[MOST], odd = odo_host_switch(w.f, 0);
	uint8_t seen[MOST] = {0};
	odo_error err;
	w.c->at[odd * w.c->n_dims + ODO_TREE_LEVEL] = 1;
	send(&w, "advp");
	for (uint32_t src = 0; src < w.f->n_hosts; src++)
		for (unsigned i = 0; i < 50; i++) {
			odo_rng rng = odo_rng_make(i, src);
			uint32_t to = odo_traffic_destination(w.t, src, &rng, 0);
			assert_int_equal(to == ODO_NONE, odo_host_switch(w.f, src) == odd);
			assert_true(to == ODO_NONE || odo_host_switch(w.f, to) != odd);
		}
	uint32_t n = w.f->n_hosts;
	assert_int_equal(odo_place(w.t->order, "pod", 1, n, host, &err), 0);
	for (uint32_t r = 0; r < n; r++) {
		assert_int_equal(seen[host[r]]++, 0);
		assert_int_equal(odo_host_switch(w.f, host[r]) == odd, r >= n - 2);
	}
	done(&w);
}

static void ranks_are_dealt_out_to_pods_in_turn(void **state)
{
	(void)state;
	struct world w = make("fattree:k=6,levels=3");
	uint32_t host[MOST];
	odo_error err;
	send(&w, "uniform");
	for (uint32_t n = 1; n <= w.f->n_hosts; n += 7) {
		assert_int_equal(odo_place(w.t->order, "pod", 1, n, host, &err), 0);
		for (uint32_t r = 0; r < n; r++)
			assert_int_equal(pod_of(&w, host[r]), r % 6);
	}
	done(&w);
}

static void what_has_no_pods_is_refused(void **state)
{
	(void)state;
	static const char *const specs[] = {"fattree:k=4,levels=2", "dragonfly:p=1,a=4,h=1"};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		struct world w = make(specs[i]);
		odo_error err;
		assert_int_equal(odo_traffic_create("advp", w.f, w.c, 1, &w.t, &err), ODO_EDECLINE);
		assert_non_null(strstr(err.text, "expected a fat tree of three levels"));
		done(&w);
	}
	struct world w = make("fattree:k=4,levels=3"), other = make("flatfly:k=4x4,c=1");
	uint32_t host[MOST];
	odo_error err;
	assert_int_equal(odo_traffic_create("advp:n=4", w.f, w.c, 1, &w.t, &err), ODO_EDECLINE);
	assert_non_null(strstr(err.text, "found 4 pods and n=4"));
	send(&other, "uniform");
	assert_int_equal(odo_place(other.t->order, "pod", 1, 4, host, &err), ODO_EDECLINE);
	done(&w);
	done(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advp_reaches_all_of_the_right_pod),
		cmocka_unit_test(a_mapped_fabric_has_its_pods_too),
		cmocka_unit_test(hosts_above_the_leaves_are_in_no_pod),
		cmocka_unit_test(ranks_are_dealt_out_to_pods_in_turn),
		cmocka_unit_test(what_has_no_pods_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
