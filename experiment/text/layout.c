/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libyaml's events give the positions of keys and values. In block style, libyaml ends a collection
 * where the next key begins, behind comments that belong to that key. Therefore the end of a value
 * is taken as the end of its last scalar, alias or bracket.
 */
#include "experiment/text/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"
#include "yaml/yaml.h"

/** Depth of lists and braces within a value; experiments have four. */
enum { MOST_DEPTH = 32 };

/** The file being read. libyaml's marks count letters; `byte` is the byte of its last mark. */
typedef struct reader {
	const char *path, *text;
	size_t size, byte, letter;
	yaml_parser_t parser;
	yaml_event_t event; /**< next event to be read */
	size_t end;         /**< end of the last value */
	odo_error *err;
} reader;

/** Convert a mark to a byte. */
static size_t byte_of(reader *r, yaml_mark_t mark)
{
	if (mark.index < r->letter)
		r->byte = r->letter = 0;
	while (r->letter < mark.index && r->byte < r->size) {
		r->byte++;
		while (((unsigned char)r->text[r->byte] & 0xc0) == 0x80)
			r->byte++; /* UTF-8: the remaining bytes of a letter */
		r->letter++;
	}
	return r->byte;
}

/** @param at byte of the text */
static int fail_at(const reader *r, size_t at, const char *expected, const char *found)
{
	return odo_fail(r->err, ODO_EINPUT, "%s:%u: expected %s, found %.200s", r->path,
			odo_text_line(r->text, r->text + at), expected, found);
}

/** libyaml's events in words for users. */
static const char *words_of_event(yaml_event_type_t type)
{
	return type == YAML_SCALAR_EVENT           ? "a single value"
	       : type == YAML_SEQUENCE_START_EVENT ? "a list"
	       : type == YAML_MAPPING_START_EVENT  ? "keys and values"
	       : type == YAML_STREAM_END_EVENT     ? "nothing"
						   : "something else";
}

static int fail_here(reader *r, const char *expected)
{
	return fail_at(r, byte_of(r, r->event.start_mark), expected, words_of_event(r->event.type));
}

/** Go on to the next event. */
static int next_event(reader *r)
{
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return 0;
	if (r->parser.error == YAML_MEMORY_ERROR)
		return odo_fail(r->err, ODO_ENOMEM, "no memory for an experiment");
	return odo_fail(r->err, ODO_EINPUT, "%s:%u: expected YAML, found an error: %s", r->path,
			(unsigned)r->parser.problem_mark.line + 1, r->parser.problem);
}

/** Record where a value ends, if this event ends one. */
static void note_end(reader *r)
{
	char first = r->text[byte_of(r, r->event.start_mark)];
	bool scalar = r->event.type == YAML_SCALAR_EVENT || r->event.type == YAML_ALIAS_EVENT;
	bool closes = r->event.type == YAML_MAPPING_END_EVENT ||
		      r->event.type == YAML_SEQUENCE_END_EVENT;
	size_t end = byte_of(r, r->event.end_mark);
	if ((scalar || (closes && (first == ']' || first == '}'))) && end > r->end)
		r->end = end;
}

/** Skip a value of any kind. libyaml takes time with the square of the depth. */
static int skip_value(reader *r)
{
	unsigned depth = 0;
	do {
		yaml_event_type_t type = r->event.type;
		if (depth == MOST_DEPTH)
			return fail_at(r, byte_of(r, r->event.start_mark),
				       "lists and braces at most 32 deep", "more of them");
		depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
		depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
		note_end(r);
		int status = next_event(r);
		if (status)
			return status;
	} while (depth);
	return 0;
}

/** Find the end of the line of `at`, including its newline. */
static size_t line_end(const reader *r, size_t at)
{
	if (at && r->text[at - 1] == '\n')
		return at; /* the last newline of a text of several lines */
	const char *end = memchr(r->text + at, '\n', r->size - at);
	return end ? (size_t)(end - r->text) + 1 : r->size;
}

static int read_variants(reader *r, odo_layout *layout);

/** Begin an entry for the current key; its end is set later. */
static int begin_entry(reader *r, odo_entries *out, bool braces)
{
	const char *key = (const char *)r->event.data.scalar.value;
	if (odo_entries_find(out, key))
		return odo_fail(r->err, ODO_EINPUT,
				"%s:%u: expected each key once, found \"%.60s\" twice", r->path,
				(unsigned)r->event.start_mark.line + 1, key);
	if (out->n == ODO_LAYOUT_MAX_KEYS)
		return fail_here(r, "at most 100 keys");
	if (odo_grow(&out->entry, &out->room, out->n + 1, sizeof *out->entry))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for an experiment");
	odo_entry *e = &out->entry[out->n++];
	*e = (odo_entry){.key = strdup(key),
			 .above = braces ? byte_of(r, r->event.start_mark)
					 : (r->end ? line_end(r, r->end) : 0),
			 .begin = byte_of(r, r->event.start_mark),
			 .indent = r->event.start_mark.column,
			 .line = (unsigned)r->event.start_mark.line + 1,
			 .braces = braces};
	r->end = byte_of(r, r->event.end_mark);
	return e->key ? 0 : odo_fail(r->err, ODO_ENOMEM, "no memory for an experiment");
}

/** Read a key and its value. @param layout for the variants; NULL within a variant */
static int read_entry(reader *r, odo_entries *out, bool braces, odo_layout *layout)
{
	if (r->event.type != YAML_SCALAR_EVENT)
		return fail_at(r, byte_of(r, r->event.start_mark), "a word for each key",
			       "something else");
	int status = begin_entry(r, out, braces);
	if (!status)
		status = next_event(r);
	if (status)
		return status;
	odo_entry *e = &out->entry[out->n - 1];
	if (r->event.type == YAML_SCALAR_EVENT &&
	    !(e->value = strdup((const char *)r->event.data.scalar.value)))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for an experiment");
	bool variants = layout && !strcmp(e->key, "variants");
	status = variants ? read_variants(r, layout) : skip_value(r);
	e->end = braces ? r->end : line_end(r, r->end);
	return status;
}

/** Read all keys of the mapping that begins here. */
static int read_entries(reader *r, odo_entries *out, odo_layout *layout)
{
	bool braces = r->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	int status = next_event(r);
	while (!status && r->event.type != YAML_MAPPING_END_EVENT)
		status = read_entry(r, out, braces, layout);
	if (status)
		return status;
	note_end(r);
	return next_event(r);
}

static int read_variant(reader *r, odo_layout *layout)
{
	if (r->event.type != YAML_MAPPING_START_EVENT)
		return fail_here(r, "the keys and values of a variant");
	if (layout->n_variants == ODO_LAYOUT_MAX_VARIANTS)
		return fail_here(r, "at most 100 variants");
	if (odo_grow(&layout->variants, &layout->variants_room, layout->n_variants + 1,
		     sizeof *layout->variants))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for an experiment");
	odo_entries *v = &layout->variants[layout->n_variants++];
	*v = (odo_entries){0};
	size_t start = byte_of(r, r->event.start_mark);
	int status = read_entries(r, v, NULL);
	if (!status && !odo_entries_find(v, "name"))
		return fail_at(r, start, "key \"name\" in each variant", "none");
	return status;
}

static int read_variants(reader *r, odo_layout *layout)
{
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail_here(r, "a list of variants");
	size_t start = byte_of(r, r->event.start_mark);
	int status = next_event(r);
	while (!status && r->event.type != YAML_SEQUENCE_END_EVENT)
		status = read_variant(r, layout);
	if (status)
		return status;
	if (!layout->n_variants)
		return fail_at(r, start, "a list of variants", "an empty one");
	note_end(r);
	return next_event(r);
}

/** Read from the beginning of the file to the end of its keys. */
static int read_document(reader *r, odo_layout *out)
{
	int status = next_event(r);
	while (!status && (r->event.type == YAML_STREAM_START_EVENT ||
			   r->event.type == YAML_DOCUMENT_START_EVENT))
		status = next_event(r);
	if (!status && r->event.type != YAML_MAPPING_START_EVENT)
		return fail_at(r, 0, "keys and values", words_of_event(r->event.type));
	return status ? status : read_entries(r, &out->keys, out);
}

int odo_layout_read(const char *path, const char *text, size_t size, odo_layout *out,
		    odo_error *err)
{
	reader r = {.path = path, .text = text, .size = size, .err = err};
	*out = (odo_layout){0};
	if (!yaml_parser_initialize(&r.parser))
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
	int status = read_document(&r, out);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	return status;
}

const odo_entry *odo_entries_find(const odo_entries *entries, const char *key)
{
	for (size_t i = 0; i < entries->n; i++)
		if (!strcmp(entries->entry[i].key, key))
			return &entries->entry[i];
	return NULL;
}

static void free_entries(odo_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++) {
		free(entries->entry[i].key);
		free(entries->entry[i].value);
	}
	free(entries->entry);
}

void odo_layout_free(odo_layout *layout)
{
	free_entries(&layout->keys);
	for (size_t i = 0; i < layout->n_variants; i++)
		free_entries(&layout->variants[i]);
	free(layout->variants);
	*layout = (odo_layout){0};
}
