"""The limits within which physics reports a shot, as a ruleset sets them, in SI units.

The names are those of the arguments of ``physics.simulation.simulate``, so that a server that
plays a stroke and a bot that imagines it are told the same of it.
"""

from dataclasses import asdict, dataclass
from typing import Any

from shared_rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Limits:
    """What counts as a tie, as touching, as leaving a rail, as a push and as a jump (ambiguity 60).

    ``tie_window`` and ``long_contact`` in s, ``frozen_tolerance`` and ``leaves_rail`` in m,
    ``graze_deg`` a cut angle.  ``upper_tip``: most of the tip must be above the equator of a cue
    ball that is to jump (N9.4.7), else only its middle.
    """

    tie_window: float = 0.0005
    frozen_tolerance: float = 1e-4
    leaves_rail: float = 5e-4
    long_contact: float = 0.004
    graze_deg: float = 75.0
    upper_tip: bool = True

    def arguments(self) -> dict[str, Any]:
        """As keyword arguments."""
        return asdict(self)


def limits_of(ruleset: Ruleset) -> Limits:
    """The limits of a ruleset's ``tolerance`` and ``jump.tip_rule``."""
    tolerance = ruleset.tolerance
    return Limits(
        tie_window=tolerance.tie_ms / 1000,
        frozen_tolerance=tolerance.frozen_mm / 1000,
        leaves_rail=tolerance.leaves_rail_mm / 1000,
        long_contact=tolerance.push_ms / 1000,
        graze_deg=tolerance.graze_deg,
        upper_tip=ruleset.jump.tip_rule == "upper_three_quarters",
    )
