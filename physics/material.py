"""Friction and restitution of cloth, balls and cushions: the reference set and its overrides."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MarlowFriction:
    """Ball-ball friction at slip ``s`` (m/s): ``a + b exp(-c s)``.

    The defaults are Alciatore's fit (TP A.14) of the points of Marlow 1994, REFERENCES 3.
    A constant coefficient has ``b = 0``.
    """

    a: float = 9.951e-3
    b: float = 0.108
    c: float = 1.088

    @classmethod
    def constant(cls, mu: float) -> "MarlowFriction":
        """Friction that does not depend on the slip."""
        return cls(mu, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Material:
    """Coefficients of the set REF (REFERENCES 0), in SI.

    ``spin_decel`` is the loss of spin about the vertical, rad/s^2.  ``e_cushion`` None is the
    engine's own law, which falls with speed (``physics.cushion_contact``); a number is constant.
    """

    mu_slide: float = 0.20
    mu_roll: float = 0.010
    spin_decel: float = 10.0
    e_ball: float = 0.95
    mu_ball: MarlowFriction = field(default_factory=MarlowFriction)
    e_cushion: float | None = None
    mu_cushion: float = 0.14
    e_bed: float = 0.5
    g: float = 9.81
