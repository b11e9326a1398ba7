"""The fold that all ratings of a discipline are: matches in the order of their ends, one by one.

No database and no clock here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import structs
from sqlalchemy import Executable

from server.rating.glicko import Rating, Result, aged, expected_score, rated
from server.storage.ratings import RatingRow, changed

PERIOD_S = 7 * 86_400.0
"""The rating period, in which the deviation of who doesn't play grows by one volatility."""


@dataclass(frozen=True)
class Contest:
    """A match that is rated: whose, in which discipline, and how late others see its table."""

    match: str
    discipline: str
    players: tuple[str, str]
    delay_s: float = 0.0


class Terms(NamedTuple):
    """What a match is worth, and when others than its players may know of it (server's clock)."""

    weight: float = 1.0
    discounted: bool = False
    shown_at: float = 0.0


class Standing(NamedTuple):
    """Somebody's rating, when he played last, against whom, and from when on who may know it."""

    rating: Rating = Rating()
    played_at: float | None = None
    opponent: str = ""
    shown_from: float = 0.0
    told_from: float = 0.0

    def known_to(self, other: str) -> float:
        """From when on the other may know of it: what he has played himself he knows at once."""
        return self.told_from if other == self.opponent else self.shown_from


class Fold:
    """``standings``: of those whom the change concerns."""

    def __init__(self) -> None:
        self.standings: dict[str, Standing] = {}

    def begin(self, person: str, row: RatingRow | None) -> None:
        """He comes to it with what this row has left him; None: he is new."""
        self.standings[person] = Standing() if row is None else _standing(row)

    def play(
        self, contest: Contest, number: int, at: float, winner: int, terms: Terms
    ) -> list[RatingRow]:
        """Both rows of a match; the standings are as after it."""
        before = [self._at(person, at) for person in contest.players]
        were = [self.standings[person] for person in contest.players]
        share = 0.0 if terms.discounted else terms.weight
        shown_from = max(terms.shown_at, *(was.shown_from for was in were))
        made = []
        for seat, person in enumerate(contest.players):
            mine, other = before[seat], before[1 - seat]
            score = 1.0 if seat == winner else 0.0
            after = rated(mine, [Result(other, score, share)])
            told_from = max(were[seat].told_from, were[1 - seat].known_to(person))
            made.append(
                RatingRow(
                    match=contest.match,
                    person=person,
                    discipline=contest.discipline,
                    number=number,
                    at=at,
                    opponent=contest.players[1 - seat],
                    score=score,
                    expected=expected_score(mine, other),
                    before_rating=mine.value,
                    before_deviation=mine.deviation,
                    before_volatility=mine.volatility,
                    after_rating=after.value,
                    after_deviation=after.deviation,
                    after_volatility=after.volatility,
                    opponent_rating=other.value,
                    opponent_deviation=other.deviation,
                    weight=terms.weight,
                    discounted=terms.discounted,
                    shown_from=shown_from,
                    told_from=told_from,
                )
            )
        for row in made:
            self.standings[row.person] = _standing(row)
        return made

    def _at(self, person: str, at: float) -> Rating:
        """The rating with which somebody begins a match."""
        standing = self.standings[person]
        if standing.played_at is None:
            return standing.rating
        return aged(standing.rating, (at - standing.played_at) / PERIOD_S)


def folded(fold: Fold, rows: Sequence[RatingRow]) -> list[Executable]:
    """Later matches once more, as far as the change reaches; two rows a match, together."""
    statements: list[Executable] = []
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        if first.person not in fold.standings and second.person not in fold.standings:
            continue
        for row in (first, second):
            if row.person not in fold.standings:  # as it was: nothing has changed for him so far
                fold.standings[row.person] = Standing(before(row))
        contest = Contest(first.match, first.discipline, (first.person, second.person))
        winner = 0 if first.score > second.score else 1
        terms = Terms(first.weight, first.discounted)
        made = [
            _known_as(new, old)
            for new, old in zip(
                fold.play(contest, first.number, first.at, winner, terms),
                (first, second),
                strict=True,
            )
        ]
        statements += [
            changed(new) for new, old in zip(made, (first, second), strict=True) if new != old
        ]
    return statements


def before(row: RatingRow) -> Rating:
    """The rating before a match."""
    return Rating(row.before_rating, row.before_deviation, row.before_volatility)


def after(row: RatingRow) -> Rating:
    """The rating after a match."""
    return Rating(row.after_rating, row.after_deviation, row.after_volatility)


def _known_as(new: RatingRow, old: RatingRow) -> RatingRow:
    """Reckoned anew, and known from when on it was to be known."""
    return structs.replace(new, shown_from=old.shown_from, told_from=old.told_from)


def _standing(row: RatingRow) -> Standing:
    return Standing(after(row), row.at, row.opponent, row.shown_from, row.told_from)
