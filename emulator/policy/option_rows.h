/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Rows of options that several families of policies have; internal to them. */
#ifndef ODONATA_EMULATOR_POLICY_OPTION_ROWS_H
#define ODONATA_EMULATOR_POLICY_OPTION_ROWS_H

#include "base/options.h"

/** A number from 0 to `most`. */
#define NUMBER_OPTION(name, fallback, help, most)                                                  \
	{                                                                                          \
		name, ODO_OPTION_NUMBER, fallback, help, NULL, 0, most                             \
	}
#define WORD_OPTION(name, fallback, help, words)                                                   \
	{                                                                                          \
		name, ODO_OPTION_WORD, fallback, help, words, 0, 0                                 \
	}
#define YES_NO_OPTION(name, fallback, help) WORD_OPTION(name, fallback, help, odo_no_yes)

extern const char *const odo_no_yes[];
extern const odo_option odo_no_options[];

#endif
