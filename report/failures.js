/* Each switch and cable lost in turn, those first that hurt most. */
function addFailures() {
	const section = d3.select("#failures"), found = report.whatif;
	if (!found) {
		section.remove();
		return;
	}
	addFacts(section, [
		["failures tried", found.losses_tried], ["that cut pairs of hosts off", found.that_cut_pairs],
		["that no engine serves", found.that_no_engine_serves], ["that need another engine", found.with_another_engine],
		["that need more VLs", found.with_more_vls],
		["uniform load carried now, and after the worst", `${figure(found.uniform)}, ${figure(found.least_uniform)}`],
	]);
	section.append("h3").text("Those that hurt most");
	addTable(section, [
		{ title: "lost", of: row => row.lost }, { title: "pairs cut", of: row => row.pairs_cut },
		{ title: "uniform", of: row => figure(row.uniform) }, { title: "shifts", of: row => figure(row.shifts) },
		{ title: "engine", of: row => row.engine }, { title: "VLs", of: row => row.vls },
		{ title: "hosts off", of: row => row.hosts_off }, { title: "entries that change", of: row => row.changed_entries },
		{ title: "SLs that change", of: row => row.changed_sls },
	], found.worst);
}
