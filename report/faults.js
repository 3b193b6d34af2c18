/* What is to be mended, for whoever goes to the racks. */
function end(row, key) {
	const s = switchOfGuid.get(row[`${key}_guid`]);
	return cell => {
		if (s === undefined)
			cell.append("span").text(`${row[key]} port ${row[`${key}_port`]}`);
		else
			switchButton(cell, s, row[`${key}_port`]);
		cell.append("small").attr("class", "guid").text(row[`${key}_guid`]);
		if (s !== undefined)
			cell.append("small").text(placeOf(s));
	};
}

function howToMove(row) {
	const ways = [];
	if (row.from_belongs_to)
		ways.push(`Move the end that is in ${row.to} port ${row.to_port} to ${row.from_belongs_to}.`);
	if (row.to_belongs_to)
		ways.push(`${ways.length ? "Or move" : "Move"} the end that is in ${row.from} port ${row.from_port} to ${row.to_belongs_to}.`);
	return ways.length ? ways.join(" ") : "Belongs to neither of the two. Where to cannot be told.";
}

function switchEnd(name, guid) {
	const s = switchOfGuid.get(guid);
	return cell => {
		switchButton(cell, s);
		cell.append("small").attr("class", "guid").text(guid);
		cell.append("small").text(placeOf(s));
	};
}

const FEW_FAULTS = 8; /* that are shown at first: the picture should not be far down */

/* All faults as rows of one table. */
function faultRows() {
	const rateOf = row => {
		const i = cableNamed(row);
		return i === undefined ? "" : rate(i);
	};
	return [
		...map.wrong_cables.map(row => ({ what: "wrong cable", from: end(row, "from"), to: end(row, "to"),
			cable: rateOf(row), mend: howToMove(row) })),
		...(map.wrong_rails || []).map(row => ({ what: "wrong rail", from: `${row.adapter} port ${row.port}`,
			to: end(row, "to"), cable: "", mend: row.belongs_to ? `Move it to ${row.belongs_to}.`
				: "Belongs to another leaf. To which cannot be told." })),
		...map.missing_links.map(row => ({ what: "missing cable", from: switchEnd(row.between, row.guid),
			to: switchEnd(row.and, row.and_guid), cable: "",
			mend: `Connect the two by ${count(row.missing, "cable")}, or mend what is there.` })),
		...map.slow_cables.map(row => ({ what: "slow cable", from: end(row, "from"), to: end(row, "to"),
			cable: row.runs_at, mend: `Others like it run at ${row.usual}. Reseat it, or replace it.` })),
		...map.missing_switches.map(row => ({ what: "missing switch", from: placeText(row.at), to: "", cable: "",
			mend: "No switch was found here. Switch it on, or connect it." })),
	];
}

/* What no cable contradicts, and a plan would tell. */
function addHints(section) {
	const lines = [...(map.hints || []).map(row => `Hint: ${row.hint}.`),
		...(map.suspects || []).map(row => `Suspects, ${row.what}: ${count(row.wrong_cables, "wrong cable")}, ` +
			`${count(row.missing_cables, "missing cable")}, ${count(row.missing_switches, "missing switch", "missing switches")}.`)];
	if (lines.length)
		section.append("ul").selectAll("li").data(lines).join("li").text(t => t);
}

function addFaults() {
	const section = d3.select("#faults"), rows = faultRows();
	addHints(section);
	if (!rows.length) {
		section.append("p").text(map.dimensions.length ? (map.certainty === "nearest"
			? "The kind is only the nearest one that is known, so that no cable is accused."
			: map.hints || map.suspects ? "No fault is certain. Compare the list above with the plan of the fabric."
			: "As far as cables alone can tell, every cable is where it belongs, and none is missing.")
			: "The fabric is of no known kind, so that no cable can be told to be wrong or missing.");
		return;
	}
	const controls = section.append("div").attr("class", "controls");
	on(controls.append("button").text("Print this list"), "click", () => {
		document.body.classList.add("faults-alone");
		window.print();
		document.body.classList.remove("faults-alone");
	});
	rows.forEach((row, i) => row.number = i + 1);
	const table = addTable(section, [
		{ title: "", of: row => row.number }, { title: "fault", of: row => row.what },
		{ title: "one end", of: row => row.from }, { title: "other end", of: row => row.to },
		{ title: "cable", of: row => row.cable }, { title: "what to do", of: row => row.mend },
		{ title: "done", of: () => "☐" },
	], rows);
	if (rows.length <= FEW_FAULTS)
		return;
	table.classed("short", true).selectAll("tbody tr").classed("more", row => row.number > FEW_FAULTS);
	on(section.append("button").text(`Show all ${count(rows.length, "line")}`), "click", event => {
		table.classed("short", false);
		event.currentTarget.remove();
	});
}
