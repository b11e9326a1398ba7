"""What straight pool shows besides: points, runs, and how far it is to the next rack."""

from client.hud.model import Tone
from client.words import say
from shared_rules.balls import CUE
from shared_rules.state import MatchState, Phase, Ruling, Seat
from shared_rules.turns import on_the_brink
from shared_rules.wording import points_text


def scored(state: MatchState) -> bool:
    """Whether points are counted."""
    return state.description.ruleset.discipline == "straight_pool"


def score_text(points: int) -> str:
    """Points as they are read; they may be negative (S14.7d)."""
    return str(points).replace("-", "−")


def race_words(state: MatchState, language: str) -> str:
    """What is played for."""
    rules = state.description.ruleset
    if not scored(state):
        return _race(state, language)
    words = say(language, "race_points", n=rules.target)
    left = to_the_rack(state)
    if left is not None:
        words += " · " + say(language, "to_the_rack", n=left)
    if rules.match.games_to_win > 1:
        if rules.match.races is not None:
            words = _race(state, language) + " · " + words
        a, b = state.games
        words = say(language, "games_won", a=a, b=b) + " · " + words
    return words


def _race(state: MatchState, language: str) -> str:
    """Games and sets that are to be won, of each where they differ."""
    match = state.description.ruleset.match
    sets, races = state.sets, match.races
    if match.sets_to_win == 1:
        if races is None:
            return say(language, "race", n=match.games_to_win)
        return say(language, "race_each", a=races[0], b=races[1])
    words = say(language, "race_sets", n=match.games_to_win, a=sets[0], b=sets[1])
    if races is not None:
        words += " · " + say(language, "race_sets_each", a=races[0], b=races[1])
    return words


def to_the_rack(state: MatchState) -> int | None:
    """Balls to pocket before the next fourteen are racked; None while nothing is racked."""
    if not state.racked or state.phase is Phase.RERACK:
        return None
    return max(0, sum(ball != CUE for ball in state.balls) - 1)


def run_words(state: MatchState, seat: Seat, language: str) -> str:
    """The run of the player at the table; empty for who has none."""
    if not scored(state) or state.shooter != seat or state.run == 0:
        return ""
    return say(language, "run", n=state.run)


def three_foul_words(state: MatchState, seat: Seat, language: str) -> str:
    """What one more foul costs a player who is on two; empty for who is not."""
    if not on_the_brink(state, seat):
        return ""
    rules = state.description.ruleset
    if rules.three_foul.penalty == "loss_of_game":
        return say(language, "three_foul_hint")
    lost = -(rules.points.foul + rules.points.third_foul)
    return say(language, "three_foul_points", n=lost)


def points_line(ruling: Ruling, language: str) -> tuple[tuple[str, Tone], ...]:
    """Points won or lost by a stroke, as a line to read."""
    if not ruling.points:
        return ()
    return ((points_text(ruling.points, language), "good" if ruling.points > 0 else "bad"),)


def score_of(state: MatchState) -> str:
    """The score of a match: sets, games, or the points of its only game."""
    rules = state.description.ruleset.match
    if rules.sets_to_win > 1:
        return f"{state.sets[0]} : {state.sets[1]}"
    if rules.games_to_win > 1 or not scored(state):
        return f"{state.games[0]} : {state.games[1]}"
    return " : ".join(map(score_text, state.scores))


def final_score(state: MatchState, language: str) -> str:
    """How a match ended; with the longest runs where they are those of the whole match."""
    score = score_of(state)
    rules = state.description.ruleset.match
    if not scored(state) or max(rules.games_to_win, rules.sets_to_win) > 1:
        return score
    a, b = state.high_runs
    return f"{score} ({say(language, 'high_runs', a=a, b=b)})"
