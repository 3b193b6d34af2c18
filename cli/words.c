/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/words.h"

#include <stdio.h>

#include "emulator/traffic/pattern.h"

const cli_words cli_words_of_options[] = {{"engine", "engines", NULL},
					  {"format", "formats", NULL},
					  {"pattern", "patterns", ODO_FLOWS_PREFIX},
					  {"model", "models", NULL},
					  {"policy", "policies", NULL},
					  {"workload", "workloads", "trace:"},
					  {"placement", "placements", NULL},
					  {0}};

void cli_print_words(const cli_words *words, const char *separator)
{
	cli_print_names(words->listing, "", separator);
	if (words->also)
		printf("%s%s", words->also, separator);
}

void cli_print_fabric_words(const char *separator)
{
	cli_print_names("topologies", ":", separator);
	cli_print_names("presets", "", separator);
}
