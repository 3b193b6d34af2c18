/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/memory/orders.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/replace.h"

void odo_orders_clear(odo_orders *orders)
{
	odo_saved_clear(&orders->saved);
	*orders = (odo_orders){0};
}

static int read_ordered_tables(const odo_order *order, odo_saved *out, odo_error *err)
{
	struct stat is;
	FILE *from = NULL;
	if (order->kind != ODO_ORDER_TABLES)
		return 0;
	int status = odo_open_regular(order->what, false, ODO_HANDOVER_LIMIT, &from, &is, err);
	if (!status && !from)
		status = odo_fail(err, ODO_EINPUT, "%s: expected saved tables, found no file",
				  order->what);
	if (!status)
		status = odo_saved_read(from, order->what, out, err);
	if (from)
		fclose(from);
	return status;
}

void odo_orders_read(odo_orders *orders, const odo_subnet *subnet)
{
	char path[ODO_PATH_ROOM];
	odo_order now;
	odo_subnet_file(subnet, "odonata", ODO_ENDING_ORDER, path);
	int status = odo_order_read(path, &now, &orders->refused);
	bool same = !status && now.kind == orders->order.kind &&
		    !strcmp(now.what, orders->order.what);
	if (!status && !same)
		status = read_ordered_tables(&now, &orders->saved, &orders->refused);
	orders->changed = !status && !same;
	if (!status)
		orders->order = now;
}

void odo_orders_adopt(odo_orders *orders, odo_orders *read, osm_log_t *log)
{
	char text[ODO_ORDER_TEXT];
	orders->refused = read->refused;
	if (read->refused.status)
		osm_log(log, OSM_LOG_ERROR,
			"odonata: order of odonata handover is refused, and the one before stays "
			"in force: %s\n",
			read->refused.text);
	if (!read->changed)
		return;
	odo_saved_clear(&orders->saved);
	orders->saved = read->saved;
	orders->order = read->order;
	read->saved = (odo_saved){0};
	osm_log(log, OSM_LOG_INFO, "odonata: order of odonata handover is in force: %s\n",
		orders->order.kind ? odo_order_text(&orders->order, text)
				   : "none, routes are computed");
}

bool odo_orders_exclude(const odo_orders *orders, const char *engine)
{
	return orders->order.kind == ODO_ORDER_ENGINE && strcmp(orders->order.what, engine) != 0;
}

/* ---- Last good tables ---- */

static bool are_one_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Give a file a second name, in place of the file that has it. rename() does nothing for two names
 * of one file. */
static int link_as(const char *path, const char *name, odo_error *err)
{
	char draft[ODO_PATH_ROOM + 8];
	struct stat is, now;
	if (!lstat(path, &is) && !lstat(name, &now) && are_one_file(&is, &now))
		return 0;
	snprintf(draft, sizeof draft, "%s.draft", name);
	unlink(draft);
	if (!link(path, draft) && !rename(draft, name))
		return 0;
	int why = errno;
	unlink(draft);
	return odo_fail(err, ODO_EIO, "%s: cannot link to %s: %s", path, name, strerror(why));
}

int odo_last_good_note(const odo_subnet *subnet, const char *engine, const odo_handover_file *file,
		       odo_error *err)
{
	char path[ODO_PATH_ROOM], name[ODO_PATH_ROOM];
	struct stat is;
	odo_subnet_path(subnet, engine, path);
	odo_subnet_file(subnet, engine, ODO_ENDING_READ, name);
	/* Another manager may have written the file since. */
	if (lstat(path, &is) || is.st_ino != file->number || is.st_dev != file->device)
		return 0;
	return link_as(path, name, err);
}

int odo_last_good_keep(const odo_subnet *subnet, const char *engine, unsigned seconds,
		       odo_error *err)
{
	char path[ODO_PATH_ROOM], read[ODO_PATH_ROOM], good[ODO_PATH_ROOM];
	struct stat is, was;
	odo_subnet_path(subnet, engine, path);
	odo_subnet_file(subnet, engine, ODO_ENDING_READ, read);
	odo_subnet_file(subnet, engine, ODO_ENDING_GOOD, good);
	bool known = !lstat(path, &is) && !lstat(read, &was) && are_one_file(&is, &was);
	if (!known || difftime(time(NULL), is.st_mtime) < seconds)
		return 0;
	return link_as(path, good, err);
}
