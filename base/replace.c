/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *odo_replaced_file(const char *path, bool *plain)
{
	struct stat found;
	char *real = realpath(path, NULL);
	if (!real && errno == ENOMEM)
		return NULL;
	if (!real) {
		*plain = lstat(path, &found) != 0;
		return strdup(path);
	}
	*plain = !stat(real, &found) && S_ISREG(found.st_mode);
	return real;
}
