/* What the fabric is, and what was proved of its routing. */

/* "fattree: 36 leaves, 18 spines". Pods and planes are words for taller trees: of two levels each spine is a plane. */
function treeText() {
	const pods = map.levels.length > 2 ? [count(map.dimensions[1].size, "pod")] : [];
	return `${map.topology}: ${[...pods, ...map.levels.map(l => count(l.switches, ...levelWord(l.level)))].join(", ")}`;
}

function kindText() {
	const dims = map.dimensions, sure = map.certainty ? `${map.certainty}: ` : "";
	const sizes = list => list.map(d => d.size).join("x");
	if (!dims.length)
		return map.topology;
	return sure + (map.levels ? treeText() : dims[0].name
		? `${map.topology}: ${dims.filter(d => d.name !== "index").map(d => count(d.size, d.name)).join(", ")}`
		: dims[0].graph === "groups" ? `${map.topology}: ${count(dims[0].size, "group")} of ${sizes(dims.slice(1))} switches`
			: `${map.topology} ${sizes(dims)}`);
}

/* [mark, text] of each thing that can be proved. */
function findings() {
	const pairs = n => count(n, "pair");
	const list = [];
	const say = (good, yes, no) => good === null || list.push(good ? ["good", "✓", yes] : ["bad", "✗", no]);
	say(proof.delivers, `Every LID is reached from every switch that it is connected to ` +
		`(${pairs(proof.pairs)} of a switch and a LID followed).`, "Not every LID is reached.");
	say(proof.deadlock_free, `No packets can wait for each other in a circle (${count(proof.dependencies,
		"dependency", "dependencies")} of channels, none of them in a circle).`, "Packets can wait for each other in a circle: a deadlock.");
	say(proof.within_vls, "No virtual lane is used that a port does not have.", "A virtual lane is used that a port does not have.");
	if (proof.sls_safe_for_all && proof.safe_with_any_one_sl !== true)
		list.push(["doubt", "!", `Packets that do not carry the SL of their path may deadlock. SLs that all packets may ` +
			`carry: ${proof.sls_safe_for_all}; SLs that some may carry beside path SLs: ${proof.sls_safe_beside_path_sls}.`]);
	if (proof.advice)
		list.push(["doubt", "!", `Hosts are safe: ${proof.advice}.`]);
	list.push(["doubt", "·", `Scope: ${proof.scope}.`]);
	if (proof.cut_pairs)
		list.push(["doubt", "!", `${pairs(proof.cut_pairs)} of a switch and a LID are in parts that no cables connect.`]);
	if (proof.safe === "incomplete")
		list.push(["doubt", "!", proof.tables ? `The proof is incomplete: ${proof.tables}.` : "The proof is incomplete: the scope says what was assumed."]);
	for (const x of proof.not_read || [])
		list.push(["doubt", "!", `Not read: ${x.table} of ${x.of}.`]);
	if (proof.failure)
		list.push(["bad", "✗", proof.failure]);
	return list;
}

/* null: not judged. */
function verdictText(safe) {
	return safe === true ? "yes" : safe === null ? "not judged" : safe || "no";
}

function addProof(section) {
	section.append("h3").text("What was proved");
	if (!proof) {
		section.append("p").attr("class", "bad").text("Nothing: there is no routing. The reason is at the end of the page.");
		return;
	}
	const lines = section.append("ul").attr("class", "plain").selectAll("li").data(findings()).join("li");
	lines.append("span").attr("class", f => `mark ${f[0]}`).text(f => f[1]);
	lines.append("span").text(f => f[2]);
	if (proof.cycle)
		addTable(section, [
			{ title: "from", of: c => c.from }, { title: "port", of: c => c.from_port },
			{ title: "to", of: c => c.to || "" }, { title: "VL", of: c => c.vl },
		], proof.cycle);
}

function addParts(section) {
	if (!map.parts)
		return;
	section.append("h3").text(`The fabric is in ${map.parts.length} parts that no cable connects`);
	addTable(section, ["part", "switches", "hosts"]
		.map(key => ({ title: key, of: row => row[key] })), map.parts);
}

function addSummary() {
	const section = d3.select("#summary");
	const when = new Date(report.time_seconds * 1000).toISOString().replace("T", " ").slice(0, 16);
	d3.select("#about").text(`${report.fabric} · written ${when} UTC by Odonata`);
	addFacts(section, [
		["kind of fabric", kindText()], ["switches", map.switches], ["hosts", map.hosts], ["cables", map.cables],
		["routing", proof && proof.engine], ["virtual lanes", proof && proof.vls], ["service levels", proof && proof.sls],
		["longest path, cables between switches", proof && proof.longest_path],
		["safe with path SLs", proof && verdictText(proof.safe)],
		["safe with any one SL", proof && verdictText(proof.safe_with_any_one_sl)],
	]);
	if (map.reason)
		section.append("p").text(map.reason);
	addProof(section);
	addParts(section);
}
