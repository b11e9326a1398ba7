"""Every acceptance target by its id: the function that poses and measures it."""

from collections.abc import Callable, Mapping

from benchmarks.figures import balls, cloth, rails, tables

MEASURES: Mapping[str, Callable[[], object]] = {
    name.upper(): getattr(module, name)
    for module, names in (
        (cloth, "a01 a02 a03 a05 a06 a08 a09 a11 a12 a13 a14 a15 a16"),
        (balls, "b01 b02 b03 b04 b06 b08 b09 b10 b12 b14 b15 b17 b18 b19 b20 b23"),
        (rails, "k01 k02 k03 k04 k07 k10 k11 k12 k13 s01 s02 s04"),
        (tables, "r01 r02 r04 p01 p02 p04 p07 d01"),
    )
    for name in names.split()
}
