"""What the board tells of competitions: the shapes, as JSON has them (docs/board.md)."""

import msgspec

Pair = tuple[int, int]


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant."""

    id: str
    name: str


class Awaited(msgspec.Struct, frozen=True, kw_only=True):
    """Who will play: winner or loser of a match, which one that is, and who plays it, if known."""

    kind: str
    match: str
    stage: str
    round: int
    number: int
    to_final: int | None
    sides: tuple[Side | None, Side | None]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a competition.

    ``sides``: null where nobody is known yet (``awaits`` says who it will be), or for ever (a bye).
    ``to_final``: of a single elimination, 1 in a semi-final, 2 in a quarter-final …  ``state``:
    ``waiting``, ``called``, ``playing``, ``over``, ``none`` (nobody will play here).
    ``starts_at``, ``ends_at``: estimates while it isn't over, Unix times.  ``ended_at``: of its
    result.  ``table``: where it is played, or was: ``/api/v1/matches/…``.
    """

    competition: str
    match: str
    stage: str
    round: int
    number: int
    sides: tuple[Side | None, Side | None]
    races: Pair | None
    state: str
    awaits: tuple[Awaited | None, Awaited | None] = (None, None)
    to_final: int | None = None
    station: str | None = None
    starts_at: float | None = None
    ends_at: float | None = None
    ended_at: float | None = None
    winner: str | None = None
    score: Pair | None = None
    ended_by: str | None = None
    table: str | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the standings; ``tie_breaks``: by their names."""

    place: int | None
    id: str
    name: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    score: Pair
    games: Pair
    tie_breaks: dict[str, float | None]
    has_left: bool


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A final place; ``first`` to ``last`` where it is shared."""

    id: str
    name: str
    first: int | None
    last: int | None
    disqualified: bool


class InShort(msgspec.Struct, frozen=True, kw_only=True):
    """A competition in a list.  ``status``: ``entries``, ``drawn``, ``over``.  ``matches``: how
    many are settled, and of how many.  ``leaders``: the top of the standings, while it goes on."""

    competition: str
    name: str
    format: str
    discipline: str
    ruleset: str
    race_to: int
    status: str
    entrants: int
    matches: Pair
    opened_at: float
    leaders: tuple[Standing, ...]


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """Who is in."""

    id: str
    name: str
    rating: float | None
    players: tuple[str, ...]
    left: bool


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """A competition with everything that people may know of it."""

    at: float
    summary: InShort
    entrants: tuple[Entrant, ...]
    matches: tuple[Match, ...]
    standings: tuple[Standing, ...]
    placings: tuple[Place, ...]


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The board as a whole: ``competitions``, what goes on first; ``coming``: matches in the order
    of their times; ``results``: the latest first."""

    server: str
    at: float
    competitions: tuple[InShort, ...]
    coming: tuple[Match, ...]
    results: tuple[Match, ...]
