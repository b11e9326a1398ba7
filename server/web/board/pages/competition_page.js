// A competition: standings or bracket, what is next, every match, final places.

import { fetchJson } from "./feed.js";
import { fill, h, toPlayer } from "./dom.js";
import { bracket, comingRow, heading, resultRow, standings, standsOut } from "./parts.js";
import { stage, word } from "./words.js";

const TOGETHER_MS = 300;
const MOST_COMING = 20;

export class CompetitionPage {
  constructor(feed, name) {
    this.feed = feed;
    this.name = name;
    this.root = h("main.competition", h("p.none", word("loading")));
    this.#fetch();
  }

  update(kind, what) {
    if (kind !== "competition" || what.competition !== this.name || this.coming) return;
    // many pages hear of a result at once: they ask one after the other
    this.coming = setTimeout(() => {
      this.coming = null;
      this.#fetch();
    }, TOGETHER_MS * Math.random());
  }

  async #fetch() {
    try {
      const whole = await fetchJson(`/api/v1/competitions/${this.name}`);
      fill(this.root, whole ? content(whole) : h("p.none", word("not_found")));
    } catch {
      setTimeout(() => this.#fetch(), 2000);
    }
  }
}

function content({ summary, entrants, matches, standings: rows, placings }) {
  document.title = summary.name;
  const waiting = matches.filter((match) => match.starts_at);
  waiting.sort((a, b) => a.starts_at - b.starts_at);
  const ended = matches.filter((match) => match.ended_at && match.ended_by !== "bye");
  ended.sort((a, b) => b.ended_at - a.ended_at);
  const out = standsOut(summary.format);
  const file = (what) => h("a.file", { href: `/api/v1/competitions/${summary.competition}/${what}.csv`, download: `${summary.name} ${what}.csv` }, word("download"));
  return [
    h("h1", summary.name),
    h("p.facts", [
      h("span", word(summary.format)), h("span", word(summary.discipline)),
      h("span", word("race", { n: summary.race_to })),
      h("span", word("entrants", { n: summary.entrants })), h("span", word(summary.status)),
    ]),
    out && matches.length ? h("section.wide", heading("bracket"), bracket(matches)) : null,
    !out && rows.length ? h("section.wide", heading("standings", file("standings")), standings(rows)) : null,
    waiting.length ? h("section", heading("next"), h("ol.list",
      waiting.slice(0, MOST_COMING).map((match) => comingRow(match)))) : null,
    placings.length && (out || summary.status === "over") ? h("section", heading("places"),
      h("ol.list.places", placings.map((one) => h("li", [
        h("b", one.first === null ? "–" : one.first === one.last ? `${one.first}.` : `${one.first}–${one.last}.`),
        toPlayer(one.id, one.name),
      ])))) : null,
    ended.length ? h("section", heading("results", file("matches")), h("ol.list",
      ended.map((match) => resultRow(match)))) : null,
    matches.length ? null : h("section", heading("players"), h("ul.list", entrants.map((one) => (
      h("li", toPlayer(one.id, one.name), h("small", one.rating ?? "")))))),
    !out && matches.length ? h("section", heading("matches"), rounds(matches)) : null,
  ];
}

// Who meets whom, round by round.
function rounds(matches) {
  const found = new Map();
  for (const match of matches) {
    const name = stage(match);
    found.set(name, [...(found.get(name) ?? []), match]);
  }
  return h("div.rounds", [...found].map(([name, some]) => h("details", [
    h("summary", name, h("small", ` ${some.filter((one) => one.state === "over").length} / ${some.length}`)),
    h("ol.list", some.map((match) => (match.state === "over" ? resultRow(match) : comingRow(match)))),
  ])));
}
