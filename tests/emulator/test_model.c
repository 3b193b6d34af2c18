/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every field of every preset can be set by itself, and bad specs are refused. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "emulator/model.h"
#include "emulator/units.h"
#include "fabric/topology/topology.h"
#include "tests/unit.h"

static uint32_t get(const odo_model *model, const odo_model_option *o)
{
	uint32_t value;
	memcpy(&value, (const char *)model + o->offset, sizeof value);
	return value;
}

/* "preset:field=value" with another value than the preset's. */
static uint32_t other(const odo_model_option *o, uint32_t value)
{
	if (o->row.words)
		return o->row.words[value + 1] ? value + 1 : 0;
	return value < o->row.max ? value + 1 : value - 1;
}

static void write_spec(char *spec, size_t size, const char *preset, const odo_model_option *o,
		       uint32_t value)
{
	if (o->row.words)
		snprintf(spec, size, "%s:%s=%s", preset, o->row.name, o->row.words[value]);
	else
		snprintf(spec, size, "%s:%s=%u", preset, o->row.name, value);
}

/* What does not go together with the rest of its preset: flits want one grant an input, and
 * channels and paced credits flits. */
static bool refused(const odo_model *preset, const odo_model_option *o)
{
	return !strcmp(o->row.name, "channels") || !strcmp(o->row.name, "paced-credits") ||
	       (!strcmp(o->row.name, "flow") && preset->input_parallel > 1);
}

static void every_field_of_every_preset_can_be_set(void **state)
{
	(void)state;
	for (const odo_model_preset *p = odo_model_presets; p->name; p++)
		for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
			char spec[120];
			odo_model model;
			odo_error err = {0};
			uint32_t value = other(o, get(&p->model, o));
			write_spec(spec, sizeof spec, p->name, o, value);
			if (refused(&p->model, o)) {
				assert_int_equal(odo_model_parse(spec, NULL, &model, &err),
						 ODO_EINPUT);
				assert_int_equal(odo_model_change(spec,
								  "flow=flits,input-parallel=1",
								  NULL, &model, &err),
						 0);
				continue;
			}
			if (odo_model_parse(spec, NULL, &model, &err))
				fail_msg("%s: %s", spec, err.text);
			assert_int_equal(get(&model, o), value);
			for (const odo_model_option *q = odo_model_options; q->row.name; q++)
				if (q != o)
					assert_int_equal(get(&model, q), get(&p->model, q));
		}
}

static void bad_specs_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"kim:flow=flits,minimal-first=1",
		"nonesuch",
		"ofar:packet",
		"ofar:packet=",
		"ofar:packet=0",
		"ofar:packet=-8",
		"ofar:packet=8x",
		"ofar:packet=99999999999",
		"ofar:nonesuch=1",
		"ofar:arbiter=coin",
		"ofar:buffer-local=7",
		"ofar:packet=4,,iterations=1",
		"packet=8;iterations=1",
		"ofar:packet=4,packet=8",
		"packet=8,iterations=1,packet=8",
		"infiniband:pipeline=200ns,packet=4KiB,pipeline=10",
	};
	for (size_t i = 0; TEST_ROW(i, bad, bad[i]); i++) {
		odo_model model;
		odo_error err = {0};
		assert_int_equal(odo_model_parse(bad[i], NULL, &model, &err), ODO_EINPUT);
		assert_int_equal(strncmp(err.text, "model: ", 7), 0);
	}
}

/* The first of two values is never ignored without a word; a change is what it says. */
static void fields_are_given_once_and_may_be_changed(void **state)
{
	(void)state;
	odo_model model;
	odo_error err = {0};
	assert_int_equal(odo_model_parse("ofar:packet=4,packet=8", NULL, &model, &err), ODO_EINPUT);
	assert_string_equal(err.text, "model: expected packet once, found twice");
	assert_int_equal(odo_model_change("ofar:packet=4", "packet=8,packet=2", NULL, &model, &err),
			 ODO_EINPUT);
	assert_int_equal(
		odo_model_change("ofar:packet=4,iterations=2", "packet=2", NULL, &model, &err), 0);
	assert_int_equal(model.packet, 2);
	assert_int_equal(model.iterations, 2);
	assert_int_equal(odo_model_change("packet=4", "iterations=7", NULL, &model, &err), 0);
	assert_int_equal(model.packet, 4);
	assert_int_equal(model.iterations, 7);
}

/* Presets of papers are the same on cables of every rate; the times of others are times. */
static void presets_keep_their_cycles_or_their_times(void **state)
{
	(void)state;
	static const char *const speed[] = {"sdr", "qdr", "edr", "ndr", "xdr"};
	for (size_t i = 0; TEST_ROW(i, speed, speed[i]); i++) {
		char spec[60];
		odo_fabric *f;
		odo_error err;
		snprintf(spec, sizeof spec, "torus:k=3,speed=%s", speed[i]);
		assert_int_equal(odo_topology_generate(spec, 0, &f, NULL, &err), 0);
		for (const odo_model_preset *p = odo_model_presets; p->name; p++) {
			odo_model m;
			odo_units units;
			assert_int_equal(odo_model_parse(p->name, f, &m, &err), 0);
			if (!p->times || i == 1) /* QDR, for which cycles stand in the table */
				assert_memory_equal(&m, &p->model, sizeof m);
			if (!p->times)
				continue;
			assert_true(odo_units_of(f, &m, &units));
			double ns = m.pipeline * units.cycle_ns, half = units.cycle_ns / 2;
			assert_true(ns >= 160 - half && ns <= 160 + half);
			assert_true(m.buffer[ODO_LINK_GLOBAL] >=
				    2 * m.latency[ODO_LINK_GLOBAL] + m.pipeline + m.packet);
		}
		odo_fabric_free(f);
	}
}

/* 4 lanes of SDR carry a GB/s: a phit of 64 bytes takes 64 ns. */
static void real_units_are_whole_cycles_and_phits(void **state)
{
	(void)state;
	static const struct {
		const char *real, *plain;
	} same[] = {
		{"infiniband:latency-local=50m", "infiniband:latency-local=4"},
		{"infiniband:latency-global=1us,pipeline=200ns",
		 "infiniband:latency-global=16,pipeline=3"},
		{"infiniband:latency-host=1m", "infiniband:latency-host=1"},
		{"infiniband:packet=4KiB,buffer-local=8KiB,buffer-global=0.5MiB,buffer-host=4097B",
		 "infiniband:packet=64,buffer-local=128,buffer-global=8192,buffer-host=65"},
		{"infiniband:pipeline=200ns,phit-bytes=128",
		 "infiniband:pipeline=2,phit-bytes=128"},
		{"ofar:packet=64B", "ofar:packet=16"},
		{"pipeline=640ns,link-rates=1,phit-bytes=64",
		 "link-rates=1,phit-bytes=64,pipeline=10"},
	};
	static const char *const bad[] = {
		"ofar:latency-local=5m",           "infiniband:latency-local=5 m",
		"infiniband:latency-local=5km",    "infiniband:packet=5m",
		"infiniband:iterations=5ns",       "infiniband:pipeline=1e9us",
		"infiniband:latency-local=-5m",    "infiniband:packet=9MiB",
		"infiniband:output-buffer=4KiBit",
	};
	odo_fabric *f;
	odo_error err = {0};
	odo_model a, b;
	assert_int_equal(odo_topology_generate("flatfly:k=2,c=1", 0, &f, NULL, &err), 0);
	for (uint32_t i = 0; i < f->n_slots; i++) {
		((uint8_t *)f->speed)[i] = ODO_SDR;
		((uint8_t *)f->width)[i] = 4;
	}
	for (size_t i = 0; TEST_ROW(i, same, same[i].real); i++) {
		if (odo_model_parse(same[i].real, f, &a, &err))
			fail_msg("%s: %s", same[i].real, err.text);
		assert_int_equal(odo_model_parse(same[i].plain, f, &b, &err), 0);
		if (memcmp(&a, &b, sizeof a))
			fail_msg("%s is not %s", same[i].real, same[i].plain);
	}
	for (size_t i = 0; TEST_ROW(i, bad, bad[i]); i++)
		if (odo_model_parse(bad[i], f, &a, &err) != ODO_EINPUT)
			fail_msg("%s is taken", bad[i]);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_of_every_preset_can_be_set),
		cmocka_unit_test(bad_specs_are_refused),
		cmocka_unit_test(fields_are_given_once_and_may_be_changed),
		cmocka_unit_test(presets_keep_their_cycles_or_their_times),
		cmocka_unit_test(real_units_are_whole_cycles_and_phits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
