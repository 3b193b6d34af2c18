/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No state file crashes `odonata status`: it answers, or calls the file a mistake. */
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "fuzz.h"

/* Command lines are other tests'; without these all of the command would be linked. */
void cli_set_bool(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)call, (void)flag, (void)text, (void)to;
}

void cli_set_number(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	(void)call, (void)flag, (void)text, (void)to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	uint64_t settings[4] = {0};
	int file = fuzz_file(data, size, path);
	cli_call call = {.command = &cli_status, .n_args = 1, .arg = {path}, .settings = settings};
	hold(cli_status.settings_size <= sizeof settings, "room for settings");
	for (int json = 0; json < 2; json++) {
		call.json = json;
		call.result = NULL;
		odo_error err;
		int status = cli_status.run(&call, NULL, &err);
		if (status)
			fuzz_refused(status, &err);
		hold(!status == (call.result != NULL), "an answer, or none");
		hold(call.result || status == ODO_EINPUT, "what is refused is a mistake in the file");
		fuzz_taken += call.result != NULL;
		json_decref(call.result);
	}
	close(file);
	return 0;
}
