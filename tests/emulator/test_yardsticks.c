/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the papers say of their own policies, on fabrics small enough for every test run; at the
 * papers' sizes it is in docs/results/claims. */
#include <stdio.h>

#include "emulator/policy.h"
#include "tests/emulator/rig.h"

#define SMALL "dragonfly:p=2,a=4,h=2"
#define MIDDLE "dragonfly:p=3,a=6,h=3"
#define BOUNCING "ofar:escape=tree,local-vls=2,global-vls=1,trigger=granted"
#define TREE "ofar:escape=tree,local-vls=1,global-vls=1"

static odo_measures *run(const char *fabric, const char *policy, const char *model,
			 const char *pattern, double load)
{
	struct rig r;
	rig_make(&r, fabric, model, pattern, policy);
	r.e.run.load = load;
	r.e.run.warmup = 1000;
	r.e.run.measured = 2000;
	odo_measures *m = rig_run(&r);
	rig_free(&r);
	return m;
}

static double accepted(const char *fabric, const char *policy, const char *model,
		       const char *pattern, double load)
{
	odo_measures *m = run(fabric, policy, model, pattern, load);
	double found = m->accepted;
	assert_int_equal(m->outcome, ODO_RUN_DONE);
	odo_measures_free(m);
	return found;
}

static double latency(const char *fabric, const char *policy, const char *model, double load)
{
	odo_measures *m = run(fabric, policy, model, "advg:n=1", load);
	double found = odo_histogram_mean(&m->latency);
	odo_measures_free(m);
	return found;
}

static unsigned longest(const odo_measures *m)
{
	unsigned hops = 255;
	while (hops && !m->path[hops])
		hops--;
	return hops;
}

/* Only UGAL-G looks into switches that are not its own. */
static void every_policy_says_why_it_is_free_of_deadlock_and_what_it_sees(void **state)
{
	(void)state;
	for (const odo_policy *const *p = odo_policies; *p; p++) {
		assert_true((*p)->deadlock && strlen((*p)->deadlock) > 10);
		assert_true((*p)->paper && *(*p)->paper);
		assert_int_equal((*p)->traits & ODO_POLICY_SEES_GROUP ? 1 : 0,
				 !strcmp((*p)->name, "ugal-g"));
	}
}

/* Paper 000, section 3.1: two global hops and six local ones, where none escapes. */
static void ofar_takes_eight_hops_at_most_where_nothing_escapes(void **state)
{
	(void)state;
	static const double load[] = {0.3, 0.6};
	static const char *const pattern[] = {"advg:n=3", "uniform"};
	for (unsigned i = 0; i < 2; i++) {
		odo_measures *m = run(MIDDLE, "ofar", "ofar", pattern[i], load[i]);
		print_message("%s: %u hops, %llu escaped\n", pattern[i], longest(m),
			      (unsigned long long)m->escaped);
		assert_int_equal(m->escaped, 0);
		assert_in_range(longest(m), 5, 8);
		odo_measures_free(m);
	}
	/* Without misrouting by local links, one of them goes by MM+L's first hop alone. */
	odo_measures *m = run(MIDDLE, "ofar:local=no", "ofar", "advg:n=1", 0.3);
	assert_int_equal(m->escaped, 0);
	assert_in_range(longest(m), 5, 6);
	odo_measures_free(m);
}

/* Section 5.4. */
static void ofar_runs_on_one_to_four_vls_of_either_class(void **state)
{
	(void)state;
	for (unsigned local = 1; local <= 4; local++)
		for (unsigned global = 1; global <= local; global++)
			for (unsigned tree = 0; tree < 2; tree++) {
				char spec[80];
				snprintf(spec, sizeof spec,
					 "ofar:local-vls=%u,global-vls=%u,bcm=2,escape=%s", local,
					 global, tree ? "tree" : "a");
				double uniform = accepted(SMALL, spec, "ofar", "uniform", 1);
				double adverse = accepted(SMALL, spec, "ofar", "advg:n=2", 1);
				print_message("%s: %.3f, %.3f\n", spec, uniform, adverse);
				assert_true(uniform > 0.5 && adverse > 0.3);
			}
}

/* Section 3.4: on few VLs the network falls to what the escape carries, and BCM or ECM keep it
 * from that. */
static void congestion_management_keeps_the_tree_from_collapse(void **state)
{
	(void)state;
	double none = accepted(MIDDLE, TREE, "ofar", "uniform", 1);
	double bcm = accepted(MIDDLE, TREE ",bcm=2", "ofar", "uniform", 1);
	double ecm = accepted(MIDDLE, TREE ",ecm=20", "ofar", "uniform", 1);
	print_message("none %.3f, BCM %.3f, ECM %.3f\n", none, bcm, ecm);
	assert_true(none < 0.2);
	assert_true(bcm > 0.5);
	assert_true(ecm > 0.35);
}

/* 8 hops, and 6 in the tree for one who may not leave it again (section 5.7); else far more. */
static void the_counter_ends_bouncing(void **state)
{
	(void)state;
	odo_measures *any = run(MIDDLE, BOUNCING, "ofar", "advg:n=3", 1);
	odo_measures *one = run(MIDDLE, BOUNCING ",bounces=1", "ofar", "advg:n=3", 1);
	print_message("%u hops, with the counter %u\n", longest(any), longest(one));
	assert_true(longest(any) > 14);
	assert_in_range(longest(one), 9, 14);
	odo_measures_free(one);
	odo_measures_free(any);
}

/* Paper 001, section 4.3. */
static void kims_refinements_of_ugal_help(void **state)
{
	(void)state;
	const char *model = "kim:buffer-local=256,buffer-global=256";
	const char *fabric = MIDDLE ",arrangement=consecutive";
	double plain = accepted(fabric, "ugal-l", model, "advg:n=1", 0.5);
	double by_vl = accepted(fabric, "ugal-l-vch", model, "advg:n=1", 0.5);
	double ideal = accepted(fabric, "ugal-g", model, "advg:n=1", 0.5);
	print_message("UGAL-L %.3f, UGAL-L_VCH %.3f, UGAL-G %.3f\n", plain, by_vl, ideal);
	assert_true(by_vl > plain + 0.02 && by_vl > 0.95 * ideal);
	double slow = latency(fabric, "ugal-l-vch", model, 0.3);
	double fast = latency(fabric, "ugal-l-cr", model, 0.3);
	print_message("latency: UGAL-L_VCH %.1f, UGAL-L_CR %.1f\n", slow, fast);
	assert_true(fast < 0.8 * slow);
}

/* Paper 003: restricted Valiant, on a dragonfly whose traffic stays in its groups, and several
 * injection queues against packets that hold up others. */
static void valiant_gains_by_restriction_and_by_injection_queues(void **state)
{
	(void)state;
	double free = accepted(SMALL, "val-any", "ofar", "advl", 1);
	double kept = accepted(SMALL, "val-any:restricted=yes", "ofar", "advl", 1);
	double both = accepted(SMALL, "val-any:restricted=yes,recompute=yes", "ofar", "advl", 1);
	double grid = accepted("flatfly:k=4x4,c=2", "flatfly-val", "ofar", "neighbour", 1);
	double rows = accepted("flatfly:k=4x4,c=2", "flatfly-val:restricted=yes,recompute=yes",
			       "ofar", "neighbour", 1);
	print_message("%.3f, RVAL %.3f, RVAL-Recomp %.3f; FlatFly %.3f, %.3f\n", free, kept, both,
		      grid, rows);
	assert_true(kept > 1.3 * free && both > kept && rows > 1.3 * grid);
	const char *model = "ofar:queue-policy=random,input-parallel=1,injection-queues=";
	char queues[2][80];
	for (unsigned i = 0; i < 2; i++)
		snprintf(queues[i], sizeof queues[i], "%s%u", model, i ? 4u : 1u);
	double single = accepted(SMALL, "val-any", queues[0], "uniform", 1);
	double several = accepted(SMALL, "val-any", queues[1], "uniform", 1);
	print_message("one queue %.3f, four %.3f\n", single, several);
	assert_true(several > single + 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_says_why_it_is_free_of_deadlock_and_what_it_sees),
		cmocka_unit_test(ofar_takes_eight_hops_at_most_where_nothing_escapes),
		cmocka_unit_test(ofar_runs_on_one_to_four_vls_of_either_class),
		cmocka_unit_test(congestion_management_keeps_the_tree_from_collapse),
		cmocka_unit_test(the_counter_ends_bouncing),
		cmocka_unit_test(kims_refinements_of_ugal_help),
		cmocka_unit_test(valiant_gains_by_restriction_and_by_injection_queues),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
