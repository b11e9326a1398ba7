"""What a server bears: ``headstring bench server``.

It starts a server of its own, and the players and spectators in processes of their own, all on
loopback, so that nothing measures itself.  ``sections`` holds what is measured.
"""

from collections.abc import Iterator

PARTS = ("strokes", "spectators", "memory", "storage", "board")


def bench_server(parts: tuple[str, ...] = PARTS, **size: float) -> Iterator[str]:
    """Lines of figures as they come; some minutes.  ``size``: fields of ``sections.Size``.

    Raises:
        KeyError: there is no such part.
    """
    from server.bench import sections
    from server.bench.control import quietness

    measures = {
        "strokes": sections.strokes,
        "spectators": sections.spectators,
        "memory": sections.memory,
        "storage": sections.storage,
        "board": sections.board,
    }
    chosen = sections.Size(**size)  # type: ignore[arg-type]
    for part in parts:
        yield quietness()
        yield from measures[part](chosen)
        yield ""
    yield quietness()
