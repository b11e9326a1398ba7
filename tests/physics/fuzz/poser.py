"""A random case in the making: table, material and balls that touch, or nearly do, and move.

Which cases are made of this is said in ``tests.physics.fuzz.poses``.
"""

import math
import random
from dataclasses import replace

from physics.geometry import build_geometry
from physics.table import TABLES, TableSpec

PRESETS = ("9ft", "8ft", "7ft", "uk7ft")
#: Gaps between things that touch, or nearly do (m).
GAPS = (0.0, 0.0, 0.0, 1e-12, 1e-10, 9e-10, 1e-9, 1.1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
TRIES = 40


def odd_sizes(draw: random.Random, spec: TableSpec) -> dict[str, float]:
    """Measures of a table stretched beyond what any rule allows."""
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
            sizes = odd_sizes(self.draw, spec)
        self.table |= sizes
        self.case["table"] = self.table
        if draw.random() < 0.1:
            self.case["cue_ball"] = {
                "radius": spec.ball.radius * draw.uniform(0.86, 1.1),
                "mass": spec.ball.mass * draw.choice([0.1, 0.5, 0.9, 1.1, 2.0, 10.0]),
            }
        self.read_spec()

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
