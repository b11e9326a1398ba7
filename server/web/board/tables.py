"""Tables as the board shows them: what spectators have been shown, and nothing that is private."""

from typing import Any

import msgspec

from server.club.club import Club
from server.table import Table
from shared_rules.balls import LAG_A, LAG_B
from shared_rules.messages import ShotInFlight
from shared_rules.ruleset import Ruleset
from shared_rules.state import Clock, MatchState, Phase
from shared_rules.table import TableFrame
from shared_rules.wording import foul_text

Pair = tuple[int, int]


class PlayerAt(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a table; ``id``: of his page."""

    id: str
    name: str
    here: bool


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence in both languages."""

    en: str
    cs: str


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """Measures of the table, metres: what a picture of it needs."""

    length: float
    width: float
    ball_radius: float
    cue_ball_radius: float
    corner_mouth: float
    side_mouth: float


class TableShown(msgspec.Struct, frozen=True, kw_only=True):
    """A live table.  Times are the server's clock less ``delay_s``.

    ``race``: what wins the match (sets, games or points), ``score``: as far as each is; ``games``:
    of the running set, where sets decide.  ``shot``: the one that runs, its trajectory in base64.
    ``balls``: where they lie; while a shot runs, before it.
    """

    table: str
    station: str | None
    competition: str | None
    competition_name: str | None
    match: str | None
    ruleset: str
    discipline: str
    players: tuple[PlayerAt | None, PlayerAt | None]
    phase: str
    adjourned: bool
    shooter: int | None
    winner: int | None
    race: int
    score: Pair
    games: Pair | None
    groups: tuple[str, str] | None
    balls: dict[int, tuple[float, float]]
    frame: Frame
    deadline: float | None
    remaining: float | None
    clock_for: str | None
    shot: ShotInFlight | None
    fouls: tuple[Text, ...]
    delay_s: float


def is_shown(table: Table) -> bool:
    """Whether the board shows a table: everybody may watch it, and somebody is to play there."""
    return table.room.terms.watch == "everyone"


def table_shown(table: Table, club: Club, frame: TableFrame) -> TableShown:
    """A table as spectators have seen it last; ``frame``: of a table without a match yet."""
    room = table.room
    scene = room.watched
    state, terms = scene.state, room.terms
    at = club.at_table(table.id)
    rules = terms.ruleset
    players = tuple(
        None
        if person is None
        else PlayerAt(
            id=person.id,
            name=person.name,
            here=(member := scene.players[seat]) is not None and member.connected,
        )
        for seat, person in enumerate(room.seats)
    )
    return TableShown(
        table=table.id,
        station=None if at is None else club.station_of(at),
        competition=None if at is None else at.competition,
        competition_name=None if at is None else club.book.kept[at.competition].settings.name,
        match=None if at is None else at.match,
        ruleset=rules.id,
        discipline=rules.discipline,
        players=(players[0], players[1]),
        delay_s=terms.delay_s,
        adjourned=scene.adjourned,
        shot=scene.in_flight,
        **(_empty(frame) if state is None else _of_state(state)),
        race=_race(table),
    )


def _race(table: Table) -> int:
    rules = table.room.terms.ruleset
    if _by_points(rules):
        return rules.target
    return rules.match.sets_to_win if rules.match.sets_to_win > 1 else rules.match.games_to_win


def _by_points(rules: Ruleset) -> bool:
    """Whether points are what people look at: straight pool over a single game."""
    one = rules.match.sets_to_win == rules.match.games_to_win == 1
    return rules.discipline == "straight_pool" and one


def _score(state: MatchState) -> Pair:
    rules = state.description.ruleset
    if _by_points(rules):
        return state.scores
    return state.sets if rules.match.sets_to_win > 1 else state.games


def _empty(frame: TableFrame) -> dict[str, Any]:
    return {
        "phase": Phase.WAITING_FOR_PLAYERS.value, "shooter": None, "winner": None,
        "score": (0, 0), "games": None, "groups": None, "balls": {}, "frame": _frame(frame),
        "deadline": None, "remaining": None, "clock_for": None, "fouls": (),
    }  # fmt: skip


def _of_state(state: MatchState) -> dict[str, Any]:
    rules, clock = state.description.ruleset, state.clock
    sets = rules.match.sets_to_win > 1
    ruling = state.last_ruling
    fouls = ruling.fouls if ruling is not None and ruling.lag_fouls is None else ()
    return {
        "phase": state.phase.value,
        "shooter": state.shooter if state.decider is None else _seat(state.decider),
        "winner": state.winner,
        "score": _score(state),
        "games": state.games if sets else None,
        "groups": state.groups and tuple(group.value for group in state.groups),
        "balls": _balls(state),
        "frame": _frame(state.description.frame),
        "deadline": clock.deadline,
        "remaining": _remaining(clock),
        "clock_for": clock.purpose,
        "fouls": tuple(Text(en=foul_text(f, "en"), cs=foul_text(f, "cs")) for f in fouls),
    }


def _seat(decider: object) -> int | None:
    return decider if isinstance(decider, int) else None


def _remaining(clock: Clock) -> float | None:
    return clock.remaining if clock.deadline is None else None


def _balls(state: MatchState) -> dict[int, tuple[float, float]]:
    if state.lag is not None:
        first, second = state.lag.balls
        return {LAG_A: (first[0], first[1]), LAG_B: (second[0], second[1])}
    return {ball: (at[0], at[1]) for ball, at in state.balls.items()}


def _frame(frame: TableFrame) -> Frame:
    return Frame(
        length=frame.length,
        width=frame.width,
        ball_radius=frame.ball_radius,
        cue_ball_radius=frame.cue_ball_radius,
        corner_mouth=frame.corner_mouth,
        side_mouth=frame.side_mouth,
    )
