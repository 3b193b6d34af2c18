/* Loads up to which no cable is full: of this routing, as emulated, and of other engines. */
const MEASURES = [
	["uniform", "uniform", "●"], ["worst_shift", "worst shift", "▲"],
	["mean_permutation", "mean of permutations", "■"], ["worst_permutation", "worst permutation", "◆"],
];

/* Rows of marks on one axis, on which a tenth is as far from a whole as a hundredth from a tenth. */
function dotPlot(section, rows, measures) {
	const values = rows.flatMap(row => measures.map(m => row[m[0]])).filter(v => v > 0);
	const low = Math.min(0.5, 0.8 * d3.min(values)), width = 680, left = 150, line = 30;
	const height = rows.length * line + 44;
	const across = d3.scaleLog([low, 1], [left + 10, width - 20]);
	const colour = d3.scaleOrdinal(measures.map(m => m[0]), d3.schemeCategory10);
	const svg = section.append("svg").attr("class", "plot").attr("viewBox", `0 0 ${width} ${height}`).attr("width", width);
	const lines = svg.selectAll("g.line").data(rows).join("g").attr("transform", (_, i) => `translate(0,${i * line + 18})`);
	lines.append("line").attr("class", "row").attr("x1", left).attr("x2", width - 10);
	lines.append("text").attr("x", left - 8).attr("dy", ".35em").attr("text-anchor", "end").text(row => row.routing.slice(0, 22));
	lines.each(function (row) {
		for (const [key, title, sign] of measures)
			if (row[key] > 0)
				d3.select(this).append("text").attr("x", across(row[key])).attr("dy", ".35em").attr("text-anchor", "middle")
					.style("fill", colour(key)).style("font-size", "15px").text(sign).append("title").text(`${title}: ${figure(row[key])}`);
	});
	const axis = d3.axisBottom(across).tickValues([1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001].filter(v => v >= low))
		.tickFormat(d => String(d));
	svg.append("g").attr("transform", `translate(0,${rows.length * line + 8})`).call(axis);
	const keys = section.append("div").attr("class", "legend").selectAll("span").data(measures).join("span");
	keys.append("span").style("color", m => colour(m[0])).text(m => `${m[2]} `);
	keys.append("span").text(m => m[1]);
}

function addBounds(section) {
	section.append("h3").text("What this routing can carry at most");
	section.append("p").text("The share of its cable's rate that every host can send until a first cable is full. " +
		"No packet is sent for this: it is arithmetic, and more than this cannot be carried.");
	const bar = row => cell => {
		const svg = cell.append("svg").attr("class", "plot").attr("width", 120).attr("height", 12);
		svg.append("rect").attr("class", "bar").attr("width", 120 * Math.min(1, row.saturation_at_most)).attr("height", 12);
	};
	addTable(section, [
		{ title: "traffic", of: row => row.traffic }, { title: "at most", of: row => row.saturation_at_most },
		{ title: "", of: bar },
	], report.bounds);
}

function emulatedBy(run) {
	const units = run.units;
	return `Switches and links are those of model ${run.model} (${run.model_of})` +
		(run.model_changes ? ` with ${run.model_changes}` : "") +
		(units ? `, and a cycle is ${figure(units.cycle_ns)} ns. ` : ", which knows neither bytes nor time. ") +
		`Seed ${run.seed}; the first run of each load measures ${run.cycles_asked} cycles after ${run.warmup_asked}.`;
}

function addSaturations(section) {
	section.append("h3").text("What it carries as emulated");
	section.append("p").text("Packets were sent through these tables. Sustained is the highest load at which all that is " +
		"sent arrives; latency is in cycles. " + emulatedBy(report.emulation));
	const bound = new Map(traffics.map(t => [t.traffic, t.saturation_at_most]));
	addTable(section, [
		{ title: "traffic", of: row => trafficName(row.traffic) }, { title: "at most", of: row => figure(bound.get(row.traffic)) },
		{ title: "sustained", of: row => row.sustained_load },
		{ title: "accepted at full offer", of: row => row.accepted_at_full_offer },
		{ title: "latency", of: row => row.latency_at_sustained }, { title: "deadlocks", of: row => row.deadlocks },
	], report.saturations);
}

function addComparison(section) {
	const { routings, declined } = report.comparison;
	section.append("h3").text("Engines side by side");
	section.append("p").text("Loads up to which no cable is full. Changed entries are those of forwarding tables " +
		"that differ from the first row's.");
	if (routings.some(row => row.uniform > 0))
		dotPlot(section, routings, MEASURES);
	const truth = value => value === true ? "yes" : value === false ? "no" : value;
	addTable(section, [
		{ title: "routing", of: row => row.routing }, { title: "safe", of: row => truth(row.safe) },
		{ title: "SLs safe for all", of: row => row.sls_safe_for_all || "" },
		{ title: "VLs", of: row => row.vls }, { title: "SLs", of: row => row.sls },
		{ title: "longest path", of: row => row.longest_path === null ? "–" : row.longest_path },
		...MEASURES.map(m => ({ title: m[1], of: row => row[m[0]] === null ? "–" : row[m[0]] })),
		{ title: "changed entries", of: row => row.changed_entries },
	], routings);
	if (declined) {
		section.append("h3").text("Engines that decline");
		addTable(section, [{ title: "engine", of: row => row.routing }, { title: "reason", of: row => row.reason }], declined);
	}
}

function addEngines() {
	const section = d3.select("#engines");
	if (report.bounds)
		addBounds(section);
	if (report.saturations)
		addSaturations(section);
	if (report.comparison)
		addComparison(section);
	if (!report.bounds && !report.saturations && !report.comparison)
		section.remove();
}
