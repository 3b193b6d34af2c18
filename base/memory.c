/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void *odo_new(size_t count, size_t size)
{
	return calloc(count ? count : 1, size);
}

int odo_grow(void *array, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return 0;
	size_t room = *capacity ? *capacity : 16;
	while (room < needed) {
		if (room > (size_t)-1 / 2)
			return ODO_ENOMEM;
		room *= 2;
	}
	if (size && room > (size_t)-1 / size)
		return ODO_ENOMEM;
	void *old, *moved;
	memcpy(&old, array, sizeof old);
	moved = realloc(old, room * size);
	if (!moved)
		return ODO_ENOMEM;
	memcpy(array, &moved, sizeof moved);
	*capacity = room;
	return 0;
}

int odo_text_close(FILE *to, char **text)
{
	bool lacks = !to || fflush(to) || ferror(to);
	if (to && fclose(to))
		lacks = true;
	if (!lacks && *text)
		return 0;
	if (to)
		free(*text);
	*text = NULL;
	return ODO_ENOMEM;
}
