"""Rulings between the players, where no referee sits (N9.9a).

What a referee would do on his own needs both: one claims it, the other agrees or does not.  While
he decides, play stands still; if he says nothing it goes on as if nothing had been asked.  Only
where he is said to play too slowly his silence agrees: he would else stop every clock by sitting
still.
"""

from msgspec.structs import replace

from shared_rules import commands as c
from shared_rules.announcements import Announcement, Claimed
from shared_rules.clocks import paused, resumed, started
from shared_rules.order_of_play import other
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Interrupted, MatchState, Option, Phase, Seat
from shared_rules.turns import taken_up_again, with_flag


def check_claimable(state: MatchState, seat: Seat) -> None:
    """Refuse a claim where a referee sits, or a second one on the same stroke.

    Raises:
        Refusal: ``not_allowed`` or ``wrong_state``.
    """
    described = state.description
    if described.referee or described.ruleset.unrefereed == "none":
        raise Refusal(Code.NOT_ALLOWED, "at this table the players do not settle rulings")
    if state.claimed[seat]:
        raise Refusal(Code.WRONG_STATE, "you have asked already; ask again after the next stroke")


def claim(
    state: MatchState, seat: Seat, command: c.Claim, at: float, say: list[Announcement]
) -> MatchState:
    """The opponent is asked; the clock that ran stands still meanwhile."""
    say.append(Claimed(seat=seat, act=command.act))
    held = Interrupted(
        phase=state.phase,
        shooter=state.shooter,
        decider=state.decider,
        options=state.options,
        remaining=paused(state, at).remaining,
    )
    state = replace(
        state,
        phase=Phase.DECIDE_CLAIM,
        decider=other(seat),
        options=_answers(command.act),
        interrupted=held,
        claim=command.act,
        claimed=with_flag(state.claimed, seat, True),
    )
    return started(state, at)


def _answers(act: c.Claimable) -> tuple[Option, Option]:
    """What may be said to a claim; the first is what silence says (the clock takes it)."""
    if isinstance(act, c.WarnSlowPlay | c.ImposeShotClock):
        return Option.AGREE, Option.DISAGREE
    return Option.DISAGREE, Option.AGREE


def withdrawn(state: MatchState, at: float) -> MatchState:
    """Play goes on where the claim has stopped it, with what was left of its clock."""
    held = state.interrupted
    assert held is not None  # DECIDE_CLAIM is entered with it
    state = replace(
        taken_up_again(state),
        claim=None,
        clock=replace(state.clock, deadline=None, purpose=None, remaining=held.remaining),
    )
    return resumed(state, at)
