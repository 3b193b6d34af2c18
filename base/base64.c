/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/base64.h"

#include <stdint.h>

#include "base/memory.h"

char *odo_base64(const void *bytes, size_t n)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *in = bytes;
	char *text = odo_new((n + 2) / 3 * 4 + 1, 1);
	for (size_t i = 0, o = 0; text && i < n; i += 3, o += 4) {
		size_t left = n - i;
		uint32_t three = (uint32_t)in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) |
				 (left > 2 ? in[i + 2] : 0);
		text[o] = digit[three >> 18];
		text[o + 1] = digit[three >> 12 & 63];
		text[o + 2] = left > 1 ? digit[three >> 6 & 63] : '=';
		text[o + 3] = left > 2 ? digit[three & 63] : '=';
	}
	return text;
}
