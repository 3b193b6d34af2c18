/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libcyaml 1.3 reads numbers with strtoull(), so that -1 and 12abc pass. Therefore every scalar is
 * read as text here. For an error libcyaml writes several log lines: the first of them, and the
 * first line number, become our error.
 */
#include "yaml/yaml.h"

#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/number.h"

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
		const char *at = strstr(sayings[i].start, "key") ? odo_text_find_word(text, rest)
								 : NULL;
		bool missing = !strncmp(c->text, "Missing", 7) && lacks_key(whole, text, rest);
		unsigned line = at        ? odo_text_line(text, at)
				: missing ? 0
				: broken  ? broken
					  : c->line;
		odo_text_place place = odo_plain_line(from, line);
		return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, found %s", place.path,
				place.line, expected, found);
	}
	odo_text_place place = odo_plain_line(from, c->line);
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
