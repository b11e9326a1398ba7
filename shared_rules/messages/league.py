"""Competitions of a club: opened, entered into, drawn, read, and the calls to matches.

Settings and acts are maps here: what they hold is the affair of the competitions themselves, and
the server reads them as strictly as any message.
"""

from typing import Annotated, Any, Literal

import msgspec

from shared_rules.messages.base import Message, RequestId, TableId


class OpenCompetition(Message, frozen=True, kw_only=True, tag="open_competition"):
    """A new competition; answered by ``accepted`` with ``competition``."""

    id: RequestId
    settings: dict[str, Any]


class EnterAct(Message, frozen=True, kw_only=True, tag="enter_act"):
    """A line for the log of a competition; answered by ``accepted`` with ``entry``.

    ``preview``: of a correction, only tell what would follow (``consequences``).
    """

    id: RequestId
    competition: TableId
    act: dict[str, Any]
    preview: bool = False


class DrawCompetition(Message, frozen=True, kw_only=True, tag="draw_competition"):
    """Draw a competition, or the next round of a Swiss.  ``seed``: of the chance."""

    id: RequestId
    competition: TableId
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class ListCompetitions(Message, frozen=True, kw_only=True, tag="list_competitions"):
    """Every competition, the latest first; answered by ``competitions``."""

    id: RequestId


class GetCompetition(Message, frozen=True, kw_only=True, tag="get_competition"):
    """One competition as it stands; answered by ``competition``.  ``log``: with its log."""

    id: RequestId
    competition: TableId
    log: bool = False


LeagueRequest = (
    OpenCompetition | EnterAct | DrawCompetition | ListCompetitions | GetCompetition
)  # fmt: skip


class CompetitionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A competition in the list."""

    competition: str
    name: str
    format: str
    status: Literal["entries", "drawn", "over"]
    entrants: int


class Competitions(Message, frozen=True, kw_only=True, tag="competitions"):
    """The list."""

    re: int
    competitions: tuple[CompetitionSummary, ...]


class ChartStep(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a handicap's chart: from this difference of ratings the two races, the stronger's
    first."""

    from_difference: float
    races: tuple[int, int]


class CompetitionShown(Message, frozen=True, kw_only=True, tag="competition"):
    """A competition as it stands.

    ``calls``: matches at stations; ``paused``: none is called now; ``estimates``: when matches are
    likely to run; ``log``: empty unless it was asked for; ``chart``: of a handicap.
    """

    re: int
    competition: str
    settings: dict[str, Any]
    entrants: tuple[dict[str, Any], ...]
    fixtures: tuple[dict[str, Any], ...]
    calls: tuple[dict[str, Any], ...]
    estimates: tuple[dict[str, Any], ...]
    standings: tuple[dict[str, Any], ...]
    placings: tuple[dict[str, Any], ...]
    log: tuple[dict[str, Any], ...]
    paused: bool = False
    chart: tuple[ChartStep, ...] = ()


class CorrectionFollows(Message, frozen=True, kw_only=True, tag="consequences"):
    """What would follow from a correction; nothing has changed."""

    re: int
    weight: Literal["none", "waiting", "settled"]
    touched: tuple[dict[str, Any], ...]
    rounds_stand: tuple[int, ...]


class MatchCalled(Message, frozen=True, kw_only=True, tag="match_called"):
    """The receiver's match is called to a station, or begins: then ``table`` names its table.

    ``due``: Unix time from when on lateness counts; ``late_s``: who isn't there so long after it
    is late.  ``races``: his own and his opponent's; ``why`` they are these, with the ``ratings`` of
    both and the whole ``chart`` where there is a handicap.
    """

    competition: str
    name: str
    match: str
    station: str
    opponent: str
    due: float
    late_s: float
    races: tuple[int, int]
    why: str
    table: str | None = None
    ratings: tuple[float | None, float | None] = (None, None)
    chart: tuple[ChartStep, ...] = ()


class MatchCallOver(Message, frozen=True, kw_only=True, tag="match_call_over"):
    """The receiver's match is not called to its station any more.

    ``waits``: it is to be played, and will be called again; else it is settled without being
    played (somebody has left, an official has entered what it gave), or others meet.
    """

    competition: str
    name: str
    match: str
    opponent: str
    waits: bool
