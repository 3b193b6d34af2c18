/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of kept tables, and what it takes is written back as the same. */
#include "cli/cells.h"
#include "fuzz.h"

static void check_back(odo_cell *cell, size_t n)
{
	char *text = NULL, path[32];
	size_t size = 0, n_back = 0;
	odo_cell *back = NULL;
	odo_error err = {0};
	FILE *to = open_memstream(&text, &size);
	hold(to != NULL, "there is memory");
	for (size_t i = 0; i < n; i++)
		memcpy(cell[i].was, cell[i].wanted, sizeof cell[i].was);
	cli_cells_write(cell, n, to);
	fclose(to);
	int file = fuzz_file((uint8_t *)text, size, path);
	bool checked;
	FILE *from = fopen(path, "r");
	hold(from && !cli_cells_read(from, path, &back, &n_back, &checked, &err),
	     "what is written can be read");
	fclose(from);
	hold(checked, "it has a checksum");
	hold(n == n_back, "all of it");
	for (size_t i = 0; i < n; i++)
		hold(cell[i].guid == back[i].guid && cell[i].kind == back[i].kind &&
			     cell[i].block == back[i].block && cell[i].in == back[i].in &&
			     cell[i].out == back[i].out &&
			     !memcmp(cell[i].wanted, back[i].wanted, sizeof back[i].wanted),
		     "and is the same");
	free(back);
	free(text);
	close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	odo_error err = {0};
	odo_cell *cell = NULL;
	size_t n = 0;
	bool checked;
	int file = fuzz_file(data, size, path);
	FILE *from = fopen(path, "r");
	if (from && !fuzz_refused(cli_cells_read(from, path, &cell, &n, &checked, &err), &err))
		check_back(cell, n);
	fclose(from);
	free(cell);
	close(file);
	return 0;
}
