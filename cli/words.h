/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names from the tables of `odonata list`, for shell completion. */
#ifndef ODONATA_CLI_WORDS_H
#define ODONATA_CLI_WORDS_H

/** An option whose values are names. */
typedef struct cli_words {
	const char *option;
	const char *listing; /**< table of `odonata list` */
	const char *also;    /**< a further word, or NULL */
} cli_words;

/** Options with names as values, ending with a NULL option. */
extern const cli_words cli_words_of_options[];

void cli_print_words(const cli_words *words, const char *separator);
/** Print topologies and presets. */
void cli_print_fabric_words(const char *separator);

/** Print the names in a table of `odonata list` to standard output, except formats that are only
 * read. */
void cli_print_names(const char *listing, const char *suffix, const char *separator);

#endif
