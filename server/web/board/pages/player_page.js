// A player: what is next, record and form, head to head, figures, every match with its replay.

import { fetchJson } from "./feed.js";
import { fill, h, link, toPlayer } from "./dom.js";
import { awaitedOf, heading, timeOf, whereOf } from "./parts.js";
import { day, stage, word } from "./words.js";

const MOST_OPPONENTS = 30;
const MOST_MATCHES = 100;
const TOGETHER_MS = 500;

export class PlayerPage {
  constructor(feed, name) {
    this.feed = feed;
    this.name = name;
    this.root = h("main.player", h("p.none", word("loading")));
    this.#fetch();
  }

  update(kind, what) {
    const concerned = kind === "board" || (kind === "competition"
      && this.shown?.coming.some((match) => match.competition === what.competition));
    if (!concerned || this.coming) return;
    this.coming = setTimeout(() => {
      this.coming = null;
      this.#fetch();
    }, TOGETHER_MS * Math.random());
  }

  async #fetch() {
    try {
      this.shown = await fetchJson(`/api/v1/players/${encodeURIComponent(this.name)}`);
    } catch {
      setTimeout(() => this.#fetch(), 2000);
      return;
    }
    fill(this.root, this.shown ? content(this.shown) : h("p.none", word("not_found")));
  }
}

function content(one) {
  document.title = one.name;
  return [
    h("h1", one.name, h("span.form", [...one.form].map((result) => h(`i.${result}`, { title: word({ W: "won", L: "lost", D: "drawn_matches" }[result]) }, word(result))))),
    one.coming.length ? upNext(one) : null,
    h("section.figures", [
      tile("record", `${one.won} : ${one.lost}`),
      tile("score", `${one.score[0]} : ${one.score[1]}`),
      ...one.ratings.map((each) => tile("rating", each.rating, word(each.discipline))),
      ...figures(one),
    ]),
    one.figured ? h("p.small", word("of_matches", { n: one.figured })) : null,
    one.opponents.length ? h("section", heading("head_to_head"), h("table.plain-table", [
      h("thead", h("tr", ["opponent", "played", "won", "lost", "score"].map((name) => h(`th.${name}`, word(name))))),
      h("tbody", one.opponents.slice(0, MOST_OPPONENTS).map((each) => h("tr", [
        h("td", toPlayer(each.id, each.name)), h("td", each.played), h("td", each.won),
        h("td", each.lost), h("td", `${each.score[0]} : ${each.score[1]}`),
      ]))),
    ])) : null,
    one.competitions.length ? h("section", heading("competitions"), h("ul.list", one.competitions.map((each) => (
      h("li.competition", link(`/board/competition/${each.competition}`, each.name),
        h("small", [word(each.status), `${each.won} : ${each.lost}`, place(each)].filter(Boolean).join(" · "))))))) : null,
    one.matches.length ? h("section", heading("matches",
      h("a.file", { href: `/api/v1/players/${encodeURIComponent(one.id)}/matches.csv`, download: `${one.name}.csv` }, word("download"))),
    h("ol.list", one.matches.slice(0, MOST_MATCHES).map(played))) : null,
  ];
}

// Opponent, table, estimated start: what a player asks first.
function upNext(one) {
  const other = (match) => {
    const mine = match.sides.findIndex((side) => side?.id === one.id);
    const them = match.sides[1 - Math.max(mine, 0)];
    return them ? toPlayer(them.id, them.name)
      : awaitedOf(match.awaits[1 - Math.max(mine, 0)]);
  };
  return h("section.up-next", heading("next"), h("ol", one.coming.slice(0, 4).map((match) => h(`li.${match.state}`, [
    h("span.who", other(match)),
    h("span.where", whereOf(match) || (match.starts_at ? word("first_free") : "")),
    h("span.when", timeOf(match) || word("no_time")),
    h("small", stage(match)),
  ]))));
}

function figures({ figures: f }) {
  const share = (part, whole) => (whole ? `${Math.round((100 * part) / whole)} %` : "–");
  if (!f.strokes) return [];
  return [
    tile("pots", share(f.made, f.attempts), `${f.made} / ${f.attempts}`),
    tile("balls_a_visit", (f.potted / Math.max(f.visits, 1)).toFixed(1)),
    tile("break_made", share(f.break_made, f.breaks), `${f.break_made} / ${f.breaks}`),
    tile("runouts", f.runouts),
    tile("longest", f.longest),
    tile("racks", f.racks),
    tile("fouls", (f.fouls / Math.max(f.racks + f.racks_lost, 1)).toFixed(1)),
  ];
}

function tile(name, value, more = "") {
  return h("div.tile", h("small", word(name)), h("b", value), h("small", more));
}

function place(one) {
  if (one.first === null) return "";
  return one.first === one.last ? `${one.first}.` : `${one.first}–${one.last}.`;
}

function played(match) {
  const result = match.won === null ? "D" : match.won ? "W" : "L";
  const score = `${match.score[0]} : ${match.score[1]}`;
  return h("li.result.mine", [
    h(`i.${result}`, word(result)),
    h("span.who", toPlayer(match.opponent, match.opponent_name)),
    match.match ? link(`/board/match/${match.match}`, h("b.score", score)) : h("b.score", score),
    h("small", [day(match.at), match.competition_name].filter(Boolean).join(" · ")),
  ]);
}

// Everybody who has entered a competition.
export class PlayersPage {
  constructor() {
    this.root = h("main.players", h("p.none", word("loading")));
    fetchJson("/api/v1/players").then(({ players }) => fill(this.root, [
      h("h1", word("players"), h("a.file", { href: "/api/v1/players.csv", download: "players.csv" }, word("download"))),
      h("table.plain-table", [
        h("thead", h("tr", ["name", "competitions", "played", "won"].map((name) => h(`th.${name}`, word(name))))),
        h("tbody", players.map((one) => h("tr", [
          h("td", toPlayer(one.id, one.name)), h("td", one.competitions), h("td", one.played), h("td", one.won),
        ]))),
      ]),
    ])).catch(() => fill(this.root, h("p.none", word("not_found"))));
  }
}
