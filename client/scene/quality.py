"""How much the picture may cost: three tiers, from software drawing to a good graphics card."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Quality:
    """What a tier draws.

    Attributes:
        name: ``low``, ``medium`` or ``high``.
        level: 0, 1 or 2; the shaders see it as ``QUALITY``.
        ball_facets: rings of a ball's mesh from pole to pole.
        arc_steps: straight pieces along a pocket's round edge.
        samples: samples a pixel that suit the tier where a graphics card draws.
    """

    name: str
    level: int
    ball_facets: int
    arc_steps: int
    samples: int


QUALITIES = {
    "low": Quality("low", 0, 14, 20, 0),
    "medium": Quality("medium", 1, 20, 32, 4),
    "high": Quality("high", 2, 28, 48, 8),
}


def quality(name: str) -> Quality:
    """The tier of a name.

    Raises:
        ValueError: there is no such tier.
    """
    if name not in QUALITIES:
        raise ValueError(f"there is no quality {name!r}: {', '.join(QUALITIES)}")
    return QUALITIES[name]
