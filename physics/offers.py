"""The earliest thing known so far that a ball meets."""

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import FEATURE, FEATURE_ID, FEATURE_T, NEVER, T0

Array = NDArray[np.float64]


@kernel("void(f8[:,::1], i8, f8, i8, i8)")
def offer(s: Array, i: int, t: float, kind: int, number: int) -> None:
    """Keep the earlier of the feature known and this one (``t`` after T0)."""
    if t < NEVER and s[i, T0] + t < s[i, FEATURE_T]:
        s[i, FEATURE_T] = s[i, T0] + t
        s[i, FEATURE] = kind
        s[i, FEATURE_ID] = number
