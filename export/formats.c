/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/export.h"

#include <string.h>

#include "export/slurm.h"
#include "export/write.h"

const odo_export_format odo_export_formats[] = {
	{"lfts", ".lfts", "LFTs for opensm -R file -U (as opensm-lfts.dump)", odo_write_lfts, NULL,
	 false, false},
	{"lid-matrix", ".lidm", "hop counts for opensm -M (as opensm-lid-matrix.dump)",
	 odo_write_lid_matrix, NULL, false, true},
	{"fdbs", ".fdbs", "LFTs for ibdmchk -f (as opensm.fdbs)", odo_write_fdbs, NULL, false,
	 false},
	{"sl2vl", ".sl2vl", "SL2VL maps for ibdmchk -d (as opensm-sl2vl.dump)", odo_write_sl2vl,
	 NULL, false, false},
	{"slvl", ".slvl", "SL2VL maps for ibdmchk -d (as ibdiagnet's .slvl)", odo_write_slvl, NULL,
	 false, false},
	{"psl", ".psl", "SL of each path for ibdmchk -c", odo_write_psl, NULL, true, false},
	{"lst", ".lst", "cables for ibdmchk -s (as opensm-subnet.lst)", odo_write_lst, NULL, false,
	 false},
	{"certificate", ".certificate", "levels of channels that prove tables free of deadlock",
	 odo_write_certificate, NULL, true, true},
	{"json", ".json",
	 "everything, groups of ports and tables by VL included (docs/reference/formats.md)",
	 odo_write_json, NULL, true, true},
	{"text", ".txt", "LFTs, or groups of ports and tables by VL, to be read by people",
	 odo_write_text, NULL, false, false},
	{"dot", ".dot", "switches and cables for Graphviz", odo_write_dot, NULL, false, false},
	{"slurm", ".topology.conf", "groups or rows of switches as Slurm's topology.conf",
	 odo_write_slurm, odo_slurm_write, false, false},
	{NULL, NULL, NULL, NULL, NULL, false, false},
};

const odo_export_format *odo_export_find(const char *name)
{
	const odo_export_format *format = odo_export_formats;
	while (format->name && strcmp(format->name, name))
		format++;
	return format->name ? format : NULL;
}
