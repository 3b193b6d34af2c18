/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/talk.h"

#include <ctype.h>
#include <string.h>

/* Beginnings of lines that shells and tools print. */
static const char *const starts[] = {
	"```",
	"~~~",
	"{code",
	"{noformat",
	"<pre",
	"</pre",
	"<code",
	"</code",
	"$ ",
	"% ",
	"+ ",
	"umad",
	"Warning: ",
	"warning: ",
	"WARNING",
	"sudo: ",
	"bash: ",
	"ssh: ",
	"Connection to ",
	"Script started",
	"Script done",
	"Last login: ",
};

/* Names with which libraries and tools begin messages, perhaps after their own name. */
static const char *const speakers[] = {
	"ibwarn: [", "iberror: ", "ibpanic: [", "ibdebug: [", "libibumad: ", "ibnd_",
};

/* Pieces of nodes and ports. A line with one of them is no noise, even if a message or a diff mark
 * precedes it. */
static const char *const pieces[] = {
	"\"S-", "\"H-", "\"R-", "switchguid=0x", "caguid=0x", "hcaguids=0x", "rtguid=0x",
};

/* Words in messages about a query without an answer. */
static const char *const failures[] = {
	"bad status", "timed out", "timeout",   "failed",
	"Failed",     "FAILED",    "no answer", "unreachable",
};

static bool has_one(const odo_scan *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		odo_scan look = *s;
		if (odo_skip_to(&look, words[i]))
			return true;
	}
	return false;
}

/* Return true for a prompt with a command: "[root@mgmt01 ~]# ibnetdiscover". */
static bool is_prompt(odo_scan s)
{
	odo_text word;
	if (odo_take(&s, "[") && odo_peek(&s) >= '0' && odo_peek(&s) <= '9')
		return false; /* a port */
	odo_take_word(&s, &word);
	bool at = memchr(word.at, '@', word.n) && !memchr(word.at, '"', word.n);
	s.at = word.at;
	return at && (odo_skip_to(&s, "# ") || odo_skip_to(&s, "$ ") || odo_skip_to(&s, "> ") ||
		      (s.end[-1] && strchr("#$>", s.end[-1])));
}

/* Return true for a place in C code, as in messages of libraries: "./libibnetdisc/query_smp.c:186;
 * ...". */
static bool is_place(odo_scan s)
{
	odo_text word;
	odo_take_word(&s, &word);
	const char *c = memmem(word.at, word.n, ".c:", 3);
	if (!c || memchr(word.at, '"', word.n))
		return false;
	const char *end = word.at + word.n, *digit = c + 3;
	while (digit < end && isdigit((unsigned char)*digit))
		digit++;
	return digit > c + 3;
}

static bool is_tool_message(odo_scan s)
{
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (odo_take(&s, starts[i]))
			return true;
	/* Messages of libraries have no quote before their name, whereas names of nodes may contain
	 * anything. */
	odo_scan head = s;
	const char *quote = memchr(s.at, '"', (size_t)(s.end - s.at));
	head.end = quote ? quote : s.end;
	return is_place(s) || is_prompt(s) ||
	       has_one(&head, speakers, sizeof speakers / sizeof *speakers);
}

bool odo_has_piece(const odo_scan *s)
{
	return has_one(s, pieces, sizeof pieces / sizeof *pieces);
}

odo_talk odo_is_talk(odo_scan s)
{
	if (!is_tool_message(s) || odo_has_piece(&s))
		return ODO_NO_TALK;
	return has_one(&s, failures, sizeof failures / sizeof *failures) && !is_prompt(s)
		       ? ODO_TALK_FAILED
		       : ODO_TALK_NOISE;
}

bool odo_pass_over(const odo_scan *start, odo_ledger *ledger)
{
	odo_talk talk = odo_is_talk(*start);
	odo_repair sort = talk == ODO_TALK_FAILED ? ODO_REPAIR_SILENT
			  : talk                  ? ODO_REPAIR_TALK
						  : ODO_REPAIR_LINE;
	size_t n = (size_t)(start->end - start->at);
	odo_ledger_add(ledger, sort, start->line, "\"%.*s\"", n < 60 ? (int)n : 60, start->at);
	return !talk;
}

int odo_count_line(odo_line_count *count, const odo_scan *start, int status, const odo_error *why,
		   odo_ledger *ledger)
{
	count->n_understood += !status;
	if (status == ODO_ENOMEM)
		return status;
	if (status && odo_pass_over(start, ledger) && !count->n_strange++)
		count->strange = *why;
	return 0;
}
