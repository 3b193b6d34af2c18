/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of the manifest of papers' figures. */
#include "experiment/reproduce/manifest.h"
#include "fuzz.h"

static void check_manifest(const odo_manifest *m)
{
	for (uint32_t i = 0; i < m->figures_count; i++) {
		const odo_figure *found;
		odo_error err = {0};
		hold(!odo_manifest_find(m, m->figures[i].name, &found, &err), "what is there is found");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	odo_manifest *m = NULL;
	int file = fuzz_file(data, size, path);
	if (!fuzz_refused(odo_manifest_read(path, &m, &err), &err))
		check_manifest(m);
	odo_manifest_free(m);
	close(file);
	return 0;
}
