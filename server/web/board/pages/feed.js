// The line to the server: what it tells, kept; it comes back by itself and says when it is stale.

const STALE_MS = 6000;
const LONGEST_WAIT_MS = 5000;

export class Feed {
  tables = new Map();
  board = null;
  heardAt = performance.now(); // our clock, ms
  toldAt = 0; // Unix time of what we have
  ready = false; // everything of this connection's beginning has come
  #listeners = new Set();
  #wait = 250;
  #offset = null; // server's clock less ours, s
  #scale = 1;
  #older = null; // tables of the connection before, until the new one has told its own

  constructor() {
    this.#connect();
    setInterval(() => this.#watch(), 1000);
  }

  // listener(kind, what): after every message, and once a second with "time".
  listen(listener) {
    this.#listeners.add(listener);
  }

  get stale() {
    return this.socket === null || performance.now() - this.heardAt > STALE_MS;
  }

  // The server's clock now, in its seconds.
  get clock() {
    return this.#offset === null ? 0 : this.#offset + (performance.now() / 1000) * this.#scale;
  }

  // The machine that shows the board may have a wrong clock; the server's counts.
  get unixTime() {
    return this.toldAt + (performance.now() - this.heardAt) / 1000;
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/board/feed`);
    this.socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
      this.#tell("time");
    };
  }

  #watch() {
    // a half-open line says nothing any more: take another
    if (this.socket?.readyState === WebSocket.OPEN && this.stale) this.socket.close();
    this.#tell("time");
  }

  #hear(message) {
    this.heardAt = performance.now();
    switch (message.m) {
      case "hello":
        this.#wait = 250;
        this.#scale = message.scale;
        this.#offset = null;
        this.#older = new Set(this.tables.keys());
        this.#time(message);
        break;
      case "tick":
        this.#time(message);
        break;
      case "table":
        this.tables.set(message.table.table, message.table);
        this.#older?.delete(message.table.table);
        break;
      case "table_gone":
        this.tables.delete(message.table);
        break;
      case "board":
        this.board = message.board;
    }
    if (message.m === "tick" && this.#older) {
      // what this connection hasn't told of is not there any more
      for (const table of this.#older) this.tables.delete(table);
      this.#older = null;
      this.ready = true;
      this.#tell("table", { table: null });
    }
    this.#tell(message.m, message);
  }

  #time({ clock, at }) {
    const offset = clock - (performance.now() / 1000) * this.#scale;
    // the quickest message is the truest: others have waited on the way
    const jump = this.#offset === null || Math.abs(offset - this.#offset) > 1 * this.#scale;
    // let go a little each time, or a computer's clock that runs fast would never be followed
    this.#offset = jump ? offset : Math.max(offset, this.#offset - 0.001 * this.#scale);
    this.toldAt = at;
  }

  #tell(kind, what) {
    for (const listener of this.#listeners) listener(kind, what);
  }
}

// JSON of an address of the API; null: there is nothing there.
export async function fetchJson(path) {
  const answer = await fetch(path);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
