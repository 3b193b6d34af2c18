/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The same bytes as long as ODO_SEMANTICS stays: digests of small runs of every kind. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "emulator/semantics.h"
#include "experiment/experiment.h"
#include "experiment/sweep/sweep.h"
#include "tests/unit.h"

/** What the digests below were made with. */
#define DIGESTS_OF 1

/** A digest is of the lines of all points. */
static const struct {
	const char *what; /**< keys of an experiment file */
	uint64_t digest;
} small[] = {
	{"fabric: demo-dragonfly\nmeasure: load\npatterns: [uniform, \"advg:n=1\"]\nloads: [0.2, "
	 "0.7]\n"
	 "warmup: 200\nmeasured: 300\ncurves:\n"
	 "  - {name: a, routing: min}\n  - {name: b, routing: val}\n  - {name: c, routing: "
	 "ugal-l-vch}\n"
	 "  - {name: d, routing: pb}\n  - {name: e, routing: ofar}\n"
	 "  - {name: f, routing: \"ofar:escape=tree,bcm=2,local-vls=2,global-vls=1\"}\n"
	 "  - {name: g, routing: \"tables:dragonfly\"}\n  - {name: h, routing: ugal-l-cr}\n",
	 0x1bfa0f4a785aa199},
	{"fabric: \"flatfly:k=4x4,c=2\"\nmeasure: load\npatterns: [uniform, transpose]\nloads: "
	 "[0.3]\n"
	 "model: \"infiniband:ejection-latency=0\"\nwarmup: 200\nmeasured: 300\ncurves:\n"
	 "  - {name: a, routing: \"tables:dor\"}\n  - {name: b, routing: \"tables:ador\"}\n"
	 "  - {name: c, routing: dal}\n",
	 0x24b1dc466c0abc22},
	{"fabric: \"flatfly:k=4x4,c=2\"\nmeasure: load\npatterns: [uniform]\nloads: [0.3]\n"
	 "model: \"kim:packet=4,flow=flits,channels=2\"\nwarmup: 200\nmeasured: 300\nsteady: yes\n"
	 "curves:\n  - {name: a, routing: \"tables:dor\"}\n",
	 0x2c17aa23160612e2},
	{"fabric: \"dragonfly:p=2,a=4,h=2,g=5\"\nmeasure: load\npatterns: [\"advg:n=1\"]\n"
	 "loads: [0.3]\nwarmup: 200\nmeasured: 300\n"
	 "curves:\n  - {name: a, routing: \"pb:revise=no\"}\n"
	 "  - {name: b, routing: \"pb:revise=minimal\"}\n  - {name: c, routing: par}\n"
	 "  - {name: d, routing: \"ugal-l:revise=yes\"}\n"
	 "  - {name: e, routing: \"ugal-l-vc:revise=yes,minimal-vl=low\"}\n",
	 0xd0280cf4c69bdba6},
	{"fabric: demo-dragonfly\nmeasure: load\npatterns: [uniform]\nloads: [0.3]\n"
	 "model: \"kim:packet=4,flow=flits,channels=2\"\nwarmup: 200\nmeasured: 300\n"
	 "curves:\n  - {name: a, routing: pb}\n  - {name: b, routing: par}\n",
	 0x70b5046e4a702224},
	{"fabric: demo-dragonfly\nmeasure: burst\npackets: 5\npatterns: [\"advg:n=1\"]\n"
	 "measured: 50000\ncurves:\n  - {name: a, routing: ofar}\n  - {name: b, routing: pb}\n",
	 0xceeb651f54316554},
	{"fabric: demo-dragonfly\nmeasure: workload\nworkloads: [\"ring:bytes=256\"]\n"
	 "measured: 50000\ncurves:\n  - {name: a, routing: min}\n",
	 0x54b725c998c3300e},
};

static uint64_t digest_of(const char *keys)
{
	odo_error err = {0};
	odo_experiment *x;
	char text[2000], lines[40 * ODO_SWEEP_LINE] = "";
	snprintf(text, sizeof text, "name: small\ntitle: Small\n%s", keys);
	int status = odo_experiment_parse("small.yaml", text, strlen(text), &x, &err);
	if (status)
		fail_msg("%s", err.text);
	assert_in_range(odo_experiment_points(x), 1, 40);
	x->real = false; /* columns that tell others' figures in another unit do not count */
	for (uint32_t i = 0; i < odo_experiment_points(x); i++) {
		char *end = lines + strlen(lines);
		if (odo_experiment_run_point(x, i, end, &err))
			fail_msg("%s", err.text);
		assert_null(strstr(end, ",declined,"));
		strcat(end, "\n");
	}
	odo_experiment_free(x);
	return odo_hash_bytes(lines, strlen(lines));
}

static void bytes_stay_as_long_as_the_version(void **state)
{
	(void)state;
	bool raised = ODO_SEMANTICS != DIGESTS_OF, same = true;
	for (size_t i = 0; TEST_ROW(i, small, small[i].what); i++) {
		uint64_t is = digest_of(small[i].what);
		if (is != small[i].digest)
			print_message("run %zu: digest is 0x%016" PRIx64 "\n", i, is);
		same &= is == small[i].digest;
	}
	if (raised)
		fail_msg("ODO_SEMANTICS is %u: put its digests and its number here", ODO_SEMANTICS);
	if (!same)
		fail_msg("bytes have changed: raise ODO_SEMANTICS in emulator/semantics.h, and put "
			 "the "
			 "digests and its number here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_stay_as_long_as_the_version)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
