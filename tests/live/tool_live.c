/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For test scripts: tool_live [ADAPTER] writes the live subnet as an ibsim net file. */
#include <stdio.h>

#include "fabric/format/formats.h"
#include "live/live.h"

int main(int argc, char **argv)
{
	odo_live_options options = {.adapter = argc > 1 ? argv[1] : NULL};
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	if (odo_builder_create(&b, &err))
		return 2;
	int status = odo_live_read(&options, b, NULL, &err);
	if (status)
		odo_builder_free(b);
	else
		status = odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &f, &err);
	if (!status) {
		status = odo_net_write(f, stdout, &err);
		odo_fabric_free(f);
	}
	if (status)
		fprintf(stderr, "tool_live: %s\n", err.text);
	return status ? 2 : 0;
}
