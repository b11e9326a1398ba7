"""Ratings (Glicko-2), and why each has changed."""

from typing import Annotated

import msgspec

from shared_rules.messages.base import Message, RequestId, ShortText
from shared_rules.state import Name


class GetRating(Message, frozen=True, kw_only=True, tag="get_rating"):
    """Answered by ``rating``.  ``who``: None is oneself; ``before``: a Unix time."""

    id: RequestId
    who: Name | None = None
    discipline: ShortText | None = None
    before: Annotated[float, msgspec.Meta(ge=0.0, le=1e12)] | None = None
    most: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20


class RatingNow(msgspec.Struct, frozen=True, kw_only=True):
    """A rating; ``provisional``: little is known yet.  ``matches``: how many counted."""

    discipline: str
    rating: float
    deviation: float
    volatility: float
    provisional: bool
    matches: int


class RatingChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a match did to a rating, with all that it was reckoned from.  ``at``: Unix time.

    ``weight``: of a whole match, so much it counted; 0: an official has discounted it.
    """

    match: str
    discipline: str
    at: float
    opponent: str
    opponent_rating: float
    opponent_deviation: float
    expected: float
    score: float
    before_rating: float
    before_deviation: float
    before_volatility: float
    after_rating: float
    after_deviation: float
    after_volatility: float
    weight: float = 1.0


class RatingListed(Message, frozen=True, kw_only=True, tag="rating"):
    """``changes``: the latest first."""

    re: int
    name: str
    ratings: tuple[RatingNow, ...]
    changes: tuple[RatingChange, ...]
