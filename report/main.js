/* Sections in their order; what a report does not have is not shown. */
function addLeftOut() {
	const section = d3.select("#left-out");
	if (!report.left_out.length) {
		section.remove();
		return;
	}
	addTable(section, [{ title: "what", of: row => row.what }, { title: "why", of: row => row.why }], report.left_out);
}

/* "#show=NAME" is a link to a switch or host, "#cell=ROW,COLUMN" to a cell of the matrix, "#cell=3,5,0,2" to one in it. */
function showAsked() {
	const asked = new URLSearchParams(location.hash.slice(1)), name = asked.get("show");
	if (asked.has("cell") && nSwitches)
		matrix.showAsked(asked.get("cell").split(",").map(Number));
	const [found] = name ? search(name) : [];
	if (found)
		picture.show(found.switch);
}

addVerdict();
addFaults();
addPicture();
addSummary();
addLoads();
addPaths();
addEngines();
addFailures();
addLeftOut();
d3.select("nav").selectAll("a").data(Array.from(document.querySelectorAll("main > section"))).join("a")
	.attr("href", section => `#${section.id}`).text(section => section.querySelector("h2").textContent);
showAsked();
