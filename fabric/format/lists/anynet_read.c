/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of BookSim's anynet: a line for each router, with its nodes and routers. A number after a
 * neighbour is the latency of the cable, and is ignored.
 *
 *   router 0 node 0 node 1 router 1 10
 *
 * A cable may be listed at one of its ends or at both. Ports are numbered in the order of cables.
 */
#include "fabric/format/lists/cables.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"

/* Take "router 12" or "node 12". The number is part of the name. */
static bool take_end(odo_scan *s, odo_text *name, odo_node_type *type)
{
	odo_scan look = *s;
	uint64_t n;
	odo_skip_blanks(&look);
	name->at = look.at;
	bool router = odo_take(&look, "router");
	*type = router ? ODO_SWITCH : ODO_CA;
	if (!router && !odo_take(&look, "node"))
		return false;
	if (!odo_lines_number(&look, 10, UINT32_MAX, &n))
		return false;
	name->n = (size_t)(look.at - name->at);
	*s = look;
	return true;
}

static int read_router(odo_scan *s, cables_list *list, bool *understood)
{
	odo_text name;
	odo_node_type type;
	uint32_t router, far;
	uint64_t latency;
	*understood = take_end(s, &name, &type) && type == ODO_SWITCH;
	int status = *understood ? cables_find(list, s, name, 0, type, &router) : 0;
	while (*understood && !status && take_end(s, &name, &type)) {
		status = cables_find(list, s, name, 0, type, &far);
		if (!status && far != router)
			status = cables_add(list, s, router, 0, far, 0, NULL);
		odo_lines_number(s, 10, UINT32_MAX, &latency);
	}
	*understood &= odo_lines_at_end(s);
	return status;
}

int odo_anynet_read(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err)
{
	odo_scan s = odo_lines_make(text, size, origin);
	cables_list list = {0};
	int status = 0;
	s.err = err;
	while (!status && odo_lines_next(&s)) {
		bool understood;
		odo_scan start = s;
		status = read_router(&s, &list, &understood);
		if (!status && !understood)
			odo_pass_over(&start, odo_builder_ledger(b));
	}
	cables_make_unique(&list);
	if (!status && !list.n_cables)
		status = odo_scan_fail(&s, "expected routers with cables, found none");
	if (!status)
		status = cables_build(&list, &s, b);
	cables_clear(&list);
	return status;
}

bool odo_anynet_recognise(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	odo_text name;
	odo_node_type type;
	if (!odo_lines_next(&s) || !take_end(&s, &name, &type) || type != ODO_SWITCH)
		return false;
	return odo_lines_at_end(&s) || take_end(&s, &name, &type);
}
