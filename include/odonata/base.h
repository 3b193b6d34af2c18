/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Errors, versions, and lists of what the library knows.
 *
 * A function that can fail returns 0 or a negative status. Its last argument is an
 * odonata_error, filled where it fails and left alone where it succeeds; NULL is allowed. Every
 * handle that such a function should have made is NULL after a failure.
 *
 * A struct that may grow in later versions begins with its size. Set `size` to the sizeof of the
 * struct before a call, also where the function fills it. What an older library does not know is
 * refused if it is asked for (not zero), and is zero if it is answered.
 */
#ifndef ODONATA_BASE_H
#define ODONATA_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ODONATA_API __attribute__((visibility("default")))
#else
#define ODONATA_API
#endif

/** Version of these headers. */
#define ODONATA_VERSION "0.1.0"
/** Version of the binary interface: programs built with another one cannot use the library. The
 * shared library's name ends with it. */
#define ODONATA_ABI 0

/** No such node, slot or host. */
#define ODONATA_NONE UINT32_MAX

/** Status of a call. Later versions may have more, all of them negative. */
enum odonata_status {
	ODONATA_OK = 0,
	ODONATA_EINPUT = -1,   /**< a file, spec or argument is not what it should be */
	ODONATA_ENOMEM = -2,   /**< memory, or a size that overflows */
	ODONATA_EIO = -3,      /**< the operating system refused */
	ODONATA_EUNKNOWN = -4, /**< the fabric is none of the kinds asked for */
	ODONATA_EUNSAFE = -5,  /**< a routing loses packets or can deadlock: it is not proved */
	ODONATA_EDECLINE = -6  /**< sound input, but what is asked for cannot serve it */
};

/** What went wrong. Its size never changes. */
typedef struct odonata_error {
	int status;
	char text[508]; /**< one line for people, without a newline */
} odonata_error;

/** Version of the library that is loaded: ODONATA_VERSION of its own headers. */
ODONATA_API const char *odonata_version(void);

/** ODONATA_ABI of the library that is loaded. */
ODONATA_API int odonata_abi_version(void);

/** A status in a few words, such as "out of memory". Never NULL. */
ODONATA_API const char *odonata_status_text(int status);

/** What the library can list. */
typedef enum odonata_list {
	ODONATA_TOPOLOGIES,     /**< for odonata_fabric_generate() */
	ODONATA_PRESETS,        /**< names of specs, for odonata_fabric_generate() */
	ODONATA_FABRIC_FORMATS, /**< for odonata_fabric_write(); those that are only read, too */
	ODONATA_ENGINES,        /**< for odonata_route() */
	ODONATA_TABLE_FORMATS,  /**< for odonata_export() */
	ODONATA_PATTERNS,       /**< for odonata_analyze() and odonata_emulate() */
	ODONATA_POLICIES,       /**< for odonata_emulate() */
	ODONATA_MODELS          /**< for odonata_emulate() */
} odonata_list;

/** Name of an item of a list, counted from 0; NULL behind the last. */
ODONATA_API const char *odonata_list_name(odonata_list list, unsigned item);

/** What an item of a list is, in a line; NULL behind the last. */
ODONATA_API const char *odonata_list_summary(odonata_list list, unsigned item);

#ifdef __cplusplus
}
#endif
#endif
