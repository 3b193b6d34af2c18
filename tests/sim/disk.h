/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A disk that fails under the plugin: calls return an error, or files are damaged when a manager
 * dies. */
#ifndef ODONATA_TESTS_SIM_DISK_H
#define ODONATA_TESTS_SIM_DISK_H

#include "base/random.h"

typedef enum sim_disk {
	SIM_DISK_WORKS,
	SIM_DISK_FULL, /**< no file can be made */
	SIM_DISK_NO_SYNC,
	SIM_DISK_NO_RENAME,
	N_SIM_DISKS
} sim_disk;

/** Set what fails from now on. */
void sim_disk_set(sim_disk how);

/** Damage of the folder when a manager dies. */
typedef enum sim_damage {
	SIM_DAMAGE_NONE,
	SIM_DAMAGE_GONE, /**< all files are */
	SIM_DAMAGE_TORN, /**< each file ends somewhere, or has another byte */
	N_SIM_DAMAGES
} sim_damage;

void sim_disk_damage(const char *folder, sim_damage how, odo_rng *rng);

#endif
