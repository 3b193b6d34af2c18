/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Version of the contents; rises when they change. */
enum { VERSION = 2 };

/* Number that a machine with the other byte order reads as another number. */
enum { ORDER = 0x01020304 };

/* Maximum number of GUIDs of present and absent switches, twenty times as many as a subnet has
 * LIDs. */
enum { MOST_GUIDS = 1 << 20 };

static const char mark[8] = "ODOPAST\n";

typedef struct front {
	char mark[8];
	uint32_t order, version;
	uint32_t n_present, n; /* number of GUIDs that follow */
	uint64_t sum;          /* checksum of this structure, with a sum of 0, and of the GUIDs */
} front;

static uint64_t sum_front(front x, const uint64_t *guid)
{
	odo_crc crc;
	x.sum = 0;
	odo_crc_begin(&crc);
	odo_crc_add(&crc, &x, sizeof x);
	odo_crc_add(&crc, guid, x.n * sizeof *guid);
	return odo_crc_sum(&crc);
}

void odo_front_write(odo_seal *seal, const uint64_t *guid, uint32_t n_present, uint32_t n)
{
	front x = {.order = ORDER,
		   .version = VERSION,
		   .n_present = n_present,
		   .n = n < MOST_GUIDS ? n : MOST_GUIDS};
	memcpy(x.mark, mark, sizeof mark);
	x.sum = sum_front(x, guid);
	odo_seal_write(seal, &x, sizeof x, 1);
	odo_seal_write(seal, guid, sizeof *guid, x.n);
}

bool odo_front_is_there(FILE *from)
{
	char found[sizeof mark];
	bool same = fread(found, sizeof found, 1, from) == 1 && !memcmp(found, mark, sizeof mark);
	fseeko(from, 0, SEEK_SET); /* rewind() would hide a failure */
	return same;
}

/* Read and check the front. @param guid gets the GUIDs, free with free() */
static int read_front(FILE *from, const char *name, front *x, uint64_t **guid, odo_error *err)
{
	bool known = fread(x, sizeof *x, 1, from) == 1 && x->n <= MOST_GUIDS;
	*guid = odo_new(known ? x->n : 0, sizeof **guid);
	if (!*guid)
		return odo_fail(err, ODO_ENOMEM, "no memory to read %s", name);
	if (known && fread(*guid, sizeof **guid, x->n, from) == x->n &&
	    !memcmp(x->mark, mark, sizeof mark) && x->order == ORDER && x->n_present <= x->n &&
	    x->sum == sum_front(*x, *guid))
		return 0;
	free(*guid);
	*guid = NULL;
	if (ferror(from))
		return odo_fail(err, ODO_EIO, "%s: cannot read: %s", name, strerror(errno));
	return odo_fail(err, ODO_EINPUT,
			"%s: it is torn or changed: the checksum of its list of switches is wrong",
			name);
}

int odo_front_check(FILE *from, const char *name, uint64_t *size, odo_error *err)
{
	front x;
	uint64_t *guid, contents = 0;
	int status = read_front(from, name, &x, &guid, err);
	uint64_t before = sizeof x + (status ? 0 : x.n * sizeof *guid);
	free(guid);
	if (!status && x.version != VERSION)
		status = odo_fail(err, ODO_EINPUT,
				  "%s: it was written by another version of Odonata: expected "
				  "format %d, found %u",
				  name, VERSION, x.version);
	if (!status)
		status = odo_seal_check(&odo_seal_past, from, name, &contents, err);
	if (!status && contents < before)
		status = odo_fail(err, ODO_EINPUT, "%s: it is torn: it ends after its switches",
				  name);
	*size = status ? 0 : contents - before;
	if (!status)
		fseeko(from, (off_t)before, SEEK_SET);
	return status;
}

int odo_front_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err)
{
	front x;
	int status = read_front(from, name, &x, &out->guid, err);
	out->n_present = status ? 0 : x.n_present;
	out->n = status ? 0 : x.n;
	return status;
}
