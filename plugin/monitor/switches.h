/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Knowledge of each switch's tables: sent, acknowledged, and last seen right. It changes while
 * OpenSM is idle, so that the plugin's thread writes it. */
#ifndef ODONATA_PLUGIN_MONITOR_SWITCHES_H
#define ODONATA_PLUGIN_MONITOR_SWITCHES_H

#include "plugin/memory/subnet.h"
#include "plugin/monitor/state_text.h"
#include "plugin/opensm/confirm.h"

/** Compute the file's path: FOLDER/odonata_switches-ID.json. @param path [ODO_PATH_ROOM] */
void odo_switches_path(const char *folder, const char *id, char *path);

/** Return the file's text, for free(); NULL without memory. Nobody waits for a disk meanwhile. */
char *odo_switches_json(const char *subnet, odo_confirm *confirm);

enum { ODO_READ_BACK_FIGURES = 9 };
/** Compute the figures of reading back. @param list [ODO_READ_BACK_FIGURES] */
void odo_read_back_figures(odo_confirm *confirm, odo_figure *list);

#endif
