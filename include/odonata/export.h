/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Export of tables to files of other tools. */
#ifndef ODONATA_EXPORT_H
#define ODONATA_EXPORT_H

#include <odonata/route.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Write tables as a file. The file is either complete or absent. Some formats contain only a part
 * of a routing, such as LFTs without SL2VL maps. If that part alone is not safe, the first lines of
 * the file say so.
 * @param format one of ODONATA_TABLE_FORMATS
 * @param path a file, or a device such as "/dev/stdout"
 * Errors: ODONATA_EINPUT for an unknown format; ODONATA_EDECLINE if the format cannot represent
 * these tables; ODONATA_EIO; ODONATA_ENOMEM.
 */
ODONATA_API int odonata_export(const odonata_tables *tables, const char *format, const char *path,
			       odonata_error *err);

#ifdef __cplusplus
}
#endif
#endif
