/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "emulator/units.h"

#define FIELD(f) offsetof(odo_model, f)
#define LOCAL(f) (offsetof(odo_model, f) + ODO_LINK_LOCAL * sizeof(uint32_t))
#define GLOBAL(f) (offsetof(odo_model, f) + ODO_LINK_GLOBAL * sizeof(uint32_t))
#define HOST(f) (offsetof(odo_model, f) + ODO_LINK_HOST * sizeof(uint32_t))

static const char *const arbiters[] = {"lrs", "round-robin", NULL};
static const char *const full[] = {"waits", "drops", "stops", NULL};
static const char *const flows[] = {"packets", "flits", NULL};
static const char *const policies[] = {"dest", "random", "vl", NULL};

#define FIELD_OF(name, help, least, most, unit, field, later)                                      \
	{                                                                                          \
		{name, ODO_OPTION_NUMBER, NULL, help, NULL, least, most}, field, later, unit       \
	}
#define NUMBER(name, help, field, least, most)                                                     \
	FIELD_OF(name, help, least, most, ODO_PLAIN, field, false)
#define CYCLES(name, help, field, least)                                                           \
	FIELD_OF(name, help, least, 1000000, ODO_CYCLES, field, false)
#define PHITS(name, help, field, least, most)                                                      \
	FIELD_OF(name, help, least, most, ODO_PHITS, field, false)
/* A field added later; 0 gives the earlier behaviour. */
#define LATER(name, help, field, most) FIELD_OF(name, help, 0, most, ODO_PLAIN, field, true)
#define WORD(name, help, field, words)                                                             \
	{                                                                                          \
		{name, ODO_OPTION_WORD, NULL, help, words, 0, sizeof words / sizeof *words - 2},   \
			field, false, ODO_PLAIN                                                    \
	}

const odo_model_option odo_model_options[] = {
	PHITS("packet", "phits of a packet, or bytes as 4KiB", FIELD(packet), 1, 65535),
	NUMBER("phit-bytes", "bytes of a phit, for the messages of workloads", FIELD(phit_bytes), 1,
	       65536),
	WORD("flow", "unit that crosses a switch at a time", FIELD(flow), flows),
	NUMBER("channels", "per VL, with flow=flits", FIELD(channels), 1, 15),
	CYCLES("latency-local", "cycles of a local link, or 5m, or 25ns", LOCAL(latency), 1),
	CYCLES("latency-global", "cycles of a global link, or 50m, or 250ns", GLOBAL(latency), 1),
	CYCLES("latency-host", "cycles from a host to its switch, or 2m, or 10ns", HOST(latency),
	       1),
	PHITS("buffer-local", "phits per VL behind a local link, or bytes as 16KiB", LOCAL(buffer),
	      1, 65534),
	PHITS("buffer-global", "phits per VL behind a global link, or bytes", GLOBAL(buffer), 1,
	      65534),
	PHITS("buffer-host", "phits per injection queue, or bytes", HOST(buffer), 1, 65534),
	NUMBER("vls-local", "VLs of local links; 0: as needed", LOCAL(vls), 0, 15),
	NUMBER("vls-global", "VLs of global links; 0: as needed", GLOBAL(vls), 0, 15),
	NUMBER("injection-queues", "per host", FIELD(injection_queues), 1, 15),
	WORD("queue-policy", "rule that selects a packet's injection queue", FIELD(queue_policy),
	     policies),
	WORD("source-full", "action of a source whose queue is full", FIELD(source_full), full),
	NUMBER("iterations", "of the allocator, per cycle", FIELD(iterations), 1, 64),
	WORD("arbiter", "of inputs and outputs", FIELD(arbiter), arbiters),
	NUMBER("input-parallel", "VLs of an input that may send at a time", FIELD(input_parallel),
	       1, 15),
	NUMBER("transit-first", "outputs serve switches before hosts", FIELD(transit_first), 0, 1),
	LATER("minimal-first", "adaptive tables: packets on ways of the best priority go first",
	      FIELD(minimal_first), 1),
	NUMBER("speedup", "of the crossbar over the links", FIELD(speedup), 1, 64),
	PHITS("output-buffer", "phits per output port, or bytes; 0: none", FIELD(output_buffer), 0,
	      65534),
	CYCLES("pipeline", "cycles through a switch, or 200ns", FIELD(pipeline), 0),
	CYCLES("credit-latency", "cycles a credit takes longer than its link, or ns",
	       FIELD(credit_latency), 0),
	CYCLES("ejection-latency", "cycles from an output to its host, or m, or ns",
	       FIELD(ejection_latency), 0),
	LATER("paced-hosts", "1: hosts send a phit a cycle; 0: packets are queued at once",
	      FIELD(paced_hosts), 1),
	LATER("paced-credits", "1: a link carries a credit a cycle, with flow=flits",
	      FIELD(paced_credits), 1),
	NUMBER("link-rates", "1: width and speed of links as the fabric says", FIELD(link_rates), 0,
	       1),
	{{0}, 0, false, ODO_PLAIN},
};

static const odo_model_option *find_model_option(const char *text, size_t n)
{
	const odo_model_option *o = odo_model_options;
	while (o->row.name && !odo_option_is(&o->row, text, n))
		o++;
	return o->row.name ? o : NULL;
}

const odo_model_preset *odo_model_find(const char *name, size_t n)
{
	for (const odo_model_preset *p = odo_model_presets; p->name; p++)
		if (strlen(p->name) == n && !strncmp(p->name, name, n))
			return p;
	return NULL;
}

/* Count the letters of the preset's name at the start of a spec; 0 if the spec begins with a
 * field. */
static size_t preset_name(const char *spec)
{
	size_t name = strcspn(spec, ":");
	return memchr(spec, '=', name) ? 0 : name;
}

const odo_model_preset *odo_model_preset_of(const char *spec)
{
	size_t name = preset_name(spec);
	return name ? odo_model_find(spec, name) : odo_model_presets;
}

/* Set a field from "name=value" of `n` characters, a plain number or word. */
static int set_plain(odo_model *model, const odo_model_option *o, const char *text, size_t n,
		     odo_error *err)
{
	odo_value value;
	int status = odo_option_read("model", &o->row, text, n, &value, err);
	if (!status)
		memcpy((char *)model + o->offset, &value.number[0], sizeof value.number[0]);
	return status;
}

/* Units that may follow a number, with their amount of the field's real unit (ns or bytes). */
static const struct real_unit {
	const char *name;
	odo_model_unit of;
	double amount;
} real_units[] = {
	{"ns", ODO_CYCLES, 1}, {"us", ODO_CYCLES, 1e3},     {"m", ODO_CYCLES, ODO_NS_A_METRE},
	{"B", ODO_PHITS, 1},   {"KiB", ODO_PHITS, 1 << 10}, {"MiB", ODO_PHITS, 1 << 20},
};

/* Read the amount of a field given in a real unit, in ns or bytes. False for a plain number. */
static bool take_amount(const odo_model_option *o, const char *value, const char *end,
			double *amount)
{
	const char *at = value;
	if (o->unit == ODO_PLAIN || !odo_take_real(&at, 0, 1e12, amount))
		return false;
	for (size_t i = 0; i < sizeof real_units / sizeof *real_units; i++) {
		const struct real_unit *u = &real_units[i];
		size_t n = strlen(u->name);
		if (u->of == o->unit && (size_t)(end - at) == n && !memcmp(at, u->name, n)) {
			*amount *= u->amount;
			return true;
		}
	}
	return false;
}

/* Set a field to whole cycles or phits; a cable and a buffer are at least one.
 * @param whole amount of the real unit in a cycle or phit */
static int set_amount(odo_model *model, const odo_model_option *o, double amount, double whole,
		      odo_error *err)
{
	double number = o->unit == ODO_PHITS ? ceil(amount / whole) : round(amount / whole);
	number = fmax(number, o->row.min);
	if (number > o->row.max)
		return odo_fail(err, ODO_EINPUT, "model: %s is %.0f %s, not from %u to %u",
				o->row.name, number, o->unit == ODO_PHITS ? "phits" : "cycles",
				o->row.min, o->row.max);
	uint32_t value = (uint32_t)number;
	memcpy((char *)model + o->offset, &value, sizeof value);
	return 0;
}

/* Set a field given in real units.
 * @param scale the model by its plain numbers, some of which define a cycle and a phit
 * @param f     fabric whose fastest link sets the length of a cycle; NULL: a cycle is a
 * nanosecond */
static int set_real(odo_model *model, const odo_model_option *o, double amount,
		    const odo_model *scale, const odo_fabric *f, odo_error *err)
{
	odo_units units = {.cycle_ns = 1};
	if (o->unit == ODO_PHITS)
		return set_amount(model, o, amount, scale->phit_bytes, err);
	if (f && !odo_units_of(f, scale, &units))
		return odo_fail(err, ODO_EINPUT,
				"model: expected %s in cycles, or a model that knows time, as "
				"infiniband (link-rates=1), found a time",
				o->row.name);
	return set_amount(model, o, amount, units.cycle_ns, err);
}

/* Refuse a field given twice: otherwise the last would win and the first would be ignored. */
static int refuse_twice(const char *list, const char *field, const odo_model_option *o,
			odo_error *err)
{
	for (size_t n; list < field; list += n + 1) {
		n = strcspn(list, ",");
		if (odo_option_is(&o->row, list, n))
			return odo_fail(err, ODO_EINPUT, "model: expected %s once, found twice",
					o->row.name);
	}
	return 0;
}

/* @param scale NULL: only plain numbers are set */
static int set_fields(odo_model *model, const char *fields, const odo_model *scale,
		      const odo_fabric *f, odo_error *err)
{
	int status = 0;
	double amount;
	const char *list = fields;
	for (size_t n; *fields && !status; fields += n + (fields[n] == ',')) {
		n = strcspn(fields, ",");
		const odo_model_option *o = find_model_option(fields, n);
		if (!o)
			return odo_fail(err, ODO_EINPUT,
					"model: expected field=value with a field that \"odonata "
					"list models ofar\" names, found \"%.*s\"",
					(int)(n < 40 ? n : 40), fields);
		status = refuse_twice(list, fields, o, err);
		if (status)
			break;
		bool real = take_amount(o, fields + strlen(o->row.name) + 1, fields + n, &amount);
		if (!real)
			status = set_plain(model, o, fields, n, err);
		else if (scale)
			status = set_real(model, o, amount, scale, f, err);
	}
	return status;
}

/* Enlarge buffers so that each holds the phits that its cable carries until their credit is back,
 * plus a packet. Otherwise long times in short cycles would leave cables idle. */
static void fit_buffers(odo_model *model, const odo_model *scale)
{
	for (unsigned k = 0; k < ODO_N_LINK_CLASSES; k++) {
		uint32_t needed = 2 * model->latency[k] + model->pipeline + 2 * scale->packet;
		if (model->buffer[k] < needed)
			model->buffer[k] = needed;
	}
}

/* Set the times of a preset, in cycles of this fabric.
 * @param scale defines a cycle and a packet, once the user's fields are set */
static int set_times(odo_model *model, const odo_model_preset *preset, const odo_model *scale,
		     const odo_fabric *f, odo_error *err)
{
	if (!preset->times || !f || !scale->link_rates)
		return 0;
	int status = set_fields(model, preset->times, scale, f, err);
	if (!status)
		fit_buffers(model, scale);
	return status;
}

int odo_model_parse(const char *spec, const odo_fabric *f, odo_model *out, odo_error *err)
{
	return odo_model_change(spec, "", f, out, err);
}

int odo_model_change(const char *spec, const char *changes, const odo_fabric *f, odo_model *out,
		     odo_error *err)
{
	size_t name = preset_name(spec);
	const char *fields = spec + name + (name && spec[name] == ':');
	const odo_model_preset *preset = odo_model_preset_of(spec);
	if (!preset)
		return odo_fail(err, ODO_EINPUT,
				"model: expected a preset that \"odonata list models\" names, "
				"found \"%.*s\"",
				(int)name, spec);
	odo_model model = preset->model, scale = model;
	int status = set_fields(&scale, fields, NULL, f, err);
	if (!status)
		status = set_fields(&scale, changes, NULL, f, err);
	if (!status)
		status = set_times(&model, preset, &scale, f, err);
	if (!status)
		status = set_fields(&model, fields, &scale, f, err);
	if (!status)
		status = set_fields(&model, changes, &scale, f, err);
	if (!status)
		status = odo_model_check(&model, err);
	if (!status)
		*out = model;
	return status;
}

uint32_t odo_model_packets(const odo_model *model, uint64_t bytes)
{
	uint64_t one = (uint64_t)model->packet * model->phit_bytes;
	uint64_t packets = bytes / one + (bytes % one != 0);
	return packets < UINT32_MAX ? (uint32_t)packets : UINT32_MAX;
}

/* Check flow control. Credits of all channels of a VL are counted in 16 bits. */
static int check_flow(const odo_model *model, odo_error *err)
{
	if (model->flow == ODO_FLOW_PACKETS && model->channels > 1)
		return odo_fail(err, ODO_EINPUT, "model: channels need flow=flits");
	if (model->flow == ODO_FLOW_PACKETS && model->paced_credits)
		return odo_fail(err, ODO_EINPUT, "model: paced-credits needs flow=flits");
	if (model->flow == ODO_FLOW_FLITS && model->minimal_first)
		return odo_fail(err, ODO_EINPUT, "model: minimal-first needs flow=packets");
	if (model->flow == ODO_FLOW_FLITS && model->input_parallel > 1)
		return odo_fail(err, ODO_EINPUT, "model: flow=flits needs input-parallel=1");
	for (unsigned k = 0; k < ODO_LINK_HOST; k++)
		if (model->channels * model->buffer[k] >= UINT16_MAX)
			return odo_fail(err, ODO_EINPUT,
					"model: %u channels of %u phits are more than %u",
					model->channels, model->buffer[k], UINT16_MAX - 1u);
	return 0;
}

int odo_model_check(const odo_model *model, odo_error *err)
{
	static const char *const class[] = {"local", "global", "host"};
	for (const odo_model_option *o = odo_model_options; o->row.name; o++) {
		uint32_t value;
		memcpy(&value, (const char *)model + o->offset, sizeof value);
		if (value < o->row.min || value > o->row.max)
			return odo_fail(err, ODO_EINPUT, "model: %s is %u, not from %u to %u",
					o->row.name, value, o->row.min, o->row.max);
	}
	for (unsigned k = 0; k < ODO_N_LINK_CLASSES; k++)
		if (model->buffer[k] < model->packet &&
		    (model->flow == ODO_FLOW_PACKETS || k == ODO_LINK_HOST))
			return odo_fail(err, ODO_EINPUT,
					"model: a %s buffer of %u phits cannot hold a packet of %u",
					class[k], model -> buffer[k], model -> packet);
	return check_flow(model, err);
}

/* Paper 000, Table 1. Latency and buffer are in the order local, global, host, here and below. */
#define PAPER_000                                                                                  \
	.packet = 8, .phit_bytes = 4, .channels = 1, .latency = {10, 100, 1},                      \
	.buffer = {32, 256, 256}, .injection_queues = 3, .queue_policy = ODO_QUEUE_DEST,           \
	.iterations = 3, .arbiter = ODO_ARBITER_LRS, .speedup = 1

const odo_model_preset odo_model_presets[] = {
	/* Table 1 does not say how many packets of an input may cross at once. With one, as in
	 * FOGSim's later versions, OFAR collapses under ADVG+6 at h=6 (accepted load 0.004 to 0.3);
	 * with one per VL it accepts 0.36, as section 5.1 reports. */
	{"ofar",
	 "input-buffered, each VL of an input sends, 3 allocator iterations, LRS",
	 "paper 000, Table 1",
	 NULL,
	 {PAPER_000, .source_full = ODO_SOURCE_WAITS, .input_parallel = 15, .transit_first = 1}},
	{"fogsim-v5",
	 "FOGSim's last version: one packet per input, a full queue drops",
	 "paper 000, Table 1, as its simulator's later versions run it",
	 NULL,
	 {PAPER_000, .source_full = ODO_SOURCE_DROPS, .input_parallel = 1, .transit_first = 0}},
	{"fogsim-v1",
	 "FOGSim's first version: each VL of an input sends, transit first",
	 "paper 000, Table 1, as its simulator's first version runs it",
	 NULL,
	 {PAPER_000, .source_full = ODO_SOURCE_STOPS, .input_parallel = 15, .transit_first = 1}},
	/* Single flits, single-cycle switches that are never the bottleneck. The paper gives
	 * neither latencies nor the crossbar's speed: these are BookSim2's for the same network. */
	{"kim",
	 "single-flit packets, 16 deep buffers, crossbar twice as fast as the links",
	 "paper 001, section 4.2",
	 NULL,
	 {.packet = 1,
	  .phit_bytes = 4,
	  .channels = 1,
	  .latency = {2, 5, 1},
	  .buffer = {16, 16, 16},
	  .injection_queues = 1,
	  .queue_policy = ODO_QUEUE_DEST,
	  .source_full = ODO_SOURCE_WAITS,
	  .iterations = 1,
	  .arbiter = ODO_ARBITER_ROUND_ROBIN,
	  .input_parallel = 1,
	  .speedup = 2,
	  .output_buffer = 1024,
	  .pipeline = 1}},
	/* A cycle is 1 ns, in which 40 Gbit/s carry a phit of 5 bytes: 1,000 bytes are 200 phits,
	 * 100 KB are 20,000. The output buffers are transit queues too, and equally large: with
	 * four packets (output-buffer=800) RVAL stops at 0.85 of full load under ADVL; the paper
	 * reports about 1. */
	{"valiant",
	 "input and output buffers, crossbar twice as fast, 1,000-byte packets",
	 "paper 003, Table I",
	 NULL,
	 {.packet = 200,
	  .phit_bytes = 5,
	  .channels = 1,
	  .latency = {40, 400, 40},
	  .buffer = {20000, 20000, 40000},
	  .injection_queues = 1,
	  .queue_policy = ODO_QUEUE_DEST,
	  .source_full = ODO_SOURCE_WAITS,
	  .iterations = 3,
	  .arbiter = ODO_ARBITER_LRS,
	  .input_parallel = 1,
	  .speedup = 2,
	  .output_buffer = 20000,
	  .pipeline = 200}},
	/* The paper says only that its simulator agrees with BookSim. Buffers and crossbar are
	 * chosen by uniform traffic on a FlatFly whose links are all full at load 1. It saturates
	 * near the loads of the paper's table: DOR 0.81, Mixed DOR 0.90, Distance Based 0.94, ADOR
	 * 0.52. */
	{"daryin",
	 "packets of 4 phits, room for 16 per VL and 8 per output, crossbar four times as fast",
	 "paper 004, section 4, which gives no figures",
	 NULL,
	 {.packet = 4,
	  .phit_bytes = 4,
	  .latency = {5, 5, 5},
	  .buffer = {64, 64, 64},
	  .injection_queues = 1,
	  .queue_policy = ODO_QUEUE_DEST,
	  .source_full = ODO_SOURCE_WAITS,
	  .iterations = 3,
	  .arbiter = ODO_ARBITER_ROUND_ROBIN,
	  .input_parallel = 1,
	  .speedup = 4,
	  .output_buffer = 32,
	  .pipeline = 2,
	  .channels = 1}},
	/* A phit is a credit block of 64 bytes; a cycle is the time of a phit on the fastest link:
	 * 16 ns at 4xQDR, which the cycles and buffers here assume, 1.28 ns at 4xNDR. Switches of
	 * every rate take 100 to 200 ns; 80 ns are 16 m of cable, 784 ns are 157 m. */
	{"infiniband",
	 "MTU 2,048, 64-byte credits, links as fast as the fabric says",
	 "InfiniBand volume 1, 7.9; a common switch's buffers",
	 "latency-local=80ns,latency-global=784ns,latency-host=80ns,pipeline=160ns,"
	 "ejection-latency=80ns",
	 {.packet = 32,
	  .phit_bytes = 64,
	  .channels = 1,
	  .latency = {5, 49, 5},
	  .buffer = {200, 200, 200},
	  .injection_queues = 1,
	  .queue_policy = ODO_QUEUE_VL,
	  .source_full = ODO_SOURCE_WAITS,
	  .iterations = 3,
	  .arbiter = ODO_ARBITER_ROUND_ROBIN,
	  .input_parallel = 1,
	  .speedup = 2,
	  .output_buffer = 64,
	  .pipeline = 10,
	  .ejection_latency = 5,
	  .link_rates = 1}},
	{0},
};
