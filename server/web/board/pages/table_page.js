// One table: large, with what a spectator wants to know.  ?overlay: names and score alone, on
// nothing, to lie over a camera's picture (OBS).

import { fill, h, link, text, toPlayer } from "./dom.js";
import { raceOf, TableCard } from "./parts.js";
import { word } from "./words.js";

export class TablePage {
  constructor(feed, name, overlay) {
    this.feed = feed;
    this.name = name;
    this.bare = overlay;
    this.card = new TableCard(feed, { linked: false, brief: overlay });
    this.facts = h("p.facts");
    this.none = h("p.none", word("loading"));
    this.root = h(overlay ? "main.overlay" : "main.one-table", this.none);
  }

  update(kind) {
    const table = this.feed.tables.get(this.name);
    if (!table) {
      text(this.none, this.feed.ready ? word("not_found") : word("loading"));
      const replay = link(`/board/match/${this.name}`, word("replay"));
      return fill(this.root, this.bare ? [] : [this.none, this.feed.ready && replay]);
    }
    if (kind === "time") return this.card.tick();
    this.card.update(table);
    fill(this.root, this.card.root, this.bare ? null : this.facts);
    fill(this.facts, [
      table.competition
        ? h("span", link(`/board/competition/${table.competition}`, table.competition_name)) : null,
      h("span", word(table.discipline), ", ", raceOf(table)),
      ...table.players.filter(Boolean).map((one) => h("span", toPlayer(one.id, one.name))),
      h("span", link(`/board/match/${table.table}`, word("replay"))),
    ]);
  }

  draw() {
    this.card.draw();
  }
}
