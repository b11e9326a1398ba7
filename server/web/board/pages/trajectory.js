// A reader of trajectories, by docs/trajectory.md.
//
//   const shot = readTrajectory(bytes);     // a Uint8Array
//   shot.at(ball, t)                        // the ball's centre [x, y, z] after t seconds

const [REST, SPIN, ROLL, SLIDE, AIR, POCKETED] = [0, 1, 2, 3, 4, 5];
const [FLAT, NATURAL, DERIVED, HELD, FOLLOWS] = [8, 16, 32, 64, 128];

export function readTrajectory(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const u8 = () => view.getUint8(at++);
  const u16 = () => view.getUint16((at += 2) - 2, true);
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const i32 = () => view.getInt32((at += 4) - 4, true);
  const f32 = () => view.getFloat32((at += 4) - 4, true);
  const f64 = () => view.getFloat64((at += 8) - 8, true);
  const several = (count, take) => Array.from({ length: count }, take);

  const magic = String.fromCharCode(...several(4, u8));
  const version = u8();
  if (magic !== "HSTR" || version > 2) throw new Error("no trajectory of version 1 or 2");
  const tick = 1e-7 * 2 ** u8();
  const count = u8();
  const cutShort = (u8() & 1) === 1;
  const contactCount = u16();
  const duration = f64();
  const cloth = { g: f64(), muSlide: f64(), muRoll: f64(), spinDecel: f64() };

  const balls = new Map();
  for (let i = 0; i < count; i++) {
    const ball = u8();
    const turned = u8() & 1;
    const pieces = [];
    const length = u16();
    const radius = f64();
    if (turned) several(4, f32);
    for (let j = 0; j < length; j++) pieces.push(readPiece(pieces.at(-1), radius));
    balls.set(ball, pieces);
  }
  const contacts = several(contactCount, () => (
    { at: u32() * tick, kind: u8(), ball: u8(), place: u8(), strength: u16() / 1000 }
  ));
  if (at !== bytes.byteLength) throw new Error("bytes left over");

  function readPiece(before, radius) {
    const shape = u8();
    const start = u32() * tick;
    const motion = shape & 7;
    const flat = shape & FLAT;
    const moves = motion >= SPIN && motion <= AIR;
    let pos, vel = [0, 0, 0], spin = [0, 0, 0], acc = [0, 0, 0], twist = [0, 0, 0];
    if (shape & FOLLOWS) {
      pos = end(before, start, "pos", "vel", "acc").map((x) => Math.round(x / 1e-6) * 1e-6);
      if (moves && motion !== SPIN) vel = end(before, start, "vel", "acc").map(Math.fround);
      if (moves) spin = end(before, start, "spin", "twist").map(Math.fround);
    } else {
      pos = several(flat ? 2 : 3, i32).map((x) => x * 1e-6);
    }
    if (flat) {
      pos[2] = radius;
      vel[2] = 0;
    }
    if (motion === POCKETED) u8();
    if (moves) {
      if (!(shape & FOLLOWS)) {
        if (motion !== SPIN) vel = flat ? [f32(), f32(), 0] : several(3, f32);
        spin = shape & NATURAL ? [0, 0, f32()] : several(3, f32);
      }
      if (shape & NATURAL) {
        spin[0] = motion === ROLL ? -vel[1] / radius : 0;
        spin[1] = motion === ROLL ? vel[0] / radius : 0;
      }
      [acc, twist] = shape & DERIVED
        ? rates(motion, vel, spin, radius, shape & HELD)
        : [several(3, f32), several(3, f32)];
    }
    return { start, motion, pos, vel, spin, acc, twist };
  }

  function rates(motion, vel, spin, radius, held) {
    const twist = held ? 0 : -Math.sign(spin[2]) * cloth.spinDecel;
    if (motion === AIR) return [[0, 0, -cloth.g], [0, 0, 0]];
    if (motion === SPIN) return [[0, 0, 0], [0, 0, twist]];
    const rolls = motion === ROLL;
    const ux = rolls ? vel[0] : vel[0] - radius * spin[1];
    const uy = rolls ? vel[1] : vel[1] + radius * spin[0];
    const size = Math.hypot(ux, uy);
    const rate = size > 0 ? ((rolls ? cloth.muRoll : cloth.muSlide) * cloth.g) / size : 0;
    const lever = (rolls ? -1 : 2.5) / radius;
    return [[-rate * ux, -rate * uy, 0], [lever * -rate * uy, lever * rate * ux, twist]];
  }

  return {
    duration, cutShort, balls, contacts,
    at(ball, t) {
      const time = Math.min(t, duration);
      const pieces = balls.get(ball);
      const running = pieces.findLast((piece) => piece.start <= time) ?? pieces[0];
      return end(running, time, "pos", "vel", "acc");
    },
  };
}

// A quantity of a piece at time t, with its first and second rates of change.
function end(piece, t, value, rate, second) {
  const h = Math.max(t - piece.start, 0);
  return piece[value].map(
    (x, i) => x + piece[rate][i] * h + (second ? (piece[second][i] * h * h) / 2 : 0),
  );
}
