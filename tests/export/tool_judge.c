/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tool_judge TOPOLOGY TABLES...: what the verifier says of tables, "loop" or "none" where they
 * deliver: of paths to hosts alone, as ibdmchk has it, and of all. */
#include <stdio.h>

#include "export/import.h"
#include "fabric/format.h"
#include "routing/verify.h"

static int say(const char *of, const odo_tables *t)
{
	odo_verdict verdict = {0};
	odo_error err;
	odo_verify(t, &verdict, &err);
	if (!verdict.delivers || !verdict.within_vls)
		printf("%s bad: %s\n", of, verdict.text);
	else
		printf("%s %s\n", of, verdict.deadlock_free ? "none" : "loop");
	odo_verdict_clear(&verdict);
	return 0;
}

int main(int argc, char **argv)
{
	odo_fabric *f;
	odo_tables *t;
	odo_error err;
	if (argc < 3 || odo_fabric_read(argv[1], 0, &f, &err) ||
	    odo_import_files(f, (const char *const *)argv + 2, (size_t)argc - 2, &t, &err)) {
		fprintf(stderr, "%s\n", argc < 3 ? "tool_judge TOPOLOGY TABLES..." : err.text);
		return 1;
	}
	t->hosts_only = true;
	say("hosts", t);
	t->hosts_only = false;
	say("all", t);
	odo_tables_free(t);
	odo_fabric_free(f);
	return 0;
}
