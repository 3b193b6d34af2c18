/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Losses of switches and cables: options and runs shared by the subcommands that try them. */
#ifndef ODONATA_CLI_PARTS_LOSSES_H
#define ODONATA_CLI_PARTS_LOSSES_H

#include "cli/command.h"
#include "experiment/loss/loss.h"

typedef struct cli_loss_settings {
	uint32_t random; /**< 0: each switch and cable in turn */
	uint32_t together;
	uint64_t seed;
	unsigned threads;
} cli_loss_settings;

/** Rows of these options.
 * @param type     settings with a field `losses`
 * @param usually  together, as text */
#define CLI_LOSS_FLAGS(type, usually)                                                              \
	{"random",                                                                                 \
	 0,                                                                                        \
	 "N",                                                                                      \
	 "Try N random losses instead of each one in turn",                                        \
	 "Try N random losses instead of each switch and cable in turn",                           \
	 CLI_NUMBER(type, losses.random, 1, 1000000)},                                             \
		{"together",                                                                       \
		 0,                                                                                \
		 "N",                                                                              \
		 NULL,                                                                             \
		 "With --random: switches and cables lost together",                               \
		 CLI_NUMBER(type, losses.together, 1, 1000),                                       \
		 .usual = usually,                                                                 \
		 .needs = "random"},                                                               \
		{"seed",                                                                           \
		 0,                                                                                \
		 "N",                                                                              \
		 NULL,                                                                             \
		 "Seed of --random",                                                               \
		 CLI_NUMBER(type, losses.seed, 0, UINT64_MAX),                                     \
		 .usual = "1",                                                                     \
		 .needs = "random"},                                                               \
	{                                                                                          \
		"threads", 0, "N", NULL, "Threads [one for each processor]",                       \
			CLI_NUMBER(type, losses.threads, 1, 1024)                                  \
	}

/** Losses that were tried, and their effects. */
typedef struct cli_losses {
	/** Compare harm: below 0 if the first effect is worse; equal ones keep their order. */
	int (*compare)(const odo_loss_effect *e, const odo_loss_effect *f);
	odo_lost_part *part;
	odo_loss *loss;          /**< [n] */
	odo_loss_effect *effect; /**< [n] */
	uint32_t *order;         /**< [n] the most harmful loss first */
	uint32_t n;
} cli_losses;

/**
 * Choose losses, try them, and sort them by harm.
 * @param losses tables, engine and options of the run; the rest is filled in
 * @param out with `compare`, otherwise zeroed; for cli_losses_clear(), also on failure
 * Errors: ODO_EINPUT if so many parts cannot be lost together, and those of odo_losses_run().
 */
int cli_losses_run(const cli_loss_settings *settings, odo_losses *losses, cli_losses *out,
		   odo_error *err);
void cli_losses_clear(cli_losses *losses);

/** List the most harmful losses, a row each with "lost" and the members that `put` adds. */
json_t *cli_list_losses(const cli_losses *losses, const odo_fabric *f, uint32_t most,
			void (*put)(json_t **row, const odo_loss_effect *e));

#endif
