"""Arithmetic whose result is the same to the last bit, compiled or not.

Kernels are compiled, or run as plain Python until they are (``physics.interpreted``), and a shot's
bytes may not tell which.  IEEE 754 says what + - * / and the square root give, so kernels are made
of these; ``math.hypot`` is one thing in Python and another in the C library.
"""

from math import sqrt

from physics.compiled import kernel


@kernel("f8(f8, f8)")
def length(x: float, y: float) -> float:
    """Length of the vector (x, y): ``math.hypot`` without its care for very large numbers."""
    return sqrt(x * x + y * y)
