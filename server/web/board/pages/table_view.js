// A table seen from above, on a canvas: balls where they lie, or where the running shot has them.

import { bytesOf } from "./feed.js";
import { readTrajectory } from "./trajectory.js";

// Shots are shown so much late, s: the feed tells of them up to so much after they have begun.
const BEHIND_S = 0.35;
const NUMBERED = 9; // px of a ball's radius, from which its number can be read
const RAIL = 0.1; // m, what is drawn around the bed
const COLOURS = [
  "#f7f4ea", "#f2c21a", "#1f56c4", "#d3291f", "#5d2f96", "#f07a1c", "#14804a", "#8c1d2c",
  "#17181b", "#f2c21a", "#1f56c4", "#d3291f", "#5d2f96", "#f07a1c", "#14804a", "#8c1d2c",
  "#f7f4ea", "#f7f4ea",
];
const WHITE = "#f7f4ea";
const CLOTH = "#1d6fa3";
const CLOTH_DARK = "#175a86";
const WOOD = "#3a2a20";

export class TableView {
  #key = null;
  #flight = null;
  #startedAt = 0;
  #drawn = null;

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  // Draw a table at a time of the server's clock; returns whether something moves.
  draw(table, clock) {
    const size = this.#fit(table.frame);
    const time = clock - table.delay_s - BEHIND_S;
    // a shot is shown to its end, also when its ruling has come meanwhile
    if (!this.#runs(time)) this.#take(table);
    const flight = this.#flight;
    const moves = this.#runs(time);
    const state = `${size} ${JSON.stringify(table.balls)} ${this.#key}`;
    if (!moves && this.#drawn === state) return false;
    this.#drawn = moves ? null : state;
    this.#paint(table, flight ? placesAt(flight, time - this.#startedAt) : placesOf(table));
    return moves;
  }

  #runs(time) {
    const t = time - this.#startedAt;
    return this.#flight !== null && t > -60 && t < this.#flight.duration;
  }

  #take(table) {
    if (!table.shot) {
      this.#key = null;
      this.#flight = null;
      return;
    }
    const key = `${table.table} ${table.shot.shot} ${table.shot.started_at}`;
    if (this.#key !== key) {
      this.#key = key;
      this.#startedAt = table.shot.started_at;
      try {
        this.#flight = readTrajectory(bytesOf(table.shot.trajectory));
      } catch (error) {
        console.warn("a trajectory can't be read", error); // a server of another age
        this.#flight = null;
      }
    }
  }

  #fit(frame) {
    const dots = window.devicePixelRatio || 1;
    const width = Math.round(this.canvas.clientWidth * dots);
    const scale = width / (frame.length + 2 * RAIL);
    const height = Math.round((frame.width + 2 * RAIL) * scale);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.#drawn = null;
    }
    this.scale = scale;
    return `${width}x${height}`;
  }

  #paint(table, places) {
    const { context, scale } = this;
    const { frame } = table;
    context.setTransform(scale, 0, 0, -scale, this.canvas.width / 2, this.canvas.height / 2);
    this.#bed(frame);
    for (const [ball, at, radius] of places) {
      const own = radius ?? (ball === 0 || ball > 15 ? frame.cue_ball_radius : frame.ball_radius);
      this.#ball(ball, at, own);
    }
  }

  #bed({ length, width, corner_mouth, side_mouth }) {
    const { context } = this;
    const [x, y] = [length / 2, width / 2];
    context.fillStyle = WOOD;
    context.fillRect(-x - RAIL, -y - RAIL, length + 2 * RAIL, width + 2 * RAIL);
    context.fillStyle = CLOTH_DARK;
    const cushion = 0.035;
    context.fillRect(-x - cushion, -y - cushion, length + 2 * cushion, width + 2 * cushion);
    context.fillStyle = CLOTH;
    context.fillRect(-x, -y, length, width);
    context.strokeStyle = "rgba(255, 255, 255, 0.35)";
    context.lineWidth = 0.006;
    context.beginPath();
    context.moveTo(-length / 4, -y);
    context.lineTo(-length / 4, y);
    context.stroke();
    context.fillStyle = "rgba(255, 255, 255, 0.5)";
    this.#disc([length / 4, 0], 0.008);
    context.fillStyle = "#0b0b0c";
    for (const sx of [-1, 1]) {
      for (const sy of [-1, 1]) this.#disc([sx * (x + 0.018), sy * (y + 0.018)], corner_mouth / 2);
    }
    for (const sy of [-1, 1]) this.#disc([0, sy * (y + 0.035)], side_mouth / 2.3);
  }

  #disc([x, y], radius) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  #ball(ball, at, real) {
    const { context, scale } = this;
    const dots = window.devicePixelRatio || 1;
    // on a small picture larger than life, or nobody could tell them apart
    const radius = Math.max(real, Math.min((9 * dots) / scale, 1.8 * real));
    context.fillStyle = "rgba(0, 0, 0, 0.3)";
    this.#disc([at[0] + radius * 0.25, at[1] - radius * 0.25], radius);
    const striped = ball > 8 && ball < 16;
    context.fillStyle = striped ? WHITE : COLOURS[ball] ?? WHITE;
    this.#disc(at, radius);
    if (striped) {
      context.save();
      context.beginPath();
      context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
      context.clip();
      context.fillStyle = COLOURS[ball];
      context.fillRect(at[0] - radius, at[1] - 0.58 * radius, 2 * radius, 1.16 * radius);
      context.restore();
    }
    if (ball > 0 && ball < 16 && radius * scale > NUMBERED * dots) this.#number(ball, at, radius);
  }

  #number(ball, at, radius) {
    const { context, scale } = this;
    context.fillStyle = WHITE;
    this.#disc(at, 0.56 * radius);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const [x, y] = [this.canvas.width / 2 + at[0] * scale, this.canvas.height / 2 - at[1] * scale];
    context.fillStyle = "#111";
    context.font = `${ball > 9 ? 0.72 * radius * scale : 0.95 * radius * scale}px Manrope, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(ball, x, y + 0.04 * radius * scale);
    context.restore();
  }
}

function placesOf(table) {
  return Object.entries(table.balls).map(([ball, at]) => [Number(ball), at, null]);
}

// Where the balls are after t seconds; those that have fallen or left the table are gone.
function placesAt(flight, t) {
  const places = [];
  for (const [ball, pieces] of flight.balls) {
    const time = Math.min(Math.max(t, 0), flight.duration);
    const running = pieces.findLast((piece) => piece.start <= time) ?? pieces[0];
    if (running.motion === 5 || running.motion === 6) continue;
    const at = flight.at(ball, time);
    if (at[2] > -0.01) places.push([ball, at, null]);
  }
  return places;
}
