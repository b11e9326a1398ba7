"""The log of a competition: everything that was entered, each with who and when.

Nothing in a log is ever changed or taken out; a correction is one more entry, which names the one
that it corrects and keeps the old beside the new.  Draws are recorded with what they gave, so that
a correction of an earlier round never draws a later one anew.
"""

from typing import Annotated, Literal

import msgspec

from server.competitions.setup import Instant, Part, Settings

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]
Pair = tuple[Id, Id]
Games = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Score = tuple[Games, Games]
Places = Annotated[tuple[Id | None, ...], msgspec.Meta(max_length=1024)]


class Entrant(Part, frozen=True, kw_only=True):
    """A player or a team.  ``players``: who plays for it; of a single player, himself."""

    id: Id
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    rating: Annotated[float, msgspec.Meta(ge=0.0, le=1e4)] | None = None
    players: Annotated[tuple[Id, ...], msgspec.Meta(max_length=50)] = ()

    @property
    def people(self) -> tuple[Id, ...]:
        """Everyone who may be at a table for this entrant."""
        return self.players or (self.id,)


class Act(Part, frozen=True, kw_only=True, tag_field="act"):
    """What was entered."""


class SettingsChanged(Act, frozen=True, kw_only=True, tag="settings_changed"):
    """Another format, race, handicap …: before the draw, and the entrants stay."""

    settings: Settings


class Entered(Act, frozen=True, kw_only=True, tag="entered"):
    """An entry.  ``slot``: of one that came after the draw of a bracket, the bye that it takes."""

    entrant: Entrant
    slot: Annotated[int, msgspec.Meta(ge=0, le=1023)] | None = None


class Withdrawn(Act, frozen=True, kw_only=True, tag="withdrawn"):
    """An entrant leaves, or is put out (N9.9j).  Before the draw it just isn't drawn."""

    entrant: Id
    disqualified: bool = False
    reason: Reason = ""


class Seeded(Act, frozen=True, kw_only=True, tag="seeded"):
    """The seeds by hand, strongest first."""

    order: Annotated[tuple[Id, ...], msgspec.Meta(max_length=1024)]


class Drawn(Act, frozen=True, kw_only=True, tag="drawn"):
    """A draw and what it gave.

    ``places``: in a bracket and in a Swiss round two after two meet (None is a bye); in a round
    robin the order of the circle; in a ladder the order of the start.  ``seed``: of the chance.
    """

    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    places: Places
    seed: int = 0


class Challenged(Act, frozen=True, kw_only=True, tag="challenged"):
    """A challenge in a ladder; ``match`` is the id of the match it makes."""

    match: Id
    challenger: Id
    challenged: Id


class LineUp(Act, frozen=True, kw_only=True, tag="line_up"):
    """Who plays for a team in a team match, board by board."""

    match: Id
    entrant: Id
    boards: Annotated[tuple[tuple[Id, ...], ...], msgspec.Meta(max_length=50)]


class BoardResult(Act, frozen=True, kw_only=True, tag="board_result"):
    """How a board of a team match ended, in the order of ``sides``, or that it is open again.

    ``board``: its number from 1; ``score``: games.  With the last one the server enters the
    ``Result`` of the team match.
    """

    match: Id
    sides: Pair
    board: Annotated[int, msgspec.Meta(ge=1, le=50)]
    score: Score | None


class Result(Act, frozen=True, kw_only=True, tag="result"):
    """How a match ended, in the order of ``sides``.

    ``score``: games, of a team match boards; ``boards``: games of each board of a team match.
    ``short``: an official ended it before the race was won.
    """

    match: Id
    sides: Pair
    score: Score
    boards: Annotated[tuple[Score, ...], msgspec.Meta(max_length=50)] = ()
    short: bool = False


class Forfeit(Act, frozen=True, kw_only=True, tag="forfeit"):
    """A match lost by not playing it, or not to its end."""

    match: Id
    sides: Pair
    loser: Id
    reason: Reason = ""


class WalkOver(Act, frozen=True, kw_only=True, tag="walk_over"):
    """A match won without an opponent, by nobody's fault that counts against him."""

    match: Id
    sides: Pair
    winner: Id
    reason: Reason = ""


class LagOff(Act, frozen=True, kw_only=True, tag="lag_off"):
    """Entrants who were level lagged for their places: nearest the head cushion first."""

    order: Annotated[tuple[Id, ...], msgspec.Meta(min_length=2, max_length=128)]


class StationsSet(Act, frozen=True, kw_only=True, tag="stations_set"):
    """The tables that this competition may use, in the order in which they are filled."""

    stations: Annotated[tuple[Id, ...], msgspec.Meta(max_length=500)]


class Called(Act, frozen=True, kw_only=True, tag="called"):
    """A match is called to a station, or moved to another; ``due`` from when lateness counts.

    The call is for these ``sides``; if a correction has others meet, it has lapsed.  An official
    may leave ``due`` out: it is now, and of a match that is moved as it was.
    """

    match: Id
    sides: Pair
    station: Id
    due: Instant = 0.0


class CalledOff(Act, frozen=True, kw_only=True, tag="called_off"):
    """A match that was called goes back to those that wait, and its station is free."""

    match: Id


class Arrived(Act, frozen=True, kw_only=True, tag="arrived"):
    """An entrant is at the station of his match."""

    match: Id
    entrant: Id


class Held(Act, frozen=True, kw_only=True, tag="held"):
    """An official keeps a match back, or lets it go (``held`` false).

    ``adjourned``: of what the server keeps back, the table's version of the match with which that
    was adjourned there; so that it isn't kept back for the same once more.
    """

    match: Id
    held: bool = True
    adjourned: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Paused(Act, frozen=True, kw_only=True, tag="paused"):
    """Nothing is called and nobody becomes late, until ``Resumed``; matches that run go on."""

    reason: Reason = ""


class Resumed(Act, frozen=True, kw_only=True, tag="resumed"):
    """It goes on, and nobody is later for the time between.

    ``since``: it had stood since then although nobody had paused it: the server was down.
    """

    since: Instant | None = None
    reason: Reason = ""


#: What settles a match, and so what a correction of one may put in its place.
Settling = Result | Forfeit | WalkOver


class Corrected(Act, frozen=True, kw_only=True, tag="corrected"):
    """The entry of this number shall have said something else, or nothing (``new`` None).

    ``old`` is what counted until now.  The new takes the old one's place in the history.
    """

    entry: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    old: Result | Forfeit | WalkOver | Withdrawn | LagOff | None
    new: Result | Forfeit | WalkOver | LagOff | None = None
    reason: Reason = ""


AnyAct = (
    SettingsChanged | Entered | Withdrawn | Seeded | Drawn | Challenged | LineUp | BoardResult
    | Result | Forfeit | WalkOver | LagOff | StationsSet | Called | CalledOff | Arrived | Held
    | Paused | Resumed | Corrected
)  # fmt: skip


class Entry(Part, frozen=True, kw_only=True):
    """A line of the log: its number from 1, when, who, what."""

    number: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    at: Instant
    by: Id
    act: AnyAct


Stage = Literal["round", "winners", "losers", "final", "third_place", "challenge"]
