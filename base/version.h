/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The version of this build. packaging/version.cmake writes the object that defines it, so that a
 * commit compiles one small file anew. */
#ifndef ODONATA_BASE_VERSION_H
#define ODONATA_BASE_VERSION_H

/** A release, "0.2.0", or the version before it and the commit: "0.2.0+git20261128051322.fd024b6d84".
 * A later build sorts behind an earlier one, also for dpkg and rpm. */
extern const char odo_version[];

/** Hash of the commit; "unknown" if the sources do not say. */
extern const char odo_commit[];

#endif
