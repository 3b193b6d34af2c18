/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read experiment files and check the form of every value. Their meaning is checked when the
 * experiment runs. */
#include "experiment/experiment.h"

#include <cyaml/cyaml.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "experiment/file.h"
#include "experiment/world.h"
#include "yaml/yaml.h"

/** Maximum number of loads of one range, and of items of a list. */
#define MOST_LOADS 10000
#define MOST_ITEMS 10000

static const char *const kind_names[] = {"load", "saturation", "burst", "workload", "bound", NULL};

/* Measures that a key applies to. */
#define LOAD (1u << ODO_EXPERIMENT_LOAD)
#define SATURATION (1u << ODO_EXPERIMENT_SATURATION)
#define BURST (1u << ODO_EXPERIMENT_BURST)
#define WORKLOAD (1u << ODO_EXPERIMENT_WORKLOAD)
#define BOUND (1u << ODO_EXPERIMENT_BOUND)
#define SEARCHED (SATURATION | BOUND)
#define ANY (LOAD | SEARCHED | BURST | WORKLOAD)

#define MUST CYAML_FLAG_DEFAULT
#define MAY CYAML_FLAG_OPTIONAL

/** Keys with a text: measures, and whether the key must be given. */
#define TEXTS(ROW)                                                                                 \
	ROW(name, ANY, MUST)                                                                       \
	ROW(title, ANY, MUST)                                                                      \
	ROW(paper, ANY, MAY)                                                                       \
	ROW(fabric, ANY, MUST)                                                                     \
	ROW(model, ANY, MAY)                                                                       \
	ROW(measure, ANY, MUST)                                                                    \
	ROW(placement, WORKLOAD, MAY)                                                              \
	ROW(packets, BURST, MAY)

/** Keys with a whole number: measures, and the member of `x` with its limits. */
#define NUMBERS(ROW)                                                                               \
	ROW(seeds, ANY, x->n_seeds, 1, 1000)                                                       \
	ROW(seed, ANY, x->first_seed, 0, 1u << 30)                                                 \
	ROW(warmup, LOAD | SEARCHED, x->warmup, 0, 1000000000)                                     \
	ROW(measured, ANY, x->measured, 1, 1000000000)                                             \
	ROW(steps, SEARCHED, x->search.steps, 2, 65536)                                            \
	ROW(last, SATURATION, x->search.last, 1, x->search.steps)                                  \
	ROW(first, SEARCHED, x->search.first, 1, last_step(x))                                     \
	ROW(relative, SEARCHED, x->search.relative, 2, 65536)                                      \
	ROW(series, LOAD | BURST | WORKLOAD, x->series, 1, 1u << 30)                               \
	ROW(ranks, WORKLOAD, x->ranks, 2, 1u << 30)                                                \
	ROW(lmc, ANY, x->lmc, 0, 7)                                                                \
	ROW(shuffle, ANY, x->shuffle, 0, UINT64_MAX)

/** Keys with yes or no: measures, and the member of `x`. */
#define SWITCHES(ROW)                                                                              \
	ROW(scaled, SEARCHED, x->search.scaled)                                                    \
	ROW(full, SEARCHED, x->search.full)                                                        \
	ROW(near, SEARCHED, x->search.near)                                                        \
	ROW(steady, LOAD | SEARCHED, x->steady)

/** Keys with a list: measures, and the type of its items. */
#define LISTS(ROW)                                                                                 \
	ROW(curves, ANY, struct raw_curve)                                                         \
	ROW(patterns, LOAD | SEARCHED | BURST, char *)                                             \
	ROW(workloads, WORKLOAD, char *)                                                           \
	ROW(loads, ANY, char *) /* refused by read_load_list() */                                  \
	ROW(details, LOAD | BURST | WORKLOAD, char *)

/* Values as libcyaml reads them; keys missing in the file are NULL or empty. */
struct raw_damage {
	char *switches, *links, *seed;
};
struct raw_curve {
	char *name, *routing, *model, *vlarb;
};
struct raw {
#define MEMBER(key, ...) char *key;
	TEXTS(MEMBER)
	NUMBERS(MEMBER)
	SWITCHES(MEMBER)
#undef MEMBER
#define MEMBER(key, kinds, type)                                                                   \
	type *key;                                                                                 \
	uint32_t key##_count;
	LISTS(MEMBER)
#undef MEMBER
	struct raw_damage *damage;
};

#define TEXT(type, key, flags) CYAML_FIELD_STRING_PTR(#key, flags, struct type, key, 0, 1000)
static const cyaml_schema_field_t damage_fields[] = {TEXT(raw_damage, switches, MAY),
						     TEXT(raw_damage, links, MAY),
						     TEXT(raw_damage, seed, MAY), CYAML_FIELD_END};
static const cyaml_schema_field_t curve_fields[] = {
	TEXT(raw_curve, name, MUST), TEXT(raw_curve, routing, MUST), TEXT(raw_curve, model, MAY),
	TEXT(raw_curve, vlarb, MAY), CYAML_FIELD_END};
static const cyaml_schema_value_t text_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, 1000)};
static const cyaml_schema_value_t curve_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_curve, curve_fields)};

static const cyaml_schema_field_t fields[] = {
#define FIELD(key, kinds, flags) TEXT(raw, key, flags),
	TEXTS(FIELD)
#undef FIELD
#define FIELD(key, ...) TEXT(raw, key, MAY),
		NUMBERS(FIELD) SWITCHES(FIELD)
#undef FIELD
#define FIELD(key, kinds, type)                                                                    \
	CYAML_FIELD_SEQUENCE_COUNT(                                                                \
		#key, CYAML_FLAG_POINTER | MAY, struct raw, key, key##_count,                      \
		_Generic((type *)0, char **: &text_entry, struct raw_curve *: &curve_entry), 1,    \
		MOST_ITEMS),
			LISTS(FIELD)
#undef FIELD
				CYAML_FIELD_MAPPING_PTR("damage", CYAML_FLAG_POINTER | MAY,
							struct raw, damage, damage_fields),
	CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw, fields)};

struct odo_experiment_file {
	struct raw *raw;
	odo_plain plain;
	char *path; /**< or NULL if the creator of `plain` owns it */
	odo_curve *curves;
	double *loads;
	size_t loads_room;
	bool gb; /**< loads are in GB/s */
};

odo_text_place odo_experiment_find(const odo_experiment *x, const char *key, const char *value)
{
	return odo_plain_find(&x->file->plain, key, value);
}

static int bad_value(const odo_experiment *x, const char *key, const char *value,
		     const char *expected, odo_error *err)
{
	odo_text_place at = odo_experiment_find(x, key, value);
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s for %s, found \"%.60s\"", at.path,
			at.line, expected, key, value);
}

/** Prefix an error of odo_read_number() or similar functions with the number's place. */
static int bad_number(const odo_experiment *x, const char *key, const char *value, odo_error *err)
{
	odo_text_place at = odo_experiment_find(x, key, value);
	return odo_fail_within(err, "%s:%u: %s", at.path, at.line, key);
}

static int missing_key(const odo_experiment *x, const char *key, odo_error *err)
{
	odo_text_place at = x->file->plain.start;
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected key \"%s\" with measure: %s, found none",
			at.path, at.line, key, kind_names[x->kind]);
}

/** Read a whole number from `min` to `max`. @param out [size] 4 or 8 bytes; unchanged if the key is
 * absent */
static int read_whole_number(const odo_experiment *x, const char *key, const char *text,
			     uint64_t min, uint64_t max, void *out, size_t size, odo_error *err)
{
	uint64_t wide;
	if (!text)
		return 0;
	if (odo_read_number(text, 10, min, max, &wide, err))
		return bad_number(x, key, text, err);
	if (size == sizeof wide)
		memcpy(out, &wide, size);
	else
		*(uint32_t *)out = (uint32_t)wide;
	return 0;
}

static int read_damage(odo_experiment *x, const struct raw_damage *d, odo_error *err)
{
	if (d->switches && odo_read_real(d->switches, 0, 1, &x->damage_switches, err))
		return bad_number(x, "switches", d->switches, err);
	if (d->links && odo_read_real(d->links, 0, 1, &x->damage_links, err))
		return bad_number(x, "links", d->links, err);
	return read_whole_number(x, "seed", d->seed, 0, UINT64_MAX, &x->damage_seed,
				 sizeof x->damage_seed, err);
}

/** Read a load. Either all loads and steps of a list are in GB/s, or none. */
static bool take_listed_load(odo_experiment *x, const char **at, double least, double *load)
{
	bool gb, first = !x->n_loads;
	if (!odo_take_load(at, load, &gb) || *load < least || (!gb && *load > 1))
		return false;
	if (first)
		x->file->gb = gb;
	return gb == x->file->gb;
}

/** Read "0.25", or "0.05:1:0.05" for a range and its step. */
static int read_load(odo_experiment *x, const char *text, odo_error *err)
{
	struct odo_experiment_file *file = x->file;
	double from, to, step = 1;
	const char *at = text;
	bool fine = take_listed_load(x, &at, 0, &from) && from > 0;
	to = from;
	if (fine && *at == ':')
		fine = take_listed_load(x, (at++, &at), 0, &to) && *at == ':' &&
		       take_listed_load(x, (at++, &at), 1e-4, &step);
	if (!fine || *at || (to - from) / step > MOST_LOADS)
		return bad_value(x, "loads", text,
				 "loads above 0 up to 1 as 0.5 or 80%, or all in GB/s as 2GB/s, or "
				 "from:to:step",
				 err);
	for (uint32_t i = 0; from + i * step <= to + step / 1000; i++) {
		if (odo_grow(&file->loads, &file->loads_room, x->n_loads + 1u, sizeof *file->loads))
			return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
		file->loads[x->n_loads++] = fmin(from + i * step, to);
	}
	return 0;
}

static const char *const detail_names[] = {"series",  "path",     "switches",
					   "latency", "channels", NULL};

/** Find the index of `text` among `words`. */
static int read_word(const odo_experiment *x, const char *key, const char *text,
		     const char *const *words, uint32_t *out, odo_error *err)
{
	char expected[120] = "one of";
	for (*out = 0; words[*out]; ++*out) {
		if (!strcmp(words[*out], text))
			return 0;
		strncat(strncat(expected, *out ? ", " : " ", 3), words[*out], 20);
	}
	return bad_value(x, key, text, expected, err);
}

static int read_experiment_name(odo_experiment *x, const char *text, odo_error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	if (!*text || text[strspn(text, letters)] || strlen(text) > 60)
		return bad_value(x, "name", text, "lower-case letters, digits and dashes", err);
	x->name = text;
	return 0;
}

/** Check texts such as names: they go into CSV fields and gnuplot strings, which have no escapes.
 */
static int read_plain(const odo_experiment *x, const char *key, const char *text, odo_error *err)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || strchr("\"'\\`$;", *at))
			return bad_value(x, key, text, "text without quotes, backslashes, $ or ;",
					 err);
	return 0;
}

/* Spreadsheets run a field of CSV that begins so. */
static bool is_formula(const char *text)
{
	char first = text[strspn(text, " ")];
	return first && strchr("=+-@", first);
}

static int read_curves(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	odo_curve *curve = x->file->curves = odo_new(raw->curves_count, sizeof *curve);
	if (!curve)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	if (!raw->curves_count)
		return missing_key(x, "curves", err);
	for (uint32_t i = 0; i < raw->curves_count; i++) {
		const struct raw_curve *from = &raw->curves[i];
		int status = read_plain(x, "curves", from->name, err);
		if (!status)
			status = read_plain(x, "curves", from->routing, err);
		if (!status && (strchr(from->name, ',') || is_formula(from->name)))
			status = bad_value(x, "curves", from->name,
					   "a name without a comma that begins with no = + - @",
					   err);
		for (uint32_t k = 0; !status && k < i; k++)
			if (!strcmp(curve[k].name, from->name))
				status = bad_value(x, "curves", from->name, "each name once", err);
		if (status)
			return status;
		curve[i] = (odo_curve){.name = from->name,
				       .routing = from->routing,
				       .model = from->model ? from->model : "",
				       .vlarb = from->vlarb};
	}
	x->curves = curve;
	x->n_curves = raw->curves_count;
	return 0;
}

static int read_patterns(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	bool works = x->kind == ODO_EXPERIMENT_WORKLOAD;
	const char *key = works ? "workloads" : "patterns";
	x->patterns = (const char *const *)(works ? raw->workloads : raw->patterns);
	x->n_patterns = works ? raw->workloads_count : raw->patterns_count;
	if (!x->n_patterns)
		return missing_key(x, key, err);
	for (uint32_t i = 0; i < x->n_patterns; i++) {
		int status = read_plain(x, key, x->patterns[i], err);
		if (status)
			return status;
	}
	return 0;
}

/** Convert loads from GB/s to phits per cycle. */
static int convert_loads_from_gb(const odo_experiment *x, odo_error *err)
{
	odo_units units;
	odo_text_place at = odo_experiment_find(x, "loads", NULL);
	if (!odo_experiment_units(x, &units))
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected loads up to 1, or in percent, found GB/s, which "
				"are known with model: infiniband (link-rates=1) in all curves, "
				"and a fabric that can be read",
				at.path, at.line);
	for (uint32_t i = 0; i < x->n_loads; i++)
		if (odo_gb_load(&units, x->file->loads[i], &x->file->loads[i], err))
			return odo_fail_within(err, "%s:%u: loads", at.path, at.line);
	return 0;
}

static int read_load_list(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	bool wanted = x->kind == ODO_EXPERIMENT_LOAD;
	odo_text_place at = odo_experiment_find(x, "loads", NULL);
	if (wanted != !!raw->loads_count)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected key \"loads\" with measure: load only, found %s",
				at.path, at.line, wanted ? "none" : "it");
	for (uint32_t i = 0; i < raw->loads_count; i++) {
		int status = read_load(x, raw->loads[i], err);
		if (status)
			return status;
	}
	x->loads = x->file->loads;
	return x->file->gb ? convert_loads_from_gb(x, err) : 0;
}

static int read_details(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	for (uint32_t i = 0; i < raw->details_count; i++) {
		uint32_t which;
		int status = read_word(x, "details", raw->details[i], detail_names, &which, err);
		if (status)
			return status;
		x->details |= 1u << which;
	}
	return 0;
}

/** Read "2000", or "64KiB". */
static int read_packets(odo_experiment *x, const char *text, odo_error *err)
{
	const char *at = text;
	if (!text || !text[strspn(text, "0123456789")])
		return read_whole_number(x, "packets", text, 1, 1u << 30, &x->packets,
					 sizeof x->packets, err);
	if (!odo_take_bytes(&at, NULL, &x->burst_bytes) || *at || !x->burst_bytes ||
	    x->burst_bytes > INT64_MAX)
		return bad_value(x, "packets", text, "packets or, as 64KiB, bytes", err);
	return 0;
}

static uint32_t last_step(const odo_experiment *x)
{
	return x->search.last ? x->search.last : x->search.steps;
}

static int read_numbers(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	static const char *const no_yes[] = {"no", "yes", NULL};
	uint32_t yes;
	x->n_seeds = 1;
	x->first_seed = 1;
	x->warmup = x->measured = 10000;
	x->packets = 2000;
	x->series = 10;
	x->search.steps = x->kind == ODO_EXPERIMENT_BOUND ? 100 : ODO_SATURATION_STEPS;
	x->search.full = true;
	x->shuffled = raw->shuffle;
	int status = 0;
#define READ(key, kinds, member, min, max)                                                         \
	if (!status)                                                                               \
		status = read_whole_number(x, #key, raw->key, min, max, &member, sizeof member,    \
					   err);
	NUMBERS(READ)
#undef READ
#define READ(key, kinds, member)                                                                   \
	if (!status && raw->key && !(status = read_word(x, #key, raw->key, no_yes, &yes, err)))    \
		member = yes;
	SWITCHES(READ)
#undef READ
	if (!status)
		status = read_packets(x, raw->packets, err);
	if (!status && raw->damage)
		status = read_damage(x, raw->damage, err);
	return status;
}

/** Refuse keys that would be ignored. */
static int refuse_idle_keys(const odo_experiment *x, const struct raw *raw, odo_error *err)
{
	const struct {
		const char *key;
		unsigned kinds;
		bool given;
	} keys[] = {
#define GIVEN(key, kinds, ...) {#key, kinds, raw->key},
		TEXTS(GIVEN) NUMBERS(GIVEN) SWITCHES(GIVEN) LISTS(GIVEN)
#undef GIVEN
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		odo_text_place at = odo_experiment_find(x, keys[i].key, NULL);
		if (keys[i].given && !(keys[i].kinds >> x->kind & 1))
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected no key \"%s\" with measure: %s, found it",
					at.path, at.line, keys[i].key, kind_names[x->kind]);
	}
	odo_text_place at = odo_experiment_find(x, "series", NULL);
	if (raw->series && !(x->details & ODO_DETAIL_SERIES))
		return odo_fail(
			err, ODO_EINPUT,
			"%s:%u: expected key \"series\" with series among details, found it "
			"without",
			at.path, at.line);
	return 0;
}

static int read_values(odo_experiment *x, const struct raw *raw, odo_error *err)
{
	uint32_t kind;
	x->title = raw->title;
	x->paper = raw->paper ? raw->paper : "";
	x->fabric = raw->fabric;
	x->model = raw->model ? raw->model : "";
	x->placement = raw->placement ? raw->placement : "linear";
	int status = read_experiment_name(x, raw->name, err);
	if (!status)
		status = read_plain(x, "title", x->title, err);
	if (!status && !*x->fabric)
		status = bad_value(x, "fabric", "", "a spec, preset or file", err);
	if (!status)
		status = read_word(x, "measure", raw->measure, kind_names, &kind, err);
	if (status)
		return status;
	x->kind = (odo_experiment_kind)kind;
	status = read_numbers(x, raw, err);
	if (!status)
		status = read_curves(x, raw, err);
	if (!status)
		status = read_patterns(x, raw, err);
	if (!status)
		x->real = odo_experiment_is_real(x);
	if (!status)
		status = read_load_list(x, raw, err);
	if (!status)
		status = read_details(x, raw, err);
	return status ? status : refuse_idle_keys(x, raw, err);
}

int odo_experiment_make(odo_plain *plain, odo_experiment **out, odo_error *err)
{
	odo_experiment *x = odo_new(1, sizeof *x);
	struct odo_experiment_file *file = odo_new(1, sizeof *file);
	if (!x || !file) {
		free(x);
		free(file);
		odo_plain_free(plain);
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	}
	file->plain = *plain;
	*plain = (odo_plain){0};
	x->file = file;
	x->path = file->plain.start.path;
	x->text = file->plain.text;
	void *raw;
	int status = odo_yaml_load(&file->plain, &schema, &raw, err);
	file->raw = raw;
	if (!status)
		status = read_values(x, file->raw, err);
	if (status)
		odo_experiment_free(x);
	else
		*out = x;
	return status;
}

int odo_experiment_parse(const char *path, const char *text, size_t size, odo_experiment **out,
			 odo_error *err)
{
	char *copy = strdup(path);
	const char *zero = memchr(text, '\0', size);
	odo_plain plain = {0};
	int status = 0;
	if (!copy)
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	else if (zero)
		status = odo_fail(err, ODO_EINPUT, "%s:%u: expected text, found a zero byte", path,
				  odo_text_line(text, zero));
	if (!status)
		status = odo_plain_copy(copy, text, size, &plain, err);
	if (!status)
		status = odo_experiment_make(&plain, out, err);
	if (status)
		free(copy);
	else
		(*out)->file->path = copy;
	return status;
}

void odo_experiment_free(odo_experiment *x)
{
	if (!x)
		return;
	struct odo_experiment_file *file = x->file;
	if (file) {
		odo_yaml_free(&schema, file->raw);
		free(file->curves);
		free(file->loads);
		odo_plain_free(&file->plain);
		free(file->path);
		free(file);
	}
	free(x);
}
