// Simple aiming at nine-ball: where to send the cue ball, and where to put it.
//
// Everything comes out of the state that the server sends: state.balls (ball to its centre) and
// state.description.frame (the measures of the table).  Lengths are metres; the origin is the
// centre of the bed, x points to the foot, y to the left.

const WIDEST_CUT = (65 * Math.PI) / 180;
const BREAK_SPEED = 9; // m/s
const LAG_SPEED = 1.85; // there and back on a nine-foot table

export function stroke(state, elevation_deg) {
  const cue = state.balls[0];
  if (state.is_break) {
    const heading_deg = headingDeg(cue, state.balls[lowest(state.balls)]);
    return { speed: BREAK_SPEED, heading_deg, elevation_deg };
  }
  const { heading_deg, speed } = bestPot(state, cue) ?? safeHit(state, cue);
  return { speed, heading_deg, elevation_deg };
}

export function lagStroke(elevation_deg) {
  return { speed: LAG_SPEED * (0.97 + 0.06 * Math.random()), heading_deg: 0, elevation_deg };
}

// Where to put the ball in hand: wherever the easiest pot would be.
export function place(state) {
  const { length, width, ball_radius: radius } = state.description.frame;
  if (state.is_break) return [-length / 4 - 0.01, (Math.random() - 0.5) * 0.3 * width];
  // Behind the head string is the quarter of the bed at the head; a centre on the line isn't.
  const right = state.cue_in_hand === "anywhere" ? length / 2 - 0.1 : -length / 4 - 0.01;
  const [left, top] = [-length / 2 + 0.1, width / 2 - 0.1];
  const others = without(state.balls, "0");
  let best = null;
  for (let i = 0; i < 24 * 12; i++) {
    const [column, row] = [Math.floor(i / 12), i % 12];
    const at = [left + ((right - left) * column) / 23, -top + (2 * top * row) / 11];
    if (others.some((other) => distance(at, other) < 2.5 * radius)) continue;
    const difficulty = bestPot(state, at)?.difficulty ?? Infinity;
    if (best === null || difficulty < best.difficulty) best = { at, difficulty };
  }
  return best.at;
}

// The easiest way of sinking the lowest ball, or null.
function bestPot(state, cue) {
  const { frame } = state.description;
  const ball = lowest(state.balls);
  const target = state.balls[ball];
  const radius = frame.ball_radius;
  const others = without(state.balls, "0", ball);
  let best = null;
  for (const pocket of pockets(frame)) {
    const line = unit(target, pocket);
    // Where the cue ball's centre has to be when it hits: the ghost ball.
    const ghost = [target[0] - 2 * radius * line[0], target[1] - 2 * radius * line[1]];
    const course = unit(cue, ghost);
    const fullness = course[0] * line[0] + course[1] * line[1];
    if (pocket[0] === 0 && Math.abs(line[1]) < 0.75) continue; // too flat for a side pocket
    if (fullness < Math.cos(WIDEST_CUT)) continue;
    if (!clear(cue, ghost, others, radius) || !clear(target, pocket, others, radius)) continue;
    const [way, away] = [distance(cue, ghost), distance(target, pocket)];
    const difficulty = ((0.3 + way) * (0.3 + away)) / fullness ** 2;
    const speed = Math.min((1.1 + 0.4 * way + 0.5 * away) / fullness, 5);
    if (best === null || difficulty < best.difficulty) {
      best = { difficulty, heading_deg: headingDeg(cue, ghost), speed };
    }
  }
  return best;
}

// The lowest ball full, direct or off one rail.
function safeHit(state, cue) {
  const { length, width, ball_radius: radius } = state.description.frame;
  const ball = lowest(state.balls);
  const target = state.balls[ball];
  const others = without(state.balls, "0", ball);
  if (clear(cue, target, others, radius)) {
    return { heading_deg: headingDeg(cue, target), speed: 2.5 };
  }
  // A rail is a mirror for the ball's centre, which turns one radius before the nose.
  for (const [axis, half] of [[0, length / 2 - radius], [1, width / 2 - radius]]) {
    for (const rail of [-half, half]) {
      const image = [...target];
      image[axis] = 2 * rail - target[axis];
      const part = (rail - cue[axis]) / (image[axis] - cue[axis]);
      const turn = cue.map((c, i) => c + part * (image[i] - c));
      if (clear(cue, turn, others, radius) && clear(turn, target, others, radius)) {
        return { heading_deg: headingDeg(cue, image), speed: 3.5 };
      }
    }
  }
  return { heading_deg: headingDeg(cue, target), speed: 3.5 };
}

// The six points to aim at: the corners and the middles of the long rails.
function pockets({ length, width }) {
  return [-length / 2, 0, length / 2].flatMap((x) => [[x, -width / 2], [x, width / 2]]);
}

function lowest(balls) {
  return String(Math.min(...Object.keys(balls).map(Number).filter((ball) => ball > 0)));
}

function without(balls, ...left) {
  return Object.entries(balls).filter(([ball]) => !left.includes(ball)).map(([, at]) => at);
}

// Whether a ball can go from start to end without touching any of the others.
function clear(start, end, others, radius) {
  const [length, way] = [distance(start, end), unit(start, end)];
  return others.every((other) => {
    const along = (other[0] - start[0]) * way[0] + (other[1] - start[1]) * way[1];
    const nearest = Math.min(Math.max(along, 0), length);
    const passed = [start[0] + nearest * way[0], start[1] + nearest * way[1]];
    return distance(other, passed) >= 2 * radius;
  });
}

function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function unit(start, end) {
  const length = distance(start, end) || 1;
  return [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
}

// 0 is +x, counter-clockwise.
function headingDeg(start, end) {
  return (Math.atan2(end[1] - start[1], end[0] - start[0]) * 180) / Math.PI;
}
