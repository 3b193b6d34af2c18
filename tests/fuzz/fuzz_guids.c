/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of lists of GUIDs, and none of these is 0. */
#include "fabric/format/guids.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	uint64_t *guids = NULL;
	uint32_t n = 0;
	int file = fuzz_file(data, size, path);
	if (!fuzz_refused(odo_guids_read(path, &guids, &n, &err), &err))
		for (uint32_t i = 0; i < n; i++)
			hold(guids[i] != 0, "none is 0");
	free(guids);
	close(file);
	return 0;
}
