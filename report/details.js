/* What stands beside the picture: a switch with its ports, a group, the cables between two nodes. */
const details = {};

function switchButton(cell, s, port) {
	const button = cell.append("button").attr("class", "link").text(switches.name[s]);
	on(button, "click", () => picture.show(s));
	if (port !== undefined)
		cell.append("span").text(` port ${port}`);
}

function addFacts(parent, facts) {
	const boxes = parent.append("div").attr("class", "facts").selectAll("div")
		.data(facts.filter(f => f[1] !== undefined && f[1] !== null && f[1] !== "")).join("div");
	boxes.append("b").text(f => typeof f[1] === "number" ? f[1].toLocaleString("en") : f[1]);
	boxes.append("span").text(f => f[0]);
}

function rate(i) {
	return cables.mbits[i] ? `${figure(cables.mbits[i] / 1000)} Gb/s` : "not known";
}

function farEnd(plug) {
	if (plug.host !== undefined)
		return hosts.name[plug.host];
	const far = otherEnd(plug);
	return cell => switchButton(cell, far.switch, far.port);
}

details.ofSwitch = function (panel, s) {
	panel.append("h3").text(switches.name[s]);
	const lines = panel.append("p");
	lines.append("span").attr("class", "guid").text(switches.guid[s]);
	lines.append("span").text([placeOf(s), `LID ${switches.lid[s]}`].map(t => t && ` · ${t}`).join(""));
	const traffic = picture.traffic();
	addTable(panel, [
		{ title: "port", of: plug => plug.port },
		{ title: "to", of: farEnd },
		...(traffic ? [{ title: "load", of: plug => plug.cable === undefined ? "" : figure(loadOf(traffic, plug)) }] : []),
		{ title: "", of: plug => faultyCables.has(plug.cable) ? "fault" : "" },
	], plugs[s]);
};

details.ofGroup = function (panel, group) {
	panel.append("h3").text(group.name);
	panel.append("p").text(`${count(group.members.length, "switch", "switches")}, ${count(group.hosts, "host")}`);
	const button = panel.append("button").text(group.open ? "Close the group" : "Open the group");
	on(button, "click", () => picture.toggle(group));
	addTable(panel, [
		{ title: "switch", of: s => cell => switchButton(cell, s) },
		{ title: "place", of: placeOf },
		{ title: "hosts", of: s => hostsOf[s] },
	], group.members);
};

details.ofBundle = function (panel, bundle) {
	panel.append("h3").text(`${nameOfNode(bundle.a)} – ${nameOfNode(bundle.b)}`);
	panel.append("p").text(count(bundle.cables.length, "cable"));
	const traffic = picture.traffic();
	const load = (i, back) => figure(loadOf(traffic, { cable: i, back }));
	addTable(panel, [
		{ title: "from", of: i => cell => switchButton(cell, cables.from[i], cables.from_port[i]) },
		{ title: "to", of: i => cell => switchButton(cell, cables.to[i], cables.to_port[i]) },
		{ title: "rate", of: rate },
		...(traffic ? [{ title: "load there, back", of: i => `${load(i, false)}, ${load(i, true)}` }] : []),
	], bundle.cables);
};

details.help = function (panel) {
	panel.append("h3").text("How to read the picture");
	const lines = [
		"Drag to move it, turn the wheel or pinch to zoom.",
		groups.some(g => !g.open) ? "A box is a group of switches. Click it to open it; its panel closes it."
			: "A dot is a switch. Click it to see its ports.",
		"Click a line to see its cables, and a dot to see a switch.",
		"Names appear when there is room for them: zoom in, or search.",
		"The matrix has a cell for each pair of groups. Click one to see its cables, and open it to see its switches.",
	];
	panel.append("ul").selectAll("li").data(lines).join("li").text(line => line);
};
