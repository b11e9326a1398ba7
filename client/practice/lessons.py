"""The first five shots: how to aim, how hard, english and draw, ball in hand, a call.  As data."""

from client.practice.drills import CORNER, TABLE, R, diagonal, straight
from client.practice.goals import Called, Disc, EndsIn, Pots, Strip
from client.practice.layout import TableLayout
from client.practice.run import Course, Stage
from shared_rules.balls import CUE
from shared_rules.table import Position

_BACK = diagonal(0.45 + 2 * R + 0.30)

LESSONS = Course(
    "first_shots",
    (
        Stage(straight(0.30, 0.50), (Pots(1, CORNER),), off_deg=4.0, words="lesson_aim"),
        Stage(
            TableLayout(TABLE, {CUE: Position(-0.70, -0.15)}),
            (EndsIn(Strip(0.45, 1.10, -0.45, 0.45)),),
            speed=0.35, words="lesson_power",
        ),
        Stage(
            straight(0.45, 0.35),
            (Pots(1, CORNER), EndsIn(Disc(_BACK.x, _BACK.y, 0.26))),
            words="lesson_spin",
        ),
        Stage(
            TableLayout(
                TABLE,
                {
                    1: Position(0.95, 0.42), 2: Position(0.55, 0.12), 3: Position(0.60, 0.30),
                    4: Position(0.30, 0.10), 5: Position(0.62, -0.05),
                },
            ),
            (Pots(1, CORNER),),
            hand=True, words="lesson_hand",
        ),
        Stage(
            TableLayout(
                TABLE,
                {
                    CUE: Position(0.35, -0.05), 2: Position(0.80, 0.30), 6: Position(0.75, -0.38),
                    11: Position(0.10, 0.45),
                },
            ),
            (Called(),),
            calls=True, words="lesson_call",
        ),
    ),
    "lesson",
)  # fmt: skip
