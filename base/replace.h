/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Files that are written beside the one whose name they will take. */
#ifndef ODONATA_BASE_REPLACE_H
#define ODONATA_BASE_REPLACE_H

#include <stdbool.h>

/**
 * The file that a path leads to. Links are followed: what takes the name of a link leaves a copy
 * that others do not see, or, in /dev, a system without standard output.
 * @param plain set to whether it is a plain file, or none yet, so that another may take its name.
 *              A device or a pipe, or what a link leads to that is not there, is opened as it is.
 * @return for free(), or NULL without memory
 */
char *odo_replaced_file(const char *path, bool *plain);

#endif
