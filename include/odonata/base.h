/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Errors, versions, and lists of the names that the library knows.
 *
 * A function that can fail returns 0 or a negative status. Its last argument is an odonata_error,
 * filled on failure and unchanged on success; NULL is allowed. After a failure every handle that
 * the function should have made is NULL.
 *
 * A struct that may grow in later versions begins with its size. Set `size` to the sizeof of the
 * struct before a call, also if the function fills it. A member that an older library does not know
 * must be zero in a request, or the request is refused. In an answer the member is zero.
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
#define ODONATA_VERSION "0.2.0"
/** Version of the binary interface: programs built with another one cannot use the library. The
 * shared library's name ends with it. */
#define ODONATA_ABI 0

/** Value for no node, slot or host. */
#define ODONATA_NONE UINT32_MAX

/** Status of a call. Later versions may have more, all of them negative. */
enum odonata_status {
	ODONATA_OK = 0,
	ODONATA_EINPUT = -1,   /**< a file, spec or argument is not what it should be */
	ODONATA_ENOMEM = -2,   /**< memory, or a size that overflows */
	ODONATA_EIO = -3,      /**< the operating system refused */
	ODONATA_EUNKNOWN = -4, /**< the fabric is none of the kinds asked for */
	ODONATA_EUNSAFE = -5,  /**< a routing loses packets or can deadlock: it is not proved */
	ODONATA_EDECLINE = -6  /**< sound input, but the request cannot serve it */
};

/** Description of a failure. Its size never changes. */
typedef struct odonata_error {
	int status;
	char text[508]; /**< one line for people, without a newline */
} odonata_error;

/** Version of the library that is loaded: ODONATA_VERSION of its own headers. */
ODONATA_API const char *odonata_version(void);

/** The same with the commit that the library was built from, unless that is a release:
 * "0.2.0+git20261128051322.fd024b6d84". */
ODONATA_API const char *odonata_build(void);

/** ODONATA_ABI of the library that is loaded. */
ODONATA_API int odonata_abi_version(void);

/** A status in a few words, such as "out of memory". Never NULL. */
ODONATA_API const char *odonata_status_text(int status);

/** Lists that odonata_list_name() can return. */
typedef enum odonata_list {
	ODONATA_TOPOLOGIES, /**< for odonata_fabric_generate() */
	ODONATA_PRESETS,    /**< names of specs, for odonata_fabric_generate() */
	/** For odonata_fabric_write(); includes formats that can only be read. */
	ODONATA_FABRIC_FORMATS,
	ODONATA_ENGINES,       /**< for odonata_route() */
	ODONATA_TABLE_FORMATS, /**< for odonata_export() */
	ODONATA_PATTERNS,      /**< for odonata_analyze() and odonata_emulate() */
	ODONATA_POLICIES,      /**< for odonata_emulate() */
	ODONATA_MODELS         /**< for odonata_emulate() */
} odonata_list;

/** Return the name of an item of a list, counted from 0, or NULL after the last. */
ODONATA_API const char *odonata_list_name(odonata_list list, unsigned item);

/** Return a line that describes an item of a list, or NULL after the last. */
ODONATA_API const char *odonata_list_summary(odonata_list list, unsigned item);

#ifdef __cplusplus
}
#endif
#endif
