/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/losses.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/progress.h"

static void show_losses(void *context, uint32_t done, uint32_t n)
{
	cli_step_at(context, (double)done / n, "%u of %u losses", done, n);
}

static int compare_losses(const void *a, const void *b, void *context)
{
	const cli_losses *losses = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int harm = losses->compare(&losses->effect[i], &losses->effect[j]);
	return harm ? harm : i < j ? -1 : i > j;
}

int cli_losses_run(const cli_loss_settings *settings, odo_losses *losses, cli_losses *out,
		   odo_error *err)
{
	const odo_fabric *f = losses->before->fabric;
	int status = settings->random
			     ? odo_losses_random(f, settings->random, settings->together,
						 settings->seed, &out->part, &out->loss, err)
			     : odo_losses_single(f, &out->part, &out->loss, &out->n, err);
	if (status)
		return status;
	if (settings->random)
		out->n = settings->random;
	out->effect = odo_new(out->n, sizeof *out->effect);
	out->order = odo_new(out->n, sizeof *out->order);
	if (!out->effect || !out->order)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	losses->loss = out->loss;
	losses->n = out->n;
	losses->threads = settings->threads;
	cli_step step;
	losses->progress = show_losses;
	losses->context = &step;
	cli_step_begin(&step, "losses");
	status = cli_step_end(&step, odo_losses_run(losses, out->effect, err));
	for (uint32_t i = 0; i < out->n; i++)
		out->order[i] = i;
	if (!status)
		qsort_r(out->order, out->n, sizeof *out->order, compare_losses, out);
	return status;
}

void cli_losses_clear(cli_losses *losses)
{
	free(losses->part);
	free(losses->loss);
	free(losses->effect);
	free(losses->order);
	*losses = (cli_losses){0};
}

/** Name a loss: "switch S1", "cable S1 port 3 to S2 port 4", joined by " and ". */
static json_t *loss_name(const odo_fabric *f, const odo_loss *loss)
{
	char text[1000] = "";
	size_t n = 0;
	for (uint32_t i = 0; i < loss->n && n < sizeof text; i++) {
		const char *also = i ? " and " : "";
		uint32_t slot = loss->part[i].slot, node = loss->part[i].node;
		if (node != ODO_NONE)
			n += (size_t)snprintf(text + n, sizeof text - n, "%sswitch %s", also,
					      odo_name(f, node));
		else
			n += (size_t)snprintf(
				text + n, sizeof text - n, "%scable %s port %u to %s port %u", also,
				odo_name(f, f->owner[slot]), odo_port(f, slot),
				odo_name(f, f->owner[f->peer[slot]]), odo_port(f, f->peer[slot]));
	}
	return cli_json_text(text);
}

json_t *cli_list_losses(const cli_losses *losses, const odo_fabric *f, uint32_t most,
			void (*put)(json_t **row, const odo_loss_effect *e))
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < losses->n && i < most; i++) {
		uint32_t k = losses->order[i];
		json_t *row = json_pack("{so}", "lost", loss_name(f, &losses->loss[k]));
		put(&row, &losses->effect[k]);
		cli_append(&rows, row);
	}
	return rows;
}
