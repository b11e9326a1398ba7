"""The fold of all rated matches: a change in its middle gives what playing it so would have."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.rating.fold import Contest, Fold, Terms, folded
from server.storage.ratings import RatingRow

PEOPLE = ("ann", "bob", "cid", "dan")
WORTH = (Terms(), Terms(0.25), Terms(1.0, discounted=True))
GAMES = st.lists(st.tuples(st.permutations(PEOPLE), st.integers(0, 1)), min_size=2, max_size=12)


def _played(games: list[tuple[list[str], int]], without: int | None = None) -> list[RatingRow]:
    fold, rows = Fold(), []
    for person in PEOPLE:
        fold.begin(person, None)
    for number, (people, winner) in enumerate(games, start=1):
        if number != without:
            pair = tuple(sorted(people[:2]))
            contest = Contest(f"m{number}", "nine_ball", (pair[0], pair[1]))
            rows += fold.play(contest, number, number * 86_400.0, winner, WORTH[number % 3])
    return rows


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(GAMES, st.data())
def test_a_match_taken_out_leaves_what_had_been_without_it(
    games: list[tuple[list[str], int]], data: st.DataObject
) -> None:
    gone = data.draw(st.integers(1, len(games)))
    rows, wanted = _played(games), _played(games, without=gone)
    before = [row for row in rows if row.number < gone]
    fold = Fold()
    for person in games[gone - 1][0][:2]:
        mine = [row for row in before if row.person == person]
        fold.begin(person, mine[-1] if mine else None)
    statements = folded(fold, [row for row in rows if row.number > gone])
    for person, (rating, *_) in fold.standings.items():
        last = [row for row in wanted if row.person == person]
        found = (rating.value, rating.deviation, rating.volatility)
        end = last[-1] if last else None
        want = (
            (end.after_rating, end.after_deviation, end.after_volatility)
            if end is not None
            else (1500.0, 350.0, 0.06)
        )
        assert found == want, person
    told = {(row.match, row.person): row for row in rows}
    different = [row for row in wanted if told[row.match, row.person] != row]
    assert len(statements) == len(different)
