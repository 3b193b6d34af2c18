/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/talk.h"

#include <string.h>

/* "[root@mgmt01 ~]# ibnetdiscover": a prompt, and what was typed */
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

bool odo_is_talk(odo_scan s)
{
	return odo_take(&s, "ibwarn: [") || odo_take(&s, "ibpanic: [") ||
	       odo_take(&s, "ibdebug: [") || odo_take(&s, "src/") || odo_take(&s, "umad") ||
	       is_prompt(s);
}
