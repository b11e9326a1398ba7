// A match that was played, shot by shot: what everybody was told, with the stored trajectories.

import { fetchJson } from "./feed.js";
import { fill, h, text, toPlayer } from "./dom.js";
import { TableView } from "./table_view.js";
import { day, word } from "./words.js";

const PAUSE_S = 1.2; // between two shots
const SPEEDS = [1, 2, 4];
const BEHIND_S = 0.35; // what the view shows late

export class ReplayPage {
  constructor(name) {
    this.name = name;
    this.shots = []; // {shot, table: as drawn during it, after: as drawn when it has ended, rack}
    this.place = 0;
    this.time = 0;
    this.speed = 1;
    this.plays = true;
    this.last = null;
    this.root = h("main.replay", h("p.none", word("loading")));
    this.#fetch().catch(() => fill(this.root, h("p.none", word("not_found"))));
  }

  async #fetch() {
    let start = 0;
    let state = {};
    while (start !== null) {
      const piece = await fetchJson(`/api/v1/matches/${this.name}?start=${start}`);
      if (!piece) {
        fill(this.root, h("p.none", word("not_found")));
        return;
      }
      for (const event of piece.events) state = this.#take(event, state, piece.summary);
      if (start === 0) this.#build(piece);
      start = piece.next;
      this.#list();
    }
    if (!this.shots.length) fill(this.root, h("p.none", word("nothing_on")));
  }

  // Fold an event into the state; a shot is kept with the table before and after it.
  #take(event, before, summary) {
    const state = { ...before, ...event.changes };
    const last = this.shots.at(-1);
    if (event.shot) {
      const table = tableOf(before, summary, event.shot);
      this.shots.push({ shot: event.shot, table, after: table, rack: before.rack_number });
    } else if (last) {
      last.after = tableOf(state, summary, null);
    }
    return state;
  }

  #build({ summary, players }) {
    document.title = summary.players.join(" – ");
    this.canvas = h("canvas");
    this.view = new TableView(this.canvas);
    this.scores = [0, 1].map(() => h("b.score"));
    this.label = h("span");
    this.toggle = h("button", { onclick: () => this.#toggle() }, word("pause"));
    this.fast = h("button", { onclick: () => this.#faster() }, "×1");
    this.range = h("input", { type: "range", min: 0, value: 0, step: 1, "aria-label": word("shot", { n: "" }), oninput: () => this.#go(Number(this.range.value)) });
    fill(this.root, [
      h("h1", toPlayer(players[0], summary.players[0]), this.scores[0], h("span.dash", " – "), this.scores[1],
        players[1] ? toPlayer(players[1], summary.players[1]) : summary.players[1]),
      this.canvas,
      h("div.controls", [
        h("button", { onclick: () => this.#go(this.place - 1), title: word("before") }, "‹"),
        this.toggle,
        h("button", { onclick: () => this.#go(this.place + 1), title: word("after") }, "›"),
        this.fast, this.range,
      ]),
      h("p.facts", this.label, h("span", day(summary.opened_at)), h("span", summary.ruleset.replaceAll("_", " "))),
    ]);
  }

  #list() {
    if (!this.range) return;
    this.range.max = Math.max(0, this.shots.length - 1);
    this.#say();
  }

  #toggle() {
    this.plays = !this.plays;
    text(this.toggle, word(this.plays ? "pause" : "play"));
  }

  #faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    text(this.fast, `×${this.speed}`);
  }

  #go(place) {
    this.place = Math.min(Math.max(place, 0), this.shots.length - 1);
    this.time = 0;
    this.view = new TableView(this.canvas);
    this.#say();
  }

  #say() {
    const now = this.shots[this.place];
    if (!now) return;
    this.range.value = this.place;
    const shown = this.time > now.shot.duration ? now.after : now.table;
    this.scores.forEach((score, seat) => text(score, shown.score[seat]));
    text(this.label, `${word("shot", { n: now.shot.shot })}${now.rack ? `, ${word("rack", { n: now.rack })}` : ""}`);
  }

  draw() {
    const now = this.shots[this.place];
    const at = performance.now() / 1000;
    const passed = this.last === null ? 0 : Math.min(at - this.last, 0.1);
    this.last = at;
    if (!now || !this.view) return;
    if (this.plays) this.time += passed * this.speed;
    const over = this.time > now.shot.duration + BEHIND_S;
    this.view.draw(over ? now.after : now.table, now.shot.started_at + this.time);
    if (over) this.#say();
    if (this.plays && this.time > now.shot.duration + PAUSE_S) {
      if (this.place < this.shots.length - 1) this.#go(this.place + 1);
      else this.#toggle();
    }
  }
}

// A state as the view draws it.
function tableOf(state, summary, shot) {
  const rules = state.description?.ruleset;
  const points = rules?.discipline === "straight_pool";
  const sets = (rules?.match?.sets_to_win ?? 1) > 1;
  const lag = state.lag ? { 16: state.lag.balls[0], 17: state.lag.balls[1] } : null;
  return {
    table: summary.match,
    frame: state.description.frame,
    balls: lag ?? state.balls ?? {},
    score: points ? state.scores : sets ? state.sets : state.games,
    shot,
    delay_s: 0,
  };
}
