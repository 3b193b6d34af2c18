/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Bytes as text, for JSON and for pictures within a page (RFC 4648). */
#ifndef ODONATA_BASE_BASE64_H
#define ODONATA_BASE_BASE64_H

#include <stddef.h>

/** Encode bytes as base64. @return for free(); NULL without memory */
char *odo_base64(const void *bytes, size_t n);

#endif
