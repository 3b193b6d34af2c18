/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Options: a row for each. The row drives parsing, -h and --help, the manual pages, shell
 * completion and docs/reference/cli.md.
 */
#ifndef ODONATA_CLI_FLAGS_H
#define ODONATA_CLI_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_call;
struct cli_flag;

/**
 * Set the field of an option. A wrong text ends the program with cli_usage_error().
 * @param text value; NULL for an option that takes none
 * @param to   the row's field
 */
typedef void cli_setter(struct cli_call *call, const struct cli_flag *flag, const char *text,
			void *to);

typedef struct cli_flag {
	const char *name;  /**< without "--"; NULL if there is only a letter */
	char letter;       /**< 0: none */
	const char *value; /**< the value's name in help; NULL if the option takes none */
	const char *brief; /**< line of -h, up to 52 characters; NULL: only --help shows it */
	const char *help;  /**< text of --help; NULL: the same line */
	cli_setter *set;
	size_t offset, size; /**< field in the subcommand's settings; of a group: in cli_call */
	uint64_t min, max;   /**< of a number */
	/** Value if the option is not given. Help shows it, unless it is "". NULL: the field is 0.
	 */
	const char *usual;
	const char *without;  /**< value if the option is given without one; NULL: it needs one */
	const char *needs;    /**< option that must be given, too; NULL: none */
	const char *not_with; /**< "NAME,NAME": options that make this one idle; NULL: none */
	const char *older;    /**< older name, still accepted; NULL: none */
	bool many;            /**< may be given several times */
	bool hidden;
} cli_flag;

/* Rows end with their field and setter. */
#define CLI_FIELD(type, field)                                                                     \
	.offset = offsetof(type, field), .size = sizeof(((type *)NULL)->field)
#define CLI_BOOL(type, field) .set = cli_set_bool, CLI_FIELD(type, field)
#define CLI_TEXT(type, field) .set = cli_set_text, CLI_FIELD(type, field)
#define CLI_NUMBER(type, field, least, most)                                                       \
	.set = cli_set_number, CLI_FIELD(type, field), .min = (least), .max = (most)
#define CLI_OWN(setter, type, field) .set = (setter), CLI_FIELD(type, field)

cli_setter cli_set_bool, cli_set_text;
/** Set an unsigned integer of any size. */
cli_setter cli_set_number;

/** Return a number from min to max, or end the program.
 * @param what the option, for the message: "--seed" */
uint64_t cli_parse_number(const struct cli_call *call, const char *what, const char *text,
			  uint64_t min, uint64_t max);

/** Report a mistake in the command line, with a hint to --help, and end the program with
 * CLI_USAGE. */
_Noreturn void cli_usage_error(const struct cli_call *call, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Return true if an option was given. */
bool cli_is_given(const struct cli_call *call, const char *name);

/** Parse the words behind the subcommand's name. @return 0, ENOMEM or another error of argp */
int cli_parse_words(struct cli_call *call, int argc, char **argv);

#endif
