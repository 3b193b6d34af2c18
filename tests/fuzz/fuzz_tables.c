/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every reader of tables. What one takes, the verifier must survive. */
#include "export/import.h"
#include "fabric/topology/topology.h"
#include "fuzz.h"
#include "routing/verify/verify.h"

static void try_format(const odo_fabric *f, const odo_import_format *format, const char *text,
		       size_t size)
{
	odo_error err = {0};
	odo_import *in;
	odo_tables *tables;
	if (odo_import_create(f, &in, &err))
		return;
	if (odo_import_as(in, format, text, size, "fuzz", &err)) {
		odo_import_free(in);
		hold(*err.text != 0, "an error says why");
		return;
	}
	if (fuzz_refused(odo_import_finish(in, &tables, &err), &err))
		return;
	odo_verdict verdict = {0};
	odo_verify(tables, &verdict, &err);
	odo_verdict_clear(&verdict);
	odo_tables_free(tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static odo_fabric *f; /* made once: most of the time went there */
	odo_error err;
	char *text = fuzz_text(data, size);
	hold(f || !odo_topology_generate("flatfly:k=3,c=1", 0, &f, NULL, &err), "a fabric");
	for (const odo_import_format *row = odo_import_formats; row->name; row++) {
		row->recognise(text, size);
		try_format(f, row, text, size);
	}
	free(text);
	return 0;
}
