// The board on a television: slides that can be read at five metres, one after the other.
//
// Which slides there are follows from what goes on: tables four at a time beside what is next, all
// tables at a glance, standings, brackets, results.  ?slide=tables (all, standings, bracket,
// results) stays with one kind.

import { fetchJson } from "./feed.js";
import { fill, h, text } from "./dom.js";
import { bracket, scoreOf, sideOf, standings, standsOut, timeOf, whereOf } from "./parts.js";
import { Cards, inOrder, namesOf } from "./overview.js";
import { clockTime, stage, word } from "./words.js";

const SLIDE_MS = 12_000;
const TABLES = 4;
const GLANCE = 12;
const ROWS = 10;
const COMING = 4;
const COLUMNS = 4;

export class Tv {
  bare = true;

  constructor(feed, only) {
    this.feed = feed;
    this.only = only;
    this.cards = new Cards(feed, { linked: false });
    this.title = h("h1");
    this.time = h("time");
    this.dots = h("span.dots");
    this.slide = h("main");
    this.root = h("div.tv", h("header", this.title, this.dots, this.time), this.slide);
    this.wholes = new Map(); // competitions with brackets, by id
    this.place = 0;
    this.turnAt = performance.now() + SLIDE_MS;
  }

  update(kind, what) {
    if (kind === "competition") this.#forget(what.competition);
    if (kind === "time") {
      this.cards.tick();
      if (performance.now() >= this.turnAt) this.#turn();
    }
    if (this.feed.board) text(this.time, clockTime(this.feed.unixTime));
    if (kind !== "time") this.#show();
  }

  draw() {
    this.cards.draw();
  }

  #turn() {
    this.place += 1;
    this.turnAt = performance.now() + SLIDE_MS;
    this.#show();
  }

  #show() {
    const slides = this.#slides();
    const wanted = this.only ? slides.filter((slide) => slide.kind === this.only) : slides;
    const shown = wanted.length ? wanted : slides;
    this.place %= shown.length;
    const slide = shown[this.place];
    text(this.title, slide.title);
    const name = `slide-${slide.kind}`;
    if (this.slide.className !== name) this.slide.className = name;
    fill(this.slide, slide.make());
    fill(this.dots, shown.length < 2 ? [] : shown.map((_, i) => h(i === this.place ? "i.on" : "i")));
  }

  #slides() {
    const { board } = this.feed;
    const tables = inOrder(this.feed.tables.values());
    const server = board?.server ?? "Headstring";
    const slides = [];
    for (let first = 0; first < Math.max(tables.length, 1); first += TABLES) {
      const some = tables.slice(first, first + TABLES);
      slides.push({ kind: "tables", title: server, make: () => this.#tables(some) });
    }
    if (!board) return slides;
    if (tables.length > TABLES) {
      for (let first = 0; first < tables.length; first += GLANCE) {
        const some = tables.slice(first, first + GLANCE);
        slides.push({ kind: "all", title: word("all_tables"), make: () => glance(some) });
      }
    }
    const names = namesOf(board);
    const waiting = this.#waiting();
    if (waiting.length > COMING) {
      const some = waiting.slice(0, 2 * COMING);
      slides.push({ kind: "next", title: word("next"), make: () => coming(some, names) });
    }
    for (const one of board.competitions.filter((some) => some.status === "drawn")) {
      if (!standsOut(one.format)) {
        const make = () => standings(one.leaders, { wide: false, most: ROWS, linked: false });
        slides.push({ kind: "standings", title: one.name, make });
      } else if (this.#whole(one.competition)) {
        const make = () => lastRounds(this.#whole(one.competition).matches);
        slides.push({ kind: "bracket", title: one.name, make });
      }
    }
    if (board.results.length) {
      slides.push({ kind: "results", title: word("results"), make: () => results(board.results) });
    }
    return slides;
  }

  #tables(tables) {
    const cards = this.cards.of(tables);
    const some = this.#waiting();
    const grid = h(`div.grid.n${Math.min(cards.length, TABLES)}`);
    fill(grid, cards.length ? cards : h("p.none", word("nothing_on")));
    if (!some.length) return [grid];
    return [grid, h("aside", h("h2", word("next")), coming(some.slice(0, COMING), new Map()))];
  }

  #waiting() {
    return this.feed.board?.coming.filter((match) => match.state !== "playing") ?? [];
  }

  // A competition as it is now; null while it is being fetched.
  #whole(name) {
    if (!this.wholes.has(name)) {
      this.wholes.set(name, null);
      fetchJson(`/api/v1/competitions/${name}`).then((whole) => {
        this.wholes.set(name, whole);
        this.#show();
      }).catch(() => this.wholes.delete(name));
    }
    return this.wholes.get(name);
  }

  #forget(name) {
    const old = this.wholes.get(name);
    if (old === undefined) return;
    // the old one is shown until the new one is here
    fetchJson(`/api/v1/competitions/${name}`).then((whole) => {
      this.wholes.set(name, whole);
      this.#show();
    }).catch(() => {});
  }
}

function coming(matches, names) {
  return h("ol.coming", matches.map((match) => h(`li.${match.state}`, [
    h("div.line", h("span.when", timeOf(match)), h("span.where", whereOf(match)),
      h("span.stage", names.get(match.competition) ?? (match.station ? "" : stage(match)))),
    h("div.name", sideOf(match, 0, false)), h("div.name", sideOf(match, 1, false)),
  ])));
}

function glance(tables) {
  return h("ol.glance", tables.map((table) => h("li", [
    h("span.station", table.station ?? table.table),
    ...[0, 1].flatMap((seat) => {
      const playing = table.shooter === seat && table.winner === null ? ".at-table" : "";
      const won = table.winner === seat ? ".has-won" : "";
      const name = h(`span.name${playing}${won}`, table.players[seat]?.name ?? word("free"));
      const score = h(`b.score${won}`, table.score[seat]);
      return seat ? [score, name] : [name, score];
    }),
  ])));
}

function results(matches) {
  return h("ol.results", matches.slice(0, 8).map((match) => h("li", [
    h(`span.name${match.winner === match.sides[0]?.id ? ".has-won" : ""}`, sideOf(match, 0, false)),
    h("b.score", scoreOf(match)),
    h(`span.name${match.winner === match.sides[1]?.id ? ".has-won" : ""}`, sideOf(match, 1, false)),
  ])));
}

// Of a large bracket the rounds that still matter: four matches a column can be read from afar.
function lastRounds(matches) {
  const main = matches.filter((m) => (m.stage === "winners" || m.stage === "final") && m.state !== "none");
  const rounds = new Map();
  for (const match of main) {
    const key = `${match.stage} ${match.round}`;
    rounds.set(key, [...(rounds.get(key) ?? []), match]);
  }
  const decided = main.some((match) => match.match === "F1" && match.state === "over");
  const small = [...rounds.values()]
    .filter((round) => round.length <= 4 && (decided || round[0].match !== "F2"))
    .slice(-COLUMNS);
  return bracket(small.flat(), false);
}
