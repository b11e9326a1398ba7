// Pieces that several pages are made of: a table's card, rows of matches, standings, a bracket.

import { h, link, text, toPlayer } from "./dom.js";
import { clockTime, said, stage, when, word } from "./words.js";
import { TableView } from "./table_view.js";

const GROUPS = { solids: 2, stripes: 10, reds: 3, yellows: 1 };

// A live table: station, names, score, clock, and the picture.  Kept and brought up to date.
export class TableCard {
  constructor(feed, { linked = true, brief = true } = {}) {
    this.feed = feed;
    this.canvas = h("canvas");
    this.view = new TableView(this.canvas);
    this.label = h("span.station");
    this.note = h("span.note");
    this.clock = h("span.clock");
    this.rows = [0, 1].map(() => {
      const [mark, name, score] = [h("i.mark"), h("span.name"), h("b.score")];
      return { mark, name, score, row: h("div.side", mark, name, score) };
    });
    this.root = h("article.table", [
      h("header", this.label, this.note, this.clock),
      ...this.rows.map((row) => row.row),
      this.canvas,
    ]);
    this.linked = linked;
    this.brief = brief;
  }

  update(table) {
    this.table = table;
    this.root.dataset.table = table.table;
    this.root.classList.toggle("over", table.winner !== null);
    text(this.label, table.station ?? table.table);
    text(this.note, noteOf(table, this.brief));
    this.note.classList.toggle("foul", isFoul(table));
    for (const seat of [0, 1]) {
      const { mark, name, score, row } = this.rows[seat];
      const player = table.players[seat];
      text(name, player ? player.name : word("free"));
      const games = table.games ? ` (${table.games[seat]})` : "";
      text(score, `${table.score[seat]}${games}`);
      row.classList.toggle("at-table", table.shooter === seat && table.winner === null);
      row.classList.toggle("has-won", table.winner === seat);
      row.classList.toggle("away", Boolean(player) && !player.here && table.winner === null);
      mark.dataset.group = table.groups ? table.groups[seat] : "";
      mark.title = table.groups && GROUPS[table.groups[seat]] ? word(table.groups[seat]) : "";
    }
    if (this.linked && !this.root.onclick) {
      this.root.onclick = () => open(this.table.table);
      this.root.classList.add("linked");
    }
    this.tick();
  }

  // What changes by itself: the clock.
  tick() {
    const left = secondsLeft(this.table, this.feed.clock);
    text(this.clock, left === null ? "" : Math.max(0, Math.ceil(left)));
    this.clock.classList.toggle("short", left !== null && left <= 10);
  }

  draw() {
    if (this.table && this.canvas.clientWidth) this.view.draw(this.table, this.feed.clock);
  }
}

function open(table) {
  location.assign(link(`/board/table/${table}`).href);
}

function isFoul(table) {
  return table.fouls.length > 0 && !table.shot && table.winner === null;
}

function secondsLeft(table, clock) {
  if (table.clock_for && table.clock_for !== "shot" && table.deadline === null) return null;
  if (table.deadline !== null) return table.deadline + table.delay_s - clock;
  return table.remaining;
}

export function raceOf(table) {
  const points = table.discipline === "straight_pool" && table.race > 20;
  return word(points ? "points_race" : "race", { n: table.race });
}

// What the card says besides: a foul, a pause, who has won; else the race.
export function noteOf(table, brief) {
  if (table.winner !== null) return word("over");
  if (table.adjourned) return word("adjourned");
  switch (table.phase) {
    case "WAITING_FOR_PLAYERS": return table.players[1] ? "" : word("waiting_for");
    case "TIME_OUT": return word("timeout");
    case "SUSPENDED": return word("suspended");
  }
  if (isFoul(table)) return brief ? word("foul") : `${word("foul")}: ${said(table.fouls[0])}`;
  if (table.phase.startsWith("LAG")) return word("lag");
  return raceOf(table);
}

// Who it will be: one of two, where they are known.
export function awaitedOf(awaits) {
  if (!awaits) return word("open_side");
  const [first, second] = awaits.sides;
  if (awaits.kind === "winner" && first && second) return `${first.name} / ${second.name}`;
  return word(awaits.kind === "winner" ? "winner_of" : "loser_of", { m: nameOf(awaits) });
}

// A match as people call it: semi-final 2.
function nameOf(match) {
  return match.stage === "final" ? stage(match) : `${stage(match)} · ${match.number}`;
}

// A side of a match: a name, or what decides who it will be.
export function sideOf(match, seat, linked = true) {
  const side = match.sides[seat];
  if (side) return linked ? toPlayer(side.id, side.name) : side.name;
  if (match.state === "over" || match.state === "none") return word("bye");
  return awaitedOf(match.awaits[seat]);
}

export function timeOf(match) {
  if (match.state === "playing") return word("playing");
  if (match.state === "called") return word("called");
  return match.starts_at ? when(match.starts_at) : "";
}

export function whereOf(match) {
  return match.station ?? "";
}

// A match that is still to come: when, where, who.
export function comingRow(match, names = new Map()) {
  return h(`li.coming.${match.state}`, [
    h("span.when", timeOf(match)),
    h("span.where", whereOf(match)),
    h("span.who", sideOf(match, 0), h("span.dash", " – "), sideOf(match, 1)),
    h("span.stage", [names.get(match.competition), stage(match)].filter(Boolean).join(" · ")),
  ]);
}

export function scoreOf(match) {
  if (match.score) return `${match.score[0]} : ${match.score[1]}`;
  return match.ended_by && match.ended_by !== "bye" ? word(match.ended_by) : "";
}

export function resultRow(match) {
  const won = (seat) => (match.winner && match.sides[seat]?.id === match.winner ? "b" : "span");
  const score = match.table
    ? link(`/board/match/${match.table}`, scoreOf(match)) : h("span", scoreOf(match));
  score.classList.add("score");
  return h("li.result", [
    h("span.when", match.ended_at ? when(match.ended_at) : ""),
    h(`${won(0)}.first`, sideOf(match, 0)), score, h(won(1), sideOf(match, 1)),
  ]);
}

export function standings(rows, { most = Infinity, wide = true, linked = true } = {}) {
  const drawn = rows.some((row) => row.drawn > 0);
  const ties = wide && rows.length ? Object.keys(rows[0].tie_breaks) : [];
  const heads = ["place", "name", "points", "played", "won"];
  if (drawn) heads.push("drawn_matches");
  heads.push("lost", "score");
  return h("table.standings", [
    h("thead", h("tr", heads.map((head) => h(`th.${head}`, word(head))),
      ties.map((tie) => h("th.tie", word(tie))))),
    h("tbody", rows.slice(0, most).map((row) => h(row.has_left ? "tr.left" : "tr", [
      h("td.place", row.place === null ? "–" : `${row.place}.`),
      h("td.name", linked ? toPlayer(row.id, row.name) : row.name),
      h("td.points", row.points), h("td.played", row.played), h("td.won", row.won),
      drawn ? h("td.drawn_matches", row.drawn) : null, h("td.lost", row.lost),
      h("td.score", `${row.score[0]} : ${row.score[1]}`),
      ties.map((tie) => h("td.tie", figure(row.tie_breaks[tie]))),
    ]))),
  ]);
}

export function figure(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? value : value.toFixed(2);
}

export const standsOut = (format) => format === "single" || format === "double";

// The rounds of an elimination as columns; each match stands between those that feed it.
export function bracket(matches, linked = true) {
  const sides = [
    ["winners", matches.filter((m) => m.stage === "winners" || m.stage === "final")],
    ["losers", matches.filter((m) => m.stage === "losers")],
    ["third", matches.filter((m) => m.stage === "third_place")],
  ];
  return h("div.brackets", sides.filter(([, some]) => some.length).map(([name, some]) => {
    const rounds = new Map();
    for (const match of some) {
      const key = `${match.stage} ${match.round}`;
      rounds.set(key, [...(rounds.get(key) ?? []), match]);
    }
    const columns = [...rounds.values()].filter((round) => round.some((m) => m.state !== "none"));
    return h(`div.bracket.${name}`, columns.map((round) => h("div.round", [
      h("h3", stage(round[0])),
      h("div.column", round.map((match) => bracketMatch(match, linked))),
    ])));
  }));
}

function bracketMatch(match, linked) {
  const side = (seat) => {
    const is = match.sides[seat];
    const won = match.winner !== null && is?.id === match.winner;
    const classes = `${won ? ".has-won" : ""}${match.winner && !won ? ".has-lost" : ""}`;
    const score = match.score ? match.score[seat] : won && match.ended_by !== "bye" ? "✓" : "";
    return h(`div.side${classes}${is ? "" : ".open"}`, h("span.name", sideOf(match, seat, linked)), h("b", score));
  };
  const place = [match.station, match.state === "waiting" || match.state === "playing"
    || match.state === "called" ? timeOf(match) : ""].filter(Boolean).join(" · ");
  const cell = h(`div.match.${match.state}`, { title: match.match }, side(0), side(1), h("small", place || " "));
  return h("div.cell", cell);
}

export function heading(name, ...more) {
  return h("h2", word(name), ...more);
}

export { clockTime };
