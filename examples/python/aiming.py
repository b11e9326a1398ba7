"""Simple aiming at nine-ball: where to send the cue ball, and where to put it.

Everything comes out of the state that the server sends: ``state["balls"]`` (ball to its
centre) and ``state["description"]["frame"]`` (the measures of the table).  Lengths are metres, the
frame is the server's: origin at the centre of the bed, x to the foot, y to the left.
"""

import math
import random

CUE_BALL = 0
WIDEST_CUT_DEG = 65.0
BREAK_SPEED = 9.0  # m/s
LAG_SPEED = 1.85  # there and back on a nine-foot table


def stroke(state, elevation_deg):
    """The ``stroke`` map for the player at the table."""
    balls = state["balls"]
    cue, target = balls[CUE_BALL], lowest(balls)
    if state["is_break"]:
        heading, speed = heading_deg(cue, balls[target]), BREAK_SPEED
    else:
        pot = best_pot(state, cue)
        _, heading, speed = pot or safe_hit(state, cue)
    return {"speed": speed, "heading_deg": heading, "elevation_deg": elevation_deg}


def lag_stroke(elevation_deg):
    """Along the table to the foot and back to the head."""
    speed = LAG_SPEED * random.uniform(0.97, 1.03)
    return {"speed": speed, "heading_deg": 0.0, "elevation_deg": elevation_deg}


def place(state):
    """Where to put the ball in hand: wherever the easiest pot would be."""
    frame = state["description"]["frame"]
    half_length, half_width = frame["length"] / 2, frame["width"] / 2
    radius = frame["ball_radius"]
    if state["is_break"]:
        return -half_length / 2 - 0.01, random.uniform(-0.3, 0.3) * half_width
    # Behind the head string is the quarter of the bed at the head; a centre on the line isn't.
    right = half_length - 0.1 if state["cue_in_hand"] == "anywhere" else -half_length / 2 - 0.01
    left, top = -half_length + 0.1, half_width - 0.1
    places = [
        (left + (right - left) * i / 23, -top + 2 * top * j / 11)
        for i in range(24)
        for j in range(12)
    ]
    others = [at for ball, at in state["balls"].items() if ball != CUE_BALL]
    free = [at for at in places if all(math.dist(at, other) > 2.5 * radius for other in others)]
    return min(free, key=lambda at: (best_pot(state, at) or (math.inf,))[0])


def lowest(balls):
    """The ball that has to be hit first."""
    return min(ball for ball in balls if ball != CUE_BALL)


def best_pot(state, cue):
    """The easiest way of sinking the lowest ball: (difficulty, heading, speed), or None."""
    frame, balls = state["description"]["frame"], state["balls"]
    target, radius = balls[lowest(balls)], frame["ball_radius"]
    others = [at for ball, at in balls.items() if ball not in (CUE_BALL, lowest(balls))]
    pots = []
    for pocket in pockets(frame):
        away, line = math.dist(target, pocket), unit(target, pocket)
        # Where the cue ball's centre has to be when it hits: the ghost ball.
        ghost = (target[0] - 2 * radius * line[0], target[1] - 2 * radius * line[1])
        course = unit(cue, ghost)
        fullness = course[0] * line[0] + course[1] * line[1]
        if pocket[0] == 0 and abs(line[1]) < 0.75:
            continue  # too flat for a side pocket
        if fullness < math.cos(math.radians(WIDEST_CUT_DEG)):
            continue
        if clear(cue, ghost, others, radius) and clear(target, pocket, others, radius):
            way = math.dist(cue, ghost)
            difficulty = (0.3 + way) * (0.3 + away) / fullness**2
            speed = min((1.1 + 0.4 * way + 0.5 * away) / fullness, 5.0)
            pots.append((difficulty, heading_deg(cue, ghost), speed))
    return min(pots, default=None)


def safe_hit(state, cue):
    """The lowest ball full, direct or off one rail: (difficulty, heading, speed)."""
    frame, balls = state["description"]["frame"], state["balls"]
    radius = frame["ball_radius"]
    target = balls[lowest(balls)]
    others = [at for ball, at in balls.items() if ball not in (CUE_BALL, lowest(balls))]
    if clear(cue, target, others, radius):
        return math.inf, heading_deg(cue, target), 2.5
    # A rail is a mirror for the ball's centre, which turns one radius before the nose.
    for axis, half in ((0, frame["length"] / 2 - radius), (1, frame["width"] / 2 - radius)):
        for rail in (-half, half):
            image = list(target)
            image[axis] = 2 * rail - target[axis]
            part = (rail - cue[axis]) / (image[axis] - cue[axis])
            turn = [c + part * (i - c) for c, i in zip(cue, image, strict=True)]
            if clear(cue, turn, others, radius) and clear(turn, target, others, radius):
                return math.inf, heading_deg(cue, image), 3.5
    return math.inf, heading_deg(cue, target), 3.5


def pockets(frame):
    """The six points to aim at: the corners and the middles of the long rails."""
    half_length, half_width = frame["length"] / 2, frame["width"] / 2
    return [(x, y) for x in (-half_length, 0.0, half_length) for y in (-half_width, half_width)]


def clear(start, end, others, radius):
    """Whether a ball can go from ``start`` to ``end`` without touching any of ``others``."""
    length, way = math.dist(start, end), unit(start, end)
    for x, y in others:
        along = (x - start[0]) * way[0] + (y - start[1]) * way[1]
        nearest = min(max(along, 0.0), length)
        if (
            math.dist((x, y), (start[0] + nearest * way[0], start[1] + nearest * way[1]))
            < 2 * radius
        ):
            return False
    return True


def unit(start, end):
    """The direction from ``start`` to ``end``."""
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def heading_deg(start, end):
    """The heading from ``start`` to ``end``: 0 is +x, counter-clockwise."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
