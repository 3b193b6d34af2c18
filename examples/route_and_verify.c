/* Reads a fabric, tells what it is, routes it, proves the tables and writes them for OpenSM. */
#include <odonata/odonata.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	odonata_error err = {0, ""};
	odonata_fabric *fabric = NULL;
	odonata_coordinates *found = NULL;
	odonata_tables *tables = NULL;
	odonata_coordinates_view what = {.size = sizeof what};
	odonata_verdict verdict = {.size = sizeof verdict};
	if (argc != 3)
		return fprintf(stderr, "usage: route_and_verify FABRIC TABLES\n"), 2;
	int failed = odonata_fabric_read(argv[1], 0, &fabric, &err) ||
		     odonata_map(fabric, &found, &err) ||
		     odonata_coordinates_get(found, &what, &err) ||
		     odonata_route(fabric, found, NULL, &tables, &err) ||
		     odonata_verify(tables, 0, &verdict, &err) ||
		     odonata_export(tables, "lfts", argv[2], &err);
	if (failed)
		fprintf(stderr, "%s: %s\n", odonata_status_text(err.status), err.text);
	else
		printf("%s, %u faults, longest path %u, proved\n", what.kind, what.n_faults,
		       verdict.max_hops);
	odonata_tables_free(tables);
	odonata_coordinates_free(found);
	odonata_fabric_free(fabric);
	return failed;
}
