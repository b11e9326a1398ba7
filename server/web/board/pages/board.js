// The board: which page the address names, in which language and which light.

import { Feed } from "./feed.js";
import { h, here, text } from "./dom.js";
import { clockTime, setLanguage, word } from "./words.js";
import { Tv } from "./tv.js";
import { Overview } from "./overview.js";
import { TablePage } from "./table_page.js";
import { CompetitionPage } from "./competition_page.js";
import { PlayerPage, PlayersPage } from "./player_page.js";
import { ReplayPage } from "./replay_page.js";

const TV_WIDTH = 1200;

const query = new URLSearchParams(location.search);
const root = document.documentElement;
const place = document.getElementById("page");

function chosen() {
  const language = query.get("lang") ?? (navigator.language.startsWith("cs") ? "cs" : "en");
  setLanguage(language);
  root.lang = language === "cs" ? "cs" : "en";
  const dark = !window.matchMedia("(prefers-color-scheme: light)").matches;
  const theme = query.get("theme") ?? (dark ? "dark" : "light");
  root.dataset.theme = theme === "light" ? "light" : "dark";
}

// The page of an address; every page has update(kind, what) and may have draw().
function pageOf(feed) {
  const [, , kind, name] = location.pathname.split("/").map(decodeURIComponent);
  switch (kind) {
    case "table": return new TablePage(feed, name.toUpperCase(), query.has("overlay"));
    case "competition": return new CompetitionPage(feed, name.toUpperCase());
    case "player": return new PlayerPage(feed, name);
    case "players": return new PlayersPage();
    case "match": return new ReplayPage(name.toUpperCase());
    default: return isTv() ? new Tv(feed, query.get("slide")) : new Overview(feed);
  }
}

function isTv() {
  const view = query.get("view");
  if (view) return view === "tv";
  return innerWidth >= TV_WIDTH && innerWidth > innerHeight;
}

function frameOf(page) {
  if (page.bare) return page.root;
  const other = (name, value) => {
    const changed = new URLSearchParams(location.search);
    changed.set(name, value);
    return `${location.pathname}?${changed}`;
  };
  const dark = root.dataset.theme === "dark";
  const czech = root.lang === "cs";
  return h("div.plain", [
    h("nav", [
      h("a.home", { href: here("/board") }, word("all")),
      h("a", { href: here("/board/players") }, word("players")),
      h("span.space"),
      h("a", { href: other("lang", czech ? "en" : "cs"), hreflang: czech ? "en" : "cs" }, czech ? "English" : "Česky"),
      h("a", { href: other("theme", dark ? "light" : "dark") }, word(dark ? "light" : "dark")),
    ]),
    page.root,
  ]);
}

function showStale(feed) {
  const note = document.getElementById("stale");
  note.hidden = !feed.stale;
  if (!feed.stale) return;
  text(note, feed.toldAt ? word("stale", { time: clockTime(feed.toldAt) }) : word("connecting"));
}

function run() {
  chosen();
  const feed = new Feed();
  let page = null;
  let tv = null;
  const show = () => {
    page = pageOf(feed);
    tv = page instanceof Tv;
    root.dataset.view = page.bare ? (tv ? "tv" : "overlay") : "plain";
    place.replaceChildren(frameOf(page));
    page.update?.("begin");
  };
  show();
  addEventListener("resize", () => {
    const plain = page instanceof Overview || tv;
    if (plain && isTv() !== tv) show();
  });
  feed.listen((kind, what) => {
    showStale(feed);
    page.update?.(kind, what);
  });
  const draw = () => {
    page.draw?.();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}

run();
