/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes a reader of fabrics. What it takes is a sound fabric, which can be written
 * in every format and read back; what it refuses it explains in a line. */
#include "tests/fabric_check.h"
#include "fabric/format/format.h"
#include "fabric/format/frame.h"
#include "fabric/format/others.h"
#include "fuzz.h"

static void check_notes(const odo_ledger *ledger)
{
	char *notes = odo_ledger_notes(ledger, "input");
	size_t length = notes ? strlen(notes) : 0;
	hold(notes || odo_ledger_is_empty(ledger), "there is memory");
	hold(!length || notes[length - 1] == '\n', "notes are lines");
	free(notes);
}

static odo_fabric *read_as(const odo_fabric_format *row, const char *text, size_t size)
{
	odo_builder *b;
	odo_fabric *f = NULL;
	odo_error err = {0};
	hold(!odo_builder_create(&b, &err), "there is memory");
	int status = row->read(text, size, "input", b, &err);
	if (!status)
		check_notes(odo_builder_ledger(b));
	if (status)
		odo_builder_free(b);
	else
		status = odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err);
	if (!fuzz_refused(status, &err))
		hold(!odo_fabric_check(f, &err), "what is read is sound");
	return f;
}

static void write_and_read(const odo_fabric *f, const odo_fabric_format *row)
{
	char *text = NULL;
	size_t size = 0;
	odo_error err;
	FILE *to = open_memstream(&text, &size);
	hold(to && !row->write(f, to, &err), "every fabric can be written");
	fclose(to);
	odo_fabric *back = row->read ? read_as(row, text, size) : NULL;
	hold(!row->read || back, "what is written can be read");
	hold(!back || (back->n_links == f->n_links && back->n_hosts == f->n_hosts &&
		       back->n_switches == f->n_switches),
	     "what is read is what was written");
	odo_fabric_free(back);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	odo_ledger ledger = {0};
	uint32_t line;
	odo_unframe(text, &size, &ledger);
	hold(!text[size], "the text ends");
	odo_other_find(text, size, &line);
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++) {
		if (!row->read || !row->recognise(text, size))
			continue;
		odo_fabric *f = read_as(row, text, size);
		for (const odo_fabric_format *w = odo_fabric_formats; f && w->name; w++)
			if (w->write)
				write_and_read(f, w);
		odo_fabric_free(f);
	}
	free(text);
	return 0;
}
