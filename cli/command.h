/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Subcommands: rows of one table. A row drives parsing, --help, the manual pages, shell
 * completion and docs/reference/cli.md, and every example in it is run by a test.
 */
#ifndef ODONATA_CLI_COMMAND_H
#define ODONATA_CLI_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/flags.h"
#include "routing/engine.h"

/** Exit codes, the same for every subcommand. */
enum cli_exit {
	CLI_OK = 0,
	CLI_NO = 1,            /**< it ran, and the answer is no: unsafe, unknown kind, ... */
	CLI_USAGE = 2,         /**< the command line */
	CLI_INPUT = 3,         /**< a file or a spec */
	CLI_DECLINED = 4,      /**< no engine can route this fabric, or not with these VLs */
	CLI_SYSTEM = 5,        /**< the operating system: files, memory */
	CLI_INTERRUPTED = 130, /**< Ctrl-C; finished work is kept. A shell's 128 + SIGINT */
};

/** Groups of options that several subcommands share. */
enum {
	CLI_FABRIC = 1 << 0, /**< --shuffle, --damage, --miscable, --lmc */
	CLI_MAP = 1 << 1,    /**< --pins */
	CLI_ROUTE = 1 << 2,  /**< --engine, --vls, --sls, --strict, --tables */
	CLI_OUTPUT = 1 << 3, /**< --output */
};

#define CLI_MAX_FLAGS 64
#define CLI_MAX_ARGS 32
#define CLI_MAX_TABLES 16

/** A share of something to spoil, and the seed that chooses which. */
typedef struct cli_spoil {
	bool wanted;
	double share[2]; /**< 0 .. 1 */
	uint64_t seed;
} cli_spoil;

/** Subnets that a call is about (subnets.h). */
typedef struct cli_subnets cli_subnets;

/** A fabric, its coordinates and tables (system.h). */
typedef struct cli_system cli_system;

/** Call of a subcommand: its words, and its answer. */
typedef struct cli_call {
	const struct cli_command *command;
	const char *arg[CLI_MAX_ARGS];
	unsigned n_args;
	void *settings; /**< the subcommand's own, command->settings_size zeroed bytes */
	const cli_flag *flag[CLI_MAX_FLAGS]; /**< the subcommand's own, then those of its groups */
	bool given[CLI_MAX_FLAGS];
	unsigned n_flags, n_own_flags;
	struct argp_state *parsing; /**< while words are parsed */

	/* CLI_FABRIC */
	cli_spoil damage, miscable;
	bool shuffle;
	uint64_t shuffle_seed;
	uint8_t lmc;
	bool for_install;         /**< read VLs in operation from a live subnet, and no SLs */
	bool counters;            /**< read port counters of a live subnet */
	unsigned counted_seconds; /**< seconds to count; 0: totals */
	const char *adapter;      /**< adapter to read a live subnet, or NULL */
	unsigned port;            /**< port of the adapter, or 0 */
	uint64_t key;             /**< M_Key of a live subnet, or 0 */
	const char *adapters;     /**< list of adapters that send, or NULL */
	const char *names;        /**< file of names by GUID, or NULL */
	json_t *left_out;         /**< text about what --adapters left out, or NULL */
	uint32_t part;            /**< number of a connected part, from 1 on; 0: all */
	cli_subnets *subnets;     /**< subnets to be treated one by one; NULL: only one */
	bool as_whole;            /**< all inputs and their parts are one fabric */
	bool repaired;            /**< the input was repaired in a way that matters */

	/* CLI_MAP */
	const char *pins; /**< file of known coordinates, or NULL */
	/** Files of GUIDs for `route`, or NULL: OpenSM's root_guid_file, cn_guid_file,
	 * io_guid_file. */
	const char *roots, *compute, *io;

	/* CLI_ROUTE */
	const char *engine;
	odo_route_options route;
	const char *tables[CLI_MAX_TABLES]; /**< files to import instead of routing */
	unsigned n_tables;
	bool for_proof;      /**< import tables for the verifier only: odo_import_files() */
	const char *routing; /**< name of a given option that only routing uses, or NULL */
	bool policy;         /**< a policy routes packets, and tables are not used */
	const char *origin;  /**< origin of the tables of a live subnet, once read; or NULL */

	json_t *repairs; /**< rows of repairs of the inputs, for every answer; or NULL */

	bool json;
	int code;           /**< exit code of an answer: CLI_OK, or CLI_NO; or CLI_USAGE */
	bool elsewhere;     /**< set by run(): another MPI rank answers, and exits with the code */
	const char *output; /**< NULL for standard output */
	struct cli_file *file; /**< behind `out` */
	FILE *out;             /**< NULL if --output is a folder (command->folders) */
	json_t *result;        /**< answer, printed after run() as text or JSON; or NULL */
} cli_call;

typedef struct cli_example {
	const char *line, *what;
	int status; /**< the cli_exit it ends with */
} cli_example;

typedef struct cli_command {
	const char *name;
	/** Arguments, in brackets if they may be left out: "FABRIC [FABRIC]", "[FIGURE...]". */
	const char *arguments;
	const char *summary;   /**< one line, without a full stop */
	const char *about;     /**< paragraphs for --help and the manual page */
	const cli_flag *flags; /**< ends with a row of zeros; fields are in the settings */
	unsigned groups;       /**< CLI_FABRIC | ... */
	bool each;             /**< runs once for each subnet; its check() may set call->as_whole */
	bool ranks;            /**< mpirun may start it, and only the first rank prints */
	bool folders;          /**< --output may be a folder, in which run() then makes files */
	bool installed; /**< uses installed tables of a live subnet, without --tables and --engine
			 */
	size_t settings_size;
	/** Refuse combinations of options after all have been read; NULL: all are allowed. */
	void (*check)(cli_call *call);
	/** Run, and set call->result, or write to call->out.
	 * @param system zeroed; cleared afterwards
	 * @return 0, with call->code, or an odo_status */
	int (*run)(cli_call *call, cli_system *system, odo_error *err);
	/** Add to the sum of the answers about several subnets, or write it and set it to NULL.
	 * NULL: nothing more is known. */
	int (*sum)(cli_call *call, json_t **answer, odo_error *err);
	const cli_example *examples; /**< ends with a NULL line */
} cli_command;

/** Subcommands, ending with NULL. */
extern const cli_command *const cli_commands[];

const cli_command *cli_command_find(const char *name);

/** Parse the arguments (argv[0] is the subcommand), run it, print its answer.
 * @return a cli_exit */
int cli_command_run(const cli_command *command, int argc, char **argv);

/** Print call->result, and keep or discard the output; once.
 * @return a cli_exit */
int cli_command_finish(cli_call *call, int code);

/* Failures (fail.c). */

/**
 * Report a failure: a line on standard error, and under --json an object on standard output.
 * @param call NULL if half an answer may be printed already: no object
 * @return its cli_exit
 */
int cli_fail(const cli_call *call, const odo_error *err);

/** Return the cli_exit of a status. */
int cli_exit_of(int status);

/** Report a wrong command line in the same way: "odonata: <command>: <text>".
 * @param call its command may be NULL
 * @return CLI_USAGE */
int cli_refuse(const cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Flush standard output.
 * @return `code`, or the result of cli_fail() */
int cli_end_output(int code);

/** Return true if --json is among the words, before they are parsed. */
bool cli_asks_json(int argc, char *const *argv);

/** Capture standard error, which from here on gets mistakes in the command line. They are reported
 * as cli_refuse() does when the program ends, or by cli_report_mistakes().
 * @return NULL if nothing is captured */
struct cli_capture *cli_capture_mistakes(bool json);
/** Report the mistakes, and end the capture.
 * @param capture NULL does nothing; lent until the program ends */
void cli_report_mistakes(struct cli_capture *capture);

#endif
