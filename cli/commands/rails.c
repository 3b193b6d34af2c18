/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/commands/rails.h"

#include "cli/answers.h"
#include "cli/terminal/output.h"
#include "fabric/rails.h"

static json_t *switch_or_null(const odo_fabric *f, uint32_t s)
{
	return s == ODO_NONE ? json_null() : cli_json_text(odo_name(f, s));
}

static json_t *list_wrong_rails(const odo_fabric *f, const odo_rails *rails, uint32_t host)
{
	json_t *row = json_object();
	uint32_t slot = f->host_slot[host], home = odo_rails_home(rails, f, host);
	int lacks = cli_answer_end(row, f, slot, "adapter", "guid", "port");
	lacks |= cli_answer_end(row, f, f->peer[slot], "to", "to_guid", "to_port");
	lacks |= json_object_set_new(row, "rail", json_integer(rails->of_host[host]));
	lacks |= json_object_set_new(row, "belongs_to", switch_or_null(f, home));
	return cli_json_whole(row, lacks);
}

int cli_answer_rails(json_t *answer, const odo_fabric *f)
{
	odo_rails rails;
	odo_error err;
	if (odo_rails_find(f, &rails, &err))
		return -1;
	json_t *rows = json_array();
	int failed = 0;
	for (uint32_t h = 0; rails.n && h < f->n_hosts; h++)
		if (odo_rails_is_wrong(&rails, f, h))
			failed |= json_array_append_new(rows, list_wrong_rails(f, &rails, h));
	if (rails.n) {
		failed |= json_object_set_new(answer, "rails", json_integer(rails.n));
		failed |= json_object_set_new(answer, "machines", json_integer(rails.n_machines));
		failed |= json_object_set_new(answer, "wrong_rails", cli_json_whole(rows, failed));
	} else {
		json_decref(rows);
	}
	odo_rails_clear(&rails);
	return failed;
}
