/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Progress reports of long work. */
#ifndef ODONATA_BASE_WATCH_H
#define ODONATA_BASE_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/** A receiver of progress reports, owned by the caller of the work. It is called in the thread that
 * works. */
typedef struct odo_watch {
	/**
	 * Report progress.
	 * @param what name of the work, valid during the call
	 * @param share part that is done: 0 at the beginning, up to 1; below 0: unknown
	 * @param at_most the work may end earlier than the share suggests
	 */
	void (*tell)(void *context, const char *what, double share, bool at_most);
	void *context;
} odo_watch;

/** Report that `done` of `n` parts are done, which take about equally long. */
static inline void odo_tell(const odo_watch *watch, const char *what, size_t done, size_t n)
{
	if (watch)
		watch->tell(watch->context, what, n ? (double)done / (double)n : 0, false);
}

/** Report the same if at most `n` parts are needed. */
static inline void odo_tell_at_most(const odo_watch *watch, const char *what, size_t done, size_t n)
{
	if (watch)
		watch->tell(watch->context, what, n ? (double)done / (double)n : 0, true);
}

/** Report work of unknown size. */
static inline void odo_tell_unknown(const odo_watch *watch, const char *what)
{
	if (watch)
		watch->tell(watch->context, what, -1, false);
}

#endif
