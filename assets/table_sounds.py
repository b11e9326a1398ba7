"""The sounds of a table: tip, balls, cushions, pockets, bed, wood, floor, and a rolling ball.

Each is one blow, given its contact time, on a ball and on what it meets.  Contact times: two balls
by Hertz's law; a leather tip about 1 to 2 ms (D. Alciatore, billiards.colostate.edu, high-speed
video); a cushion some 5 to 10 ms, a spring and a mass; cloth on slate under 1 ms.
"""

from collections.abc import Callable

import numpy as np

from assets.synthesis import (
    RATE,
    Signal,
    bar,
    hertz_time,
    modes,
    noise,
    place,
    radiated,
    room,
    samples,
    seconds,
    unit,
)

BALL_SPEEDS = (0.15, 0.6, 2.0, 6.0)
"""Speeds (m/s) at which two balls were sampled; in between the pitch follows Hertz."""
LOOP_S = 1.4

# Frequency (Hz), time to 1/e (s), amplitude: heavy and well damped bodies.
# Boards radiate the better the higher the note, so the low ones are felt more than heard.
RAIL_WOOD = ((118.0, 0.026, 0.5), (196.0, 0.024, 0.8), (341.0, 0.018, 1.0), (610.0, 0.011, 0.8))
SLATE = ((163.0, 0.016, 0.5), (418.0, 0.012, 0.9), (905.0, 0.007, 0.9), (1640.0, 0.004, 0.5))
BOARDS = ((131.0, 0.048, 0.7), (227.0, 0.036, 1.0), (480.0, 0.022, 0.8), (840.0, 0.012, 0.5))
LEATHER = ((110.0, 0.022, 0.5), (215.0, 0.016, 1.0), (420.0, 0.009, 0.9), (760.0, 0.005, 0.6))


def ball(speed: float) -> Signal:
    """Two balls at a speed (m/s): one click, the shorter and brighter the harder."""
    click = unit(radiated(hertz_time(speed), 0.10, balls=2))
    return room(click, 11, 0.07, 0.030)


def tip(contact_s: float, wood: float) -> Signal:
    """A leather tip on a ball: the ball's push, and the stick that rings in the hand.

    It swings across (a free bar of maple, 1.47 m long and 19 mm thick: 35 Hz and up; struck at its
    end all modes move alike, and a thin stick radiates the better the higher) and along: at
    4,500 m/s there and back is 1,530 Hz.
    """
    duration = 0.16
    push = unit(radiated(contact_s, duration))
    along = [(1530.0 * k, 0.006 / k, 0.7 / k) for k in (1, 2, 3)]
    stick = unit(modes(duration, [*bar(35.0, 10, 0.050, -0.40), *along], contact_s))
    return room(push + wood * stick, 21, 0.06, 0.030)


def miscue() -> Signal:
    """A tip that slips off: the ferrule's clack, and a scrape."""
    duration = 0.22
    at = seconds(duration)
    clack = unit(
        modes(duration, [(1240, 0.009, 1.0), (2710, 0.006, 0.9), (4420, 0.004, 0.6)], 3e-4)
    )
    hiss = noise(31, len(at), 1200.0, 6000.0) * np.exp(-at / 0.028) * np.minimum(at / 0.002, 1.0)
    push = unit(radiated(0.0006, duration))
    return room(push + 0.9 * clack + 0.16 * hiss, 32, 0.07)


def cushion(contact_s: float, bright: float) -> Signal:
    """Rubber on a rail: a dull blow that lasts, the wood behind it, the cloth's brush."""
    duration = 0.20
    at = seconds(duration)
    thud = np.where(at < contact_s, np.sin(np.pi * np.minimum(at / contact_s, 1.0)) ** 2, 0.0)
    thud = np.gradient(thud)
    wood = unit(modes(duration, RAIL_WOOD, contact_s * 0.2))
    rubber = unit(modes(duration, [(290, 0.008, 1.0), (620, 0.005, 0.9)], contact_s * 0.15))
    brush = noise(41, len(at), 400.0, 2600.0) * np.exp(-(((at - contact_s / 2) / contact_s) ** 2))
    return room(0.5 * unit(thud) + 0.9 * wood + bright * rubber + 0.10 * bright * brush, 42, 0.05)


def facing() -> Signal:
    """A jaw: thin, hard rubber on the end of the rail, sharper than the cushion."""
    duration = 0.16
    wood = unit(modes(duration, [*RAIL_WOOD, (1150.0, 0.006, 0.6)], 0.0012))
    return room(unit(radiated(0.0022, duration)) + 1.1 * wood, 52, 0.06)


def liner() -> Signal:
    """A ball against the leather of a pocket."""
    duration = 0.13
    return room(unit(radiated(0.003, duration)) * 0.5 + unit(modes(duration, LEATHER, 0.0018)), 62)


def pocket(hard: bool) -> Signal:
    """A ball that drops: over the edge, down the leather and into the net, among its kind.

    From 17 cm it falls for 0.19 s; a hard one meets the back first and rattles on the way.
    """
    duration = 0.46
    at = seconds(duration)
    knock = unit(modes(0.12, LEATHER, 0.0018)) + 0.5 * unit(radiated(0.004, 0.12))
    brush = noise(71, len(at), 250.0, 1800.0, 0.4) * np.exp(-(((at - 0.03) / 0.03) ** 2))
    settle = noise(72, len(at), 120.0, 900.0, 0.5) * np.exp(-(((at - 0.27) / 0.07) ** 2))
    parts = [(0.0, 0.09, brush), (0.0, 0.06, settle), (0.19, 0.9, knock), (0.27, 0.35, knock)]
    if hard:
        rattle = [(0.008, 1.3, knock), (0.055, 0.8, knock), (0.094, 0.6, knock)]
        clink = unit(radiated(hertz_time(0.4), 0.1, balls=2))
        parts += [*rattle, (0.21, 0.22, clink)]
    return room(place(parts, duration), 73, 0.05)


def bed() -> Signal:
    """A ball that comes down on cloth and slate."""
    duration = 0.14
    thump = unit(modes(duration, SLATE, 0.0008))
    return room(unit(radiated(0.0008, duration, turn_deg=60.0)) * 0.6 + thump, 82, 0.04)


def rail_top() -> Signal:
    """A ball on the wood of a rail."""
    duration = 0.16
    wood = unit(modes(duration, [*RAIL_WOOD, (1380.0, 0.008, 0.4), (2450.0, 0.004, 0.25)], 4e-4))
    return room(wood + 0.6 * unit(radiated(0.0004, duration)), 92, 0.06)


def floor() -> Signal:
    """A ball on a wooden floor: it comes up four times, each time for less, and rolls away.

    From the table it arrives at 4 m/s; with 0.42 of the speed left each time, the flights last
    2 v / g.
    """
    duration = 0.86
    knock = unit(modes(0.25, [*BOARDS, (1050.0, 0.007, 0.3)], 6e-4))
    knock = knock + 0.35 * unit(radiated(6e-4, 0.25))
    parts, start, speed = [], 0.0, 4.0
    for _ in range(5):
        parts.append((start, speed / 4.0, knock))
        speed *= 0.42
        start += 2 * speed / 9.81
    at = seconds(duration)
    roll = noise(101, len(at), 90.0, 700.0, 0.6) * np.clip((at - 0.35) / 0.2, 0, 1)
    parts.append((0.0, 0.035, roll * np.exp(-np.maximum(at - 0.5, 0) / 0.12)))
    return room(place(parts, duration), 102, 0.07, 0.08)


def rolling() -> Signal:
    """A ball that rolls on cloth, to be looped: noise whose strength falls with the frequency.

    Rolling stirs the bodies with the roughness of the track, in power as 1/f to a power (K. van
    den Doel, P. G. Kry and D. K. Pai, FoleyAutomatic, SIGGRAPH 2001); slate and cloth pass the low
    part of it.
    """
    count = round(LOOP_S * RATE)
    deep = noise(111, count, 70.0, 420.0, 0.5)
    hush = noise(112, count, 350.0, 1500.0, 0.9)
    slow = 1 + 0.10 * noise(113, count, 1.0, 5.0)
    return (deep + 0.5 * hush) * slow


SOUNDS: dict[str, Callable[[], np.ndarray]] = {
    **{f"ball_{k}": lambda v=v: samples(ball(v)) for k, v in enumerate(BALL_SPEEDS)},
    "tip_0": lambda: samples(tip(0.0022, 0.35)),
    "tip_1": lambda: samples(tip(0.0014, 0.6)),
    "tip_2": lambda: samples(tip(0.0009, 1.0)),
    "miscue": lambda: samples(miscue()),
    "cushion_0": lambda: samples(cushion(0.011, 0.25)),
    "cushion_1": lambda: samples(cushion(0.008, 0.5)),
    "cushion_2": lambda: samples(cushion(0.006, 0.9)),
    "facing": lambda: samples(facing()),
    "liner": lambda: samples(liner()),
    "pocket_0": lambda: samples(pocket(False)),
    "pocket_1": lambda: samples(pocket(True)),
    "bed": lambda: samples(bed()),
    "rail_top": lambda: samples(rail_top()),
    "floor": lambda: samples(floor()),
    "rolling": lambda: samples(rolling(), fade_s=0.0),
}
"""The sounds by name, as 16-bit samples."""
