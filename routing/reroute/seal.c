/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/seal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Version of the contents; rises when they change. */
enum { VERSION = 2 };

/* Number that a machine with the other byte order reads as another number. */
enum { ORDER = 0x01020304 };

/* PIECE: bytes checked at a time. MOST_GUIDS: GUIDs of present and absent switches, twenty times as
 * many as a subnet has LIDs. */
enum { PIECE = 65536, MOST_GUIDS = 1 << 20 };

static const char mark[8] = "ODOPAST\n";

typedef struct front {
	char mark[8];
	uint32_t order, version;
	uint32_t n_present, n; /* number of GUIDs that follow */
	uint64_t sum;          /* checksum of this structure, with a sum of 0, and of the GUIDs */
} front;

typedef struct back {
	uint64_t size, sum;
} back;

static uint64_t sum_front(front x, const uint64_t *guid)
{
	odo_crc crc;
	x.sum = 0;
	odo_crc_begin(&crc);
	odo_crc_add(&crc, &x, sizeof x);
	odo_crc_add(&crc, guid, x.n * sizeof *guid);
	return odo_crc_sum(&crc);
}

void odo_seal_write(odo_seal *seal, const void *from, size_t size, size_t n)
{
	odo_crc_add(&seal->crc, from, size * n);
	seal->size += size * n;
	fwrite(from, size, n, seal->to);
}

void odo_seal_begin(odo_seal *seal, FILE *to, const uint64_t *guid, uint32_t n_present, uint32_t n)
{
	front x = {.order = ORDER,
		   .version = VERSION,
		   .n_present = n_present,
		   .n = n < MOST_GUIDS ? n : MOST_GUIDS};
	memcpy(x.mark, mark, sizeof mark);
	x.sum = sum_front(x, guid);
	seal->to = to;
	seal->size = 0;
	odo_crc_begin(&seal->crc);
	odo_seal_write(seal, &x, sizeof x, 1);
	odo_seal_write(seal, guid, sizeof *guid, x.n);
}

void odo_seal_end(odo_seal *seal)
{
	back x = {.size = seal->size + sizeof x};
	odo_seal_write(seal, &x.size, sizeof x.size, 1);
	x.sum = odo_crc_sum(&seal->crc);
	fwrite(&x.sum, sizeof x.sum, 1, seal->to);
}

bool odo_is_sealed(FILE *from)
{
	char found[sizeof mark];
	bool sealed = fread(found, sizeof found, 1, from) == 1 && !memcmp(found, mark, sizeof mark);
	rewind(from);
	return sealed;
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
	return odo_fail(err, ODO_EINPUT,
			"%s: it is torn or changed: the checksum of its list of switches is wrong",
			name);
}

/* Check the checksum of all bytes before it. */
static int check_sum(FILE *from, const char *name, uint64_t size, odo_error *err)
{
	back end = {0};
	odo_crc crc;
	uint8_t *piece = odo_new(PIECE, 1);
	uint64_t left = size - sizeof end;
	if (!piece)
		return odo_fail(err, ODO_ENOMEM, "no memory to read %s", name);
	odo_crc_begin(&crc);
	rewind(from);
	for (size_t n = 1; left && n; left -= n) {
		n = fread(piece, 1, left < PIECE ? left : PIECE, from);
		odo_crc_add(&crc, piece, n);
	}
	free(piece);
	bool whole = !left && fread(&end, sizeof end, 1, from) == 1;
	odo_crc_add(&crc, &end.size, sizeof end.size);
	if (whole && end.size == size && end.sum == odo_crc_sum(&crc))
		return 0;
	return odo_fail(err, ODO_EINPUT,
			"%s: it is torn or changed: the checksum of its %" PRIu64 " bytes is wrong",
			name, size);
}

int odo_seal_check(FILE *from, const char *name, uint64_t *size, odo_error *err)
{
	front x;
	uint64_t *guid;
	int status = read_front(from, name, &x, &guid, err);
	uint64_t around = sizeof x + (status ? 0 : x.n * sizeof *guid) + sizeof(back);
	free(guid);
	if (!status && x.version != VERSION)
		status = odo_fail(err, ODO_EINPUT,
				  "%s: it was written by another version of Odonata: expected "
				  "format %d, found %u",
				  name, VERSION, x.version);
	if (!status && *size < around)
		status = odo_fail(err, ODO_EINPUT, "%s: it is torn: it ends after its switches",
				  name);
	if (!status)
		status = check_sum(from, name, *size, err);
	*size = status ? 0 : *size - around;
	if (!status)
		fseek(from, (long)(around - sizeof(back)), SEEK_SET);
	return status;
}

int odo_seal_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err)
{
	front x;
	int status = read_front(from, name, &x, &out->guid, err);
	out->n_present = status ? 0 : x.n_present;
	out->n = status ? 0 : x.n;
	return status;
}
