"""What ``headstring bench server`` measures, one function a section, each with its own server."""

import math
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from server.bench import board as board_bench
from server.bench import crowd, players, stored
from server.bench.served import SPAWN, Figures, Served, served

_LIMIT_S = 180.0
_CROWD_SCALE = 5.0
_SOAK_SCALE = 60.0
_SOAK_TABLES = 24
_SAMPLES = 10
_TABLES_A_SECOND = 20.0  # while they are opened
_SETTLE_S = 30.0  # lags and breaks, until the tables have drifted apart


@dataclass(frozen=True)
class Size:
    """How much is measured.  ``seconds``: real; ``minutes``: of accelerated play.

    ``matches``: stored ones.  ``fast``: whether uvloop may be used.
    """

    tables: int = 400
    spectators: int = 2000
    deaf: int = 5
    seconds: float = 30.0
    minutes: float = 60.0
    workers: int = 2
    matches: int = 10_000
    fast: bool = True


def strokes(size: Size) -> Iterator[str]:
    """Live tables, each playing its next stroke as soon as its balls rest."""
    ramp_s = size.tables / _TABLES_A_SECOND
    with _server(size) as server, _players(server, size.tables, ramp_s) as pipe:
        yield f"{size.tables} tables (start, physics warm: {server.warm_s:.1f} s; {server.loop})"
        time.sleep(ramp_s + _SETTLE_S)
        _ask(pipe, "read")
        server.figures()
        time.sleep(size.seconds)
        played: players.Played = _ask(pipe, "read")
        figures = server.figures()
        count = len(played.strokes)
        yield f"  strokes {count}, {count / figures.seconds:.1f} a second"
        if played.refused:
            yield f"  commands refused {played.refused}"
        yield _times("stroke sent to trajectory had by both", [s.ms for s in played.strokes])
        yield _times("in the server alone", figures.strokes_ms)
        yield from _loop(figures)
        if count:
            per = 1000 / count
            yield (
                f"  a stroke: {per * figures.cpu_s:.2f} ms of the server's processor, "
                f"{per * figures.workers_cpu_s:.2f} of its workers', "
                f"{per * played.cpu_s:.2f} of the players'; "
                f"{figures.commits / count:.1f} commits, {figures.encoded / count:.1f} events, "
                f"{played.received_bytes / count / 2:.0f} bytes a player"
            )
        kib = figures.resident_kib / max(size.tables, 1)
        yield f"  memory: server {figures.resident_kib / 1024:.0f} MiB ({kib:.0f} KiB a table)"


def spectators(size: Size) -> Iterator[str]:
    """Many who watch one table, some of whom don't read."""
    scale = _CROWD_SCALE
    with _server(size, time_scale=scale) as server, _players(server, 1, 0.0) as pipe:
        (table,) = _ask(pipe, "tables")
        server.collect()
        before = server.figures()
        arguments = (server.port, table, size.spectators, size.deaf)
        with _process(crowd.main, *arguments) as watching:
            _answer(watching)
            server.collect()
            after = server.figures()
            yield (
                f"{size.spectators} spectators of one table, {size.deaf} of whom don't read "
                f"(clock {scale:g} times as fast; {server.loop})"
            )
            idle = (after.resident_kib - before.resident_kib) / max(size.spectators, 1)
            entering = 1000 * after.cpu_s / max(size.spectators, 1)
            yield f"  memory a spectator {idle:.1f} KiB; coming in costs {entering:.2f} ms"
            _ask(watching, "read")
            _ask(pipe, "read")
            server.figures()
            time.sleep(size.seconds)
            played: players.Played = _ask(pipe, "read")
            time.sleep(1.0)
            late: players.Played = _ask(pipe, "read")
            seen: crowd.Seen = _ask(watching, "read")
            figures = server.figures()
            received = played.received_bytes + late.received_bytes  # for as long as the others
            yield from _fan_out(size, played, received, seen, figures)
            yield from _loop(figures)
            grown = figures.resident_kib - after.resident_kib
            yield f"  memory of the server grew by {grown} KiB meanwhile"


def _fan_out(
    size: Size, played: players.Played, received: int, seen: crowd.Seen, figures: Figures
) -> Iterator[str]:
    reading = max(size.spectators - size.deaf, 1)
    late: list[float] = []
    last: list[float] = []
    for stroke in played.strokes:
        had = seen.had.get(stroke.shot, [])
        late += [1000 * (at - stroke.sent) for at in had]
        if had:
            last.append(1000 * (max(had) - stroke.sent))
    whole = sum(len(seen.had.get(s.shot, [])) >= reading for s in played.strokes)
    yield f"  strokes {len(played.strokes)}, had by all who read: {whole}; lost {seen.lost}"
    yield _times("stroke sent to trajectory had by both players", [s.ms for s in played.strokes])
    yield _times("                          had by spectators", late)
    yield _times("                          had by the last of them", last)
    if seen.messages:
        per = 1e6 * figures.cpu_s / seen.messages
        yield (
            f"  server: {per:.1f} µs of processor a message sent to a spectator, "
            f"{figures.encoded} events encoded for {figures.handed} hand-overs, "
            f"{figures.snapshots} snapshots"
        )
        yield (f"  bytes: {seen.bytes / reading:.0f} a spectator, {received / 2:.0f} a player")


def memory(size: Size) -> Iterator[str]:
    """An hour of accelerated play: does memory stay flat?"""
    tables = min(size.tables, _SOAK_TABLES)
    seconds = 60 * size.minutes / _SOAK_SCALE
    settings = {"time_scale": _SOAK_SCALE}
    with _server(size, **settings) as server, _players(server, tables, 1.0) as pipe:
        yield (
            f"{size.minutes:g} minutes of play at {tables} tables "
            f"(clock {_SOAK_SCALE:g} times as fast, {seconds:.0f} s)"
        )
        held = []
        strokes = 0
        for _ in range(_SAMPLES):
            time.sleep(seconds / _SAMPLES)
            played: players.Played = _ask(pipe, "read")
            strokes += len(played.strokes)
            figures = server.figures()
            held.append((figures.resident_kib / 1024, figures.workers_kib / 1024))
        yield "  server  MiB: " + " ".join(f"{own:6.1f}" for own, _ in held)
        yield "  workers MiB: " + " ".join(f"{theirs:6.1f}" for _, theirs in held)
        half = len(held) // 2
        growth = 1024 * (held[-1][0] - held[half][0])
        share = strokes * (len(held) - 1 - half) / len(held)
        yield f"  strokes {strokes}; second half: {growth:+.0f} KiB in some {share:.0f} strokes"


def storage(size: Size) -> Iterator[str]:
    """Many stored matches: does what is asked of them take longer than with few?"""
    few = max(size.matches // 100, 50)
    yield f"{size.matches} stored matches, beside {few}"
    for little, much in zip(stored.asked_of(few), stored.asked_of(size.matches), strict=True):
        yield (
            f"  {much.what:<46} median {much.median_ms:7.2f} ms   max {much.longest_ms:7.2f} ms"
            f"   (with {few}: {little.median_ms:.2f})"
        )


def board(size: Size) -> Iterator[str]:
    """A large club's board: opened, and told a result; twice as many matches as ``storage``."""
    matches = 2 * size.matches
    yield (
        f"{board_bench.MEMBERS} members, {board_bench.COMPETITIONS} competitions, "
        f"{matches} stored matches"
    )
    for asked in board_bench.board_of(matches):
        yield (
            f"  {asked.what:<58} median {asked.median_ms:7.1f} ms   max {asked.longest_ms:7.1f} ms"
        )


# --- parts --------------------------------------------------------------------------------------


@contextmanager
def _server(size: Size, **settings: Any) -> Iterator[Served]:
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        served(folder=folder, workers=size.workers, fast=size.fast, **settings) as server,
    ):
        yield server


@contextmanager
def _players(server: Served, pairs: int, ramp_s: float) -> Iterator[Connection]:
    with _process(players.main, server.port, pairs, ramp_s) as pipe:
        yield pipe


@contextmanager
def _process(function: Any, *arguments: Any) -> Iterator[Connection]:
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=function, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
        ours.send("stop")
        process.join(20.0)
    finally:
        process.kill()
        process.join()


def _ask(pipe: Connection, word: str) -> Any:
    pipe.send(word)
    return _answer(pipe)


def _answer(pipe: Connection) -> Any:
    if not pipe.poll(_LIMIT_S):
        raise TimeoutError("the bench's players or spectators don't answer")
    found = pipe.recv()
    if isinstance(found, Exception):
        raise found
    return found


def _times(what: str, values: Sequence[float]) -> str:
    if not values:
        return f"  {what}: none"
    ordered = sorted(values)
    p99 = ordered[min(len(ordered) - 1, math.ceil(0.99 * len(ordered)) - 1)]
    return (
        f"  {what:<46} median {statistics.median(ordered):7.2f} ms   p99 {p99:7.2f} ms   "
        f"max {ordered[-1]:7.2f} ms"
    )


def _loop(figures: Figures) -> Iterator[str]:
    yield (
        f"  event loop: stalls over 20 ms {figures.late_over_20} (longest "
        f"{figures.late_longest_ms:.1f} ms), of the server's own work {figures.own_over_20} "
        f"(longest {figures.own_longest_ms:.1f} ms); garbage collector at most "
        f"{figures.collected_ms:.1f} ms; processor {100 * figures.cpu_s / figures.seconds:.0f} %"
    )
