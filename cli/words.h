/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Names out of tables of rows, for shell completion. */
#ifndef ODONATA_CLI_WORDS_H
#define ODONATA_CLI_WORDS_H

/** An option whose values are names. */
typedef struct cli_words {
	const char *option;
	/** Print all names to standard output, separated. */
	void (*print)(const char *separator);
} cli_words;

/** All of them, ending with a NULL option. */
extern const cli_words cli_words_of_options[];

/** Topologies and presets. */
void cli_words_fabrics(const char *separator);

#endif
