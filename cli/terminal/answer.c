/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/terminal/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Free a part for which memory ran out. */
static void drop_if(json_t **part, int failed)
{
	if (!failed)
		return;
	json_decref(*part);
	*part = NULL;
}

void cli_put(json_t **object, const char *key, json_t *value)
{
	drop_if(object, json_object_set_new(*object, key, value));
}

void cli_put_count(json_t **object, const char *key, uint64_t count)
{
	cli_put(object, key, json_integer((json_int_t)count));
}

void cli_put_real(json_t **object, const char *key, double value)
{
	cli_put(object, key, json_real(value));
}

void cli_put_bool(json_t **object, const char *key, bool value)
{
	cli_put(object, key, json_boolean(value));
}

void cli_put_text(json_t **object, const char *key, const char *text)
{
	cli_put(object, key, cli_json_text(text));
}

void cli_put_all(json_t **object, json_t *members)
{
	drop_if(object, json_object_update(*object, members));
	json_decref(members);
}

void cli_put_within(json_t **whole, json_t *part, const char *key, json_t *value)
{
	drop_if(whole, json_object_set_new(part, key, value));
}

void cli_append(json_t **array, json_t *element)
{
	drop_if(array, json_array_append_new(*array, element));
}

int cli_check_answer(const json_t *answer, odo_error *err)
{
	return answer ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
}

json_t *cli_json_guid(uint64_t guid)
{
	return json_sprintf("0x%016" PRIx64, guid);
}

json_t *cli_json_text(const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		return NULL;
	odo_tame(copy);
	json_t *whole = json_string(copy);
	for (char *c = copy; !whole && *c; c++) /* the text is no UTF-8 */
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (!whole)
		whole = json_string(copy);
	free(copy);
	return whole;
}
