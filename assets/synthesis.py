"""What the sounds are made of: struck modes, radiating balls, shaped noise, a little room.

Everything is a formula or noise of a fixed seed, so the same sounds come out everywhere.  Signals
are float64 arrays at ``RATE`` until they are written as 16-bit mono.
"""

import wave
from collections.abc import Iterable
from pathlib import Path

import numpy as np

RATE = 44100
FINE = 8
"""Contacts last some samples only: they are computed this many times finer."""
SOUND_SPEED = 343.0
BALL_RADIUS = 0.028575
BALL_MASS = 0.170
YOUNG = 9.0e9
"""Young's modulus of cast phenolic resin, Pa, and Poisson's ratio (handbooks: 5 to 9 GPa)."""
POISSON = 0.34
PEAK = 0.89
"""Largest sample of a finished sound, 1 dB below full scale."""

Signal = np.ndarray


def seconds(duration: float) -> Signal:
    """Times of the samples of a sound, s."""
    return np.arange(round(duration * RATE)) / RATE


def hertz_time(speed: float) -> float:
    """Contact time of two balls that meet at ``speed`` (m/s), s: it falls as speed to the -1/5.

    Hertz's law for two equal spheres: 2.87 (m*²/(R* E*² v))^(1/5) (K. L. Johnson, Contact
    Mechanics, 1985, eq. 11.24).
    """
    mass, radius = BALL_MASS / 2, BALL_RADIUS / 2
    stiff = YOUNG / (2 * (1 - POISSON**2))
    return float(2.87 * (mass**2 / (radius * stiff**2 * speed)) ** 0.2)


def radiated(contact_s: float, duration: float, balls: int = 1, turn_deg: float = 40.0) -> Signal:
    """Pressure far from a ball, or from two that bounce off each other, after a contact.

    A ball that is accelerated radiates as a dipole: for the velocity v(ω) the far pressure is
    q² / (q² + 2q + 2) · v · cos θ with q = iωa/c (L. L. Koss and R. J. Alfredson, Transient sound
    radiated by spheres undergoing an elastic collision, J. Sound Vib. 27, 1973).  Its own modes
    lie over 16 kHz and are left out.  The force follows sin^1.5, nearly Hertz's pulse.

    Args:
        contact_s: contact time, s.
        duration: of the sound, s.
        balls: 2 when the other one is thrown the other way.
        turn_deg: between the line of the blow and the listener.
    """
    count = round(duration * RATE) * FINE
    at = np.arange(count) / (RATE * FINE)
    force = np.where(at < contact_s, np.sin(np.pi * np.minimum(at / contact_s, 1.0)), 0.0) ** 1.5
    velocity = np.fft.rfft(np.cumsum(force) / np.sum(force) * np.exp(-at / 0.004))
    omega = 2 * np.pi * np.fft.rfftfreq(count, 1 / (RATE * FINE))
    q = 1j * omega * BALL_RADIUS / SOUND_SPEED
    cos = np.cos(np.radians(turn_deg))
    pressure = velocity * q**2 / (q**2 + 2 * q + 2) * cos
    if balls == 2:
        late = omega * BALL_RADIUS * cos / SOUND_SPEED
        pressure = pressure * (np.exp(1j * late) - np.exp(-1j * late)) * np.exp(-1j * late)
    # The slate mirrors it: an image one ball below the cloth, a little later and weaker.
    pressure = pressure * (1 + 0.7 * np.exp(-1j * omega * 1.2 * BALL_RADIUS / SOUND_SPEED))
    kept = pressure[: count // FINE // 2 + 1]
    sound: Signal = np.fft.irfft(kept, count // FINE)
    return sound


def modes(
    duration: float, rows: Iterable[tuple[float, float, float]], contact_s: float = 0.0
) -> Signal:
    """Struck modes: rows of frequency (Hz), time to fall to 1/e (s) and amplitude.

    A blow of length ``contact_s`` stirs a mode as the spectrum of its half sine has it: modes much
    faster than the blow stay silent (N. H. Fletcher and T. D. Rossing, The Physics of Musical
    Instruments, 1998, ch. 2 and 19).
    """
    at = seconds(duration)
    sound = np.zeros_like(at)
    for frequency, decay, amplitude in rows:
        x = 2 * frequency * contact_s
        share = 1.0
        if x > 0:
            share = np.pi / 4 if abs(x - 1) < 1e-6 else np.cos(np.pi * x / 2) / (1 - x * x)
        wave_ = np.sin(2 * np.pi * frequency * at) * np.exp(-at / decay)
        sound += amplitude * abs(share) * wave_
    return sound


def bar(lowest: float, count: int, decay: float, tilt: float) -> list[tuple[float, float, float]]:
    """Bending modes of a free bar: f ∝ (2n + 1)² with 3.011² for the first (Fletcher and Rossing,
    ch. 2.15).  High ones die sooner (decay ∝ 1/√f) and are weaker by ``tilt``."""
    ratios = [3.011**2] + [float(2 * n + 1) ** 2 for n in range(2, count + 1)]
    rows = []
    for ratio in ratios:
        k = ratio / ratios[0]
        rows.append((lowest * k, decay / np.sqrt(k), k**-tilt))
    return rows


def noise(seed: int, count: int, low: float, high: float, slope: float = 0.0) -> Signal:
    """``count`` samples of noise from ``low`` to ``high`` Hz that join end to start.

    ``slope``: the amplitude falls as the frequency to this power.  Its mean square is 1.
    """
    rng = np.random.default_rng(seed)
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    safe = np.maximum(frequency, 1.0)
    size = safe**-slope / (1 + (low / safe) ** 4) / (1 + (safe / high) ** 4)
    size[0] = 0.0
    turns = np.exp(2j * np.pi * rng.random(len(frequency)))
    sound: Signal = np.fft.irfft(size * turns, count)
    return sound / np.sqrt(np.mean(sound**2))


def room(sound: Signal, seed: int, level: float = 0.05, fall_s: float = 0.055) -> Signal:
    """The sound with a furnished room's answer: a tail of noise that falls to 1/e in ``fall_s``."""
    at = seconds(6 * fall_s)
    tail = noise(seed, len(at), 150.0, 3500.0, 0.3) * np.exp(-at / fall_s)
    tail[: round(0.004 * RATE)] = 0.0
    size = 1 << (len(sound) + len(tail)).bit_length()
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(tail, size), size)[: len(sound)]
    scale = np.max(np.abs(sound)) / max(float(np.max(np.abs(wet))), 1e-12)
    mixed: Signal = sound + level * scale * wet
    return mixed


def place(parts: Iterable[tuple[float, float, Signal]], duration: float) -> Signal:
    """Parts (start in s, gain, signal) laid into one sound."""
    whole = np.zeros(round(duration * RATE))
    for start, gain, part in parts:
        first = round(start * RATE)
        room_left = max(len(whole) - first, 0)
        whole[first : first + len(part)] += gain * part[:room_left]
    return whole


def unit(sound: Signal) -> Signal:
    """The sound with its largest sample at 1."""
    scaled: Signal = sound / np.max(np.abs(sound))
    return scaled


def samples(sound: Signal, fade_s: float = 0.012) -> np.ndarray:
    """16-bit samples, the end faded so that nothing clicks (``fade_s`` 0 for a loop)."""
    shaped = unit(sound - (0.0 if fade_s else np.mean(sound)))
    if fade_s:
        count = round(fade_s * RATE)
        shaped[-count:] *= np.linspace(1.0, 0.0, count)
    return np.rint(shaped * PEAK * 32767).astype("<i2")


def write(path: Path, data: np.ndarray) -> None:
    """Write 16-bit mono samples as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())


def read(path: Path) -> np.ndarray:
    """The samples of a file that :func:`write` wrote."""
    with wave.open(str(path), "rb") as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")
