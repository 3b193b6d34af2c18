/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LFTs: dumps of OpenSM, dump_fts and ibroute, and .fdbs files of ibutils. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "export/read.h"

bool odo_is_lfts(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	return odo_read_first(&s) && odo_lines_skip(&s, "Unicast lids");
}

bool odo_is_fdbs(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	return odo_read_first(&s) && odo_skip_to(&s, "dump_ucast_routes:");
}

/* Read "... 0x<guid>" of a switch of the fabric that has no LFT yet. */
static int open_switch(odo_import *in, odo_scan *s, const char *before, odo_error *err)
{
	uint64_t guid;
	if (!odo_skip_to(s, before) || !odo_lines_number(s, 16, UINT64_MAX, &guid))
		return odo_lines_expected(s, "the GUID of a switch", err);
	in->sw = odo_read_switch(in, guid);
	if (in->sw == ODO_NONE)
		return odo_read_unknown(in, s, "a switch", guid, err);
	if (in->has_lft[in->sw])
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected each switch once, found GUID 0x%016" PRIx64
				" again",
				s->origin, s->line, guid);
	in->has_lft[in->sw] = 1;
	return 0;
}

/* Store an entry of a LID that no port has. LFTs of real switches have such entries, because hosts
 * left or LIDs are virtual. */
static int set_stray(odo_import *in, uint32_t sw, uint64_t lid, uint64_t port, odo_error *err)
{
	enum { FIRST_MULTICAST = 0xC000 };
	odo_strays *strays = &in->t->strays;
	uint32_t n = in->t->fabric->n_switches;
	if (port == ODO_NO_PORT || !lid || lid >= FIRST_MULTICAST)
		return 0;
	if (!in->stray_at)
		in->stray_at = odo_arena_new(&in->memory, FIRST_MULTICAST, sizeof *in->stray_at);
	if (!in->stray_at ||
	    odo_grow(&strays->lid, &strays->lids, strays->n + 1ul, sizeof *strays->lid) ||
	    odo_grow(&strays->port, &strays->room, (strays->n + 1ul) * n, 1))
		return odo_fail(err, ODO_ENOMEM, "no memory to import tables");
	if (!in->stray_at[lid]) {
		memset(strays->port + (size_t)strays->n * n, ODO_NO_PORT, n);
		strays->lid[strays->n++] = (uint16_t)lid;
		in->stray_at[lid] = (uint16_t)strays->n;
	}
	strays->port[(in->stray_at[lid] - 1ul) * n + sw] = (uint8_t)port;
	return 0;
}

static int set_lft_port(odo_import *in, const odo_scan *s, uint32_t sw, uint64_t lid, uint64_t port,
			odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	if (port != ODO_NO_PORT && port > odo_n_ports(f, sw))
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected a port up to %u of \"%.64s\", found %" PRIu64,
				s->origin, s->line, odo_n_ports(f, sw), odo_name(f, sw), port);
	if (lid >= f->lid_count || f->lid_switch[lid] == ODO_NONE)
		return set_stray(in, sw, lid, port, err);
	in->t->lft[(size_t)sw * f->lid_count + lid] = (uint8_t)port;
	return 0;
}

static int lacks_lid(const odo_scan *s, uint64_t lid, uint64_t guid, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT,
			"%s:%u: expected a LID of the fabric for its port 0x%016" PRIx64
			", found LID %" PRIu64 ", which it lacks; a fabric from OpenSM's .lst has "
			"one LID a port, one from ibnetdiscover all that LMC gives",
			s->origin, s->line, guid, lid);
}

/* Check the port that the dump names as owner of the LID. If it differs from the fabric's, dump and
 * fabric are of different times, and no switch had these tables. */
static int check_owner(const odo_import *in, odo_scan *s, uint64_t lid, odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	uint64_t guid;
	if (!odo_skip_to(s, "portguid 0x"))
		return 0;
	if (!odo_lines_number(s, 16, UINT64_MAX, &guid))
		return odo_lines_expected(s, "a port GUID", err);
	if (lid >= f->lid_count || f->lid_switch[lid] == ODO_NONE)
		return odo_read_find(in->by_port, in->n_by_port, guid)
			       ? lacks_lid(s, lid, guid, err)
			       : 0;
	uint64_t ours = odo_write_lid_guid(f, (uint32_t)lid);
	return ours == guid ? 0
			    : odo_fail(err, ODO_EINPUT,
				       "%s:%u: expected LID %" PRIu64 " to be port 0x%016" PRIx64
				       " as in the fabric, found 0x%016" PRIx64,
				       s->origin, s->line, lid, ours, guid);
}

int odo_read_lft_line(odo_import *in, odo_scan *s, odo_error *err)
{
	uint64_t lid, port;
	if (odo_lines_skip(s, "Unicast lids"))
		return open_switch(in, s, " guid 0x", err);
	if (odo_lines_skip(s, "Lid") || odo_lines_skip(s, "Port"))
		return 0; /* column heads */
	if (in->sw == ODO_NONE)
		return in->of_part ? 0 : odo_lines_expected(s, "\"Unicast lids\" of a switch", err);
	if (odo_lines_skip(s, "0x")) {
		if (!odo_lines_number(s, 16, UINT16_MAX, &lid))
			return odo_lines_expected(s, "a LID", err);
		if (!odo_lines_number(s, 10, 255, &port))
			return odo_lines_expected(s, "a port from 0 to 255", err);
		int status = set_lft_port(in, s, in->sw, lid, port, err);
		return status ? status : check_owner(in, s, lid, err);
	}
	if (odo_lines_number(s, 10, UINT32_MAX, &lid) && odo_skip_to(s, "lids dumped"))
		return 0;
	return odo_lines_expected(s, "a LID and its port", err);
}

int odo_read_fdb_line(odo_import *in, odo_scan *s, odo_error *err)
{
	uint64_t lid, port;
	if (!odo_lines_skip(s, "0x")) {
		if (odo_lines_skip(s, "LID"))
			return 0; /* column heads */
		if (odo_skip_to(s, "dump_ucast_routes:"))
			return open_switch(in, s, "Switch 0x", err);
		return odo_lines_expected(s, "\"dump_ucast_routes:\" or a LID", err);
	}
	if (in->sw == ODO_NONE)
		return in->of_part
			       ? 0
			       : odo_lines_expected(s, "\"dump_ucast_routes:\" of a switch", err);
	if (!odo_lines_number(s, 16, UINT16_MAX, &lid) || !odo_lines_skip(s, ":"))
		return odo_lines_expected(s, "a LID and a colon", err);
	if (odo_lines_skip(s, "UNREACHABLE"))
		return 0;
	if (!odo_lines_number(s, 10, 255, &port))
		return odo_lines_expected(s, "a port from 0 to 255 or \"UNREACHABLE\"", err);
	return set_lft_port(in, s, in->sw, lid, port, err);
}
