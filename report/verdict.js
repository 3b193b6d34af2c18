/* The page opens with a sentence on the routing, one on the cables, and a list of what nobody looked at. */

/* Owner of the tables that were judged. */
function tablesText() {
	return proof.tables ? `the tables ${proof.tables}` : proof.engine === "imported" ? "the tables given"
		: `the tables that Odonata makes (engine ${proof.engine})`;
}

function harmText() {
	const harms = [
		[proof.delivers === false, "some destinations are not reached"],
		[proof.deadlock_free === false, "packets can wait for each other for ever (deadlock)"],
		[proof.within_vls === false, "a virtual lane is used that a port does not have"],
		[proof.vls_served === false, "a virtual lane in use has no weight and never sends"],
		[proof.multicast_trees === false, "multicast is wrong"],
	].filter(h => h[0]).map(h => h[1]);
	return harms.length ? harms.join("; ") : proof.failure || "the proof failed";
}

/* Applications for which safe tables are safe. */
function forWhomText() {
	if (proof.safe_with_any_one_sl === true)
		return "for all applications, whichever service level they send on";
	const others = proof.sls_safe_for_all;
	return "for applications that send on the service level (SL) of their path record. " +
		(proof.safe_with_any_one_sl === null ? "Others, as NCCL and UCX mostly are, were not judged"
			: others && others !== "none" ? `Others, as NCCL and UCX mostly are, must all send on one of SL ${others}`
				: "Others, as NCCL and UCX mostly are, can deadlock on every SL");
}

/* {mark, text} of the routing. */
function routingVerdict() {
	if (!proof)
		return { mark: "bad", text: "No routing was judged: there is none, and the end of the page says why." };
	const where = map.parts ? ` Each of the ${map.parts.length} parts stands alone: no cable joins them.` : "";
	const [mark, text] = proof.safe === true
		? [proof.safe_with_any_one_sl === true ? "good" : "doubt", `Safe ${forWhomText()}`]
		: proof.safe_for_hosts ? ["doubt", `Safe between hosts, not for packets to switches' own LIDs: ${proof.advice}`]
			: proof.safe === "incomplete" ? ["doubt", "Not proved: no fault was found, but a part of the tables is unknown or guessed"]
				: ["bad", `Not safe: ${harmText()}`];
	return { mark, text: `${text}.${where}` };
}

/* Word for switches of a level of a tree. */
function levelWord(level) {
	const top = map.levels.length - 1;
	return level === 0 ? ["leaf", "leaves"] : level < top ? [`switch of level ${level}`, `switches of level ${level}`]
		: top === 1 ? ["spine"] : ["top switch", "top switches"];
}

function missingSwitchesTexts() {
	const words = row => map.levels ? levelWord(row.at[0]) : ["switch", "switches"];
	const counts = new Map();
	for (const row of map.missing_switches)
		counts.set(words(row)[0], { words: words(row), n: 1 + (counts.get(words(row)[0]) || { n: 0 }).n });
	return [...counts.values()].map(c => `${count(c.n, ...c.words)} missing`);
}

/* {mark, text} of cables and switches. */
function cablesVerdict() {
	const rails = map.wrong_rails || [], missing = d3.sum(map.missing_links, row => row.missing);
	const list = [
		[map.wrong_cables.length, n => `${count(n, "cable")} to move`],
		[missing, n => `${count(n, "cable")} missing`],
		[map.slow_cables.length, n => `${count(n, "slow cable")} to reseat or replace`],
		[rails.length, n => `${count(n, "adapter")} to move to its rail`],
	].filter(f => f[0]).map(f => f[1](f[0])).concat(missingSwitchesTexts());
	const hints = map.hints || [], more = hints.some(row => row.hint.includes("may be missing"));
	if (list.length)
		return { mark: "bad", text: `${list.join(", ")}${more ? "; perhaps a whole switch is missing, too" : ""}.` };
	if (!map.dimensions.length)
		return { mark: "doubt", text: "No cable was judged: the fabric is of no known kind." };
	if (map.certainty === "nearest")
		return { mark: "doubt", text: "No cable was judged: the kind is only the nearest that is known." };
	return hints.length || map.suspects ? { mark: "doubt", text: "No fault is certain, but the fabric is uneven: see below." }
		: { mark: "good", text: "No cable contradicts the kind of fabric." };
}

/* Followed pairs are worth a word only where some were not followed, or something was assumed. */
function scopeText() {
	const [, n, of, more] = /^(\d+) of (\d+) pairs[^;]*(.*)$/.exec(proof.scope || "") || [];
	return n === undefined || (n === of && !more) ? null : `pairs outside this scope: ${proof.scope}`;
}

/* Things that this page says nothing about. */
function unseenTexts() {
	const texts = [];
	const say = (unseen, text) => unseen && text && texts.push(text);
	say(proof && !proof.tables && proof.engine !== "imported", "the tables that are installed");
	say(proof && proof.engine === "imported" && !proof.tables, "whether the given tables are installed");
	say(proof, proof && scopeText());
	say(!proof || proof.multicast_trees === undefined, "multicast");
	say(true, "management packets (VL 15)");
	say(!proof || proof.vls_served === undefined, "weights of virtual lanes");
	say(true, "error counters of ports");
	say(true, "what only a plan knows: hosts, racks or a whole layer that are missing");
	for (const x of proof && proof.not_read || [])
		texts.push(`${x.table} of ${x.of}, which did not answer`);
	for (const row of report.left_out)
		texts.push(row.what);
	return texts;
}

/* --sls any is for tables of ours, and has a use where these need path SLs. */
function canAskForOneSl() {
	return proof.safe === true && proof.safe_with_any_one_sl === false && !proof.tables && proof.engine !== "imported";
}

function addVerdict() {
	const box = d3.select("#verdict"), verdicts = [routingVerdict(), cablesVerdict()];
	const marks = { good: "✓", doubt: "!", bad: "✗" };
	const line = box.append("p").attr("class", "verdict").selectAll("span.say").data(verdicts).join("span").attr("class", "say");
	line.append("span").attr("class", v => `mark ${v.mark}`).text(v => marks[v.mark]);
	line.append("span").text(v => `${v.text} `);
	if (proof)
		box.append("p").text(`Judged: ${tablesText()}.${canAskForOneSl() ? " Ask for tables that are safe on any SL by --sls any." : ""}`);
	box.append("p").attr("id", "unseen").attr("class", "dim").text(`Not looked at: ${unseenTexts().join("; ")}.`);
}
