/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdio.h>

#include "mapping/labels/pins.h"
#include "trial.h"
#include "tests/unit.h"

typedef struct mapped {
	odo_fabric *f;
	odo_coordinates *c, *truth;
} mapped;

static mapped map_spec(const char *spec)
{
	mapped m;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &m.f, &m.truth, &err), 0);
	assert_int_equal(odo_map(m.f, &m.c, &err), 0);
	return m;
}

static void mapped_clear(mapped *m)
{
	odo_fabric_free(m->f);
	odo_coordinates_free(m->c);
	odo_coordinates_free(m->truth);
}

/* Lines that pin every `step`-th switch to its true coordinates, for free(). */
static char *write_pins(const odo_fabric *f, const odo_coordinates *truth, uint32_t step)
{
	size_t room = 64 + (size_t)f->n_switches * 160, used = 0;
	char *text = calloc(room, 1);
	for (uint32_t s = 0; s < f->n_switches; s += step) {
		used += (size_t)snprintf(text + used, room - used, "0x%llx",
					 (unsigned long long)f->node_guid[s]);
		for (unsigned d = 0; d < truth->n_dims; d++)
			used += (size_t)snprintf(text + used, room - used, " %u",
						 odo_at(truth, s)[d]);
		used += (size_t)snprintf(text + used, room - used, "\n");
	}
	return text;
}

/* Every kind, whole and damaged. */
static const trial fabrics[] = {
	{.spec = "flatfly:k=4x4x3,l=1x2x1,c=1"},
	{.spec = "flatfly:k=6x6,c=1", .damage = {.1, .05, 1}},
	{.spec = "hypercube:n=5,c=1"},
	{.spec = "hypercube:n=6,l=2,c=1", .damage = {.1, .05, 2}},
	{.spec = "torus:k=5x6x3,c=1"},
	{.spec = "mesh:k=5x6x3,c=1"},
	{.spec = "torus:k=6x6x6,l=2,c=1,ports=24", .damage = {.03, .02, 3}},
	{.spec = "fattree:k=8,levels=2"},
	{.spec = "fattree:k=6,levels=3"},
	{.spec = "fattree:k=4,levels=4"},
	{.spec = "fattree:k=12,levels=3", .damage = {.03, .02, 1}},
	{.spec = "pgft:m=4x6x3,w=1x2x2,p=1x2x1"},
	{.spec = "dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9"},
	{.spec = "dragonfly-plus:p=4,leaves=6,spines=4,h=4,g=9", .damage = {.03, .02, 1}},
	{.spec = "dragonfly:p=1,a=4,h=2"},
	{.spec = "dragonfly:p=1,a=8,h=4", .damage = {.1, .05, 2}},
	{.spec = "dragonfly:p=1,a=3x2,h=1"},
	{.spec = "dragonfly:p=1,a=4x4,h=1", .damage = {.05, .02, 2}},
	{.spec = "slimfly:q=4,c=1"},
	{.spec = "slimfly:q=5,c=1"},
	{.spec = "slimfly:q=8,c=1"},
	{.spec = "slimfly:q=9,c=1", .damage = {.1, .05, 1}},
	{.spec = "slimfly:q=13,c=1", .damage = {.05, .05, 1}},
	{.spec = "slimfly:q=41,c=0"},
	{.spec = "slimfly-flatfly:q=5,k=4,c=1"},
	{.spec = "slimfly-flatfly:q=4,k=3x3,c=1", .damage = {.1, .05, 1}},
};

enum { N_FABRICS = sizeof fabrics / sizeof *fabrics };

/* All switches pinned to their true coordinates, then one in five, then one. */
static void pins_give_the_true_labels(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3 * N_FABRICS; i++) {
		static const uint32_t steps[] = {1, 5, UINT32_MAX / 2};
		const trial *t = &fabrics[i / 3];
		uint32_t step = steps[i % 3];
		outcome o;
		odo_pins pins;
		odo_error err;
		assert_int_equal(trial_run(t, &o, &err), 0);
		if (!o.right)
			fail_msg("%s: %s", t->spec, o.why.text);
		char *text = write_pins(o.fabric, o.truth, step);
		assert_int_equal(odo_pins_read(o.fabric, text, "pins", &pins, &err), 0);
		if (odo_pins_apply(&pins, o.fabric, o.found, &err))
			fail_msg("%s, one in %u: %s", t->spec, step, err.text);
		for (uint32_t s = 0; s < o.fabric->n_switches; s += step)
			if (memcmp(odo_at(o.found, s), odo_at(o.truth, s),
				   o.truth->n_dims * sizeof(uint32_t)))
				fail_msg("%s, one in %u: switch %u", t->spec, step, s);
		if (!same_coordinates(o.fabric, o.found, o.truth, &err))
			fail_msg("%s, one in %u: %s", t->spec, step, err.text);
		for (uint32_t k = 0; step == 1 && k < o.fabric->n_slots; k++)
			assert_int_equal(o.found->port_class[k], o.truth->port_class[k]);
		free(text);
		odo_pins_clear(&pins);
		outcome_clear(&o);
	}
}

static void one_pin_moves_one_switch_and_stays_true(void **state)
{
	mapped m = map_spec("dragonfly:p=1,a=4,h=2");
	odo_pins pins;
	odo_error err;
	char text[80];
	(void)state;
	snprintf(text, sizeof text, "# pinned\n\n  0x%llx  8  3 # last\n",
		 (unsigned long long)m.f->node_guid[0]);
	assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), 0);
	assert_int_equal(odo_pins_apply(&pins, m.f, m.c, &err), 0);
	assert_int_equal(odo_at(m.c, 0)[0], 8);
	assert_int_equal(odo_at(m.c, 0)[1], 3);
	assert_true(same_coordinates(m.f, m.c, m.truth, NULL));
	odo_pins_clear(&pins);
	mapped_clear(&m);
}

/* The dimension of four must become the second, and the first that comes to mind is the first. */
static void one_pin_may_exchange_dimensions(void **state)
{
	mapped m = map_spec("flatfly:k=4x3,c=1");
	odo_pins pins;
	odo_error err;
	char text[80];
	(void)state;
	for (unsigned four = 0; four < 2; four++) {
		snprintf(text, sizeof text, "\"%s\" %u %u\n", odo_name(m.f, 0), four ? 0 : 3,
			 four ? 3 : 0);
		assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), 0);
		assert_int_equal(odo_pins_apply(&pins, m.f, m.c, &err), 0);
		assert_int_equal(odo_at(m.c, 0)[four], 3);
		assert_int_equal(m.c->size[four], 4);
		assert_true(same_coordinates(m.f, m.c, m.truth, NULL));
		odo_pins_clear(&pins);
	}
	mapped_clear(&m);
}

/* Of each kind: two switches pinned to one place, and all to their own places but for two that
 * are exchanged. */
static void pins_that_contradict_are_named_and_change_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * N_FABRICS; i++) {
		const trial *t = &fabrics[i / 2];
		outcome o;
		odo_pins pins;
		odo_error err;
		assert_int_equal(trial_run(t, &o, &err), 0);
		unsigned n = o.truth->n_dims, room = n * sizeof(uint32_t);
		uint32_t *a = o.truth->at, *b = a + n, held[ODO_MAX_DIMS];
		size_t cells = (size_t)o.fabric->n_switches * n * sizeof *a;
		uint32_t *kept = malloc(cells);
		while (b[0] == a[0] || b[n - 1] == a[n - 1])
			b += n; /* beside each other in nothing */
		memcpy(held, a, room);
		memcpy(a, b, room);
		if (i % 2)
			memcpy(b, held, room);
		char *text = write_pins(o.fabric, o.truth, 1);
		memcpy(kept, o.found->at, cells);
		assert_int_equal(odo_pins_read(o.fabric, text, "pins", &pins, &err), 0);
		if (odo_pins_apply(&pins, o.fabric, o.found, &err) != ODO_EINPUT)
			fail_msg("%s, %zu: two exchanged are accepted", t->spec, i % 2);
		unsigned line = 0;
		if (sscanf(err.text, "pins:%u: expected coordinates that agree", &line) != 1 ||
		    !line || line > pins.n || strchr(err.text, '\n'))
			fail_msg("%s: %s", t->spec, err.text);
		assert_memory_equal(o.found->at, kept, cells);
		free(text);
		free(kept);
		odo_pins_clear(&pins);
		outcome_clear(&o);
	}
}

static void bad_lines_are_refused_with_their_number(void **state)
{
	static const char *const bad[][2] = {
		{"0x1\n", "pins:1: expected a switch of this fabric, found \"0x1\""},
		{"\n\"nobody\" 1 2\n", "pins:2: expected a switch of this fabric"},
		{"\"open\n", "pins:1: expected a closing quote"},
		{"word 1 2\n", "pins:1: expected a switch's GUID"},
		{"\"%s\" 1 x\n", "pins:1: expected a coordinate, found \"x\""},
		{"\"%s\" -1 0\n", "pins:1: expected a coordinate"},
		{"\"%s\" 4294967295 0\n", "pins:1: expected a coordinate"},
		{"\"%s\"\n", "pins:1: expected coordinates"},
		{"\"%s\" 1 1\n\"%s\" 1 1\n", "pins:2: expected each switch once"},
		{"\"%s\" 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8\n", "pins:1: expected a coordinate"},
	};
	mapped m = map_spec("flatfly:k=3x3,c=1");
	(void)state;
	for (size_t i = 0; TEST_ROW(i, bad, bad[i][0]); i++) {
		char text[200];
		odo_pins pins;
		odo_error err;
		const char *name = odo_name(m.f, 0);
		size_t used = 0;
		for (const char *from = bad[i][0]; *from; from++) {
			if (from[0] == '%' && from[1] == 's') {
				used += (size_t)snprintf(text + used, sizeof text - used, "%s",
							 name);
				from++;
			} else {
				text[used++] = *from;
			}
		}
		text[used] = 0;
		assert_int_equal(odo_pins_read(m.f, text, "pins", &pins, &err), ODO_EINPUT);
		if (!strstr(err.text, bad[i][1]))
			fail_msg("expected \"%s\", found \"%s\"", bad[i][1], err.text);
	}
	mapped_clear(&m);
}

/* Many a switch keeps the description that it came with. */
static void shared_descriptions_name_nobody(void **state)
{
	static const char *const names[] = {"SwitchX", "leaf", "SwitchX"};
	odo_builder *b;
	odo_fabric *f;
	odo_pins pins;
	odo_error err;
	uint32_t id;
	(void)state;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (unsigned i = 0; i < 3; i++) {
		odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 1, .name = names[i]};
		assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
	}
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	assert_int_equal(odo_pins_read(f, "\"leaf\" 2\n", "pins", &pins, &err), 0);
	assert_int_equal(pins.pin[0].node, 1);
	odo_pins_clear(&pins);
	assert_int_equal(odo_pins_read(f, "\"SwitchX\" 0\n", "pins", &pins, &err), ODO_EINPUT);
	assert_string_equal(err.text, "pins:1: expected a description that one switch alone has, "
				      "found \"\"SwitchX\" 0\"");
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pins_give_the_true_labels),
		cmocka_unit_test(one_pin_moves_one_switch_and_stays_true),
		cmocka_unit_test(one_pin_may_exchange_dimensions),
		cmocka_unit_test(pins_that_contradict_are_named_and_change_nothing),
		cmocka_unit_test(shared_descriptions_name_nobody),
		cmocka_unit_test(bad_lines_are_refused_with_their_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
