// What the board says, in English and Czech.

const WORDS = {
  tables: ["Tables", "Stoly"],
  table: ["Table", "Stůl"],
  next: ["Next matches", "Další zápasy"],
  results: ["Results", "Výsledky"],
  standings: ["Standings", "Tabulka"],
  bracket: ["Bracket", "Pavouk"],
  matches: ["Matches", "Zápasy"],
  competitions: ["Competitions", "Soutěže"],
  players: ["Players", "Hráči"],
  player: ["Player", "Hráč"],
  places: ["Places", "Umístění"],
  all_tables: ["All tables", "Všechny stoly"],
  nothing_on: ["No match is being played", "Právě se nehraje"],
  nothing_next: ["Nothing is drawn yet", "Zatím nic rozlosováno"],
  waiting_for: ["waits for an opponent", "čeká na soupeře"],
  stale: ["No connection. This is how it stood at {time}.", "Bez spojení. Stav z {time}."],
  connecting: ["Connecting …", "Připojuje se …"],
  not_found: ["There is nothing here", "Tady nic není"],
  race: ["race to {n}", "na {n}"],
  points_race: ["to {n} points", "na {n} bodů"],
  now: ["now", "teď"],
  called: ["called", "svoláno"],
  playing: ["playing", "hraje se"],
  over: ["over", "konec"],
  entries: ["entries", "přihlášky"],
  drawn: ["under way", "probíhá"],
  winner: ["has won", "vyhrál"],
  adjourned: ["adjourned", "přerušeno"],
  foul: ["Foul", "Faul"],
  lag: ["lag", "rozehrání"],
  break: ["break", "rozstřel"],
  timeout: ["time-out", "oddechový čas"],
  suspended: ["stopped", "zastaveno"],
  bye: ["bye", "volný los"],
  winner_of: ["winner: {m}", "vítěz: {m}"],
  loser_of: ["loser: {m}", "poražený: {m}"],
  open_side: ["to be decided", "určí se"],
  round: ["Round {n}", "{n}. kolo"],
  winners: ["Winners' round {n}", "{n}. kolo vítězů"],
  losers: ["Losers' round {n}", "{n}. kolo poražených"],
  quarter: ["Quarter-final", "Čtvrtfinále"],
  semi: ["Semi-final", "Semifinále"],
  last: ["Last {n}", "Posledních {n}"],
  final: ["Final", "Finále"],
  second_final: ["Second final", "Druhé finále"],
  third_place: ["Third place", "O třetí místo"],
  challenge: ["Challenge {n}", "Výzva {n}"],
  forfeit: ["forfeit", "kontumace"],
  walk_over: ["walk-over", "bez boje"],
  W: ["W", "V"],
  L: ["L", "P"],
  D: ["D", "R"],
  place: ["#", "#"],
  name: ["Name", "Jméno"],
  points: ["Pts", "Body"],
  played: ["Played", "Zápasy"],
  won: ["Won", "Výhry"],
  lost: ["Lost", "Prohry"],
  drawn_matches: ["Drawn", "Remízy"],
  score: ["Score", "Skóre"],
  record: ["Record", "Bilance"],
  form: ["Form", "Forma"],
  head_to_head: ["Head to head", "Vzájemné zápasy"],
  figures: ["Figures", "Statistika"],
  rating: ["Rating", "Rating"],
  pots: ["Pots made", "Úspěšnost potů"],
  balls_a_visit: ["Balls a visit", "Koulí za návštěvu"],
  break_made: ["Breaks with a ball", "Rozstřely s koulí"],
  runouts: ["Break and run", "Dohrávky z rozstřelu"],
  longest: ["Longest run", "Nejdelší série"],
  fouls: ["Fouls a rack", "Faulů na hru"],
  racks: ["Racks won", "Vyhrané hry"],
  of_matches: ["Figures from matches at tables here: {n}", "Statistika ze zápasů u stolů zde: {n}"],
  replay: ["Replay", "Záznam"],
  play: ["Play", "Přehrát"],
  pause: ["Pause", "Pauza"],
  shot: ["Shot {n}", "Strk {n}"],
  rack: ["rack {n}", "hra {n}"],
  before: ["Back", "Zpět"],
  after: ["On", "Dál"],
  download: ["CSV", "CSV"],
  opponent: ["Opponent", "Soupeř"],
  date: ["Date", "Datum"],
  loading: ["Loading …", "Načítá se …"],
  free: ["free", "volný"],
  games: ["games {s}", "hry {s}"],
  more: ["{n} more", "další {n}"],
  solids: ["solids", "celé"],
  stripes: ["stripes", "půlené"],
  reds: ["reds", "červené"],
  yellows: ["yellows", "žluté"],
  first_free: ["next free table", "první volný stůl"],
  no_time: ["not yet known", "zatím neznámo"],
  dark: ["Dark", "Tmavý"],
  light: ["Light", "Světlý"],
  all: ["Board", "Přehled"],
  round_robin: ["round robin", "každý s každým"],
  swiss: ["Swiss", "švýcarský systém"],
  single: ["single elimination", "vyřazovací"],
  double: ["double elimination", "na dvě porážky"],
  ladder: ["ladder", "žebříček"],
  nine_ball: ["nine-ball", "devítka"],
  eight_ball: ["eight-ball", "osmička"],
  straight_pool: ["straight pool", "čtrnáctka"],
  black_ball: ["black ball", "black ball"],
  entrants: ["{n} entrants", "{n} účastníků"],
  settled: ["{n} of {m} played", "odehráno {n} z {m}"],
};

let language = 0;

export function setLanguage(code) {
  language = code === "cs" ? 1 : 0;
}

export function locale() {
  return language ? "cs-CZ" : "en-GB";
}

// A word by its name, with what stands in braces filled in.
export function word(name, values = {}) {
  const text = WORDS[name]?.[language] ?? name.replaceAll("_", " ");
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

export function known(name) {
  return name in WORDS;
}

// One of a text that the server gives in both languages.
export function said(text) {
  return language ? text.cs : text.en;
}

export function stage(match) {
  if (match.stage === "final") return word(match.round > 1 ? "second_final" : "final");
  if (match.to_final === 1) return word("semi");
  if (match.to_final === 2) return word("quarter");
  if (match.to_final) return word("last", { n: 2 ** (match.to_final + 1) });
  return word(match.stage, { n: match.round });
}

const soon = (options) => new Intl.DateTimeFormat(locale(), options);

export function clockTime(at) {
  return soon({ hour: "2-digit", minute: "2-digit" }).format(new Date(at * 1000));
}

export function day(at) {
  return soon({ day: "numeric", month: "numeric", year: "numeric" }).format(new Date(at * 1000));
}

// The time, with the day when it is not today.
export function when(at) {
  const date = new Date(at * 1000);
  if (date.toDateString() === new Date().toDateString()) return clockTime(at);
  return `${soon({ day: "numeric", month: "numeric" }).format(date)} ${clockTime(at)}`;
}
