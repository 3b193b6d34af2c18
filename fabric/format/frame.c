/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/frame.h"

#include <ctype.h>
#include <string.h>

#include "fabric/format/scan.h"
#include "fabric/format/talk.h"

/* Bytes that are searched for a line that shows the frame. */
enum { HEAD = 65536 };

/* Lines after it. Half of them must have the same frame. */
enum { SAMPLE = 64 };

/* Maximum length of a frame. A date, a host, a tool and a process need less. */
enum { LONGEST = 100 };

/* Beginnings of lines that no other program writes. The last ones must be followed by blanks and a
 * digit. */
static const char *const marks[] = {
	"vendid=0x",   "switchguid=0x",     "caguid=0x",      "hcaguids=0x",
	"rtguid=0x",   "# Topology file: ", "{ SW Ports:",    "{ SW-SM Ports:",
	"{ CA Ports:", "{ CA-SM Ports:",    "Unicast lids [", "dump_ucast_routes: Switch",
};
static const char *const node_marks[] = {"Switch", "Hca", "Ca", "Rt"};

/* Text before each line. If `counts` is set (times, line numbers), a run of digits and blanks
 * matches any other such run. */
typedef struct frame {
	odo_text text;
	bool counts;
} frame;

static bool is_node(const char *at, const char *end)
{
	odo_scan s = {.at = at, .end = end};
	uint64_t n;
	odo_skip_blanks(&s);
	return s.at > at && odo_take_number(&s, 10, &n) &&
	       (odo_skip_blanks(&s), odo_peek(&s) == '"');
}

/* Return the first mark in a line, or NULL. */
static const char *find_mark(const odo_scan *line)
{
	const char *first = NULL;
	size_t n = (size_t)(line->end - line->at);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *found = memmem(line->at, n, marks[i], strlen(marks[i]));
		first = found && (!first || found < first) ? found : first;
	}
	for (size_t i = 0; i < sizeof node_marks / sizeof *node_marks; i++) {
		size_t length = strlen(node_marks[i]);
		const char *found = memmem(line->at, n, node_marks[i], length);
		bool is = found && is_node(found + length, line->end);
		first = is && (!first || found < first) ? found : first;
	}
	return first;
}

/* Return true for characters of host names. */
static bool is_word_letter(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

static bool is_counter_char(char c)
{
	return c == ' ' || isdigit((unsigned char)c);
}

/* @return the text after the frame, or NULL if the line does not begin with it */
static const char *pass_frame(const frame *f, const char *at, const char *end)
{
	const char *own = f->text.at, *own_end = own + f->text.n;
	while (own < own_end) {
		if (f->counts && is_counter_char(*own)) {
			const char *from = at;
			while (own < own_end && is_counter_char(*own))
				own++;
			while (at < end && is_counter_char(*at))
				at++;
			if (at == from)
				return NULL;
			continue;
		}
		if (at == end || *at != *own)
			return NULL;
		at++;
		own++;
	}
	return at;
}

/* Return true if the line is empty apart from the frame. Blanks at the end of the frame may be
 * missing. */
static bool is_empty_frame(const frame *f, const char *at, const char *end)
{
	frame bare = *f;
	while (bare.text.n && isblank((unsigned char)bare.text.at[bare.text.n - 1]))
		bare.text.n--;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	return bare.text.n && pass_frame(&bare, at, end) == end;
}

static bool is_framed(const frame *f, const odo_scan *line)
{
	return pass_frame(f, line->at, line->end) || is_empty_frame(f, line->at, line->end);
}

/* Times and numbers change from line to line. A host name does not, although it has digits. */
static frame frame_of(odo_text text)
{
	size_t letters = 0, words = 0;
	for (size_t i = 0; i < text.n; i++) {
		bool blank = isblank((unsigned char)text.at[i]);
		letters += isalpha((unsigned char)text.at[i]) != 0;
		words += !blank && (!i || isblank((unsigned char)text.at[i - 1]));
	}
	return (frame){.text = text, .counts = !letters || words > 1};
}

static bool holds_for_half(const frame *f, odo_scan s)
{
	unsigned n = 0, framed = 0;
	while (n < SAMPLE && odo_next_line(&s)) {
		odo_scan look = s;
		odo_skip_blanks(&look);
		if (odo_at_end(&look))
			continue;
		n++;
		framed += is_framed(f, &s);
	}
	return 2 * framed >= n;
}

/* @return false if lines have no frame */
static bool find_frame(const char *text, size_t size, frame *found)
{
	odo_scan s = {.rest = text, .limit = text + size};
	while (s.rest < text + (size < HEAD ? size : HEAD) && odo_next_line(&s)) {
		const char *mark = find_mark(&s);
		odo_scan look = s;
		odo_skip_blanks(&look);
		if (mark && look.at == mark)
			return false; /* blanks are no frame */
		if (!mark || mark - s.at > LONGEST)
			continue;
		*found = frame_of((odo_text){s.at, (size_t)(mark - s.at)});
		if (holds_for_half(found, s))
			return true;
	}
	return false;
}

/* Return true for the frame "adm2: " beside "adm1: ": output of a second host. */
static bool is_of_another_host(const frame *f, const odo_scan *line)
{
	const char *tail = f->text.at, *end = tail + f->text.n, *at = line->at;
	while (tail < end && is_word_letter(*tail))
		tail++;
	while (at < line->end && is_word_letter(*at))
		at++;
	size_t n = (size_t)(end - tail);
	return !f->counts && n > 1 && tail > f->text.at && at > line->at &&
	       (size_t)(line->end - at) >= n && !memcmp(at, tail, n);
}

/* Remove the frame from each line. Lines without a frame do not change. If the output is of several
 * hosts, the first one counts. */
static void remove_frame(const frame *f, char *text, size_t *size, odo_ledger *ledger)
{
	char keep[LONGEST + 1], *to = text;
	frame own = *f;
	memcpy(keep, f->text.at, f->text.n); /* the text is overwritten */
	own.text.at = keep;
	odo_scan s = {.rest = text, .limit = text + *size};
	while (odo_next_line(&s)) {
		const char *inner = pass_frame(&own, s.at, s.end);
		if (!inner && is_empty_frame(&own, s.at, s.end))
			inner = s.end;
		if (inner)
			odo_ledger_add(ledger, ODO_REPAIR_FRAME, s.line, "\"%.*s\"",
				       odo_text_print(own.text));
		else if (is_of_another_host(&own, &s)) {
			/* Another host may see another subnet: its nodes are lost. */
			odo_ledger_add(ledger,
				       odo_has_piece(&s) ? ODO_REPAIR_LINE : ODO_REPAIR_TALK,
				       s.line, "\"%.*s\"",
				       (int)(s.end - s.at < 60 ? s.end - s.at : 60), s.at);
			s.at = s.end; /* leave a comment: an empty line would end a node */
			*to++ = '#';
		}
		inner = inner ? inner : s.at;
		size_t n = (size_t)(s.end - inner);
		memmove(to, inner, n);
		to += n;
		if (to < s.rest)
			*to++ = '\n';
	}
	*to = '\0';
	*size = (size_t)(to - text);
}

/* Return true if every second line is empty, because each line had two line ends. */
static bool is_double_spaced(const char *text, size_t size)
{
	odo_scan s = {.rest = text, .limit = text + size};
	unsigned n = 0;
	while (odo_next_line(&s)) {
		odo_skip_blanks(&s);
		if (s.line % 2 == 0 && !odo_at_end(&s))
			return false;
		n += s.line % 2 && !odo_at_end(&s);
	}
	return n > 1 && s.line > 2;
}

static void keep_odd_lines(char *text, size_t *size)
{
	char *to = text;
	odo_scan s = {.rest = text, .limit = text + *size};
	while (odo_next_line(&s)) {
		size_t n = (size_t)(s.end - s.at);
		if (s.line % 2 == 0)
			continue;
		memmove(to, s.at, n);
		to += n;
		*to++ = '\n';
	}
	*to = '\0';
	*size = (size_t)(to - text);
}

void odo_unframe(char *text, size_t *size, odo_ledger *ledger)
{
	frame f;
	if (!memchr(text, '\n', *size))
		for (size_t i = 0; i < *size; i++)
			text[i] = text[i] == '\r' ? '\n' : text[i];
	if (is_double_spaced(text, *size))
		keep_odd_lines(text, size);
	if (find_frame(text, *size, &f))
		remove_frame(&f, text, size, ledger);
}
