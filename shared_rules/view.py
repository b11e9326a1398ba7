"""What of a match may be shown to whom: the other side's lag stroke stays unseen (N9.1.1).

``last_shot`` is shown to nobody: it is as large as the rest, and only judging again needs it.
"""

from msgspec.structs import replace

from shared_rules.state import MatchState, Seat


def public_state(state: MatchState, seat: Seat | None) -> MatchState:
    """The match as ``seat`` may see it; None is everyone else.

    A committed lag stroke is shown to its own player alone; ``lag.struck`` says that it is in.
    Once both are in they are played, and ``running`` shows them to all.
    """
    if state.last_shot is not None:
        state = replace(state, last_shot=None)
    lag = state.lag
    if lag is None:
        return state
    shown = (lag.strokes[0] if seat == 0 else None, lag.strokes[1] if seat == 1 else None)
    return replace(state, lag=replace(lag, strokes=shown))
