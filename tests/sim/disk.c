/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/disk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static sim_disk disk;

void sim_disk_set(sim_disk how)
{
	disk = how;
}

/* A full disk takes half of what is left to write. */
ssize_t write(int file, const void *bytes, size_t n)
{
	if (disk == SIM_DISK_FULL && n < 2) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_write, file, bytes, disk == SIM_DISK_FULL ? n / 2 : n);
}

int fsync(int file)
{
	(void)file; /* the simulation outlives no loss of power */
	errno = EIO;
	return disk == SIM_DISK_NO_SYNC ? -1 : 0;
}

/* Files are as old as the simulated clock says. */
int renameat2(int from, const char *name, int to, const char *new_name, unsigned flags)
{
	struct timespec now[2];
	if (disk == SIM_DISK_NO_RENAME) {
		errno = EIO;
		return -1;
	}
	if (syscall(SYS_renameat2, from, name, to, new_name, flags))
		return -1;
	clock_gettime(CLOCK_REALTIME, &now[0]);
	now[1] = now[0];
	utimensat(to, new_name, now, 0);
	return 0;
}

int renameat(int from, const char *name, int to, const char *new_name)
{
	return renameat2(from, name, to, new_name, 0);
}

static void damage_file(const char *path, odo_rng *rng)
{
	struct stat is;
	if (stat(path, &is) || !is.st_size)
		return;
	uint32_t at = odo_rng_below(rng, (uint32_t)is.st_size);
	if (odo_rng_next(rng) % 2) {
		if (truncate(path, at))
			exit(2);
		return;
	}
	FILE *file = fopen(path, "r+");
	int byte = file && !fseek(file, at, SEEK_SET) ? fgetc(file) : EOF;
	if (byte == EOF || fseek(file, at, SEEK_SET) || fputc(byte ^ 1, file) == EOF ||
	    fclose(file))
		exit(2);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

void sim_disk_damage(const char *folder, sim_damage how, odo_rng *rng)
{
	struct dirent **all;
	char path[600];
	int n = scandir(folder, &all, NULL, by_name);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, all[i]->d_name);
		if (*all[i]->d_name != '.' && how == SIM_DAMAGE_GONE)
			unlink(path);
		else if (*all[i]->d_name != '.' && how == SIM_DAMAGE_TORN)
			damage_file(path, rng);
		free(all[i]);
	}
	free(all);
}
