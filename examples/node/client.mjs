// A player for a Headstring server that needs docs/protocol.md and docs/trajectory.md only.
//
//   node client.mjs ws://127.0.0.1:4747 --name Ann --open     # opens a table of nine-ball
//   node client.mjs ws://127.0.0.1:4747 --name Bob            # sits down at the first free one
//
// It needs nothing but node 22 (node 20 with --experimental-websocket).  It plays by itself, prints
// rulings, draws the running shot with --draw, and comes back after its connection was cut
// (--cut 3 cuts it on purpose, after every third stroke).

import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { lagStroke, place, stroke } from "./aiming.mjs";
import { pack, unpack } from "./msgpack.mjs";
import { readTrajectory } from "./trajectory.mjs";

const STROKES = ["PLACE_CUE_FOR_BREAK", "PLACE_CUE_ANYWHERE", "PLACE_CUE_HEAD", "AWAIT_SHOT"];
const WISHES = ["break", "ball_in_hand_anywhere", "accept_table", "disagree"];
const ELEVATION_DEG = 6;

class Player {
  token = null;
  table = null;
  seat = null;
  state = null;
  seq = 0;
  over = false;
  // Ids are remembered by the server for ever: a chance start never meets an old one.
  nextId = Math.floor(Math.random() * 2 ** 52) + 1;
  waiting = new Map(); // id to the request that has no answer yet
  answeredVersion = 0; // state.version with our last command carried out
  elevation = ELEVATION_DEG;
  strokes = 0;

  constructor(options) {
    this.options = options;
  }

  // Play until the match is over, however often the connection is lost.
  async run() {
    while (!this.over) {
      await this.session();
      if (this.over) break;
      console.log("connection lost");
      await sleep(1000);
    }
    process.exit(0);
  }

  // One connection, from the handshake to its end.
  session() {
    return new Promise((resolve) => {
      const socket = new WebSocket(this.options.server);
      this.socket = socket;
      socket.binaryType = "arraybuffer";
      socket.onopen = () => this.signIn();
      socket.onmessage = ({ data }) => {
        if (socket !== this.socket) return; // of a connection that we have given up
        this.hear(unpack(data));
        if (this.over) this.hangUp();
      };
      socket.onerror = () => {}; // onclose follows
      socket.onclose = resolve;
      this.hangUp = () => {
        this.socket = null;
        socket.close();
        resolve();
      };
    });
  }

  // One message: a msgpack map in a binary frame.
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(pack(message));
  }

  // Send a request; its answer comes to answered().
  ask(m, fields = {}) {
    const request = { m, id: this.nextId++, ...fields };
    this.waiting.set(request.id, request);
    this.send(request);
  }

  // As a new guest, or with the token.
  signIn() {
    const who = this.token ? { token: this.token } : { name: this.options.name };
    this.send({ m: "hello", protocol: 1, client: "node example", ...who });
  }

  // Signed in: to the table.
  begin(welcome) {
    this.token = welcome.token;
    this.clockRate = welcome.time_scale;
    const unanswered = this.waiting;
    this.waiting = new Map();
    this.pingedAt = seconds();
    this.ask("ping");
    if (this.table) {
      this.ask("join_table", { table: this.table, last_seen: this.seq });
      // Did it arrive?  Sent again with the same id a command is never carried out twice.
      for (const [id, request] of unanswered) {
        if (request.m !== "play") continue;
        this.waiting.set(id, request);
        this.send(request);
      }
    } else if (this.options.open) {
      this.ask("open_table", { overrides: { match: { games_to_win: 1 } } });
    } else {
      this.ask("list_tables");
    }
  }

  // Take in one message, whatever it is.
  hear(message) {
    switch (message.m) {
      case "welcome": return this.begin(message);
      case "pong": return this.setClock(message);
      case "accepted": case "refused": case "tables": return this.answered(message);
      case "snapshot":
        this.table = message.table;
        this.seat = message.seat;
        this.seq = message.seq;
        this.state = message.state;
        return this.see(message);
      case "room_event": case "presence":
        if (message.seq <= this.seq) return;
        if (message.seq > this.seq + 1) return this.ask("join_table", { table: this.table });
        this.seq = message.seq;
        if (message.m === "presence") return;
        this.state = { ...this.state, ...message.changes };
        message.announcements.forEach((announcement) => this.tell(announcement));
        return this.see(message);
      case "table_closed":
        console.log("table closed:", message.reason);
        this.over = true;
        return;
      case "goodbye":
        console.log("goodbye:", message.reason);
        this.over = !message.come_back;
    }
  }

  // The answer to one of our requests, or to hello.
  async answered(message) {
    const request = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (message.m === "tables") return this.sitDown(message.tables);
    if (message.m === "accepted") {
      this.table = message.table ?? this.table;
      if (request.m === "open_table") console.log("opened table", this.table);
      if (request.m !== "play") return;
      // The event may have come before this answer, or is still to come.
      this.answeredVersion = message.version;
      this.elevation = ELEVATION_DEG;
      this.act();
    } else if (message.code === "elevation_too_low") {
      this.elevation += 5; // over the rail or ball behind the cue ball
      this.act();
    } else if (request && message.fault === "server") {
      await sleep(500);
      this.waiting.set(request.id, request);
      this.send(request);
    } else if (message.code === "table_full" && !this.table) {
      this.sitDown([]); // somebody was quicker
    } else if (!["stale_state", "not_your_turn", "time_is_up"].includes(message.code)) {
      throw new Error(`${JSON.stringify(request)}: ${message.code}: ${message.message}`);
    }
  }

  // Join the first table with a free seat, or ask again in a moment.
  async sitDown(tables) {
    const free = tables.find((table) => table.players.includes(null) && !table.private);
    if (free) return this.ask("join_table", { table: free.table });
    await sleep(500);
    this.ask("list_tables");
  }

  // A new state of the table: watch what runs, do what is due.
  see(message) {
    if (message.in_flight && this.options.draw) this.draw(message.in_flight);
    if (!this.state) return;
    this.over = this.state.phase === "MATCH_OVER";
    this.act();
  }

  // Do what the state asks of us, if anything.
  act() {
    const { version } = this.state;
    if (version < this.answeredVersion) return; // what our last command led to is on its way
    if ([...this.waiting.values()].some((request) => request.m === "play")) return;
    const command = this.command();
    if (!command) return;
    this.ask("play", { table: this.table, command, version });
    if (command.c === "strike" && ++this.strokes % this.options.cut === 0) this.hangUp();
  }

  // The command that is due from us in this state, or null.
  command() {
    const { state, seat } = this;
    if (state.decider === seat) {
      const option = WISHES.find((wish) => state.options.includes(wish)) ?? state.options[0];
      return { c: "choose", option };
    }
    if (state.phase === "LAG" && !state.lag.struck[seat]) {
      return { c: "strike", stroke: lagStroke(this.elevation) };
    }
    if (!STROKES.includes(state.phase) || state.shooter !== seat || !state.racked) return null;
    if (state.cue_in_hand !== "none" && !state.cue_placed) {
      const [x, y] = place(state);
      return { c: "place_cue", x, y };
    }
    return { c: "strike", stroke: stroke(state, this.elevation) };
  }

  // Print what others would like to read.
  tell(announcement) {
    const name = (seat) => this.state.description.players[seat] ?? seat ?? "lag";
    switch (announcement.a) {
      case "judged": {
        const { shot, shooter, pocketed, fouls } = announcement.ruling;
        const codes = fouls.map((foul) => foul.code);
        console.log(`shot ${shot}, ${name(shooter)}: pocketed [${pocketed}], fouls [${codes}]`);
        return;
      }
      case "chosen":
        console.log(`${name(announcement.seat)} chooses ${announcement.option}`);
        return;
      case "game_won": case "match_won":
        console.log(announcement.a, name(announcement.seat));
    }
  }

  // Server's clock = offset + rate * ours, from the middle of a round trip.
  setClock(pong) {
    this.waiting.delete(pong.re);
    this.clockOffset = pong.clock - (this.clockRate * (this.pingedAt + seconds())) / 2;
  }

  // Draw the shot at the pace of the server's clock.
  async draw({ shot, started_at, trajectory }) {
    const { frame } = this.state.description;
    const flight = readTrajectory(trajectory);
    this.drawn = shot;
    for (let ended = false; !ended && this.drawn === shot; await sleep(500)) {
      const t = this.clockOffset + this.clockRate * seconds() - started_at;
      ended = t >= flight.duration;
      console.log(`shot ${shot} after ${Math.min(t, flight.duration).toFixed(2)} s`);
      console.log(picture(flight, Math.max(t, 0), frame));
    }
  }
}

// The table as text, head to the left: a letter or digit a ball.
function picture(flight, t, { length, width }) {
  const [columns, rows] = [60, 15];
  const cells = Array.from({ length: rows }, () => Array(columns).fill(" "));
  for (const ball of flight.balls.keys()) {
    const [x, y, z] = flight.at(ball, t);
    const column = Math.round((x / length + 0.5) * (columns - 1));
    const row = Math.round((0.5 - y / width) * (rows - 1));
    if (z > 0 && cells[row]?.[column]) cells[row][column] = "0123456789abcdefAB"[ball];
  }
  const edge = `+${"-".repeat(columns)}+`;
  return [edge, ...cells.map((row) => `|${row.join("")}|`), edge].join("\n");
}

function seconds() {
  return performance.now() / 1000;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string" },
    open: { type: "boolean" },
    draw: { type: "boolean" },
    cut: { type: "string" },
  },
});
if (positionals.length !== 1 || !values.name) {
  console.error("usage: node client.mjs ws://host:4747 --name NAME [--open] [--draw] [--cut N]");
  process.exit(2);
}
new Player({ ...values, cut: Number(values.cut), server: positionals[0] }).run();
