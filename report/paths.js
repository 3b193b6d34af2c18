/* The path of a pair of hosts, followed through the tables as a packet would. */
const MOST_HOPS = 256;
const MOST_OFFERED = 3000; /* hosts in the list of names */
const paths = {};

/* Tables as arrays, made when they are first asked for. */
function unpack(tables) {
	if (paths.lft)
		return;
	paths.lft = bytesOf(tables.lft.columns);
	paths.sl = bytesOf(tables.sl_of_pair ? tables.sl_of_pair.columns : tables.sl_of_lid);
	paths.mapOfPorts = tables.bytes_of_map ? bytesOf(tables.map_of_ports) : null;
	paths.first = [0]; /* of each switch's pairs of ports, port 0 among them */
	for (const n of switches.ports)
		paths.first.push(paths.first[paths.first.length - 1] + (n + 1) * (n + 1));
}

function slOf(tables, s, lid) {
	return tables.sl_of_pair ? paths.sl[tables.sl_of_pair.column_of_lid[lid] * nSwitches + s] : paths.sl[lid];
}

function vlOf(tables, s, input, output, sl) {
	const size = tables.bytes_of_map, at = size * (paths.first[s] + input * (switches.ports[s] + 1) + output);
	const number = size === 0 ? 0 : size === 1 ? paths.mapOfPorts[at] : paths.mapOfPorts[at] + 256 * paths.mapOfPorts[at + 1];
	return tables.maps[number][sl];
}

/* Rows {switch, in, out, vl, plug} from a host to another's LID, and how it ends. */
paths.follow = function (from, to, lid) {
	const tables = report.tables;
	unpack(tables);
	let s = hosts.switch[from], input = hosts.port[from];
	const sl = slOf(tables, s, lid), hops = [];
	for (; hops.length < MOST_HOPS;) {
		const last = s === hosts.switch[to];
		const output = last ? hosts.port[to] : paths.lft[tables.lft.column_of_lid[lid] * nSwitches + s];
		const plug = plugs[s].find(p => p.port === output);
		hops.push({ switch: s, in: input, out: output, vl: plug ? vlOf(tables, s, input, output, sl) : null, plug });
		if (last || !plug || plug.cable === undefined)
			return { sl, vl: tables.maps[tables.map_of_host[from]][sl], hops, arrives: last };
		({ switch: s, port: input } = otherEnd(plug));
	}
	return { sl, vl: tables.maps[tables.map_of_host[from]][sl], hops, arrives: false };
};

function hostNamed(text) {
	const wanted = text.trim().toLowerCase();
	const by = test => d3.range(nHosts).find(test);
	const exact = by(h => hosts.name[h].toLowerCase() === wanted || hosts.guid[h] === wanted || String(hosts.lid[h]) === wanted);
	return exact !== undefined || !wanted ? exact : by(h => hosts.name[h].toLowerCase().includes(wanted));
}

function showPath(from, to, lid) {
	const result = d3.select("#hops").html("");
	const path = paths.follow(from, to, lid), between = path.hops.filter(h => h.plug && h.plug.cable !== undefined);
	result.append("p").text(`From ${hosts.name[from]} to ${hosts.name[to]}, LID ${lid}: ` +
		`${count(between.length, "cable")} between switches, SL ${path.sl}` +
		`${report.tables.other_sls ? " (hosts of one switch have different SLs here; this is the first one's)" : ""}.`);
	if (!path.arrives)
		result.append("p").attr("class", "bad").text("The tables do not deliver it.");
	const traffic = traffics.length ? loads.traffic() : null;
	const first = { name: hosts.name[from], in: "", out: "", vl: path.vl, load: "" };
	const rows = path.hops.map(h => ({ ...h, load: h.plug && h.plug.cable !== undefined ? figure(loadOf(traffic, h.plug)) : "" }));
	const last = path.arrives ? [{ name: hosts.name[to], in: "", out: "", vl: "", load: "" }] : [];
	addTable(result, [
		{ title: "", of: row => row.name ? "host" : "switch" },
		{ title: "name", of: row => row.name || (cell => switchButton(cell, row.switch)) },
		{ title: "place", of: row => row.name ? "" : placeOf(row.switch) },
		{ title: "in by port", of: row => String(row.in) }, { title: "out by port", of: row => String(row.out) },
		{ title: "on VL", of: row => row.vl === null ? "none" : String(row.vl) },
		{ title: traffic ? `load under ${trafficName(traffic.traffic)}` : "load", of: row => row.load },
	], [first, ...rows, ...last]);
	picture.path = new Set(between.map(h => h.plug.cable));
	picture.pathSwitches = path.hops.map(h => h.switch);
}

/* Both ends are known: choose a LID of the second, and show. */
function offerLids() {
	const from = hostNamed(d3.select("#from").property("value")), to = hostNamed(d3.select("#to").property("value"));
	const choice = d3.select("#lid"), result = d3.select("#hops");
	if (from === undefined || to === undefined || from === to) {
		result.html("").append("p").text("Name two hosts: by name, GUID or LID.");
		return;
	}
	const lids = d3.range(2 ** hosts.lmc[to]).map(i => hosts.lid[to] + i);
	const kept = Number(choice.property("value"));
	choice.selectAll("option").data(lids).join("option").attr("value", l => l).text(l => `LID ${l}`);
	choice.style("display", lids.length > 1 ? null : "none");
	showPath(from, to, lids.includes(kept) ? kept : lids[0]);
	if (lids.includes(kept))
		choice.property("value", kept);
	picture.draw();
}

function addPaths() {
	const section = d3.select("#paths");
	if (!report.tables || nHosts < 2) {
		section.remove();
		return;
	}
	const controls = section.append("div").attr("class", "controls");
	for (const [id, title, host] of [["from", "from", 0], ["to", "to", nHosts - 1]]) {
		const label = controls.append("label");
		label.append("span").text(title);
		const input = label.append("input").attr("id", id).attr("list", "hosts").property("value", hosts.name[host]);
		on(input, "change", () => offerLids());
	}
	on(controls.append("select").attr("id", "lid").attr("aria-label", "LID"), "change", offerLids);
	if (nHosts <= MOST_OFFERED)
		section.append("datalist").attr("id", "hosts").selectAll("option").data(hosts.name).join("option").attr("value", n => n);
	section.append("div").attr("id", "hops");
	const asked = new URLSearchParams(location.hash.slice(1));
	for (const id of ["from", "to"])
		if (asked.has(id))
			d3.select(`#${id}`).property("value", asked.get(id));
	offerLids();
	if (!asked.has("from")) { /* an example, in the table alone */
		picture.path.clear();
		picture.pathSwitches = [];
		picture.draw();
	}
}
