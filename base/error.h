/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Errors: status codes and messages of every part of Odonata. */
#ifndef ODONATA_BASE_ERROR_H
#define ODONATA_BASE_ERROR_H

/** Status of a call: 0 or a negative value. */
enum odo_status {
	ODO_OK = 0,
	ODO_EINPUT = -1,   /**< a file, spec or option is not what it should be */
	ODO_ENOMEM = -2,   /**< memory, or a size that overflows */
	ODO_EIO = -3,      /**< the operating system refused */
	ODO_EUNKNOWN = -4, /**< the fabric is none of the kinds asked for */
	ODO_EUNSAFE = -5,  /**< a routing loses packets or can deadlock */
	ODO_EDECLINE = -6, /**< sound input, but this engine cannot serve it */
};

/** Filled by the call that failed; untouched by one that succeeds. */
typedef struct odo_error {
	int status;
	char text[500]; /**< one line for people, without a newline */
} odo_error;

/**
 * Replace by '?' every character that a terminal or a log could take as a command: control
 * characters of ASCII, those of ISO 8859 and Unicode from 0x80 to 0x9F, and those of Unicode that
 * change the direction of text or begin a line.
 * @return true if there was one
 */
int odo_tame(char *text);

/**
 * Record a failure and return its status, so that `return odo_fail(...)` reads well. The text may
 * quote a subnet or a file, so odo_tame() is applied to it.
 * @param err where to record; NULL is allowed and records nothing
 * @param status a negative odo_status value
 */
int odo_fail(odo_error *err, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4), cold));
#ifdef ODO_ANALYSED /* tests/build/slow_analysis.sh: analysers do not look into other files, where \
		       they would see that a failure is never 0 */
#define odo_fail(err, status, ...) ((void)odo_fail(err, status, __VA_ARGS__), (status))
#endif

/** Put "prefix: ", such as a file name, before the text already in `err`. Return err->status. */
int odo_fail_within(odo_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));
#ifdef ODO_ANALYSED
#define odo_fail_within(err, ...) ((void)odo_fail_within(err, __VA_ARGS__), ODO_EINPUT)
#endif

#endif
