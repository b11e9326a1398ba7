"""Random and degenerate shots for the fuzz: each a case as ``headstring simulate`` takes it.

``pose(seed, number)`` depends on its two numbers alone, so a case is replayed from them, and what
comes out is plain JSON that can be cut down and run by anyone.
"""

import math
import random

from tests.physics.fuzz.poser import GAPS, PRESETS, TRIES, Poser


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
