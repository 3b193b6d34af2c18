/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of lists of GUIDs, which holds no more than it has room for, none twice. */
#include "fabric/format/guids.h"
#include "fuzz.h"

enum { ROOM = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	uint64_t *guid = malloc(ROOM * sizeof *guid); /* so that ASan sees the bounds */
	uint32_t n = 0;
	int file = fuzz_file(data, size, path);
	hold(guid != NULL, "there is memory");
	if (!fuzz_refused(odo_guids_read(path, guid, ROOM, &n, &err), &err)) {
		hold(n <= ROOM, "no more than there is room for");
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < i; k++)
				hold(guid[i] && guid[i] != guid[k], "each once, and none is 0");
	}
	free(guid);
	close(file);
	return 0;
}
