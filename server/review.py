"""How well each player pots, beside how hard it was and how long he aimed: for a referee's eyes.

A modified client that draws the whole aiming line leaves a trace: balls go in at cuts and distances
where people miss.  This reads what was told of stored matches, finds the strokes that were meant to
pot a ball, and says of each player how often he did, by difficulty, against all others.  It is
statistics: it shows where to look, proves nothing and leads to nothing by itself.
"""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from physics.pots import Pot, angle_between, pots_on
from physics.table import TABLES, TableSpec
from shared_rules.balls import CUE
from shared_rules.replay import Told
from shared_rules.state import Phase

SLACK_DEG = (0.25, 0.5, 1.0, 2.0)
"""Bounds of the classes of difficulty: how far off the heading may be, the hardest class first."""
_MEANT_DEG, _MEANT_SLACKS = 2.0, 3.0
_SHOT_PHASES = {
    Phase.AWAIT_SHOT.value, Phase.FREE_SHOT.value, Phase.PLACE_CUE_ANYWHERE.value,
    Phase.PLACE_CUE_HEAD.value, Phase.PLACE_CUE_BAULK.value,
}  # fmt: skip
LEAST_ATTEMPTS = 100
LOOK_AT_SIGMAS = 4.0
_ERRORS_DEG = [0.01 * 1.1**n for n in range(80)]


class Record(NamedTuple):
    """What was told of one order, at ``at`` of the server's clock."""

    at: float
    told: Told


@dataclass(frozen=True)
class Attempt:
    """A stroke that was meant to pot a ball.

    ``slack_deg``: how far off the cue's heading could have been, by geometry; ``aim_s``: from the
    beginning of the turn to the stroke.
    """

    match: str
    person: str
    shot: int
    ball: int
    pocket: str
    slack_deg: float
    cut_deg: float
    aim_s: float
    made: bool


@dataclass(frozen=True)
class Review:
    """What a player's attempts say.

    ``classes``: attempts and pots by difficulty, the hardest first.  ``expected``: pots that the
    others would have made of the same attempts; ``sigmas``: by how many standard deviations he made
    more.  ``error_deg``: the standard deviation of a heading that pots as often as he does.
    """

    person: str
    attempts: int
    made: int
    classes: tuple[tuple[int, int], ...]
    expected: float
    sigmas: float
    error_deg: float
    aim_s: float
    hard_aim_s: float | None

    @property
    def look(self) -> bool:
        """Whether a referee should look at his shots."""
        return self.attempts >= LEAST_ATTEMPTS and self.sigmas >= LOOK_AT_SIGMAS


# --- attempts -------------------------------------------------------------------------------------


def attempts_of(
    match: str, preset: str, seats: Sequence[str | None], records: Iterable[Record]
) -> list[Attempt]:
    """The strokes of a match that were meant to pot, in order.

    ``seats``: the ids of its players.  Breaks, lags, and strokes that point at no pot are left out.
    """
    table = TABLES[preset]
    found: list[Attempt] = []
    state: dict[str, Any] = {}
    turn: tuple[object, ...] = ()
    turn_at = 0.0
    struck: tuple[int, str, float, float, Mapping[int, tuple[float, float]]] | None = None
    for at, told in records:
        for said in told.announcements:
            if said.get("a") == "struck":
                struck = _struck(said, state, seats, at - turn_at)
            elif said.get("a") == "judged" and struck is not None:
                shot, person, heading_deg, aim_s, balls = struck
                ruling, struck = said["ruling"], None
                pot = _meant(balls, ruling.get("first_contact"), heading_deg, table)
                if pot is None or ruling.get("replay"):
                    continue
                made = (ruling.get("pockets") or {}).get(pot.ball) == pot.pocket
                found.append(
                    Attempt(match, person, shot, pot.ball, pot.pocket, pot.slack_deg, pot.cut_deg,
                            aim_s, made)
                )  # fmt: skip
        state.update(told.changes)
        now = (state.get("phase"), state.get("shooter"), state.get("shot_number"))
        if now != turn:
            turn, turn_at = now, at
    return found


def _struck(
    said: Mapping[str, Any], state: Mapping[str, Any], seats: Sequence[str | None], aim_s: float
) -> tuple[int, str, float, float, Mapping[int, tuple[float, float]]] | None:
    """A stroke at the cue ball by a player, with the table before it; None: something else."""
    strokes, shooter = said["strokes"], state.get("shooter")
    if state.get("phase") not in _SHOT_PHASES or len(strokes) != 1 or shooter not in (0, 1):
        return None
    ball, _, stroke = strokes[0]
    person = seats[shooter]
    balls = {int(n): (p[0], p[1]) for n, p in state["balls"].items()}
    if ball != CUE or CUE not in balls or person is None:
        return None
    return said["shot"], person, stroke["heading_deg"], aim_s, balls


def _meant(
    balls: Mapping[int, tuple[float, float]],
    first: int | None,
    heading_deg: float,
    table: TableSpec,
) -> Pot | None:
    """The pot that a stroke pointed at, of the ball that it met first; of any if it met none."""
    targets = [n for n in balls if n != CUE] if first is None else [first]
    near: list[tuple[float, Pot]] = []
    for ball in targets:
        for pot in pots_on(balls, ball, table) if ball in balls else ():
            off = abs(angle_between(pot.heading_deg, heading_deg))
            if off <= max(_MEANT_DEG, _MEANT_SLACKS * pot.slack_deg):
                near.append((off, pot))
    return min(near, key=lambda one: one[0])[1] if near else None


# --- what they say --------------------------------------------------------------------------------


def class_of(slack_deg: float) -> int:
    """The class of difficulty, 0 the hardest."""
    return sum(slack_deg >= bound for bound in SLACK_DEG)


def reviews_of(attempts: Iterable[Attempt]) -> list[Review]:
    """Every player's review, the one who pots most beyond the others first."""
    by_person: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        by_person[attempt.person].append(attempt)
    counts = {person: _classes(mine) for person, mine in by_person.items()}
    everybody = [[sum(c[k][i] for c in counts.values()) for i in (0, 1)] for k in _KINDS]
    found = [_review(person, mine, counts[person], everybody) for person, mine in by_person.items()]
    return sorted(found, key=lambda review: (-review.sigmas, review.person))


_KINDS = range(len(SLACK_DEG) + 1)


def _classes(attempts: Sequence[Attempt]) -> tuple[tuple[int, int], ...]:
    counts = [[0, 0] for _ in _KINDS]
    for attempt in attempts:
        kind = counts[class_of(attempt.slack_deg)]
        kind[0] += 1
        kind[1] += attempt.made
    return tuple((n, made) for n, made in counts)


def _review(
    person: str,
    attempts: Sequence[Attempt],
    classes: tuple[tuple[int, int], ...],
    everybody: Sequence[Sequence[int]],
) -> Review:
    expected = variance = 0.0
    for (n, made), (n_all, made_all) in zip(classes, everybody, strict=True):
        others = n_all - n
        # Laplace's rule: without others to compare with, anything may be
        share = (made_all - made + 1) / (others + 2)
        expected += n * share
        variance += n * share * (1 - share) * (1 + n / (others + 3))
    made = sum(m for _, m in classes)
    hard = [a.aim_s for a in attempts if class_of(a.slack_deg) <= 1]
    return Review(
        person=person,
        attempts=len(attempts),
        made=made,
        classes=classes,
        expected=expected,
        sigmas=(made - expected) / math.sqrt(variance),
        error_deg=_error_deg(attempts),
        aim_s=statistics.median(a.aim_s for a in attempts),
        hard_aim_s=statistics.median(hard) if hard else None,
    )


def _error_deg(attempts: Sequence[Attempt]) -> float:
    """The most likely standard deviation of the heading: a pot is made if it errs within its slack.

    It holds all that makes somebody miss, so a careful player of the real table has 0.2 to 1.
    """

    def likelihood(error_deg: float) -> float:
        total = 0.0
        for attempt in attempts:
            chance = math.erf(attempt.slack_deg / (error_deg * math.sqrt(2)))
            chance = min(max(chance, 1e-6), 1 - 1e-6)
            total += math.log(chance if attempt.made else 1 - chance)
        return total

    return max(_ERRORS_DEG, key=likelihood)
