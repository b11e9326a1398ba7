"""Random and degenerate shots for the fuzz: each a case as ``headstring simulate`` takes it.

``pose(seed, number)`` depends on its two numbers alone, so a case is replayed from them, and what
comes out is plain JSON that can be cut down and run by anyone.
"""

import math
import random
from dataclasses import replace

from physics.geometry import build_geometry
from physics.table import TABLES

PRESETS = ("9ft", "8ft", "7ft", "uk7ft")
#: Gaps between things that touch, or nearly do (m).
GAPS = (0.0, 0.0, 0.0, 1e-12, 1e-10, 9e-10, 1e-9, 1.1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TRIES = 40


class Poser:
    """One case in the making: its table, its measures and the balls that have a place."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.table: dict = {}
        self.balls: dict[str, dict] = {}
        self.case: dict = {}
        self.spec = TABLES["9ft"]
        self.choose_table()
        self.choose_material()

    # --- what is played on --------------------------------------------------------------------
    def choose_table(self):
        draw = self.draw
        preset = draw.choice([*PRESETS, "9ft", "unbounded"])
        self.table = {"preset": preset}
        spec = TABLES[preset]
        sizes: dict = {}
        if spec.bounded and draw.random() < 0.25:
            self.table["pockets"] = "none"
        if spec.bounded and draw.random() < 0.25:
            sizes = self.odd_sizes(spec)
        self.table |= sizes
        self.case["table"] = self.table
        if draw.random() < 0.1:
            self.case["cue_ball"] = {
                "radius": spec.ball.radius * draw.uniform(0.86, 1.1),
                "mass": spec.ball.mass * draw.choice([0.1, 0.5, 0.9, 1.1, 2.0, 10.0]),
            }
        self.read_spec()

    def odd_sizes(self, spec):
        draw = self.draw
        sizes = {"length": draw.uniform(1.0, 4.5), "width": draw.uniform(0.8, 2.5)}
        sizes["nose_height"] = spec.ball.radius * draw.uniform(1.12, 1.5)
        if draw.random() < 0.6:
            sizes["corner_mouth"] = draw.uniform(2.1, 5.0) * spec.ball.radius
            sizes["side_mouth"] = draw.uniform(2.1, 5.0) * spec.ball.radius
            sizes["corner_shelf"] = draw.choice([0.0, draw.uniform(0.0, 0.1)])
            sizes["side_shelf"] = draw.choice([0.0, draw.uniform(0.0, 0.05)])
            sizes["corner_angle_deg"] = draw.uniform(136.0, 150.0)
            sizes["side_angle_deg"] = draw.uniform(91.0, 125.0)
        return sizes

    def read_spec(self):
        preset = TABLES[self.table["preset"]]
        own = {k: v for k, v in self.table.items() if k != "preset"}
        self.spec = replace(preset, **own)
        cue = self.case.get("cue_ball", {})
        self.radius = {
            b: (cue.get("radius", preset.cue_ball.radius) if b == 0 else preset.ball.radius)
            for b in range(16)
        }
        self.geometry = build_geometry(self.spec)

    def choose_material(self):
        draw = self.draw
        if draw.random() < 0.6:
            return
        m: dict = {}
        for key, values in (
            ("e_ball", [0.0, 0.5, 0.9, 0.999, 1.0]), ("e_cushion", [0.0, 0.3, 0.99, 1.0]),
            ("mu_cushion", [0.0, 0.5, 2.0]), ("mu_ball", [0.0, 0.06, 0.5, 2.0]),
            ("e_bed", [0.0, 0.5, 0.95]), ("mu_slide", [1e-3, 0.05, 1.0, 10.0]),
            ("mu_roll", [1e-4, 0.002, 0.1, 1.0]), ("spin_decel", [1e-3, 1.0, 500.0]),
            ("g", [0.1, 1.6, 30.0, 100.0]),
        ):  # fmt: skip
            if draw.random() < 0.25:
                m[key] = draw.choice(values)
        if m:
            self.case["material"] = m

    # --- balls --------------------------------------------------------------------------------
    def reach(self, ball):
        r = self.radius[ball]
        return math.sqrt(max(0.0, r * r - (self.spec.nose_height - r) ** 2))

    def clear(self, ball, pos):
        """Whether a ball may lie (or fly) there: apart from balls and from cushions."""
        r = self.radius[ball]
        for name, other in self.balls.items():
            if math.dist(pos, other["pos"]) < r + self.radius[int(name)] - 1e-15:
                return False
        if not self.spec.bounded:
            return True
        return abs(pos[0]) <= self.spec.length / 2 and abs(pos[1]) <= self.spec.width / 2

    def put(self, ball, x, y, z=None, vel=None, spin=None):
        """Place a ball if there is room; whether it was."""
        pos = [x, y, self.radius[ball] if z is None else z]
        if str(ball) in self.balls or not self.clear(ball, pos):
            return False
        self.balls[str(ball)] = {"pos": pos}
        if vel is not None:
            self.balls[str(ball)]["vel"] = [*vel, 0.0][:3]
        if spin is not None:
            self.balls[str(ball)]["spin"] = list(spin)
        return True

    def free(self):
        """Balls that have no place yet, in a random order."""
        names = [b for b in range(16) if str(b) not in self.balls]
        self.draw.shuffle(names)
        return names

    def inside(self, margin=0.0):
        """A place anywhere on the bed."""
        half = (self.spec.length / 2, self.spec.width / 2) if self.spec.bounded else (1.2, 0.6)
        reach = max(self.reach(0), self.reach(1)) + 1e-6 + margin
        return tuple(self.draw.uniform(-1, 1) * (h - reach) for h in half)

    def speed(self):
        draw = self.draw
        how = draw.random()
        if how < 0.6:
            return draw.uniform(0.05, 8.0)
        if how < 0.75:
            return 10.0 ** draw.uniform(-9, 0)
        if how < 0.9:
            return draw.uniform(8.0, 30.0)
        return draw.choice([1.0, 5.0, 13.0, 50.0, 99.9])

    def velocity(self, heading=None, up=0.0):
        v = self.speed()
        turn = self.draw.uniform(0, 2 * math.pi) if heading is None else heading
        if heading is None and self.draw.random() < 0.2:
            turn = self.draw.randrange(24) * math.pi / 12
        vz = 0.0
        if up and self.draw.random() < up:
            vz = self.draw.choice([-1, 1]) * min(self.speed(), 8.0)
        size = math.hypot(v, vz)
        scale = min(1.0, 99.0 / size)
        return (v * math.cos(turn) * scale, v * math.sin(turn) * scale, vz * scale)

    def spin(self, vel, radius):
        draw = self.draw
        how = draw.random()
        if how < 0.25:
            return (0.0, 0.0, 0.0)
        roll = (-vel[1] / radius, vel[0] / radius, 0.0)
        if how < 0.5:
            return roll
        if how < 0.6:
            return (roll[0], roll[1], draw.uniform(-300, 300))
        if how < 0.65:
            return (roll[0] * 0.3, roll[1] * 0.3, 0.0)
        if how < 0.7:
            return (0.0, 0.0, draw.choice([-1, 1]) * draw.choice([1e-7, 1.0, 5000.0]))
        size = draw.choice([1.0, 50.0, 300.0, 3000.0])
        return tuple(draw.uniform(-1, 1) * size for _ in range(3))

    def moving(self, ball, x, y, heading=None, z=None, up=0.0):
        vel = self.velocity(heading, up)
        return self.put(ball, x, y, z, vel, self.spin(vel, self.radius[ball]))

    def set_moving(self, name, heading=None, up=0.0):
        vel = self.velocity(heading, up)
        self.balls[name]["vel"] = list(vel)
        self.balls[name]["spin"] = list(self.spin(vel, self.radius[int(name)]))

    def along_rail(self, ball, gap=0.0):
        """A place that touches a random rail, in the middle of its nose, and the rail's normal."""
        edges = [
            (c.outline[c.nose], c.outline[c.nose + 1], c.normal) for c in self.geometry.cushions
        ]
        a, b, n = self.draw.choice(edges)
        t = self.draw.choice([self.draw.random(), 0.5, self.draw.random() ** 4])
        far = self.reach(ball) + gap
        return (
            a[0] + t * (b[0] - a[0]) + far * n[0], a[1] + t * (b[1] - a[1]) + far * n[1], n
        )  # fmt: skip

    def grow(self, count, gaps=GAPS, lattice=None):
        """Add balls that touch those there are."""
        draw = self.draw
        for _ in range(count):
            names = self.free()
            if not names:
                return
            ball = names[0]
            for _ in range(TRIES):
                name = draw.choice(list(self.balls))
                other = self.balls[name]["pos"]
                turn = draw.uniform(0, 2 * math.pi) if lattice is None else (
                    draw.randrange(lattice) * 2 * math.pi / lattice
                )  # fmt: skip
                ra, rb = self.radius[ball], self.radius[int(name)]
                apart = ra + rb + draw.choice(gaps)
                # On the bed balls of two sizes touch on a slant.
                flat = math.sqrt(apart * apart - (ra - rb) ** 2)
                x, y = other[0] + flat * math.cos(turn), other[1] + flat * math.sin(turn)
                if self.put(ball, x, y):
                    break


# --- kinds of shots ---------------------------------------------------------------------------
def scatter(p):
    """Balls anywhere, some of them moving anyhow."""
    for ball in p.free()[: p.draw.randint(1, 15)]:
        for _ in range(TRIES):
            if p.put(ball, *p.inside()):
                break
    for name in p.draw.sample(list(p.balls), min(len(p.balls), p.draw.choice([1, 1, 2, 5]))):
        p.set_moving(name)


def cluster(p):
    """Balls frozen to each other and in places to a rail, one of them or a stranger moving."""
    ball = p.free()[0]
    if p.spec.bounded and p.draw.random() < 0.4:
        p.put(ball, *p.along_rail(ball, p.draw.choice(GAPS))[:2])
    else:
        p.put(ball, *p.inside(0.1))
    if not p.balls:
        return
    p.grow(p.draw.randint(1, 14), p.draw.choice([GAPS, (0.0,)]), p.draw.choice([None, 4, 6, 6]))
    if p.draw.random() < 0.5:
        p.set_moving(p.draw.choice(list(p.balls)), up=0.05)
        return
    hit_from_outside(p)


def hit_from_outside(p):
    """A ball sent at one of those there are: full, cut, or tangent to within rounding."""
    names = p.free()
    if not names:
        p.set_moving(p.draw.choice(list(p.balls)))
        return
    ball, target = names[0], p.draw.choice(list(p.balls))
    x, y, _ = p.balls[target]["pos"]
    for _ in range(TRIES):
        turn = p.draw.choice([p.draw.uniform(0, 2 * math.pi), p.draw.randrange(12) * math.pi / 6])
        far = p.draw.uniform(0.1, 1.0)
        span = p.radius[ball] + p.radius[int(target)]
        aside = p.draw.choice(
            [0.0, p.draw.uniform(-1, 1), 1.0, 1 - 1e-15, 1 + 1e-15, 1 - 1e-9, 1 + 1e-9, 1 - 1e-12]
        )
        aside *= span
        c, s = math.cos(turn), math.sin(turn)
        if p.moving(ball, x - far * c - aside * s, y - far * s + aside * c, heading=turn):
            return


def line(p):
    """Frozen balls in a straight line, hit along it."""
    turn = p.draw.choice([0.0, math.pi / 2, p.draw.uniform(0, math.pi)])
    x, y = p.inside(0.2)
    gap = p.draw.choice(GAPS)
    far = 0.0
    names = p.free()[: p.draw.randint(2, 12)]
    for k, ball in enumerate(names):
        if k:
            ra, rb = p.radius[names[k - 1]], p.radius[ball]
            far += math.sqrt((ra + rb + gap) ** 2 - (ra - rb) ** 2)
        p.put(ball, x + far * math.cos(turn), y + far * math.sin(turn))
    if len(p.balls) > 1 and p.draw.random() < 0.5:
        p.set_moving(str(names[0]), heading=turn)
    elif p.balls:
        hit_from_outside(p)


def pursuit(p):
    """Balls that move alike: equal speeds, equal decelerations, side by side or in file."""
    turn = p.draw.choice([0.0, math.pi / 2, p.draw.uniform(0, 2 * math.pi)])
    c, s = math.cos(turn), math.sin(turn)
    x, y = p.inside(0.2)
    v = p.speed()
    step = p.draw.choice([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
    rolls = p.draw.random() < 0.6
    far = 0.0
    for ball in p.free()[: p.draw.randint(2, 5)]:
        ahead, aside = far * step[0], far * step[1]
        size = v * p.draw.choice([1.0, 1.0, 1.0, 1 + 1e-12, 1 - 1e-9, 0.5, -1.0])
        vel = (size * c, size * s)
        r = p.radius[ball]
        spin = (-vel[1] / r, vel[0] / r, 0.0) if rolls else (0.0, 0.0, 0.0)
        p.put(ball, x + ahead * c - aside * s, y + ahead * s + aside * c, None, vel, spin)
        far += 2 * max(p.radius[0], p.radius[1]) + p.draw.choice([*GAPS, 0.05, 0.2])


def at_a_rail(p):
    """A ball that touches a rail, or hardly: into it, along it, away, with any spin."""
    if not p.spec.bounded:
        return scatter(p)
    ball = p.free()[0]
    x, y, n = p.along_rail(ball, p.draw.choice(GAPS))
    along = math.atan2(n[0], -n[1]) + p.draw.choice([0.0, math.pi])
    lean = p.draw.choice([0.0, 1e-9, -1e-9, 1e-3, -1e-3, p.draw.uniform(-3.2, 3.2), math.pi / 2])
    p.moving(ball, x, y, heading=along + lean)
    if p.draw.random() < 0.5 and p.balls:
        p.grow(p.draw.randint(1, 3))
    if p.draw.random() < 0.4 and p.balls:
        hit_from_outside(p)


def in_a_corner(p):
    """Straight rails that meet: balls at both at once, or sent there."""
    p.table = {k: v for k, v in p.table.items() if k in ("length", "width", "nose_height")}
    p.table |= {"preset": p.draw.choice(PRESETS), "pockets": "none"}
    p.table.pop("nose_height", None)
    p.case["table"] = p.table
    p.read_spec()
    sx, sy = p.draw.choice([-1, 1]), p.draw.choice([-1, 1])
    ball = p.free()[0]
    x = sx * (p.spec.length / 2 - p.reach(ball) - p.draw.choice(GAPS))
    y = sy * (p.spec.width / 2 - p.reach(ball) - p.draw.choice(GAPS))
    if p.draw.random() < 0.5:
        p.moving(ball, x, y)
    else:
        far = p.draw.uniform(0.05, 0.6)
        p.moving(ball, x - sx * far, y - sy * far, heading=math.atan2(sy, sx))
    if p.balls:
        p.grow(p.draw.randint(0, 4), lattice=p.draw.choice([None, 4]))


def in_a_mouth(p):
    """Balls in pocket mouths: touching facings and jaw points, near the drop, crossing it."""
    if not len(p.geometry.holes):
        return at_a_rail(p)
    for ball in p.free()[: p.draw.randint(1, 3)]:
        for _ in range(TRIES):
            if p.draw.random() < 0.5:
                x, y = near_a_jaw(p, ball)
            else:
                x, y = near_a_drop(p)
            if put_in_mouth(p, ball, x, y):
                break
    if p.balls and p.draw.random() < 0.3:
        hit_from_outside(p)


def near_a_jaw(p, ball):
    cushion = p.draw.choice(p.geometry.cushions)
    k = p.draw.choice([k for k in range(len(cushion.outline) - 1) if k != cushion.nose])
    (ax, ay), (bx, by) = cushion.outline[k : k + 2]
    t = p.draw.choice([0.0, 1.0, p.draw.random()])
    nx, ny = -(by - ay), bx - ax
    size = math.hypot(nx, ny)
    if nx * cushion.normal[0] + ny * cushion.normal[1] < 0.0:
        nx, ny = -nx, -ny
    far = (p.reach(ball) + p.draw.choice(GAPS)) / size
    return ax + t * (bx - ax) + far * nx, ay + t * (by - ay) + far * ny


def near_a_drop(p):
    hole = p.draw.choice(p.geometry.holes.tolist())
    turn = math.atan2(-hole[6], -hole[5]) + p.draw.uniform(-0.6, 0.6)
    far = hole[2] + p.draw.choice([*GAPS, 1e-3, p.draw.uniform(0, 0.1)])
    return hole[0] + far * math.cos(turn), hole[1] + far * math.sin(turn)


def put_in_mouth(p, ball, x, y):
    """As ``put``, where the mouth reaches behind the noses; half of these balls move."""
    pos = [x, y, p.radius[ball]]
    for name, other in p.balls.items():
        if math.dist(pos, other["pos"]) < p.radius[ball] + p.radius[int(name)]:
            return False
    p.balls[str(ball)] = {"pos": pos}
    if p.draw.random() < 0.7:
        p.set_moving(str(ball))
        if p.draw.random() < 0.5:
            slow = p.draw.choice([0.01, 0.1, 1e-4])
            p.balls[str(ball)]["vel"] = [slow * v for v in p.balls[str(ball)]["vel"]]
    return True


def to_the_edge(p):
    """A rolling ball that stops at the edge of a drop, to within anything."""
    if not len(p.geometry.holes):
        return scatter(p)
    hole = p.draw.choice(p.geometry.holes.tolist())
    mu = p.case.get("material", {}).get("mu_roll", 0.01)
    g = p.case.get("material", {}).get("g", 9.81)
    turn = math.atan2(-hole[6], -hole[5]) + p.draw.uniform(-0.3, 0.3)
    run = p.draw.uniform(0.1, 0.6)
    over = p.draw.choice([0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, 1e-4, -1e-4, 0.01])
    v = min(math.sqrt(2 * mu * g * max(run + over, 1e-9)), 90.0)
    far = hole[2] + run
    ball = p.free()[0]
    c, s = math.cos(turn), math.sin(turn)
    vel = (-v * c, -v * s)
    r = p.radius[ball]
    spin = (-vel[1] / r, vel[0] / r, p.draw.choice([0.0, 30.0]))
    p.put(ball, hole[0] + far * c, hole[1] + far * s, None, vel, spin)


def flight(p):
    """Balls in the air: falling, thrown at rails and pockets, onto balls and clusters."""
    p.put(p.free()[0], *p.inside(0.1))
    if p.balls and p.draw.random() < 0.6:
        p.grow(p.draw.randint(0, 5))
    for ball in p.free()[: p.draw.randint(1, 3)]:
        r = p.radius[ball]
        how = p.draw.random()
        if how < 0.4 and p.balls:
            # Over another ball: on it, leaning, or falling on it.
            x, y, z = p.balls[p.draw.choice(list(p.balls))]["pos"]
            lean, turn = p.draw.choice([0.0, 1e-9, 1e-3, 0.3]), p.draw.uniform(0, 7)
            up = 2 * max(p.radius[0], p.radius[1]) + p.draw.choice([*GAPS, 0.05])
            x, y = (
                x + up * math.sin(lean) * math.cos(turn),
                y + up * math.sin(lean) * math.sin(turn),
            )
            z += up * math.cos(lean)
        else:
            x, y = p.inside()
            z = r + p.draw.choice([1e-9, 2e-9, 1e-6, 0.01, p.draw.uniform(0, 0.5)])
        if p.draw.random() < 0.5:
            p.put(ball, x, y, z, (0.0, 0.0, p.draw.choice([0.0, -1.0, 2.0])))
        else:
            p.moving(ball, x, y, z=z, up=0.7)
    if p.balls and p.draw.random() < 0.3:
        name = p.draw.choice(list(p.balls))
        p.set_moving(name, up=1.0)


def meeting(p):
    """Several balls that reach one point at one time, from all sides."""
    x, y = p.inside(0.25)
    names = p.free()[: p.draw.randint(2, 6)]
    v, far = min(p.speed(), 50.0), p.draw.uniform(0.15, 0.3)
    first = p.draw.choice([0.0, p.draw.uniform(0, 7)])
    middle = p.draw.random() < 0.5 and len(names) > 2 and p.put(names[-1], x, y)
    around = names[:-1] if middle else names
    rolls = p.draw.random() < 0.5
    for k, ball in enumerate(around):
        turn = first + 2 * math.pi * k / len(around)
        c, s = math.cos(turn), math.sin(turn)
        r = p.radius[ball]
        spin = (v * s / r, -v * c / r, 0.0) if rolls else (0.0, 0.0, 0.0)
        p.put(ball, x + far * c, y + far * s, None, (-v * c, -v * s), spin)


def stroke_of(p):
    draw = p.draw
    a, b = draw.choice([0.0, draw.uniform(-0.7, 0.7)]), draw.choice([0.0, draw.uniform(-0.7, 0.7)])
    return {
        "speed": draw.choice([draw.uniform(0.05, 12.0), draw.uniform(0.05, 3.0), 1e-6, 20.0]),
        "heading_deg": draw.choice([draw.uniform(0, 360), 15.0 * draw.randrange(24)]),
        "elevation_deg": draw.choice([0.0, 0.0, draw.uniform(0, 85)]),
        "tip": [a, b],
    }  # fmt: skip


def stroke(p):
    """A stroke at the cue ball among balls, some of them near or frozen to it."""
    for _ in range(TRIES):
        if p.put(0, *p.inside()):
            break
    for ball in p.free()[: p.draw.randint(0, 10)]:
        for _ in range(TRIES):
            if p.put(ball, *p.inside()):
                break
    if p.draw.random() < 0.4:
        p.grow(p.draw.randint(1, 4))
    p.case["strike"] = stroke_of(p)


def a_break(p):
    """A rack of any discipline, broken anyhow."""
    p.table = {"preset": p.draw.choice(PRESETS)}
    p.case["table"] = p.table
    p.case.pop("cue_ball", None)
    p.read_spec()
    p.case["rack"] = {
        "discipline": p.draw.choice(["nine_ball", "eight_ball", "straight_pool", "black_ball"]),
        "seed": p.draw.getrandbits(40),
        "gap": p.draw.choice([0.0, 1e-6, 2e-5, 1e-4, 1e-3]),
        "cue_ball": [-p.spec.length / 4, p.draw.uniform(-0.3, 0.3) * p.spec.width],
    }
    p.case["strike"] = stroke_of(p) | {"heading_deg": p.draw.choice([0.0, p.draw.uniform(-5, 5)])}


def lag(p):
    """Two strokes at two balls, each at its own time."""
    p.radius = dict.fromkeys(range(16), p.radius[1])
    x = -p.spec.length / 4
    r = p.radius[1]
    p.balls = {}
    for name, side in (("LA", 1), ("LB", -1)):
        p.balls[name] = {"pos": [x, side * p.draw.choice([r, 0.1, 0.3]), r]}
    p.case["strike"] = [
        stroke_of(p) | {"ball": name, "at": p.draw.choice([0.0, 0.0, p.draw.uniform(0, 3)])}
        for name in ("LA", "LB")
    ]


KINDS = (
    scatter, cluster, cluster, cluster, line, pursuit, at_a_rail, at_a_rail, in_a_corner,
    in_a_mouth, in_a_mouth, to_the_edge, flight, flight, meeting, stroke, stroke, a_break, lag,
)  # fmt: skip


def pose(seed: int, number: int) -> dict:
    """Case ``number`` of the run with this seed; its id names both and its kind."""
    draw = random.Random(f"{seed}/{number}")
    kind = draw.choice(KINDS)
    p = Poser(draw)
    kind(p)
    case = {"id": f"{seed}/{number} {kind.__name__}", **p.case}
    if p.balls or "rack" not in case:
        case["balls"] = p.balls
    case["until"] = draw.choice([120.0, 120.0, 120.0, 600.0, draw.uniform(0.1, 5.0)])
    return case
