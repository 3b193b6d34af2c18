/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Assemble the text of an experiment from lines of its files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiment/text/sources.h"
#include "yaml/yaml.h"

/** A key of a file. If a key is given more than once, the highest rank wins. */
typedef struct piece {
	const odo_source *from;
	const odo_entry *entry;
	unsigned rank;
} piece;

/** Rank of the main file: above the files that it includes, below its variant. */
#define RANK ODO_SOURCES_MAX_DEPTH

typedef struct pieces {
	piece *piece;
	size_t n, room;
} pieces;

/** The text being written, with the place of each line. */
typedef struct writer {
	FILE *to;
	odo_text_place *line;
	size_t n, room;
	bool no_memory;
} writer;

static int add_piece(pieces *out, piece p)
{
	if (odo_grow(&out->piece, &out->room, out->n + 1, sizeof *out->piece))
		return ODO_ENOMEM;
	out->piece[out->n++] = p;
	return 0;
}

static int add_entries(pieces *out, const odo_source *from, const odo_entries *entries,
		       unsigned rank)
{
	int status = 0;
	for (size_t i = 0; !status && i < entries->n; i++)
		status = add_piece(out, (piece){from, &entries->entry[i], rank});
	return status;
}

/** Collect the keys of a file in order, with those of the file it includes and of the variant. */
static int collect_keys(const odo_source *source, const odo_entries *variant, unsigned rank,
			pieces *out)
{
	int status = 0;
	for (size_t i = 0; !status && i < source->layout.keys.n; i++) {
		const odo_entry *e = &source->layout.keys.entry[i];
		if (!strcmp(e->key, "include"))
			status = collect_keys(source->base, NULL, rank - 1, out);
		else if (!strcmp(e->key, "variants"))
			status = add_entries(out, source, variant, rank + 1);
		else
			status = add_piece(out, (piece){source, e, rank});
	}
	return status;
}

/** Keys at the beginning of an experiment, before any other keys. */
static const char *const heading[] = {"name", "title",   "paper", "fabric",
				      "lmc",  "shuffle", "damage"};
#define N_HEADING (sizeof heading / sizeof *heading)

static bool is_heading(const char *key)
{
	size_t i = 0;
	while (i < N_HEADING && strcmp(heading[i], key))
		i++;
	return i < N_HEADING;
}

/** Find the piece of a key that wins, and the first place of a piece of the lowest rank. */
static const piece *find_winner(const pieces *all, const char *key, size_t *place)
{
	const piece *best = NULL;
	*place = all->n;
	for (size_t i = 0; i < all->n; i++) {
		const piece *p = &all->piece[i];
		if (strcmp(p->entry->key, key))
			continue;
		if (!best || p->rank > best->rank)
			best = p;
		if (*place == all->n || p->rank < all->piece[*place].rank)
			*place = i;
	}
	return best;
}

/** Write a line of a file without its newline. @param line its number in the file */
static void write_line(writer *w, const odo_source *from, unsigned line, const char *at, size_t n)
{
	if (odo_grow(&w->line, &w->room, w->n + 1, sizeof *w->line)) {
		w->no_memory = true;
		return;
	}
	w->line[w->n++] = (odo_text_place){from->path, line};
	fprintf(w->to, "%.*s\n", (int)n, at);
}

static void write_comments(writer *w, const odo_source *from, const odo_entry *e)
{
	const char *at = from->text + e->above, *end = from->text + e->begin;
	unsigned line = e->line + 1 - odo_text_line(at, end);
	for (; at < end; line++) {
		size_t n = strcspn(at, "\n"), blank = strspn(at, " \t");
		if (at[blank] == '#')
			write_line(w, from, line, at + blank, n - blank);
		at += n + (at[n] == '\n');
	}
}

/** Count the blanks to remove from a line of a value, so that its key stands first in its line.
 * Within braces, remove all but one. */
static size_t spare_blanks(const odo_entry *e, const char *line)
{
	size_t blanks = strspn(line, " "), spare = e->braces && blanks ? blanks - 1 : e->indent;
	return spare < blanks ? spare : blanks;
}

static void write_value(writer *w, const odo_source *from, const odo_entry *e)
{
	const char *at = from->text + e->begin, *end = from->text + e->end;
	for (unsigned i = 0; at < end; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		at += i ? spare_blanks(e, at) : 0;
		write_line(w, from, e->line + i, at, (size_t)(stop - at));
		at = newline ? newline + 1 : end;
	}
}

/** @param own rank whose comments concern only this experiment */
static void write_piece(writer *w, const piece *p, unsigned own)
{
	if (p->rank == own)
		write_comments(w, p->from, p->entry);
	write_value(w, p->from, p->entry);
}

static void write_pieces(writer *w, const pieces *all, unsigned own)
{
	size_t place;
	for (size_t i = 0; i < N_HEADING; i++) {
		const piece *p = find_winner(all, heading[i], &place);
		if (p)
			write_piece(w, p, own);
	}
	for (size_t i = 0; i < all->n; i++) {
		const char *key = all->piece[i].entry->key;
		const piece *p = find_winner(all, key, &place);
		if (place == i && !is_heading(key))
			write_piece(w, p, own);
	}
}

/** Place where an experiment begins: its file or its variant. */
static odo_text_place start_of_experiment(const odo_source *main, const odo_entries *variant)
{
	unsigned line = variant ? odo_entries_find(variant, "name")->line : 1;
	return (odo_text_place){main->path, line};
}

static int assemble_text(const odo_source *main, const odo_entries *variant, odo_plain *out,
			 odo_error *err)
{
	pieces all = {0};
	writer w = {0};
	odo_plain made = {.start = start_of_experiment(main, variant)};
	w.no_memory = collect_keys(main, variant, RANK, &all) ||
		      !(w.to = open_memstream(&made.text, &made.size));
	if (!w.no_memory)
		write_pieces(&w, &all, RANK + (variant != NULL));
	w.no_memory = odo_text_close(w.to, &made.text) || w.no_memory;
	free(all.piece);
	made.line = w.line;
	made.n_lines = w.n;
	int status = 0;
	if (w.no_memory)
		status = odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	else if (made.size >= ODO_SOURCES_MAX_SIZE)
		status = odo_fail(err, ODO_EINPUT,
				  "%s:%u: expected an experiment below 1 MB, found %zu bytes",
				  made.start.path, made.start.line, made.size);
	if (status)
		odo_plain_free(&made);
	else
		*out = made;
	return status;
}

int odo_sources_expand(const odo_source *main, uint32_t number, odo_plain *out, odo_error *err)
{
	const odo_layout *layout = &main->layout;
	if (!layout->n_variants && !main->base)
		return odo_plain_copy(main->path, main->text, main->size, out, err);
	return assemble_text(main, layout->n_variants ? &layout->variants[number] : NULL, out, err);
}
