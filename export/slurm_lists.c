/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files of a site about its nodes: lists, and an earlier topology.conf. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/order.h"
#include "export/slurm.h"
#include "fabric/format/lines.h"
#include "fabric/format/slurp.h"

void odo_slurm_options_clear(odo_slurm_options *o)
{
	odo_names_clear(&o->nodes);
	for (size_t i = 0; i < o->n_was; i++) {
		free(o->was[i].name);
		free(o->was[i].above);
	}
	free(o->was);
	*o = (odo_slurm_options){0};
}

static int copy_text(const char *at, size_t n, char **to, odo_error *err)
{
	*to = odo_new(n + 1, 1);
	if (!*to)
		return odo_fail(err, ODO_ENOMEM, "no memory for names of nodes");
	memcpy(*to, at, n);
	return 0;
}

/* Call `read` for each line of a file, except comments and empty lines. */
static int read_file_lines(const char *path,
			   int (*read)(odo_scan *s, odo_slurm_options *o, odo_error *err),
			   odo_slurm_options *o, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	odo_scan s = odo_lines_make(text, size, odo_origin_name(path));
	while (!status && odo_lines_next(&s))
		status = read(&s, o, err);
	free(text);
	return status;
}

/* Return the rest of the line, without a comment and without blanks and quotes around it. */
static const char *take_rest(odo_scan *s, size_t *n)
{
	static const char around[] = " \t\r\"";
	const char *end = memchr(s->at, '#', (size_t)(s->end - s->at));
	end = end ? end : s->end;
	while (s->at < end && strchr(around, *s->at))
		s->at++;
	while (end > s->at && strchr(around, end[-1]))
		end--;
	*n = (size_t)(end - s->at);
	return s->at;
}

static int read_one_name(odo_scan *s, odo_slurm_options *o, odo_error *err)
{
	size_t n;
	const char *text = take_rest(s, &n);
	char what[300];
	snprintf(what, sizeof what, "%.200s:%u", s->origin, s->line);
	return n ? odo_hostlist_read(text, n, what, &o->nodes, err) : 0;
}

int odo_slurm_read_list(const char *text, const char *what, odo_names *to, odo_error *err)
{
	static const char file[] = "file:";
	odo_slurm_options read = {.nodes = *to};
	int status = strncmp(text, file, sizeof file - 1)
			     ? odo_hostlist_read(text, strlen(text), what, &read.nodes, err)
			     : read_file_lines(text + sizeof file - 1, read_one_name, &read, err);
	*to = read.nodes;
	odo_names_sort(to);
	return status;
}

/* Return true if a name has only characters that Slurm allows in names of nodes and switches. */
static bool is_plain(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr(".-_", name[i]))
			return false;
	return n;
}

static int add_place(odo_slurm_options *o, const char *name, const char *above, size_t length,
		     bool is_switch, odo_error *err)
{
	odo_slurm_place x = {.is_switch = is_switch};
	if (odo_grow(&o->was, &o->was_room, o->n_was + 1, sizeof x))
		return odo_fail(err, ODO_ENOMEM, "no memory for a topology.conf");
	int status = copy_text(name, strlen(name), &x.name, err);
	if (!status)
		status = copy_text(above, length, &x.above, err);
	if (status)
		free(x.name);
	else
		o->was[o->n_was++] = x;
	return status;
}

/* Find the value after KEY=, without quotes. KEY must not be the end of another word. */
static const char *find_value(const odo_scan *s, const char *key, size_t *length)
{
	size_t n = strlen(key);
	for (const char *at = s->at; at + n < s->end && *at != '#'; at++) {
		if (strncasecmp(at, key, n) || (at > s->at && !strchr(" \t", at[-1])))
			continue;
		at += n;
		bool quoted = *at == '"';
		*length = strcspn(at + quoted, quoted ? "\"\r\n" : " \t\r\n#");
		return at + quoted;
	}
	return NULL;
}

static int add_children(odo_scan *s, odo_slurm_options *o, const char *key, const char *above,
			size_t n_above, odo_error *err)
{
	size_t n;
	const char *list = find_value(s, key, &n);
	odo_names names = {0};
	char what[300];
	snprintf(what, sizeof what, "%.200s:%u", s->origin, s->line);
	int status = list ? odo_hostlist_read(list, n, what, &names, err) : 0;
	for (size_t i = 0; i < names.n && !status; i++)
		if (!is_plain(above, n_above) || !is_plain(names.name[i], strlen(names.name[i])))
			status = odo_lines_expected(s, "names of letters, digits, '.', '-', '_'",
						    err);
	for (size_t i = 0; i < names.n && !status; i++)
		status = add_place(o, names.name[i], above, n_above, key[0] == 'S', err);
	odo_names_clear(&names);
	return status;
}

static int read_switch_line(odo_scan *s, odo_slurm_options *o, odo_error *err)
{
	size_t n;
	const char *name = find_value(s, "SwitchName=", &n);
	if (!name || !n)
		return odo_lines_expected(
			s, "a line of topology.conf, SwitchName=... Nodes=... or Switches=...",
			err);
	int status = add_children(s, o, "Nodes=", name, n, err);
	return status ? status : add_children(s, o, "Switches=", name, n, err);
}

static int by_kind_and_name(const void *a, const void *b)
{
	const odo_slurm_place *x = a, *y = b;
	if (x->is_switch != y->is_switch)
		return x->is_switch ? 1 : -1;
	int order = odo_name_compare(x->name, y->name);
	return order ? order : strcmp(x->above, y->above);
}

int odo_slurm_read_was(const char *path, odo_slurm_options *o, odo_error *err)
{
	int status = read_file_lines(path, read_switch_line, o, err);
	if (o->n_was)
		qsort(o->was, o->n_was, sizeof *o->was, by_kind_and_name);
	return status;
}
