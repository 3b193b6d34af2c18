/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

int api_give_fabric(odo_fabric *core, odonata_fabric **out, odo_error *why)
{
	odonata_fabric *fabric = calloc(1, sizeof *fabric);
	if (!fabric) {
		odo_fabric_free(core);
		return api_no_memory(why);
	}
	fabric->core = core;
	atomic_init(&fabric->users, 1);
	*out = fabric;
	return 0;
}

/* Counting users does not break the promise of const: only this library makes handles, on the
 * heap. */
odonata_fabric *api_keep_fabric(const odonata_fabric *fabric)
{
	odonata_fabric *kept = (odonata_fabric *)fabric;
	if (kept)
		atomic_fetch_add(&kept->users, 1);
	return kept;
}

odonata_coordinates *api_keep_coordinates(const odonata_coordinates *coordinates)
{
	odonata_coordinates *kept = (odonata_coordinates *)coordinates;
	if (kept)
		atomic_fetch_add(&kept->users, 1);
	return kept;
}

void odonata_fabric_free(odonata_fabric *fabric)
{
	if (!fabric || atomic_fetch_sub(&fabric->users, 1) > 1)
		return;
	odo_fabric_free(fabric->core);
	free(fabric);
}

void odonata_coordinates_free(odonata_coordinates *coordinates)
{
	if (!coordinates || atomic_fetch_sub(&coordinates->users, 1) > 1)
		return;
	odo_coordinates_free(coordinates->core);
	odonata_fabric_free(coordinates->fabric);
	free(coordinates);
}

void odonata_tables_free(odonata_tables *tables)
{
	if (!tables)
		return;
	odo_tables_free(tables->core);
	odonata_coordinates_free(tables->coordinates);
	odonata_fabric_free(tables->fabric);
	free(tables);
}

int api_check_pair(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
		   odo_error *why)
{
	if (!fabric)
		return api_no("a fabric", why);
	if (coordinates && coordinates->fabric != fabric)
		return odo_fail(why, ODO_EINPUT,
				"expected coordinates of this fabric, found those of another");
	return 0;
}

int api_end(int status, const odo_error *why, odonata_error *err)
{
	if (!status || !err)
		return status;
	err->status = status;
	strncpy(err->text, why->text, sizeof err->text - 1);
	err->text[sizeof err->text - 1] = 0;
	return status;
}

static size_t size_of(const void *theirs)
{
	size_t size;
	memcpy(&size, theirs, sizeof size);
	return size;
}

int api_expect(const void *theirs, size_t least, const char *what, odo_error *why)
{
	if (!theirs)
		return api_no(what, why);
	if (size_of(theirs) < least)
		return odo_fail(why, ODO_EINPUT,
				"expected %s with its size set to at least %zu, found %zu", what,
				least, size_of(theirs));
	return 0;
}

int api_take(void *ours, size_t size, size_t least, const void *theirs, const char *what,
	     odo_error *why)
{
	int status = api_expect(theirs, least, what, why);
	if (status)
		return status;
	size_t their_size = size_of(theirs);
	for (size_t i = size; i < their_size; i++)
		if (((const char *)theirs)[i])
			return odo_fail(why, ODO_EINPUT,
					"expected %s of library version %s, found one that asks "
					"for more",
					what, odonata_version());
	memset(ours, 0, size);
	memcpy(ours, theirs, their_size < size ? their_size : size);
	return 0;
}

void api_fill(void *theirs, const void *ours, size_t size)
{
	size_t their_size = size_of(theirs), known = their_size < size ? their_size : size;
	memcpy(theirs, ours, known);
	memset((char *)theirs + known, 0, their_size - known);
	memcpy(theirs, &their_size, sizeof their_size);
}

int api_draft_open(const char *path, odo_draft *draft, odo_error *why)
{
	return path ? odo_draft_open(draft, path, 0666, ODO_DRAFT_OUTPUT, why)
		    : api_no("the name of a file", why);
}
