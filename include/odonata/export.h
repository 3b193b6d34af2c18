/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Export: tables as files of other tools. */
#ifndef ODONATA_EXPORT_H
#define ODONATA_EXPORT_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write tables as a file. The file is complete or is not there. Some formats hold only a part of a
 * routing, such as LFTs without SL2VL maps, and say so in their first lines where that part alone
 * is not safe.
 * @param format one of ODONATA_TABLE_FORMATS
 * @param path   a file, or a device such as "/dev/stdout"
 * Errors: ODONATA_EINPUT for an unknown format; ODONATA_EDECLINE where the format cannot hold these
 * tables; ODONATA_EIO; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_export(const odonata_tables *tables, const char *format, const char *path,
			       odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
