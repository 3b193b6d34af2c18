/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Telling whoever waits how far a long piece of work is. */
#ifndef ODONATA_BASE_WATCH_H
#define ODONATA_BASE_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/** Lent by whoever waits, who is told in the thread that works. */
typedef struct odo_watch {
	/**
	 * @param what    is being done, valid during the call
	 * @param share   of that, done: 0 at its beginning, up to 1; below 0: not known
	 * @param at_most the work may end earlier than the share says
	 */
	void (*tell)(void *context, const char *what, double share, bool at_most);
	void *context;
} odo_watch;

/** So many of `n` parts are done, all of which take about as long. */
static inline void odo_tell(const odo_watch *watch, const char *what, size_t done, size_t n)
{
	if (watch)
		watch->tell(watch->context, what, n ? (double)done / (double)n : 0, false);
}

/** The same, and no more than `n` are left to do. */
static inline void odo_tell_at_most(const odo_watch *watch, const char *what, size_t done, size_t n)
{
	if (watch)
		watch->tell(watch->context, what, n ? (double)done / (double)n : 0, true);
}

/** How much there is to do is not known. */
static inline void odo_tell_unknown(const odo_watch *watch, const char *what)
{
	if (watch)
		watch->tell(watch->context, what, -1, false);
}

#endif
