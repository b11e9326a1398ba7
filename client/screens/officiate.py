"""What a referee does at a table besides calling fouls: acts with their reason, on one page."""

from client.hud.entry import Entry
from client.hud.page import Beside, Heading, Page, Paragraph, Pick, Press, Widget
from client.net.session import Session
from client.play.permits import Permits
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen, stepped
from client.screens.window import Window
from client.screens.writing import MOST_REASON
from shared_rules import commands as c
from shared_rules.balls import CUE
from shared_rules.disciplines import discipline_of
from shared_rules.state import Seat

LIMITS_S = (20, 30, 45, 60, 90)
SCOPES = ("game", "set", "match")
CONDUCT = ("", "advice", "practice", "play_suspended")
"""Kinds of unsportsmanlike conduct: any, and those whose penalty a ruleset may fix (N9.9)."""
WITH_BALLS = {
    "restore": c.RestoreBalls, "disturbed": c.OutsideInterference,
    "wedged_in": c.ResolveWedged, "wedged_out": c.ResolveWedged,
}  # fmt: skip
PLAIN = {
    "again": c.OutsideInterference, "void": c.OutsideInterference, "uphold": c.UpholdJudgement,
    "slow": c.WarnSlowPlay, "clock": c.ImposeShotClock, "no_progress": c.AnnounceNoProgress,
    "stale": c.DeclareStalemate, "no_shot": c.DeclareStalemate,
}  # fmt: skip
AGAINST = {
    **{f"conduct_{kind}" if kind else "conduct": c.CallUnsportsmanlike for kind in CONDUCT},
    **{f"award_{scope}": c.AwardLoss for scope in SCOPES},
}


def order_of(
    act: str, seat: Seat, balls: tuple[int, ...], limit_s: int, reason: str, words: str
) -> c.RefereeCommand:
    """The command of an act.

    Args:
        seat: whom an act is against.
        balls: those that were chosen.
        words: the reason of an award that is given none, which needs one.
    """
    if act.startswith("conduct"):
        kind = act.removeprefix("conduct").removeprefix("_")
        return c.CallUnsportsmanlike(seat=seat, kind=kind, reason=reason)
    if act.startswith("award_"):
        scope = act.removeprefix("award_")
        return c.AwardLoss(seat=seat, scope=scope, reason=reason or words)  # type: ignore[arg-type]
    match act:
        case "restore":
            return c.RestoreBalls(balls=balls, reason=reason)
        case "disturbed":
            return c.OutsideInterference(affected=False, balls=balls, reason=reason)
        case "again":
            return c.OutsideInterference(affected=True, reason=reason)
        case "void":
            return c.OutsideInterference(affected=True, restorable=False, reason=reason)
        case "wedged_in":
            return c.ResolveWedged(over_opening=balls, reason=reason)
        case "wedged_out":
            return c.ResolveWedged(outside=balls, reason=reason)
        case "slow":
            return c.WarnSlowPlay(reason=reason)
        case "clock":
            return c.ImposeShotClock(limit_s=float(limit_s), reason=reason)
        case "no_progress":
            return c.AnnounceNoProgress(reason=reason)
        case "stale" | "no_shot":
            return c.DeclareStalemate(no_legal_shot=act == "no_shot", reason=reason)
        case "uphold":
            return c.UpholdJudgement(reason=reason)
    raise ValueError(f"there is no act {act!r}")


class OfficiateScreen(PageScreen):
    """Opened over the table by its referee; what was done leads back there."""

    def __init__(self, window: Window, session: Session) -> None:
        super().__init__(window)
        self.session = session
        self.entries = {"reason": Entry.of("", MOST_REASON)}
        self._seat: Seat = 0
        self._balls: frozenset[int] = frozenset()
        self._limit = 45
        self.focus = "reason"

    def page(self) -> Page:
        """See the base class."""
        view = self.session.view
        names = (view.name_of(0), view.name_of(1)) if view is not None else ("–", "–")
        other = names[1 - self._seat]
        against: list[Widget] = [
            Heading(self.say("ref_against")),
            Pick("seat", self.say("ref_player"), names[self._seat]),
            *(self._act(act) for act in AGAINST if act.startswith("conduct")),
            *(self._act(f"award_{scope}", name=other) for scope in self._scopes()),
        ]
        balls: list[Widget] = [
            Heading(self.say("ref_balls")),
            Beside(tuple(
                Press(f"ball:{n}", self.say("cue_ball") if n == CUE else str(n),
                      on=n in self._balls)
                for n in self._on_table()
            )),
            *(self._act(act) for act in WITH_BALLS),
        ]  # fmt: skip
        play: list[Widget] = [
            Heading(self.say("ref_play")),
            *(self._act(act) for act in ("again", "void", "uphold", "slow")),
            Pick("limit", self.say("ref_limit"), self.say("seconds", n=self._limit)),
            *(self._act(act) for act in ("clock", "no_progress", "stale", "no_shot")),
        ]
        reason: list[Widget] = [
            self.field("reason", self.say("ref_reason"), self.say("ref_reason_hint")),
            Paragraph(self.say("ref_told"), "note", small=True),
        ]
        footer = (Press("back", self.say("back")),)
        return Page(self.say("ref_title"), ((*reason, *against), tuple(balls), tuple(play)), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        if action.startswith("ball:"):
            self._balls ^= {int(action.removeprefix("ball:"))}
            return None
        balls = tuple(n for n in self._on_table() if n in self._balls)
        self.session.play(
            order_of(
                action, self._seat, balls, self._limit, self.text("reason"),
                self.say("award_reason"),
            )
        )  # fmt: skip
        return Back()

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        if action == "seat":
            self._seat = 0 if self._seat else 1
        else:
            self._limit = stepped(LIMITS_S, self._limit, step)
        return None

    def submit(self, action: str) -> Move | None:
        """Enter in the line of the reason: on to what it is for."""
        self.focus = "seat"
        return None

    def _act(self, act: str, **values: object) -> Press:
        return Press(act, self.say(f"ref_{act}", **values), why_not=self._why_not(act))

    def _why_not(self, act: str) -> str:
        clock = self.session.clock
        now = clock.now(self.window.clock()) if clock.known else None
        kind = {**AGAINST, **WITH_BALLS, **PLAIN}[act]
        why = Permits(self.session, self.window.language, now).why_not(kind)
        if not why and act in WITH_BALLS and not self._balls:
            return self.say("ref_choose_balls")
        return why

    def _scopes(self) -> tuple[str, ...]:
        """What can be lost: a set only where sets are played."""
        view = self.session.view
        state = view.state if view is not None else None
        sets = state is not None and state.description.ruleset.match.sets_to_win > 1
        return SCOPES if sets else ("game", "match")

    def _on_table(self) -> tuple[int, ...]:
        """The balls that an act can name, those that fell with the last stroke too."""
        view = self.session.view
        if view is None or view.state is None or not view.state.racked:
            return ()
        return (CUE, *discipline_of(view.state.description.ruleset).balls)
