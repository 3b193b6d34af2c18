/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Losses of switches and cables: options and runs shared by the subcommands that try them. */
#ifndef ODONATA_CLI_COMMANDS_LOSSES_H
#define ODONATA_CLI_COMMANDS_LOSSES_H

#include "cli/command.h"
#include "experiment/loss/loss.h"

typedef struct cli_loss_settings {
	uint32_t random; /**< 0: each switch and cable in turn */
	uint32_t together;
	uint64_t seed;
	unsigned threads;
	const char *alone; /**< NULL, or an option that needs --random, if one was given */
} cli_loss_settings;

enum {
	CLI_KEY_RANDOM = 0x300,
	CLI_KEY_TOGETHER,
	CLI_KEY_SEED,
	CLI_KEY_LOSS_THREADS,
};

/** Rows of struct argp_option.
 * @param together default as text */
#define CLI_LOSS_OPTIONS(together)                                                                 \
	{"random",                                                                                 \
	 CLI_KEY_RANDOM,                                                                           \
	 "N",                                                                                      \
	 0,                                                                                        \
	 "Instead of each switch and cable in turn, N times some of them at random",               \
	 0},                                                                                       \
		{"together",                                                                       \
		 CLI_KEY_TOGETHER,                                                                 \
		 "N",                                                                              \
		 0,                                                                                \
		 "With --random: how many are lost together [" together "]",                       \
		 0},                                                                               \
		{"seed", CLI_KEY_SEED, "N", 0, "Seed of --random [1]", 0},                         \
	{                                                                                          \
		"threads", CLI_KEY_LOSS_THREADS, "N", 0,                                           \
			"Threads [as many as there are processors]", 0                             \
	}

/** Parse one of these options, or their end. Return ARGP_ERR_UNKNOWN for another. */
error_t cli_loss_parse(cli_loss_settings *settings, int key, char *arg, struct argp_state *state);

/** Losses that were tried, and their effects. */
typedef struct cli_losses {
	odo_lost_part *part;
	odo_loss *loss;          /**< [n] */
	odo_loss_effect *effect; /**< [n] */
	uint32_t n;
} cli_losses;

/**
 * Choose losses and try them.
 * @param losses tables, engine and options of the run; the rest is filled in
 * @param out zeroed; for cli_losses_clear(), also on failure
 * Errors: ODO_EINPUT if so many parts cannot be lost together, and those of odo_losses_run().
 */
int cli_losses_run(const cli_loss_settings *settings, odo_losses *losses, cli_losses *out,
		   odo_error *err);
void cli_losses_clear(cli_losses *losses);

/** Name a loss: "switch S1", "cable S1 port 3 to S2 port 4", joined by " and ". */
json_t *cli_loss_name(const odo_fabric *f, const odo_loss *loss);

#endif
