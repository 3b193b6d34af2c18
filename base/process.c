/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/process.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Words of /proc/PID/stat between the name, which may contain anything, and the start time
 * (proc(5)). */
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
	if (at && at[1] && strchr("ZX", at[2])) /* proc(5): zombie, dead */
		return 0;
	for (int i = 0; at && i <= WORDS_BETWEEN; i++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, " %" SCNu64, &ticks) == 1 ? ticks : 0;
}

void odo_process_space(char *text, size_t room)
{
	char boot[64] = "", space[64] = "";
	FILE *from = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool known = from && fscanf(from, "%63s", boot) == 1 &&
		     readlink("/proc/self/ns/pid", space, sizeof space - 1) > 0;
	if (from)
		fclose(from);
	snprintf(text, room, "%s%s%s", known ? boot : "", known ? " " : "", known ? space : "");
}
