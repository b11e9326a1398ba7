// The board on a phone or a small screen: one column of everything, everything leads further.

import { fill, h, link } from "./dom.js";
import { comingRow, heading, resultRow, standings, standsOut, TableCard } from "./parts.js";
import { word } from "./words.js";

const MOST_COMING = 12;

// The tables of a feed in the order of their stations, those that are over last.
export function inOrder(tables) {
  const of = (table) => table.station ?? "\uffff" + table.table;
  const over = (table) => Number(table.winner !== null || table.adjourned);
  return [...tables].sort((a, b) => (
    over(a) - over(b) || of(a).localeCompare(of(b), undefined, { numeric: true })
  ));
}

export function namesOf(board) {
  return new Map((board?.competitions ?? []).map((one) => [one.competition, one.name]));
}

// Cards of tables, kept by table so that pictures don't flicker.
export class Cards {
  #cards = new Map();

  constructor(feed, options) {
    this.feed = feed;
    this.options = options;
  }

  of(tables) {
    const cards = tables.map((table) => {
      let card = this.#cards.get(table.table);
      if (!card) this.#cards.set(table.table, (card = new TableCard(this.feed, this.options)));
      card.update(table);
      return card.root;
    });
    const here = new Set(tables.map((table) => table.table));
    for (const name of this.#cards.keys()) if (!here.has(name)) this.#cards.delete(name);
    return cards;
  }

  tick() {
    for (const card of this.#cards.values()) card.tick();
  }

  draw() {
    for (const card of this.#cards.values()) if (card.root.isConnected) card.draw();
  }
}

export class Overview {
  constructor(feed) {
    this.feed = feed;
    this.cards = new Cards(feed);
    this.tables = h("section.tables");
    this.rest = h("div.rest");
    this.root = h("main.overview", heading("tables"), this.tables, this.rest);
  }

  update(kind) {
    if (kind === "time") return this.cards.tick();
    if (kind === "table" || kind === "table_gone" || kind === "begin") {
      const cards = this.cards.of(inOrder(this.feed.tables.values()));
      fill(this.tables, cards.length ? cards : h("p.none", word("nothing_on")));
    }
    if (kind === "board" || kind === "begin") this.#rest();
  }

  #rest() {
    const { board } = this.feed;
    if (!board) return;
    const names = namesOf(board);
    fill(this.rest, [
      section("next", board.coming.length && h("ol.list", board.coming.slice(0, MOST_COMING)
        .map((match) => comingRow(match, names)))),
      section("results", board.results.length && h("ol.list", board.results.map(resultRow))),
      ...board.competitions.filter((one) => one.status === "drawn" && !standsOut(one.format))
        .map((one) => h("section", [
          h("h2", link(`/board/competition/${one.competition}`, one.name)),
          standings(one.leaders, { wide: false }),
        ])),
      section("competitions", board.competitions.length && h("ul.list", board.competitions.map(
        (one) => h("li.competition", [
          link(`/board/competition/${one.competition}`, one.name),
          h("small", [word(one.format), word(one.status),
            word("settled", { n: one.matches[0], m: one.matches[1] })].join(" · ")),
        ]),
      ))),
    ]);
  }

  draw() {
    this.cards.draw();
  }
}

function section(name, content) {
  return content ? h("section", heading(name), content) : null;
}
