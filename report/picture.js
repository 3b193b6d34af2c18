/* The fabric, to be zoomed: boxes for groups that are closed, dots for switches, lines for cables. Colour is for
 * faults, and for loads where somebody asks for them. */
const MOST_LINES = 1500; /* beyond, only the fullest, and those of what is chosen */
const FULLEST = 250;
const APART = 18; /* units of the picture between two switches */
const TEXT = 11; /* pixels, however near the picture is; a letter is 0.6 of that wide */

/* The fullest cables stand out most, from a dark ground too. */
const heat = d3.interpolateRgbBasis(window.matchMedia("(prefers-color-scheme: dark)").matches
	? ["#5f7285", "#c9a227", "#f0803c", "#ff4b4b", "#ff9ac0"] : ["#8fa3b5", "#d9b13b", "#e8702a", "#c4161c", "#8a0f3c"]);

const picture = { chosen: null, path: new Set(), pathSwitches: [] };

picture.traffic = function () {
	const asked = d3.select("#traffic").property("value");
	return asked ? traffics[Number(asked)] : null;
};

/* Loads to colours: those of cables that are not full in one half, the others in the other. */
function heatScale(traffic) {
	let most = 1;
	for (let i = 0; traffic && i < nCables; i++)
		most = Math.max(most, loadOfCable(traffic, i));
	return most > 1.05 ? d3.scaleLinear([0, 1, most], [0, 0.5, 1]) : d3.scaleLinear([0, most], [0, 0.5]);
}

/* All lines where they are few. */
function linesToDraw(all) {
	const between = all.filter(b => b.a !== b.b);
	if (between.length <= MOST_LINES)
		return between;
	const chosen = picture.chosen === null ? null : groupOfNode(picture.chosen);
	const must = b => b.faulty || onPath(b) || groupOfNode(b.a) === chosen || groupOfNode(b.b) === chosen;
	const least = between.map(b => b.load).sort((p, q) => q - p)[FULLEST];
	const fullest = between.filter(b => b.load > least);
	return [...new Set([...fullest, ...between.filter(must)])];
}

function onPath(bundle) {
	return bundle.cables.some(i => picture.path.has(i));
}

/* Lines along a row of a grid are bent, so that they can be told apart. */
function wirePath(b) {
	const [x1, y1] = centreOf(b.a), [x2, y2] = centreOf(b.b);
	const bend = Math.abs(y1 - y2) < 1 || (!map.levels && Math.abs(x1 - x2) < 1) ? 0.12 : 0;
	return `M${x1},${y1}Q${(x1 + x2) / 2 + bend * (y2 - y1)},${(y1 + y2) / 2 - bend * (x2 - x1)} ${x2},${y2}`;
}

function drawWires(world, lines, scale) {
	const traffic = picture.traffic(), width = lines.length > 300 ? 0.8 : 1.6;
	world.select(".wires").selectAll("path").data(lines, b => b.key).join(
		enter => enter.append("path").each(function () {
			on(d3.select(this), "click", (event, b) => {
				event.stopPropagation();
				picture.choose(null, panel => details.ofBundle(panel, b));
			});
			d3.select(this).append("title");
		}))
		.attr("class", b => `wire ${b.faulty}${onPath(b) ? " path" : ""}`)
		.attr("d", wirePath)
		.style("stroke", b => b.faulty || onPath(b) || !traffic ? null : heat(scale(b.load)))
		.style("stroke-width", b => onPath(b) ? null : b.faulty ? 2 : width * (traffic ? 1 + scale(b.load) : 1))
		.select("title").text(b => `${nameOfNode(b.a)} – ${nameOfNode(b.b)}: ` +
			count(b.cables.length, "cable") + (traffic ? `, load ${figure(b.load)}` : ""));
}

function drawTiles(world, all, scale) {
	const traffic = picture.traffic();
	const inside = new Map(all.filter(b => b.a === b.b).map(b => [b.a, b]));
	const closed = groups.filter(g => !g.open);
	const node = g => nSwitches + g.number;
	const load = g => inside.has(node(g)) ? inside.get(node(g)).load : 0;
	const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
	const tiles = world.select(".tiles").selectAll("g").data(closed, g => g.number).join(enter => {
		const tile = enter.append("g");
		on(tile, "click", (event, g) => {
			event.stopPropagation();
			picture.toggle(g);
		});
		tile.append("rect").append("title");
		tile.append("text").text(g => shortName(g.name));
		tile.append("circle").attr("class", "badge");
		return tile;
	});
	tiles.select("rect").attr("x", g => g.x - g.width / 2).attr("y", g => g.y - g.height / 2)
		.attr("width", g => g.width).attr("height", g => g.height).attr("rx", 6)
		.attr("class", g => `tile${isMarked(node(g)) ? " chosen" : ""}`)
		.style("fill", g => traffic && inside.has(node(g)) ? d3.interpolateRgb(paper, heat(scale(load(g))))(0.35) : null)
		.select("title").text(g => `${g.name}: ${count(g.members.length, "switch", "switches")}, ` +
			`${count(g.hosts, "host")}` + (traffic ? `, highest load inside ${figure(load(g))}` : ""));
	tiles.select("text").attr("x", g => g.x).attr("y", g => g.y).attr("dy", ".35em");
	tiles.select("circle").attr("cx", g => g.x + g.width / 2).attr("cy", g => g.y - g.height / 2)
		.style("display", g => hasFault(g, inside.get(node(g))) ? null : "none");
}

function isMarked(node) {
	return picture.chosen === node || picture.pathSwitches.some(s => nodeOf(s) === node);
}

function hasFault(group, inside) {
	return group.members.some(s => faultySwitches.has(s)) || (inside && inside.faulty);
}

function drawDots(world) {
	const open = d3.range(nSwitches).filter(s => groupOf[s].open);
	const dots = world.select(".dots").selectAll("g").data(open, s => s).join(enter => {
		const dot = enter.append("g");
		on(dot, "click", (event, s) => {
			event.stopPropagation();
			picture.choose(s, panel => details.ofSwitch(panel, s));
		});
		dot.append("circle").append("title")
			.text(s => [switches.name[s], placeOf(s), count(hostsOf[s], "host")].filter(t => t).join(", "));
		dot.append("text").attr("class", "name");
		return dot;
	});
	dots.attr("transform", s => `translate(${x[s]},${y[s]})`);
	dots.select("circle").attr("class", s => `dot${faultySwitches.has(s) ? " faulty" : ""}` +
		`${isMarked(s) ? " chosen" : ""}`);
}

/* The end of a name, which tells switches apart, in so many letters. */
function shortened(name, letters) {
	return name.length <= letters ? name : letters < 4 ? "" : `…${name.slice(1 - letters)}`;
}

/* Text, badges and dots keep their size on the screen, whatever the scale of the picture. */
picture.sizeMarks = function (k) {
	const world = d3.select("#picture .world"), text = TEXT / k, dot = Math.min(Math.max(4, 2.5 / k), 8 / k, 7);
	const letters = Math.floor(APART / (0.6 * text));
	world.selectAll("text").style("font-size", `${text}px`);
	world.selectAll(".tiles text").style("display", g =>
		0.6 * text * shortName(g.name).length < g.width && text < g.height ? null : "none");
	world.selectAll(".badge").attr("r", g => Math.min(5 / k, g.width / 3));
	world.selectAll(".dot, .gap").attr("r", dot);
	world.selectAll("text.name").attr("dy", dot + text).text(s => shortened(switches.name[s], letters));
	world.selectAll("text.level").attr("dx", -12 / k);
};

/* Where cables are missing, between what stands for their switches. */
function drawMissing(world) {
	const ends = map.missing_links.map(row => [row.guid, row.and_guid].map(guid => nodeOf(switchOfGuid.get(guid))))
		.filter(([a, b]) => a !== b);
	world.select(".missing").selectAll("path").data(ends).join("path").attr("class", "absent")
		.attr("d", ([a, b]) => wirePath({ a, b }));
}

/* Levels of a tree, left of their rows; switches that are missing. */
function drawBackground(world) {
	world.select(".gaps").selectAll("circle").data(d3.range(gaps.x.length)).join("circle")
		.attr("class", "gap").attr("cx", i => gaps.x[i]).attr("cy", i => gaps.y[i])
		.append("title").text(i => `missing switch: ${placeText(map.missing_switches[i].at)}`);
	const rows = (map.levels || []).map(l => switches.at.findIndex(at => at[0] === l.level));
	world.select(".levels").selectAll("text").data(rows).join("text").attr("class", "level")
		.attr("x", d3.min(x)).attr("y", s => y[s]).attr("dy", ".35em")
		.text((_, level) => level === 0 ? "leaves" : level < rows.length - 1 ? `level ${level}` : level === 1 ? "spines" : "top");
}

picture.draw = function () {
	const traffic = picture.traffic(), scale = heatScale(traffic), all = bundles(traffic);
	const world = d3.select("#picture .world"), lines = linesToDraw(all);
	drawWires(world, lines, scale);
	drawMissing(world);
	drawTiles(world, all, scale);
	drawDots(world);
	const n = all.filter(b => b.a !== b.b).length;
	d3.select("#drawn").text(lines.length < n ? `${lines.length.toLocaleString("en")} of ${n.toLocaleString("en")} lines ` +
		"are drawn: the fullest, if some are fuller than others, those with faults, and those of the group that is chosen." : "");
	drawLegend(scale, traffic);
	picture.sizeMarks(d3.zoomTransform(d3.select("#picture .stage > svg").node()).k);
};

/* The colours, with what stands at their ends and in their middle. */
function drawLegend(scale, traffic) {
	const svg = d3.select("#heat"), most = scale.range()[scale.range().length - 1];
	d3.select("#load-key").style("display", traffic ? null : "none");
	svg.selectAll("rect").data(d3.range(50)).join("rect").attr("x", i => 4 * i).attr("width", 4.5)
		.attr("height", 9).attr("fill", i => heat(most * i / 49));
	svg.selectAll("text").data(scale.domain()).join("text").attr("x", load => 200 * scale(load) / most).attr("y", 22)
		.attr("font-size", 11).attr("text-anchor", "middle").attr("fill", "currentColor").text(figure);
}

/* What is chosen, and what its panel says. */
picture.choose = function (node, fill) {
	picture.chosen = node;
	const panel = d3.select("#picture .details").html("");
	fill(panel);
	picture.draw();
};

picture.toggle = function (group) {
	group.open = !group.open;
	picture.choose(nSwitches + group.number, panel => details.ofGroup(panel, group));
	if (group.open && groups.length > 1)
		picture.frame(group.x, group.y, group.reach * 1.6);
};

/* Open what a switch is in, and move there. */
picture.show = function (s) {
	document.getElementById("picture").scrollIntoView();
	if (picture.view() === "matrix") {
		picture.choose(s, panel => details.ofSwitch(panel, s));
		return;
	}
	groupOf[s].open = true;
	picture.choose(s, panel => details.ofSwitch(panel, s));
	const group = groupOf[s], size = 1.4 * group.reach;
	if (size < 600)
		picture.frame(group.x, group.y, Math.max(160, size));
	else
		picture.frame(x[s], y[s], 300);
};

picture.showCable = function (i) {
	picture.show(cables.from[i]);
};

/* The part of the picture around a point, `size` across. */
picture.frame = function (cx, cy, size) {
	const svg = d3.select("#picture .stage > svg"), box = svg.node().getBoundingClientRect();
	const k = Math.min(box.width, box.height) / size;
	svg.call(picture.zoom.transform,
		d3.zoomIdentity.translate(box.width / 2 - k * cx, box.height / 2 - k * cy).scale(k));
};

picture.whole = function () {
	const svg = d3.select("#picture .stage > svg"), box = svg.node().getBoundingClientRect();
	const [left, right] = d3.extent([...x, ...gaps.x]), [above, below] = d3.extent([...y, ...gaps.y]);
	const words = map.levels ? 60 : 0, room = box.width - words; /* pixels, left of the leaves */
	const k = Math.min(room / (right - left + 50), box.height / (below - above + 50));
	if (room <= 0) /* it is not shown */
		return;
	svg.call(picture.zoom.transform, d3.zoomIdentity
		.translate(words + room / 2 - k * (left + right) / 2, box.height / 2 - k * (above + below) / 2).scale(k));
};

/* Search by the names, GUIDs and LIDs of switches and hosts. */
function search(text) {
	const wanted = text.trim().toLowerCase();
	if (!wanted)
		return [];
	const found = [];
	const look = (names, guids, lids, switchOf) => {
		for (let i = 0; i < names.length && found.length < 12; i++)
			if (names[i].toLowerCase().includes(wanted) || guids[i].includes(wanted) || String(lids[i]) === wanted)
				found.push({ name: names[i], switch: switchOf(i) });
	};
	look(switches.name, switches.guid, switches.lid, s => s);
	look(hosts.name, hosts.guid, hosts.lid, h => hosts.switch[h]);
	return found;
}

function offerResults() {
	const found = search(d3.select("#search").property("value"));
	const list = d3.select("#found").html("");
	const buttons = list.selectAll("li").data(found).join("li").append("button").attr("class", "link")
		.text(r => r.name === switches.name[r.switch] ? r.name : `${r.name}, at ${switches.name[r.switch]}`);
	on(buttons, "click", (event, r) => picture.show(r.switch));
}

/* "lines", of groups and switches, or "matrix". */
picture.view = function (view) {
	const section = d3.select("#picture");
	if (view)
		section.attr("data-view", view);
	for (const name of ["lines", "matrix"])
		d3.select(`#view-${name}`).attr("aria-pressed", section.attr("data-view") === name);
	return section.attr("data-view");
};

function addControls(section) {
	const controls = section.append("div").attr("class", "controls");
	const views = controls.append("span").attr("class", "views");
	for (const [view, title] of [["lines", "Lines"], ["matrix", "Matrix"]])
		on(views.append("button").attr("id", `view-${view}`).text(title), "click", () => picture.view(view));
	controls.append("input").attr("id", "search").attr("type", "search").attr("aria-label", "search")
		.attr("placeholder", "switch, host, GUID or LID");
	const label = controls.append("label").style("display", traffics.length ? null : "none");
	label.append("span").text("colours");
	label.append("select").attr("id", "traffic").selectAll("option").data([null, ...traffics]).join("option")
		.attr("value", (_, i) => i ? i - 1 : "").text(t => t ? `load, ${trafficName(t.traffic)}` : "faults alone");
	on(controls.append("button").attr("class", "of-lines").text("Whole fabric"), "click", picture.whole);
	const all = open => {
		for (const group of groups)
			group.open = open || group.members.length === 1;
		picture.draw();
	};
	if (groups.length > 1) {
		on(controls.append("button").attr("class", "of-lines").text("Close all"), "click", () => all(false));
		if (nSwitches <= 1000)
			on(controls.append("button").attr("class", "of-lines").text("Open all"), "click", () => all(true));
	}
	section.append("ul").attr("id", "found").attr("class", "plain");
	on(d3.select("#search"), "input", offerResults);
	on(d3.select("#traffic"), "change", () => {
		picture.draw();
		matrix.draw();
	});
}

function addLegend(section) {
	const legend = section.append("div").attr("class", "legend");
	const load = legend.append("span").attr("id", "load-key");
	load.append("span").text("load of the fuller direction when every host sends all it can; at 1 a cable is full: ");
	load.append("svg").attr("id", "heat").attr("width", 210).attr("height", 26);
	const keys = [["wrong", "wrong cable", wrongCables.size], ["slow", "slow cable", slowCables.size], ["absent", "missing cable", map.missing_links.length],
		["badge", "has a fault", faultyCables.size || faultySwitches.size], ["gap", "missing switch", gaps.x.length],
		 ["path", "the path below", report.tables]];
	const shown = legend.selectAll("span.item").data(keys.filter(k => k[2])).join("span");
	shown.classed("of-lines", k => ["badge", "gap", "path"].includes(k[0]));
	shown.append("span").attr("class", k => `key ${k[0]}`);
	shown.append("span").text(k => k[1]);
	legend.append("span").attr("id", "drawn").attr("class", "of-lines");
}

function addPicture() {
	const section = d3.select("#picture");
	if (!nSwitches) {
		section.append("p").text("There are no switches.");
		return;
	}
	addControls(section);
	const stage = section.append("div").attr("class", "stage");
	const svg = stage.append("svg").attr("role", "img").attr("aria-label", "the fabric");
	const world = svg.append("g").attr("class", "world");
	for (const layer of ["wires", "missing", "tiles", "dots", "gaps", "levels"])
		world.append("g").attr("class", layer);
	details.help(stage.append("div").attr("class", "details"));
	addLegend(section);
	addMatrix(stage);
	picture.view(bundles(null).length > MOST_LINES ? "matrix" : "lines");
	picture.zoom = d3.zoom().scaleExtent([0.02, 60]).on("zoom", () => {
		const t = d3.zoomTransform(svg.node());
		world.attr("transform", t);
		picture.sizeMarks(t.k);
	});
	svg.call(picture.zoom).on("dblclick.zoom", null);
	drawBackground(world);
	picture.draw();
	picture.whole();
	// A phone that is turned has another width. Its height changes while one scrolls, and means nothing.
	let fitted = svg.node().getBoundingClientRect().width;
	new ResizeObserver(([box]) => {
		if (box.contentRect.width !== fitted)
			picture.whole();
		fitted = box.contentRect.width;
	}).observe(svg.node());
}
