/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libcyaml 1.3 reads numbers with strtoull(), so that -1 and 12abc pass. Therefore every scalar is
 * read as text here. For an error libcyaml writes several log lines: the first of them, and the
 * first line number, become our error.
 */
#include "experiment/text/yaml.h"

#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/number.h"

#define TEXT(type, key, flags) CYAML_FIELD_STRING_PTR(#key, flags, struct type, key, 0, 1000)
#define LIST(key, entry)                                                                           \
	CYAML_FIELD_SEQUENCE_COUNT(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,                 \
				   struct odo_raw_experiment, key, key##_count, &(entry), 1,       \
				   ODO_EXPERIMENT_MAX_ITEMS)
#define MUST CYAML_FLAG_DEFAULT
#define MAY CYAML_FLAG_OPTIONAL

static const cyaml_schema_value_t text_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, 1000)};

static const cyaml_schema_field_t damage_fields[] = {
	TEXT(odo_raw_damage, switches, MAY),
	TEXT(odo_raw_damage, links, MAY),
	TEXT(odo_raw_damage, seed, MAY),
	CYAML_FIELD_END,
};
static const cyaml_schema_field_t curve_fields[] = {
	TEXT(odo_raw_curve, name, MUST),
	TEXT(odo_raw_curve, routing, MUST),
	TEXT(odo_raw_curve, model, MAY),
	TEXT(odo_raw_curve, vlarb, MAY),
	CYAML_FIELD_END,
};
static const cyaml_schema_value_t curve_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct odo_raw_curve, curve_fields)};

static const cyaml_schema_field_t fields[] = {
	TEXT(odo_raw_experiment, name, MUST),
	TEXT(odo_raw_experiment, title, MUST),
	TEXT(odo_raw_experiment, paper, MAY),
	TEXT(odo_raw_experiment, fabric, MUST),
	TEXT(odo_raw_experiment, lmc, MAY),
	TEXT(odo_raw_experiment, shuffle, MAY),
	CYAML_FIELD_MAPPING_PTR("damage", MAY | CYAML_FLAG_POINTER, struct odo_raw_experiment,
				damage, damage_fields),
	TEXT(odo_raw_experiment, model, MAY),
	TEXT(odo_raw_experiment, measure, MUST),
	LIST(curves, curve_entry),
	LIST(patterns, text_entry),
	LIST(workloads, text_entry),
	LIST(loads, text_entry),
	LIST(details, text_entry),
	TEXT(odo_raw_experiment, seeds, MAY),
	TEXT(odo_raw_experiment, seed, MAY),
	TEXT(odo_raw_experiment, warmup, MAY),
	TEXT(odo_raw_experiment, measured, MAY),
	TEXT(odo_raw_experiment, steps, MAY),
	TEXT(odo_raw_experiment, first, MAY),
	TEXT(odo_raw_experiment, last, MAY),
	TEXT(odo_raw_experiment, relative, MAY),
	TEXT(odo_raw_experiment, scaled, MAY),
	TEXT(odo_raw_experiment, near, MAY),
	TEXT(odo_raw_experiment, full, MAY),
	TEXT(odo_raw_experiment, packets, MAY),
	TEXT(odo_raw_experiment, series, MAY),
	TEXT(odo_raw_experiment, ranks, MAY),
	TEXT(odo_raw_experiment, placement, MAY),
	TEXT(odo_raw_experiment, steady, MAY),
	CYAML_FIELD_END,
};
static const cyaml_schema_value_t schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct odo_raw_experiment, fields)};

/** First message of libcyaml, and the first line number that it gives; 0 for none. */
struct complaint {
	char text[300];
	unsigned line;
};

static unsigned parse_line_number(const char *text)
{
	uint64_t line = 0;
	odo_take_digits(&text, NULL, 10, &line);
	return (unsigned)line;
}

static void keep_first_message(cyaml_log_t level, void *context, const char *format, va_list args)
{
	struct complaint *c = context;
	char line[300];
	(void)level;
	vsnprintf(line, sizeof line, format, args);
	line[strcspn(line, "\n")] = '\0';
	const char *number = strstr(line, "(line: ");
	if (!c->text[0])
		snprintf(c->text, sizeof c->text, "%s",
			 strncmp(line, "Load: ", 6) ? line : line + 6);
	else if (number && !c->line)
		c->line = parse_line_number(number + 7);
}

unsigned odo_experiment_line_of(const char *text, const char *at)
{
	unsigned n = 1;
	for (; text < at; text++)
		n += *text == '\n';
	return n;
}

const char *odo_experiment_find_word(const char *from, const char *what)
{
	size_t n = strlen(what);
	for (const char *at = from; n && (at = strstr(at, what)); at++) {
		const char *start = at;
		while (start > from && start[-1] != '\n' && *start != '#')
			start--;
		bool begins = at == from || strchr(" \t\n[{,'\"", at[-1]);
		bool ends = strchr(" \t\r\n]},:'\"", at[n]); /* including NUL */
		if (*start != '#' && begins && ends)
			return at;
	}
	return NULL;
}

/** Beginnings of libcyaml's messages, and our texts for them. */
static const struct {
	const char *start, *expected;
	const char *found; /**< with %s for the rest of the message; NULL: `expected` contains it */
} sayings[] = {
	{"Unexpected key: ", "a key that may stand here", "key \"%s\""},
	{"Missing required mapping field: ", "key \"%s\"", NULL},
	{"Mapping field already seen: ", "each key once", "\"%s\" twice"},
	{"Expecting STRING, got event: ", "a single value", "%s"},
	{"Expecting SEQUENCE, got event: ", "a list", "%s"},
	{"Expecting MAPPING, got event: ", "keys and values", "%s"},
	{"STRING length > ", "a shorter value", "one longer than %s"},
	{"Insufficient entries ", "a list with entries", "an empty one"},
	{"Excessive entries ", "a shorter list", "more entries %s"},
	{"libyaml: ", "YAML", "an error: %s"},
	{"Backtrace:", "a word for each key", "something else"}, /* libcyaml has no message for
								  * it */
};

/** libyaml's events in words for users. */
static const char *words_of_event_name(const char *event)
{
	static const char *const words[][2] = {{"SCALAR", "a single value"},
					       {"SEQUENCE_START", "a list"},
					       {"MAPPING_START", "keys and values"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(event, words[i][0]))
			return words[i][1];
	return event;
}

/* Find the line of an error of libyaml. libcyaml gives only the line where the surrounding item
 * begins, and does not distinguish a lack of memory, for which no line is broken. @return the line,
 * or 0 */
static unsigned line_of_broken_yaml(const char *text)
{
	yaml_parser_t parser;
	yaml_event_t event;
	unsigned line = 0;
	if (!yaml_parser_initialize(&parser))
		return 0;
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	for (bool more = true; more;) {
		if (!yaml_parser_parse(&parser, &event)) {
			if (parser.error != YAML_MEMORY_ERROR)
				line = (unsigned)parser.problem_mark.line + 1;
			break;
		}
		more = event.type != YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return line;
}

/** Does the file as a whole lack a mandatory key? A key of a list's item does not count. */
static bool lacks_key(const cyaml_schema_value_t *whole, const char *text, const char *key)
{
	size_t n = strlen(key);
	const cyaml_schema_field_t *f = whole->mapping.fields;
	while (f->key && (strcmp(f->key, key) || f->value.flags & CYAML_FLAG_OPTIONAL))
		f++;
	for (; f->key && text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, key, n) && text[n] == ':')
			return false;
	}
	return f->key != NULL;
}

static int fail_complaint(const odo_plain *from, const cyaml_schema_value_t *whole,
			  const struct complaint *c, unsigned broken, odo_error *err)
{
	const char *text = from->text;
	for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++) {
		size_t n = strlen(sayings[i].start);
		if (strncmp(c->text, sayings[i].start, n))
			continue;
		char expected[200], found[250] = "none";
		const char *rest = c->text + n;
		snprintf(expected, sizeof expected, sayings[i].expected, rest);
		if (sayings[i].found)
			snprintf(found, sizeof found, sayings[i].found, words_of_event_name(rest));
		const char *at = strstr(sayings[i].start, "key")
					 ? odo_experiment_find_word(text, rest)
					 : NULL;
		bool missing = !strncmp(c->text, "Missing", 7) && lacks_key(whole, text, rest);
		unsigned line = at        ? odo_experiment_line_of(text, at)
				: missing ? 0
				: broken  ? broken
					  : c->line;
		odo_experiment_place place = odo_plain_line(from, line);
		return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, found %s", place.path,
				place.line, expected, found);
	}
	odo_experiment_place place = odo_plain_line(from, c->line);
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected keys and values, found %s", place.path,
			place.line, c->text[0] ? c->text : "nothing");
}

static void *resize_memory(void *context, void *memory, size_t size)
{
	(void)context;
	if (size)
		return realloc(memory, size);
	free(memory);
	return NULL;
}

int odo_yaml_load(const odo_plain *from, const cyaml_schema_value_t *whole, void **out,
		  odo_error *err)
{
	struct complaint complaint = {0};
	const cyaml_config_t config = {.log_fn = keep_first_message,
				       .log_ctx = &complaint,
				       .mem_fn = resize_memory,
				       .log_level = CYAML_LOG_WARNING,
				       .flags = CYAML_CFG_NO_ALIAS};
	*out = NULL;
	cyaml_err_t failed = cyaml_load_data((const uint8_t *)from->text, from->size, &config,
					     whole, out, NULL);
	bool by_parser = failed == CYAML_ERR_LIBYAML_PARSER;
	unsigned broken = by_parser ? line_of_broken_yaml(from->text) : 0;
	if (failed == CYAML_ERR_OOM || failed == CYAML_ERR_LIBYAML_PARSER_INIT ||
	    (by_parser && !broken))
		return odo_fail(err, ODO_ENOMEM, "no memory for %s", from->start.path);
	if (failed && !complaint.text[0])
		snprintf(complaint.text, sizeof complaint.text, "%s", cyaml_strerror(failed));
	return failed || !*out ? fail_complaint(from, whole, &complaint, broken, err) : 0;
}

void odo_yaml_free(const cyaml_schema_value_t *whole, void *raw)
{
	const cyaml_config_t config = {.mem_fn = resize_memory};
	cyaml_free(&config, whole, raw, 0);
}

int odo_experiment_yaml_load(const odo_plain *from, struct odo_raw_experiment **out, odo_error *err)
{
	void *raw;
	int status = odo_yaml_load(from, &schema, &raw, err);
	*out = raw;
	return status;
}

void odo_experiment_yaml_free(struct odo_raw_experiment *raw)
{
	odo_yaml_free(&schema, raw);
}
