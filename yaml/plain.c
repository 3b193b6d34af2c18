/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "yaml/plain.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/format/slurp.h"

unsigned odo_text_line(const char *text, const char *at)
{
	unsigned n = 1;
	for (; text < at; text++)
		n += *text == '\n';
	return n;
}

const char *odo_text_find_word(const char *from, const char *what)
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

int odo_plain_read(const char *path, odo_plain *out, odo_error *err)
{
	*out = (odo_plain){.start = {odo_origin_name(path), 1}};
	return odo_slurp(path, &out->text, &out->size, err);
}

int odo_plain_copy(const char *path, const char *text, size_t size, odo_plain *out, odo_error *err)
{
	char *copy = odo_new(size + 1, 1);
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	memcpy(copy, text, size);
	*out = (odo_plain){.text = copy, .size = size, .start = {path, 1}};
	return 0;
}

void odo_plain_free(odo_plain *plain)
{
	free(plain->text);
	free(plain->line);
	*plain = (odo_plain){0};
}

odo_text_place odo_plain_line(const odo_plain *plain, unsigned line)
{
	if (!line)
		return plain->start;
	if (!plain->line)
		return (odo_text_place){plain->start.path, line};
	return line <= plain->n_lines ? plain->line[line - 1] : plain->start;
}

odo_text_place odo_plain_place(const odo_plain *plain, const char *at)
{
	return odo_plain_line(plain, odo_text_line(plain->text, at));
}

odo_text_place odo_plain_find(const odo_plain *plain, const char *key, const char *value)
{
	const char *at = odo_text_find_word(plain->text, key);
	const char *word = at && value ? odo_text_find_word(at, value) : NULL;
	return at ? odo_plain_place(plain, word ? word : at) : plain->start;
}
