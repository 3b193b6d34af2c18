/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "base/seal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* PIECE: bytes checked at a time. ROOM: more than the bytes of any seal. */
enum { PIECE = 16384, ROOM = 128 };

const odo_seal_kind odo_seal_past = {"", "", "", sizeof(uint64_t)};
const odo_seal_kind odo_seal_tables = {"end odonata-tables 3 ", " ", "\n", 16};
const odo_seal_kind odo_seal_tables_2 = {"end ", NULL, "\n", 16};
const odo_seal_kind odo_seal_state = {"  \"seal\": \"odonata-state 1 ", " ", "\"\n}\n", 16};

static size_t seal_size(const odo_seal_kind *kind)
{
	size_t numbers = kind->between ? strlen(kind->between) + 2 * kind->width : kind->width;
	return strlen(kind->before) + numbers + strlen(kind->after);
}

static char *put_number(const odo_seal_kind *kind, uint64_t number, char *at)
{
	if (kind->width == sizeof number)
		memcpy(at, &number, sizeof number);
	else
		sprintf(at, "%016" PRIx64, number);
	return at + kind->width;
}

/* Make the seal of `contents` bytes. @param seal [ROOM] */
static void make_seal(const odo_seal_kind *kind, odo_crc crc, uint64_t contents, char *seal)
{
	char *at = stpcpy(seal, kind->before);
	if (kind->between) {
		at = put_number(kind, contents + seal_size(kind), at);
		at = stpcpy(at, kind->between);
		odo_crc_add(&crc, seal, (size_t)(at - seal));
	}
	strcpy(put_number(kind, odo_crc_sum(&crc), at), kind->after);
}

void odo_seal_begin(odo_seal *seal, const odo_seal_kind *kind, FILE *to)
{
	*seal = (odo_seal){.kind = kind, .to = to};
	odo_crc_begin(&seal->crc);
}

void odo_seal_write(odo_seal *seal, const void *from, size_t size, size_t n)
{
	odo_crc_add(&seal->crc, from, size * n);
	seal->size += size * n;
	fwrite(from, size, n, seal->to);
}

void odo_seal_end(odo_seal *seal)
{
	char text[ROOM];
	make_seal(seal->kind, seal->crc, seal->size, text);
	fwrite(text, seal_size(seal->kind), 1, seal->to);
}

/* Add bytes of a file to a checksum. @return true if the file has so many */
static bool sum_bytes(FILE *from, uint64_t n, odo_crc *crc)
{
	char piece[PIECE];
	size_t got = 1;
	odo_crc_begin(crc);
	for (; n && got; n -= got) {
		got = fread(piece, 1, n < PIECE ? n : PIECE, from);
		odo_crc_add(crc, piece, got);
	}
	return !n;
}

int odo_seal_check(const odo_seal_kind *kind, FILE *from, const char *name, uint64_t *contents,
		   odo_error *err)
{
	odo_crc crc;
	char wanted[ROOM], found[ROOM];
	off_t size = fseeko(from, 0, SEEK_END) ? -1 : ftello(from),
	      end = size - (off_t)seal_size(kind);
	bool readable = size >= 0 && !fseeko(from, 0, SEEK_SET);
	*contents = 0;
	errno = 0;
	bool whole = readable && end >= 0 && sum_bytes(from, (uint64_t)end, &crc) &&
		     fread(found, seal_size(kind), 1, from) == 1;
	if (!readable || ferror(from))
		return odo_fail(err, ODO_EIO, "%s: cannot read: %s", name,
				strerror(errno ? errno : EIO));
	if (whole)
		make_seal(kind, crc, (uint64_t)end, wanted);
	if (!whole || memcmp(found, wanted, seal_size(kind)))
		return odo_fail(err, ODO_EINPUT,
				"%s: it is torn or changed: the checksum of its %" PRIu64 " bytes is wrong",
				name, (uint64_t)size);
	*contents = (uint64_t)end;
	return fseeko(from, end, SEEK_SET)
		       ? odo_fail(err, ODO_EIO, "%s: cannot read: %s", name, strerror(errno))
		       : 0;
}

bool odo_seal_is_there(const odo_seal_kind *kind, const char *text, size_t size)
{
	size_t n = strlen(kind->before), n_equal = 0;
	const char *at = text + size - seal_size(kind);
	for (size_t i = 0; size >= seal_size(kind) && i < n; i++)
		n_equal += at[i] == kind->before[i];
	return 2 * n_equal > n;
}
