"""What is counted of a match: strokes, pots, breaks, runs; a ruling taken back counts not."""

from typing import Any

from server.web.board.figures import Figures, figures_of
from shared_rules.replay import Told

BALLS = {0: (-0.8, 0.0), 1: (0.5, 0.0), 9: (0.6, 0.2)}


def told(*said: dict[str, Any], **changes: Any) -> Told:
    return Told(by="server", announcements=said, changes=changes)


def racked(breaker: int) -> Told:
    return told({"a": "racked", "rack": 1, "breaker": breaker}, is_break=True)


def stroke(seat: int, *potted: int, goes_on: bool, foul: bool = False, **ruling: Any) -> list[Told]:
    """A stroke and its ruling; after it nobody breaks."""
    strokes = ((0, 0.0, {"heading_deg": 0.0}),)
    judged = {
        "shot": 1, "shooter": seat, "pocketed": potted, "fouls": [{"code": "5a"}] if foul else [],
        "next_player": seat if goes_on else 1 - seat, "first_contact": 1,
    }  # fmt: skip
    return [
        told({"a": "struck", "shot": 1, "strokes": strokes}, shooter=seat, balls=BALLS),
        told({"a": "judged", "ruling": judged | ruling}, is_break=False),
    ]


def counted(*records: Told) -> tuple[Figures, Figures]:
    return figures_of("M", "9ft", ("a", "b"), [(float(n), one) for n, one in enumerate(records)])


def won(seat: int) -> Told:
    return told({"a": "game_won", "seat": seat, "reason": "nine"})


def test_a_break_and_a_run_out() -> None:
    records = [racked(0), *stroke(0, 3, goes_on=True), *stroke(0, 1, 2, goes_on=True),
               *stroke(0, 9, goes_on=True), won(0)]  # fmt: skip
    one, other = counted(*records)
    assert (one.strokes, one.visits, one.potted, one.longest) == (3, 1, 4, 4)
    assert (one.breaks, one.break_made, one.break_fouls) == (1, 1, 0)
    assert (one.racks, one.runouts, one.cleared) == (1, 1, 0)
    assert other == Figures(racks_lost=1)


def test_visits_fouls_and_a_rack_cleared_after_the_others_dry_break() -> None:
    records = [racked(0), *stroke(0, goes_on=False), *stroke(1, 1, goes_on=True),
               *stroke(1, 9, goes_on=True), won(1)]  # fmt: skip
    one, other = counted(*records)
    assert (one.visits, one.break_made, one.safe) == (1, 0, 0)
    assert (other.runouts, other.cleared, other.longest) == (0, 1, 2)
    records = [racked(0), *stroke(0, 1, goes_on=False, foul=True), *stroke(1, goes_on=False),
               *stroke(0, 2, goes_on=True), *stroke(0, goes_on=False)]  # fmt: skip
    one, other = counted(*records)
    assert (one.fouls, one.break_fouls, one.potted, one.visits, one.longest) == (1, 1, 1, 2, 1)
    assert (other.safe, one.safe) == (1, 1)


def test_a_ruling_that_is_revised_counts_once_and_a_stroke_played_again_not() -> None:
    first = stroke(0, 1, goes_on=True)
    again = told(
        {"a": "ruling_revised", "shot": 1},
        {"a": "judged", "ruling": {"shot": 1, "shooter": 0, "pocketed": (1,), "next_player": 1,
                                   "fouls": [{"code": "6.1"}], "first_contact": 1}},
    )  # fmt: skip
    one, _ = counted(racked(0), *first, again)
    assert (one.strokes, one.fouls, one.potted, one.visits) == (1, 1, 0, 1)
    one, _ = counted(racked(0), *stroke(0, 1, goes_on=True, replay=True))
    assert one.strokes == 0


def test_lags_are_no_strokes() -> None:
    lag = {"shot": 1, "shooter": None, "lag_winner": 0, "pocketed": (), "fouls": ()}
    assert counted(told({"a": "judged", "ruling": lag})) == (Figures(), Figures())
