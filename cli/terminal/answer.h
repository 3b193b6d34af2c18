/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Parts of an answer, which text and JSON are printed from. An object or array for which memory ran
 * out is freed and NULL; later calls then do nothing, so that the whole is checked once, at its
 * end.
 */
#ifndef ODONATA_CLI_ANSWER_H
#define ODONATA_CLI_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/** Set a member.
 * @param value taken over; NULL if there was no memory for it */
void cli_put(json_t **object, const char *key, json_t *value);
void cli_put_count(json_t **object, const char *key, uint64_t count);
void cli_put_real(json_t **object, const char *key, double value);
void cli_put_bool(json_t **object, const char *key, bool value);
/** Set a text, as cli_json_text() makes it. */
void cli_put_text(json_t **object, const char *key, const char *text);
/** Set members of another object.
 * @param members taken over, as from json_pack() */
void cli_put_all(json_t **object, json_t *members);
/** Set a member of an object within the whole.
 * @param part lent; the whole has it */
void cli_put_within(json_t **whole, json_t *part, const char *key, json_t *value);
/** Append an element.
 * @param element taken over; NULL if there was no memory for it */
void cli_append(json_t **array, json_t *element);

/** @return 0, or ODO_ENOMEM if the answer is NULL */
int cli_check_answer(const json_t *answer, odo_error *err);

/** Return a GUID as "0x0002c90300000001". */
json_t *cli_json_guid(uint64_t guid);

/** Return a text of a file, with '?' for characters that could disturb a terminal or JSON (control
 * characters, broken UTF-8). */
json_t *cli_json_text(const char *text);

#endif
