/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/rails.h"

#include "cli/answers.h"
#include "fabric/rails.h"

static json_t *switch_or_null(const odo_fabric *f, uint32_t s)
{
	return s == ODO_NONE ? json_null() : cli_json_text(odo_name(f, s));
}

static json_t *wrong_rail_row(const odo_fabric *f, const odo_rails *rails, uint32_t host)
{
	json_t *row = json_object();
	uint32_t slot = f->host_slot[host], home = odo_rails_home(rails, f, host);
	cli_answer_end(&row, f, slot, "adapter", "guid", "port");
	cli_answer_end(&row, f, f->peer[slot], "to", "to_guid", "to_port");
	cli_put_count(&row, "rail", rails->of_host[host]);
	cli_put(&row, "belongs_to", switch_or_null(f, home));
	return row;
}

void cli_answer_rails(json_t **answer, const odo_fabric *f)
{
	odo_rails rails;
	odo_error err;
	if (odo_rails_find(f, &rails, &err)) {
		cli_put(answer, "rails", NULL);
		return;
	}
	json_t *rows = json_array();
	for (uint32_t h = 0; rails.n && h < f->n_hosts; h++)
		if (odo_rails_is_wrong(&rails, f, h))
			cli_append(&rows, wrong_rail_row(f, &rails, h));
	if (rails.n) {
		cli_put_count(answer, "rails", rails.n);
		cli_put_count(answer, "machines", rails.n_machines);
		cli_put(answer, "wrong_rails", json_incref(rows));
	}
	json_decref(rows);
	odo_rails_clear(&rails);
}
