/* Rows and columns of the matrix: blocks of switches. A block is {name, members, gaps}; gaps are missing switches. Blocks
 * follow the coordinates; where a fabric has none, its parts, and clusters of switches with many cables among them. */
const MOST_BLOCKS = 256;  /* a side: cells are two pixels then, and the matrix has at most 65,536 */
const MOST_SINGLES = 64;  /* switches of a fabric without groups that are a block each */
const MOST_SPINES = 128;  /* top switches that are a column each; more are taken together by planes */
const FEW_CELLS = 16;     /* say too little of a small fabric: its switches are shown one by one */
const NO_PLACE = "no place";

const hasPlace = at => at.length && !at.includes(null);

/* Order of numbers, then of later ones. */
function compareLists(a, b) {
	const i = a.findIndex((value, k) => value !== b[k]);
	return i < 0 ? 0 : a[i] - b[i];
}

/* Blocks of switches and missing switches, by what `nameOf` says of coordinates; null leaves a switch out. */
function blocksByPlace(members, nameOf) {
	const byName = new Map();
	const put = (name, at, key, value) => {
		if (name === null)
			return;
		if (!byName.has(name))
			byName.set(name, { name, at, members: [], gaps: [] });
		byName.get(name)[key].push(value);
	};
	for (const s of members)
		if (hasPlace(switches.at[s]))
			put(nameOf(switches.at[s]), switches.at[s], "members", s);
	map.missing_switches.forEach((row, i) => put(nameOf(row.at), row.at, "gaps", i));
	const blocks = [...byName.values()].sort((a, b) => compareLists(a.at, b.at));
	const lost = members.filter(s => !hasPlace(switches.at[s]));
	return lost.length ? [...blocks, { name: NO_PLACE, members: lost, gaps: [] }] : blocks;
}

/* At most so many: neighbours are taken together. */
function mergeBlocks(blocks, most) {
	const size = Math.ceil(blocks.length / most), merged = [];
	for (let i = 0; size > 1 && i < blocks.length; i += size) {
		const some = blocks.slice(i, i + size), last = some[some.length - 1];
		merged.push({ name: some.length > 1 ? `${some[0].name} to ${shortName(last.name)}` : last.name,
			members: some.flatMap(b => b.members), gaps: some.flatMap(b => b.gaps) });
	}
	return size > 1 ? merged : blocks;
}

const single = s => ({ name: switches.name[s], members: [s], gaps: [] });

/* The parts of some switches that cables among them connect, the largest first. */
function partsOf(members) {
	const left = new Set(members), parts = [];
	for (const start of members) {
		const part = left.delete(start) ? [start] : [];
		for (let i = 0; i < part.length; i++)
			for (const plug of plugs[part[i]])
				if (plug.cable !== undefined && left.delete(otherEnd(plug).switch))
					part.push(otherEnd(plug).switch);
		if (part.length)
			parts.push(part);
	}
	return parts.sort((a, b) => b.length - a.length);
}

/* Cables from each cluster to others: a map for each. */
function cablesBetween(clusters) {
	const index = new Map(clusters.flatMap((cluster, i) => cluster.map(s => [s, i])));
	return clusters.map((cluster, i) => {
		const near = new Map();
		for (const plug of cluster.flatMap(s => plugs[s])) {
			const far = plug.cable === undefined ? undefined : index.get(otherEnd(plug).switch);
			if (far !== undefined && far !== i)
				near.set(far, 1 + (near.get(far) || 0));
		}
		return near;
	});
}

/* Pairs of clusters as one: each, the smallest first, with the one that most cables for its size lead to. */
function pairClusters(clusters, most) {
	const near = cablesBetween(clusters), free = new Set(d3.range(clusters.length)), paired = [];
	const order = d3.range(clusters.length).sort((a, b) => clusters[a].length - clusters[b].length || a - b);
	for (const i of order) {
		if (!free.delete(i))
			continue;
		let best = null;
		for (const [k, n] of near[i])
			if (free.has(k) && (best === null || n / clusters[k].length > best.share))
				best = { k, share: n / clusters[k].length };
		const isDone = paired.length + 1 + free.size <= most;
		paired.push(best === null || isDone ? clusters[i] : [...clusters[i], ...clusters[best.k]]);
		if (best !== null && !isDone)
			free.delete(best.k);
	}
	return paired;
}

/* Up to so many clusters of a part. Switches that are near each other are so in the order of a cluster, too. */
function clustersOf(part, most) {
	for (let clusters = part.map(s => [s]), before = Infinity; ; clusters = pairClusters(clusters, most)) {
		if (clusters.length <= most || clusters.length === before)
			return clusters;
		before = clusters.length;
	}
}

/* Blocks of switches that have no coordinates. */
function blocksByCables(members) {
	const parts = partsOf(members), few = members.length <= MOST_SINGLES;
	return parts.flatMap((part, p) => few ? clustersOf(part, 1).flatMap(cluster => cluster.map(single))
		: clustersOf(part, Math.ceil(2 * Math.sqrt(part.length))).map((cluster, i) => (
			{ name: parts.length > 1 ? `part ${p + 1}, cluster ${i + 1}` : `cluster ${i + 1}`, members: cluster, gaps: [] })));
}

/* Coordinates that name a block: so many that there are about as many blocks as switches in one. */
function prefixOfBlocks(sizes) {
	let n = 0;
	for (let blocks = 1; n < sizes.length && blocks < Math.sqrt(nSwitches) && blocks * sizes[n] <= MOST_BLOCKS; n++)
		blocks *= sizes[n];
	return n;
}

/* Name of a block by coordinates, of the kinds whose rows and columns are alike; null: switches one by one. */
function blockNamer() {
	const sizes = map.dimensions.map(d => d.size), graph = map.dimensions[0].graph;
	if (graph === "groups" || map.dimensions[0].name === "group")
		return at => `group ${at[0]}`;
	if (map.topology === "slimfly") { /* of 2q^2 switches: columns of q */
		const q = Math.sqrt(sizes[0] / 2);
		return at => `column ${Math.floor(at[0] / q)}`;
	}
	const n = prefixOfBlocks(sizes);
	return nSwitches <= MOST_SINGLES || !n || n === sizes.length ? null : at => `at ${at.slice(0, n).join(" ")} *`;
}

/* {rows, columns}: pods (leaves, in a tree of two levels) by top switches. The first column is what is inside of a pod. */
function treeBlocks(members) {
	const top = map.levels.length - 1;
	const rows = blocksByPlace(members, at => at[0] === top ? null : top === 1 ? `leaf ${at[3]}` : `pod ${at[1]}`);
	const spine = at => top === 1 ? `spine ${at[2]}` : `spine ${at[2]}.${at[3]}`; /* plane, and number in it */
	const many = map.levels[top].switches > MOST_SPINES;
	const columns = blocksByPlace(members, at => at[0] < top ? null : many ? `plane ${at[2]}` : spine(at));
	return { rows, columns: top > 1 ? [{ name: "inside", members: [], gaps: [], own: true }, ...columns] : columns };
}

/* Switches one by one in the order of their places, and missing ones among them. */
function singlesOf(block) {
	const gaps = block.gaps.map(i => ({ name: placeText(map.missing_switches[i].at), members: [], gaps: [i],
		at: map.missing_switches[i].at }));
	const here = block.members.map(s => ({ ...single(s), at: switches.at[s] }));
	return [...here, ...gaps].sort((a, b) => compareLists(a.at, b.at));
}

/* Blocks of the whole fabric. */
function wholeBlocks() {
	const all = d3.range(nSwitches), gaps = d3.range(map.missing_switches.length);
	const namer = map.dimensions.length && !map.levels ? blockNamer() : null;
	const { rows, columns } = map.levels ? treeBlocks(all) : { rows: !map.dimensions.length ? blocksByCables(all)
		: namer ? blocksByPlace(all, namer) : singlesOf({ members: all, gaps }) };
	if (rows.length * (columns || rows).length < FEW_CELLS && nSwitches <= MOST_BLOCKS) {
		const singles = singlesOf({ members: all, gaps });
		return { rows: singles, columns: singles };
	}
	const some = mergeBlocks(rows, MOST_BLOCKS);
	return { rows: some, columns: columns ? mergeBlocks(columns, MOST_BLOCKS) : some };
}

/* Blocks inside of one. */
function blocksInside(block) {
	return mergeBlocks(block.members.length + block.gaps.length <= MOST_BLOCKS || map.dimensions.length ? singlesOf(block)
		: blocksByCables(block.members), MOST_BLOCKS);
}
