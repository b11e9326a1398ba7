"""What the last shot meant, and what has just happened, in lines to read."""

from collections.abc import Iterable

from client.hud.model import Tone
from client.hud.points import points_line
from client.net.view import TableView
from client.words import decimal, say
from shared_rules import announcements as a
from shared_rules.state import Foul, Ruling, Seat
from shared_rules.wording import announcement_text, foul_text, lag_fault_text

Line = tuple[str, Tone]


def ruling_lines(language: str, view: TableView) -> tuple[Line, ...]:
    """The last ruling, with the rule that decided it; empty before the first."""
    ruling = view.state.last_ruling if view.state is not None else None
    if ruling is None:
        return ()
    if ruling.lag_winner is not None or ruling.relag:
        return tuple(_lag_lines(language, view, ruling))
    return tuple(_shot_lines(language, view, ruling))


def _lag_lines(language: str, view: TableView, ruling: Ruling) -> Iterable[Line]:
    if ruling.relag:
        yield say(language, "ruled_relag"), "note"
    else:
        yield _named(language, "ruled_lag", view, ruling.lag_winner), "good"
    faults = ruling.lag_fouls or ((), ())
    gaps = ruling.gaps_mm or (None, None)
    for seat, (gap, codes) in enumerate(zip(gaps, faults, strict=True)):
        name = view.name_of(seat)  # type: ignore[arg-type]
        for code in codes:
            fault = lag_fault_text(code, language)
            yield say(language, "ruled_lag_fault", name=name, fault=fault), "bad"
        if gap is not None and not codes:
            cm = decimal(language, gap / 10, 1)
            yield say(language, "ruled_gap", name=name, cm=cm), "note"


def _shot_lines(language: str, view: TableView, ruling: Ruling) -> Iterable[Line]:
    for foul in ruling.fouls:
        yield foul_text(foul, language), "bad"
        yield _rule(language, foul, ruling.moments.get(foul.code)), "note"
    if ruling.fouls and not ruling.counted:
        yield say(language, "ruled_not_counted"), "note"
    if ruling.illegal_break:
        yield say(language, "ruled_illegal_break"), "bad"
    if not ruling.fouls:
        yield say(language, "ruled_push_out" if ruling.push_out else "ruled_good"), "good"
    first = () if ruling.first_contact is None else (ruling.first_contact,)
    yield from points_line(ruling, language)
    for key, balls in (
        ("ruled_first", first),
        ("ruled_railed", ruling.railed),
        ("ruled_pocketed", ruling.pocketed),
        ("ruled_off", ruling.off_table),
        ("ruled_spotted", ruling.spotted),
    ):
        if balls:
            yield say(language, key, balls=_balls(language, balls)), "plain"
    if ruling.next_player is not None:
        yield _named(language, "ruled_next", view, ruling.next_player), "plain"


def _rule(language: str, foul: Foul, moment: float | None) -> str:
    """The rule that was broken, and when in the shot."""
    if moment is None:
        return say(language, "rule", id=foul.rule_id)
    return say(language, "rule_at", id=foul.rule_id, s=decimal(language, moment, 1))


def _balls(language: str, balls: Iterable[int]) -> str:
    return ", ".join(say(language, "cue_ball") if n == 0 else str(n) for n in balls)


def _named(language: str, key: str, view: TableView, seat: Seat | None) -> str:
    return say(language, key, name=view.name_of(seat) if seat is not None else "–")


_TONES: dict[type, Tone] = {
    a.LagStroked: "plain",
    a.PushOutDeclared: "plain",
    a.Called: "plain",
    a.SnookerDeclared: "plain",
    a.GroupsSet: "good",
    a.Chosen: "plain",
    a.Racked: "plain",
    a.Reracking: "note",
    a.TwoFoulWarning: "bad",
    a.ShotVoided: "bad",
    a.ClockImposed: "note",
    a.SlowPlayWarned: "bad",
    a.ClockRanOut: "bad",
    a.Credited: "note",
    a.ShotExtended: "note",
    a.TimeOutStarted: "plain",
    a.TimeOutEnded: "plain",
    a.Resumed: "plain",
    a.StalemateAgreed: "plain",
    a.PlacementWarned: "bad",
    a.NoProgressAnnounced: "note",
    a.BallsRestored: "note",
    a.FoulCalled: "bad",
    a.OfficialActed: "note",
    a.Claimed: "note",
    a.RulingRevised: "bad",
    a.GameWon: "good",
    a.SetWon: "good",
    a.MatchWon: "good",
}
"""Announcements that are said in passing; the rest is seen anyway."""


def spoken(language: str, view: TableView, said: a.Announcement) -> Line | None:
    """An announcement as a passing message; None for what is seen anyway."""
    tone = _TONES.get(type(said))
    if tone is None:
        return None
    names = (view.name_of(0), view.name_of(1))
    return announcement_text(said, language, names, say(language, "referee")), tone
