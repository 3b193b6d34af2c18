/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/text/plain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiment/text/yaml.h"

int odo_plain_copy(const char *path, const char *text, size_t size, odo_plain *out, odo_error *err)
{
	char *copy = odo_new(size + 1, 1);
	if (!copy)
		return odo_fail(err, ODO_ENOMEM, "no memory for an experiment");
	memcpy(copy, text, size);
	*out = (odo_plain){.text = copy, .size = size, .start = {path, 1}};
	return 0;
}

void odo_plain_free(odo_plain *plain)
{
	free(plain->text);
	free(plain->line);
	*plain = (odo_plain){0};
}

odo_experiment_place odo_plain_line(const odo_plain *plain, unsigned line)
{
	if (!line)
		return plain->start;
	if (!plain->line)
		return (odo_experiment_place){plain->start.path, line};
	return line <= plain->n_lines ? plain->line[line - 1] : plain->start;
}

odo_experiment_place odo_plain_place(const odo_plain *plain, const char *at)
{
	return odo_plain_line(plain, odo_experiment_line_of(plain->text, at));
}
