/* How the load is spread under the traffic that is chosen in this section. */
const loads = {};

loads.traffic = function () {
	return traffics[Number(d3.select("#loads select").property("value"))];
};

function drawHistogram(section, traffic, scale) {
	const values = [...traffic.load, ...traffic.load_back], most = d3.max(values) || 1;
	const bins = d3.histogram().domain([0, most]).thresholds(d3.range(0, most, most / 40))(values);
	const width = 680, height = 170, left = 60, below = 40;
	const across = d3.scaleLinear([0, most], [left, width - 20]);
	const up = d3.scaleLinear([0, d3.max(bins, b => b.length)], [height - below, 10]).nice();
	const svg = section.append("svg").attr("class", "plot").attr("viewBox", `0 0 ${width} ${height}`).attr("width", width);
	svg.selectAll("rect").data(bins).join("rect").attr("x", b => across(b.x0) + 0.5)
		.attr("width", b => Math.max(0.5, across(b.x1) - across(b.x0) - 1))
		.attr("y", b => b.length ? Math.min(up(b.length), height - below - 1.5) : height - below)
		.attr("height", b => b.length ? Math.max(1.5, height - below - up(b.length)) : 0)
		.attr("fill", b => heat(scale(b.x1)))
		.append("title").text(b => `${b.length} channels with a load from ${figure(b.x0)} to ${figure(b.x1)}`);
	svg.append("g").attr("transform", `translate(0,${height - below})`).call(d3.axisBottom(across).ticks(8));
	svg.append("g").attr("transform", `translate(${left},0)`).call(d3.axisLeft(up).ticks(4, "~s"));
	svg.append("text").attr("x", (left + width) / 2).attr("y", height - 4).attr("text-anchor", "middle")
		.text("load when every host sends all it can");
	svg.append("text").attr("transform", `translate(14,${(height - below) / 2 + 5})rotate(-90)`)
		.attr("text-anchor", "middle").text("channels");
}

/* Channels between switches, as cables with a direction. */
function addFullest(section, traffic) {
	const plugOf = (cable, back) => ({ cable, back, load: loadOf(traffic, { cable, back }) });
	const channels = d3.range(2 * nCables).map(i => plugOf(i >> 1, (i & 1) === 1));
	channels.sort((a, b) => b.load - a.load || a.cable - b.cable);
	const end = (plug, far) => cell => {
		const to = otherEnd(far ? plug : { cable: plug.cable, back: !plug.back });
		switchButton(cell, to.switch, to.port);
	};
	addTable(section, [
		{ title: "from", of: plug => end(plug, false) }, { title: "to", of: plug => end(plug, true) },
		{ title: "load", of: plug => plug.load },
	], channels.slice(0, 10).filter(plug => plug.load > 0));
}

loads.draw = function () {
	const section = d3.select("#spread").html(""), traffic = loads.traffic();
	section.append("p").text(`Under ${trafficName(traffic.traffic)}, ` + (traffic.saturation_at_most === null ? "no cable carries anything." :
		(traffic.even_split === undefined ?
			`the first cable is full when every host sends ${figure(100 * Math.min(1, traffic.saturation_at_most))} % of what it could. ` :
			`no choice of ways carries more than ${figure(100 * Math.min(1, traffic.saturation_at_most))} % of what hosts could send. ` +
			`Loads are those of the even split over all ways, which carries ${figure(100 * Math.min(1, traffic.even_split))} %. `) +
		`A packet takes ${figure(traffic.mean_hops)} cables between switches in the mean.`));
	section.append("h3").text("Cables between switches by their load, each direction by itself");
	if (nCables)
		drawHistogram(section, traffic, heatScale(traffic));
	section.append("h3").text("The fullest of them");
	addFullest(section, traffic);
	section.append("h3").text("By class");
	addTable(section, [
		{ title: "class", of: row => row.class }, { title: "channels", of: row => row.channels },
		{ title: "mean load", of: row => row.mean_load }, { title: "highest", of: row => row.max_load },
	], traffic.classes);
};

function addLoads() {
	const section = d3.select("#loads");
	if (!traffics.length) {
		section.remove();
		return;
	}
	const label = section.append("div").attr("class", "controls").append("label");
	label.append("span").text("traffic");
	const choice = label.append("select");
	choice.selectAll("option").data(traffics).join("option").attr("value", (_, i) => i).text(t => trafficName(t.traffic));
	on(choice, "change", loads.draw);
	section.append("div").attr("id", "spread");
	loads.draw();
}
