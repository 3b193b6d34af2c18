/* The document (docs/reference/report.md), and what is found in it by number, GUID and LID. Names out of a
 * fabric are shown as text alone, never as markup. */
const report = JSON.parse(document.getElementById("document").textContent);
const { map, switches, hosts, cables } = report;
const proof = report.proof || null;
const traffics = report.traffics || [];
const nSwitches = switches.name.length;
const nHosts = hosts.name.length;
const nCables = cables.from.length;

/* For listeners that do not depend on d3's version: before its version 6 they got no event. */
function on(selection, type, what) {
	return selection.each(function (d) {
		this.addEventListener(type, event => what(event, d));
	});
}

function bytesOf(base64) {
	return Uint8Array.from(atob(base64), c => c.charCodeAt(0));
}

/* Cables and hosts of each switch: plugs[s] has {port, cable, back} and {port, host}. */
const plugs = switches.name.map(() => []);
for (let i = 0; i < nCables; i++) {
	plugs[cables.from[i]].push({ port: cables.from_port[i], cable: i, back: false });
	plugs[cables.to[i]].push({ port: cables.to_port[i], cable: i, back: true });
}
for (let h = 0; h < nHosts; h++)
	plugs[hosts.switch[h]].push({ port: hosts.port[h], host: h });
for (const list of plugs)
	list.sort((a, b) => a.port - b.port);

const switchOfGuid = new Map(switches.guid.map((guid, s) => [guid, s]));
const hostsOf = switches.name.map((_, s) => plugs[s].filter(p => p.host !== undefined).length);

/* "group 4, place 3" of a switch, "" where that is unknown. */
function placeOf(s) {
	return placeText(switches.at[s]);
}

function placeText(at) {
	const dims = map.dimensions;
	if (!at.length || at.includes(null))
		return "";
	if (map.levels && map.levels.length === 2)
		return at[0] ? `spine ${at[2]}` : `leaf ${at[3]}`;
	if (dims[0].name)
		return dims.map((d, i) => `${d.name} ${at[i]}`).join(", ");
	return dims[0].graph === "groups" ? `group ${at[0]}, place ${at.slice(1).join(" ")}`
		: `at ${at.join(" ")}`;
}

/* Channels: a cable there (2 * cable) and back (2 * cable + 1). */
function otherEnd(plug) {
	const { cable, back } = plug;
	return back ? { switch: cables.from[cable], port: cables.from_port[cable] }
		: { switch: cables.to[cable], port: cables.to_port[cable] };
}

function loadOf(traffic, plug) {
	return traffic ? (plug.back ? traffic.load_back : traffic.load)[plug.cable] : null;
}

/* Of a cable, both ways. */
function loadOfCable(traffic, i) {
	return Math.max(traffic.load[i], traffic.load_back[i]);
}

const cableAt = new Map(); /* "switch port" to a cable */
for (let i = 0; i < nCables; i++) {
	cableAt.set(`${cables.from[i]} ${cables.from_port[i]}`, i);
	cableAt.set(`${cables.to[i]} ${cables.to_port[i]}`, i);
}

/* A cable as `map` and `analyze` name it, or undefined: a host's, say. */
function cableNamed(row) {
	return cableAt.get(`${switchOfGuid.get(row.from_guid)} ${row.from_port}`);
}

const wrongCables = new Set(map.wrong_cables.map(cableNamed)), slowCables = new Set(map.slow_cables.map(cableNamed));
const faultyCables = new Set([...wrongCables, ...slowCables]);
const faultySwitches = new Set();
for (const row of map.missing_links)
	faultySwitches.add(switchOfGuid.get(row.guid)).add(switchOfGuid.get(row.and_guid));
faultySwitches.delete(undefined);

/* The worst shift is named by its distance; "worst" is short for a permutation. */
function trafficName(traffic) {
	return traffic === "worst" ? "the worst permutation"
		: (report.bounds || []).some(b => `worst shift, ${traffic.slice(6)}` === b.traffic) ? `the worst shift (${traffic})` : traffic;
}

function count(n, one, many) {
	return `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;
}

function figure(x) {
	return x === null || x === undefined ? "–" : String(Number(x.toPrecision(4)));
}

/* A table: columns are {title, of: row => text or number or a function that fills the cell}. */
function addTable(parent, columns, rows) {
	const table = parent.append("div").attr("class", "wide").append("table");
	const numeric = c => rows.length && rows.every(row => typeof c.of(row) === "number");
	table.append("thead").append("tr").selectAll("th").data(columns).join("th")
		.classed("number", numeric).text(c => c.title);
	const lines = table.append("tbody").selectAll("tr").data(rows).join("tr");
	for (const column of columns)
		lines.append("td").classed("number", numeric(column)).each(function (row) {
			const value = column.of(row), cell = d3.select(this);
			if (typeof value === "function")
				value(cell);
			else
				cell.text(typeof value === "number" ? figure(value) : value);
		});
	return table;
}
