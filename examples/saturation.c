/* What a fabric accepts at most by analysis, and what it does accept in emulation. */
#include <odonata/odonata.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	const char *spec = argc > 1 ? argv[1] : "", *pattern = argc > 2 ? argv[2] : "uniform";
	odonata_error err = {0, ""};
	odonata_fabric *fabric = NULL;
	odonata_coordinates *found = NULL;
	odonata_tables *tables = NULL;
	odonata_analysis bound = {.size = sizeof bound};
	odonata_measures m = {.size = sizeof m};
	int failed = odonata_fabric_generate(spec, 0, &fabric, &err) ||
		     odonata_map(fabric, &found, &err) ||
		     odonata_route(fabric, found, NULL, &tables, &err) ||
		     odonata_analyze(tables, pattern, 1, NULL, &bound, &err);
	odonata_emulation run = {.size = sizeof run, .tables = tables, .pattern = pattern};
	if (!failed)
		printf("at most %.3f\noffered accepted waiting\n", bound.saturation);
	for (run.load = 0.125; run.load <= 1 && !failed; run.load += 0.125)
		if (!(failed = odonata_emulate(&run, &m, &err)))
			printf("%7.3f  %7.3f %7.0f\n", m.offered, m.accepted, (double)m.waiting);
	if (failed)
		fprintf(stderr, "%s: %s\n", odonata_status_text(err.status), err.text);
	odonata_tables_free(tables);
	odonata_coordinates_free(found);
	odonata_fabric_free(fabric);
	return failed;
}
