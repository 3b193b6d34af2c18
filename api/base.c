/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/base.h>

#include <string.h>

#include "base/error.h"
#include "base/version.h"
#include "emulator/model.h"
#include "emulator/policy.h"
#include "emulator/traffic/pattern.h"
#include "export/export.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"

_Static_assert(ODONATA_EINPUT == (int)ODO_EINPUT && ODONATA_ENOMEM == (int)ODO_ENOMEM &&
		       ODONATA_EIO == (int)ODO_EIO && ODONATA_EUNKNOWN == (int)ODO_EUNKNOWN &&
		       ODONATA_EUNSAFE == (int)ODO_EUNSAFE && ODONATA_EDECLINE == (int)ODO_EDECLINE,
	       "statuses go through as they are");

const char *odonata_version(void)
{
	return ODONATA_VERSION;
}

const char *odonata_build(void)
{
	return odo_version;
}

int odonata_abi_version(void)
{
	return ODONATA_ABI;
}

const char *odonata_status_text(int status)
{
	static const char *const texts[] = {"success",
					    "wrong input",
					    "out of memory",
					    "refused by the operating system",
					    "unknown kind of fabric",
					    "routing not proved",
					    "declined"};
	unsigned i = status <= 0 ? 0u - (unsigned)status : UINT32_MAX;
	return i < sizeof texts / sizeof *texts ? texts[i] : "unknown status";
}

/** A table of rows that ends with a NULL name, and the offsets of texts in its rows. */
struct rows {
	const void *first;
	size_t stride, name, summary;
	bool pointers; /**< rows are pointers to structs with the texts, and the last one is NULL */
};

/* The conditional expressions reject tables of another type at compile time. */
#define TEXTS(type) offsetof(type, name), offsetof(type, summary)
#define ROWS(table, type)                                                                          \
	{                                                                                          \
		1 ? table : (const type *)0, sizeof(type), TEXTS(type), false                      \
	}
#define POINTERS(table, type)                                                                      \
	{                                                                                          \
		1 ? table : (const type *const *)0, sizeof(type *), TEXTS(type), true              \
	}

static const struct rows lists[] = {
	[ODONATA_TOPOLOGIES] = POINTERS(odo_topologies, odo_topology),
	[ODONATA_PRESETS] = ROWS(odo_presets, odo_preset),
	[ODONATA_FABRIC_FORMATS] = ROWS(odo_fabric_formats, odo_fabric_format),
	[ODONATA_ENGINES] = ROWS(odo_engines, odo_engine),
	[ODONATA_TABLE_FORMATS] = ROWS(odo_export_formats, odo_export_format),
	[ODONATA_PATTERNS] = ROWS(odo_patterns, odo_pattern),
	[ODONATA_POLICIES] = POINTERS(odo_policies, odo_policy),
	[ODONATA_MODELS] = ROWS(odo_model_presets, odo_model_preset),
};

/** Return the text at `offset` of a row, or NULL. */
static const char *text_at(const void *row, size_t offset)
{
	const char *text;
	memcpy(&text, (const char *)row + offset, sizeof text);
	return text;
}

/** Return the row of an item, or NULL after the last. */
static const void *find_list_row(odonata_list list, unsigned item)
{
	if ((unsigned)list >= sizeof lists / sizeof *lists)
		return NULL;
	const struct rows *l = &lists[list];
	for (const char *at = l->first;; at += l->stride) {
		const void *row = l->pointers ? text_at(at, 0) : at;
		if (!row || !text_at(row, l->name))
			return NULL;
		if (!item--)
			return row;
	}
}

const char *odonata_list_name(odonata_list list, unsigned item)
{
	const void *row = find_list_row(list, item);
	return row ? text_at(row, lists[list].name) : NULL;
}

const char *odonata_list_summary(odonata_list list, unsigned item)
{
	const void *row = find_list_row(list, item);
	return row ? text_at(row, lists[list].summary) : NULL;
}
