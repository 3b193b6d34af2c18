/* The fabric as a matrix: a cell for each pair of blocks, however many cables there are. It is drawn on a canvas, since
 * 65,536 cells are no problem there; a cell that is clicked opens to switches, and then to ports. */
const MOST_CELL = 34;   /* pixels */
const MOST_HIGH = 540;  /* pixels of the whole */
const SEEN = 4;         /* pixels that a fault takes at least */
const MOST_LISTED = 200; /* cables of a cell in the panel */
const NEARLY_ALL = 0.9; /* of the cells have cables where every two blocks are cabled, but for faults */
const matrix = { view: null, chosen: null };

/* Number of the block of each switch, -1 for none. */
function indexOfBlocks(blocks) {
	const index = new Int32Array(nSwitches).fill(-1);
	blocks.forEach((block, i) => block.members.forEach(s => index[s] = i));
	return index;
}

/* The cell of a pair of switches, seen from the first; -1: none. */
function cellOf(view, a, b) {
	const row = view.rowOf[a], own = view.columns[0] && view.columns[0].own && row === view.rowOf[b];
	const column = own ? 0 : view.columnOf[b];
	return row < 0 || column < 0 ? -1 : row * view.columns.length + column;
}

/* Cells of a pair of switches: one, or two where the matrix is symmetric. */
function cellsOf(view, a, b) {
	const there = cellOf(view, a, b), back = cellOf(view, b, a);
	return (back === there ? [there] : [there, back]).filter(i => i >= 0);
}

/* A view: what is in each cell, as columns of numbers. */
function makeView(rows, columns, title, parent) {
	const n = rows.length * columns.length;
	const view = { rows, columns, title, parent, rowOf: indexOfBlocks(rows), columnOf: indexOfBlocks(columns),
		symmetric: rows === columns, cables: new Uint32Array(n), wrong: new Uint32Array(n), slow: new Uint32Array(n),
		missing: new Uint32Array(n) };
	for (let i = 0; i < nCables; i++)
		for (const cell of cellsOf(view, cables.from[i], cables.to[i])) {
			view.cables[cell]++;
			view.wrong[cell] += wrongCables.has(i);
			view.slow[cell] += slowCables.has(i);
		}
	for (const row of map.missing_links)
		for (const cell of cellsOf(view, switchOfGuid.get(row.guid), switchOfGuid.get(row.and_guid)))
			view.missing[cell] += row.missing;
	view.most = d3.max(view.cables) || 1;
	view.filled = view.cables.reduce((sum, cables) => sum + (cables > 0), 0) / n;
	view.text = viewText(view);
	return view;
}

/* Highest load of each cell. */
function loadsOfCells(view, traffic) {
	const load = new Float32Array(view.cables.length);
	for (let i = 0; i < nCables; i++)
		for (const cell of cellsOf(view, cables.from[i], cables.to[i]))
			load[cell] = Math.max(load[cell], loadOfCable(traffic, i));
	return load;
}

/* Faults of a cell, the worst first: [class, number, words]. */
function faultsOfCell(view, cell) {
	return [["wrong", view.wrong[cell], ["wrong cable"]], ["absent", view.missing[cell], ["missing cable"]],
		["slow", view.slow[cell], ["slow cable"]]].filter(f => f[1]);
}

function cellText(view, row, column, load) {
	const cell = row * view.columns.length + column, a = view.rows[row], b = view.columns[column];
	const gone = [a, b].filter(block => block.gaps.length).map(block => `${block.name} lacks ${count(block.gaps.length, "switch", "switches")}`);
	return [`${a.name} – ${a === b ? "itself" : b.own ? "inside" : b.name}: ${count(view.cables[cell], "cable")}`,
		...faultsOfCell(view, cell).map(f => count(f[1], ...f[2])), ...(load ? [`load ${figure(load[cell])}`] : []), ...new Set(gone)].join(", ");
}

/* Summary of the matrix in words. */
function viewText(view) {
	const counts = { pairs: 0, wrong: 0, absent: 0, slow: 0 }, n = view.columns.length;
	for (let cell = 0; cell < view.cables.length; cell++) {
		if (view.symmetric && cell % n < Math.floor(cell / n))
			continue;
		counts.pairs += view.cables[cell] > 0;
		for (const [kind] of faultsOfCell(view, cell))
			counts[kind]++;
	}
	const faults = [["wrong", "with a wrong cable"], ["absent", "with a missing cable"], ["slow", "with a slow cable"]]
		.filter(f => counts[f[0]]).map(f => `${counts[f[0]].toLocaleString("en")} ${f[1]}`);
	const gaps = d3.sum(view.rows, b => b.gaps.length) + (view.symmetric ? 0 : d3.sum(view.columns, b => b.gaps.length));
	return `${view.rows.length} rows, ${n} columns, ${count(counts.pairs, "cell")} with cables; ` +
		`${[...faults, ...(gaps ? [count(gaps, "missing switch", "missing switches")] : [])].join(", ") || "no fault"}. The stronger a cell, the more cables.`;
}

/* Places of cells: pixels of a cell, and of the names left of them and above. */
function placeCells(view, width, height) {
	const letters = blocks => Math.min(16, d3.max(blocks, b => shortName(b.name).length) || 1);
	const left = 0.6 * TEXT * letters(view.rows) + 8;
	const room = width - left - 6;
	const guess = Math.min(MOST_CELL, room / view.columns.length);
	const upright = 0.6 * TEXT * letters(view.columns) + 4 > 4 * Math.max(guess, 6);
	const above = upright ? 0.6 * TEXT * letters(view.columns) + 8 : TEXT + 8;
	const size = Math.min(guess, (height - above - 6) / view.rows.length);
	return { left, above, size, upright };
}

function colourOf(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/* Names of rows and columns, as many as have room. */
function drawNames(context, view, place) {
	const { left, above, size, upright } = place, short = block => shortName(block.name).slice(0, 16);
	const stepOf = pixels => Math.max(1, Math.ceil(pixels / size));
	const name = (block, x, y, turn) => {
		context.save();
		context.translate(x, y);
		context.rotate(turn);
		context.fillStyle = colourOf(block.gaps.length ? "bad" : "dim");
		context.fillText(short(block), 0, 0);
		context.restore();
	};
	const shown = step => (block, i) => i % step === 0 || (block.gaps.length && size > TEXT);
	context.font = `${TEXT}px system-ui, "DejaVu Sans", sans-serif`;
	context.textBaseline = "middle";
	context.textAlign = "right";
	view.rows.forEach((b, i) => shown(stepOf(TEXT + 2))(b, i) && name(b, left - 5, above + (i + 0.5) * size, 0));
	context.textAlign = upright ? "left" : "center";
	const step = stepOf(upright ? TEXT + 2 : 0.6 * TEXT * d3.max(view.columns, b => short(b).length) + 6);
	view.columns.forEach((b, i) => shown(step)(b, i) &&
		name(b, left + (i + 0.5) * size, above - (upright ? 5 : TEXT / 2 + 3), upright ? -Math.PI / 2 : 0));
}

function drawCells(context, view, place, traffic) {
	const { left, above, size } = place, n = view.columns.length, gap = size >= 6 ? 1 : 0;
	const scale = heatScale(traffic), load = traffic ? loadsOfCells(view, traffic) : null;
	const ground = colourOf("panel"), grey = d3.interpolateRgb(ground, colourOf("node")), faults = [];
	const colours = { wrong: colourOf("bad"), absent: colourOf("missing"), slow: colourOf("slow") };
	const box = (cell, inset) => context.fillRect(left + cell % n * size + inset, above + Math.floor(cell / n) * size + inset,
		size - gap - 2 * inset, size - gap - 2 * inset);
	for (let cell = 0; cell < view.cables.length; cell++) {
		const [fault] = faultsOfCell(view, cell);
		if (fault && !load)
			faults.push([cell, colours[fault[0]]]);
		if (view.cables[cell]) {
			context.fillStyle = load ? heat(scale(load[cell])) : grey(0.25 + 0.35 * view.cables[cell] / view.most);
			box(cell, 0);
		} else if (lacksCables(view, cell)) {
			context.fillStyle = d3.interpolateRgb(ground, colours.absent)(0.5);
			box(cell, 0);
		}
	}
	for (const [cell, colour] of faults) { /* above all others, and large enough to be seen; loads have their own colours */
		context.fillStyle = colour;
		box(cell, Math.min(0, (size - SEEN) / 2));
	}
}

/* True for a cell without a cable because a switch is missing, if nearly every two blocks have cables. */
function lacksCables(view, cell) {
	const n = view.columns.length;
	return !view.cables[cell] && view.filled > NEARLY_ALL &&
		(view.rows[Math.floor(cell / n)].gaps.length > 0 || view.columns[cell % n].gaps.length > 0);
}

matrix.draw = function () {
	const view = matrix.view, canvas = d3.select("#matrix canvas").node(), box = canvas.getBoundingClientRect();
	if (!box.width) /* it is not shown */
		return;
	const context = canvas.getContext("2d"), ratio = window.devicePixelRatio || 1;
	const place = matrix.place = placeCells(view, box.width, MOST_HIGH), height = place.above + place.size * view.rows.length + 6;
	d3.select(canvas).style("height", `${height}px`);
	canvas.width = box.width * ratio;
	canvas.height = height * ratio;
	context.scale(ratio, ratio);
	drawCells(context, view, matrix.place, picture.traffic());
	drawNames(context, view, matrix.place);
	markChosen();
};

/* A frame around the chosen cell. */
function markChosen() {
	if (!matrix.place) /* nothing is drawn yet */
		return;
	const { left, above, size } = matrix.place, at = matrix.chosen, edge = Math.max(size, 6);
	d3.select("#matrix .frame").style("display", at ? null : "none")
		.style("left", at && `${left + (at[1] + 0.5) * size - edge / 2 - 2}px`)
		.style("top", at && `${above + (at[0] + 0.5) * size - edge / 2 - 2}px`)
		.style("width", `${edge}px`).style("height", `${edge}px`);
}

/* The cell at a point, or a fault as near as it is drawn; null beside the matrix. */
matrix.cellAt = function (x, y) {
	const { left, above, size } = matrix.place, view = matrix.view;
	const row = Math.floor((y - above) / size), column = Math.floor((x - left) / size), reach = size < SEEN ? 1 : 0;
	const isIn = (r, c) => r >= 0 && c >= 0 && r < view.rows.length && c < view.columns.length;
	const near = d3.cross(d3.range(-reach, reach + 1), d3.range(-reach, reach + 1)).map(([i, k]) => [row + i, column + k])
		.find(([r, c]) => isIn(r, c) && faultsOfCell(view, r * view.columns.length + c).length);
	return near || (isIn(row, column) ? [row, column] : null);
};

matrix.choose = function (at) {
	matrix.chosen = at;
	markChosen();
	if (at)
		details.ofCell(d3.select("#picture .details").html(""), matrix.view, ...at);
};

matrix.show = function (view) {
	matrix.view = view;
	const trail = d3.select("#matrix .path").html("");
	for (let v = view; v; v = v.parent)
		on(trail.insert("button", ":first-child").attr("class", "link").text(v.title), "click", () => matrix.show(v));
	d3.select("#matrix .words").text(view.text);
	matrix.choose(null);
	matrix.draw();
};

/* A cell as a matrix of its own. */
matrix.open = function (row, column) {
	const view = matrix.view, a = view.rows[row], b = view.columns[column];
	const rows = blocksInside(a), columns = a === b || b.own ? rows : blocksInside(b);
	matrix.show(makeView(rows, columns, `${a.name} – ${b.name}`, view));
};

matrix.showAsked = function ([row, column, ...inside]) {
	picture.view("matrix");
	document.getElementById("picture").scrollIntoView();
	if (!matrix.view.rows[row] || !matrix.view.columns[column])
		return;
	if (inside.length) {
		matrix.open(row, column);
		matrix.showAsked(inside);
	} else
		matrix.choose([row, column]);
};

/* Cables of a cell, those with a fault first. */
function cablesOfCell(view, cell) {
	return d3.range(nCables).filter(i => cellsOf(view, cables.from[i], cables.to[i]).includes(cell))
		.sort((a, b) => faultyCables.has(b) - faultyCables.has(a) || a - b);
}

details.ofCell = function (panel, view, row, column) {
	const cell = row * view.columns.length + column, traffic = picture.traffic(), listed = cablesOfCell(view, cell);
	const missing = map.missing_links.filter(m => cellsOf(view, switchOfGuid.get(m.guid), switchOfGuid.get(m.and_guid)).includes(cell));
	panel.append("h3").text(cellText(view, row, column, traffic ? loadsOfCells(view, traffic) : null));
	if (view.rows[row].members.length > 1 || view.columns[column].members.length > 1)
		on(panel.append("button").text("Open as a matrix"), "click", () => matrix.open(row, column));
	if (missing.length)
		addTable(panel, [{ title: "missing between", of: m => cell => switchButton(cell, switchOfGuid.get(m.guid)) },
			{ title: "and", of: m => cell => switchButton(cell, switchOfGuid.get(m.and_guid)) },
			{ title: "cables", of: m => m.missing }], missing);
	if (!listed.length)
		return;
	addTable(panel, [
		{ title: "from", of: i => cell => switchButton(cell, cables.from[i], cables.from_port[i]) },
		{ title: "to", of: i => cell => switchButton(cell, cables.to[i], cables.to_port[i]) },
		{ title: "rate", of: rate }, { title: "", of: i => wrongCables.has(i) ? "wrong" : slowCables.has(i) ? "slow" : "" },
		...(traffic ? [{ title: "load", of: i => loadOfCable(traffic, i) }] : []),
	], listed.slice(0, MOST_LISTED));
	if (listed.length > MOST_LISTED)
		panel.append("p").text(`${MOST_LISTED} of ${count(listed.length, "cable")}: open the cell to see the others.`);
};

/* Arrows move from cell to cell, Enter opens one. */
function onKeyOfMatrix(event) {
	const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
	const [row, column] = matrix.chosen || [0, 0], view = matrix.view;
	if (event.key === "Enter" && matrix.chosen)
		matrix.open(row, column);
	if (!step)
		return;
	event.preventDefault();
	matrix.choose([Math.max(0, Math.min(view.rows.length - 1, row + step[0])),
		Math.max(0, Math.min(view.columns.length - 1, column + step[1]))]);
}

function addMatrix(stage) {
	const box = stage.insert("div", ".details").attr("id", "matrix");
	box.append("div").attr("class", "path");
	const sheet = box.append("div").attr("class", "sheet");
	const canvas = sheet.append("canvas").attr("tabindex", 0).attr("role", "img").attr("aria-label", "the fabric as a matrix");
	sheet.append("div").attr("class", "frame");
	box.append("p").attr("class", "words");
	const at = event => matrix.cellAt(event.offsetX, event.offsetY);
	on(canvas, "click", event => matrix.choose(at(event)));
	on(canvas, "keydown", onKeyOfMatrix);
	on(canvas, "pointermove", event => {
		const cell = at(event);
		d3.select("#matrix .words").text(cell ? cellText(matrix.view, ...cell) : matrix.view.text);
	});
	const { rows, columns } = wholeBlocks();
	matrix.show(makeView(rows, columns, "whole fabric", null));
	new ResizeObserver(matrix.draw).observe(canvas.node());
}
