/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Words of /proc/PID/stat between the name, which may hold anything, and the time (proc(5)). */
enum { WORDS_BETWEEN = 19 };

uint64_t odo_process_start(uint64_t number)
{
	char path[64], text[1024];
	uint64_t ticks = 0;
	snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", number);
	FILE *from = fopen(path, "re");
	if (!from)
		return 0;
	text[fread(text, 1, sizeof text - 1, from)] = '\0';
	fclose(from);
	const char *at = strrchr(text, ')');
	for (int i = 0; at && i <= WORDS_BETWEEN; i++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, " %" SCNu64, &ticks) == 1 ? ticks : 0;
}
