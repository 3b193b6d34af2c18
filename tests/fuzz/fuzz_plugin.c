/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of the plugin's options, be it in opensm.conf or in the file named there. */
#include "fuzz.h"
#include "plugin/config/options.h"

static void check(const char *text)
{
	odo_error err = {0};
	odo_plugin_options o;
	if (fuzz_refused(odo_plugin_options_parse(text, &o, &err), &err))
		return;
	hold(o.route.max_vls <= ODO_MAX_VLS && o.route.max_sls <= ODO_N_SLS, "in range");
	hold(o.read_back_rate, "MADs that are sent");
	hold(o.flap_window && o.flap_hold, "times that end");
	hold(memchr(o.engine, '\0', sizeof o.engine) != NULL, "a name that ends");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32], conf[40];
	int file = fuzz_file(data, size, path);
	char *text = fuzz_text(data, size);
	snprintf(conf, sizeof conf, "conf=%s", path);
	check(conf);
	if (!strstr(text, "conf=")) /* other files, or a pipe that never ends */
		check(text);
	free(text);
	close(file);
	return 0;
}
