"""Ball numbers, and the names that the JSON doors use for them.

Inside Headstring a ball is an ``int``: 0 the cue ball, 1 to 15 the object balls, and in a lag
``LAG_A`` and ``LAG_B``, the balls of the players in seats 0 and 1.
"""

CUE = 0
LAG_A = 16
LAG_B = 17

_LAG_NAMES = {LAG_A: "LA", LAG_B: "LB"}
_NUMBERS = {str(n): n for n in range(16)} | {name: n for n, name in _LAG_NAMES.items()}


def ball_name(ball: int) -> str:
    """Name of a ball in JSON: ``"0"`` to ``"15"``, ``"LA"``, ``"LB"``.

    Raises:
        ValueError: there is no such ball.
    """
    name = _LAG_NAMES.get(ball, str(ball))
    if name not in _NUMBERS:
        raise ValueError(f"there is no ball {ball!r}")
    return name


def ball_number(name: str | int) -> int:
    """Ball of a name (or number) as the JSON doors write it.

    Raises:
        ValueError: there is no such ball.
    """
    number = _NUMBERS.get(str(name)) if not isinstance(name, bool) else None
    if number is None:
        raise ValueError(f"there is no ball {name!r}: balls are 0 to 15, or LA and LB in a lag")
    return number
