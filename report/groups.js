/* Large fabrics are drawn by groups, each of which opens to its switches: the groups of a dragonfly, a
 * level of a pod of a tree, switches that differ in the last coordinates only. */
const FEW = 160;          /* switches of a fabric that is drawn whole */
const MANY_GROUPS = 60;   /* which leave no room for lines */
const MOST_IN_GROUP = 64; /* where nature has no groups */

const x = switches.x.slice(), y = switches.y.slice();
const gaps = { x: report.gaps.x.slice(), y: report.gaps.y.slice() };

/* A wide tree fills the picture. */
function stretch() {
	const [left, right] = d3.extent(x), factor = Math.max(1, 0.5 * (right - left) / (d3.max(y) || 1));
	for (const list of [y, gaps.y])
		list.forEach((value, i) => list[i] = value * factor);
}

function treeGroup(at, top) {
	const [level, pod, plane] = at;
	return level < top ? top === 1 ? "leaves" : `level ${level}, pod ${pod}` : top === 1 ? `spine ${plane}` : `top, plane ${plane}`;
}

/* What stands in its box. */
function shortName(name) {
	return name.replace(/^(group|column|number|at|level \d+, pod|top, plane|spine|cluster|leaf) /, "");
}

/* How many coordinates, from the first on, groups have in common. */
function prefixLength(sizes) {
	let n = 0;
	for (let inside = sizes.reduce((a, b) => a * b, 1); inside > MOST_IN_GROUP && n < sizes.length - 1; n++)
		inside /= sizes[n];
	return n;
}

/* Name of a switch's group. */
function namer() {
	const kind = map.topology, sizes = map.dimensions.map(d => d.size);
	if (!sizes.length)
		return s => nSwitches <= 400 ? "all" : `number ${Math.floor(s / MOST_IN_GROUP) * MOST_IN_GROUP} and on`;
	if (kind === "fattree")
		return s => treeGroup(switches.at[s], sizes[0] - 1);
	if (kind === "dragonfly" || kind === "dragonfly-plus")
		return s => `group ${switches.at[s][0]}`;
	if (kind === "slimfly-flatfly") /* its Slim Fly, the first coordinate, is drawn innermost */
		return s => `at * ${switches.at[s].slice(1).join(" ")}`;
	if (kind === "slimfly") { /* of 2q^2 switches: columns of q */
		const q = Math.sqrt(sizes[0] / 2);
		return s => nSwitches > FEW ? `column ${Math.floor(switches.at[s][0] / q)}` : "all";
	}
	const n = prefixLength(sizes);
	return n ? s => `at ${switches.at[s].slice(0, n).join(" ")} *` : () => "all";
}

/* Groups: {name, number, members, hosts, open}; where its box is, {x, y, width, height}; and `reach`, how far it
 * goes when it is open. */
const groups = [];
const groupOf = new Array(nSwitches);

/* What no generator drew is laid out by its cables. */
function untangle() {
	const nodes = d3.range(nSwitches).map(s => ({ x: x[s], y: y[s] }));
	const links = cables.from.map((s, i) => ({ source: s, target: cables.to[i] }));
	d3.forceSimulation(nodes).force("links", d3.forceLink(links).distance(45))
		.force("apart", d3.forceManyBody().strength(-160))
		.force("middle", d3.forceCenter(d3.mean(x), d3.mean(y))).stop().tick(250);
	nodes.forEach((node, s) => {
		x[s] = node.x;
		y[s] = node.y;
	});
}

/* Too many for that: squares of switches, as they are numbered. */
function stack() {
	const side = Math.sqrt(MOST_IN_GROUP), columns = Math.ceil(Math.sqrt(1.6 * nSwitches / MOST_IN_GROUP));
	for (let s = 0; s < nSwitches; s++) {
		const group = Math.floor(s / MOST_IN_GROUP), within = s % MOST_IN_GROUP;
		x[s] = 18 * ((side + 3) * (group % columns) + within % side);
		y[s] = 18 * ((side + 3) * Math.floor(group / columns) + Math.floor(within / side));
	}
}

function measure(group) {
	const [left, right] = d3.extent(group.members, s => x[s]);
	const [above, below] = d3.extent(group.members, s => y[s]);
	const share = groups.length > MANY_GROUPS ? 0.65 : 1; /* of the room, so that lines show between boxes */
	group.x = (left + right) / 2;
	group.y = (above + below) / 2;
	group.reach = Math.max(right - left, below - above) + 14;
	group.width = share * (right - left + 14);
	group.height = Math.max(share * (below - above + 14), map.levels ? Math.min(group.width / 1.5, 150) : 0);
}

function findGroups() {
	const nameOf = namer(), byName = new Map();
	for (let s = 0; s < nSwitches; s++) {
		const name = switches.at[s].includes(null) ? "place unknown" : nameOf(s);
		if (!byName.has(name)) {
			byName.set(name, { name, number: groups.length, members: [], open: nSwitches <= FEW || name === "all" });
			groups.push(byName.get(name));
		}
		groupOf[s] = byName.get(name);
		groupOf[s].members.push(s);
	}
	for (const group of groups) {
		group.hosts = d3.sum(group.members, s => hostsOf[s]);
		group.open = group.open || group.members.length === 1;
		measure(group);
	}
}

if (!map.dimensions.length)
	(nSwitches <= 400 ? untangle : stack)();
if (map.levels)
	stretch();
findGroups();

/* What stands for a switch: itself in an open group, or the group. Numbers of groups follow those of
 * switches. */
function nodeOf(s) {
	return groupOf[s].open ? s : nSwitches + groupOf[s].number;
}

function groupOfNode(node) {
	return node < nSwitches ? groupOf[node] : groups[node - nSwitches];
}

function centreOf(node) {
	return node < nSwitches ? [x[node], y[node]] : [groups[node - nSwitches].x, groups[node - nSwitches].y];
}

function nameOfNode(node) {
	return node < nSwitches ? switches.name[node] : groups[node - nSwitches].name;
}

/* Cables by the two nodes that they join: {a, b, cables, load, faulty}. */
function bundles(traffic) {
	const byPair = new Map(), n = nSwitches + groups.length;
	for (let i = 0; i < nCables; i++) {
		const from = nodeOf(cables.from[i]), to = nodeOf(cables.to[i]);
		const a = Math.min(from, to), b = Math.max(from, to), key = a * n + b;
		if (!byPair.has(key))
			byPair.set(key, { a, b, key, cables: [], load: 0, faulty: "" });
		const bundle = byPair.get(key);
		bundle.cables.push(i);
		bundle.load = traffic ? Math.max(bundle.load, loadOfCable(traffic, i)) : 0;
		bundle.faulty = wrongCables.has(i) ? "wrong" : bundle.faulty || (slowCables.has(i) ? "slow" : "");
	}
	return [...byPair.values()];
}
