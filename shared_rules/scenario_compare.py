"""Where a ruling differs from what a scenario expects (``headstring judge --check``)."""

from typing import Any


def differences(ruling: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    """Where a ruling differs from what is expected, a sentence each (contract of ``--check``).

    Only the keys of ``expect`` are compared, ``notes`` aside; a key that the ruling lacks counts
    as null.  ``spotted`` compares in order, other lists as sets; numbers agree within 1e-6, ``u``
    and ``v`` within 1e-3, and ``u_min`` and ``u_max`` bound ``u``.
    """
    if ruling.get("status") != "ok":
        return [f"error {ruling.get('code')}: {ruling.get('message')}"]
    return _differ(ruling.get("outcome") or {}, expect, "")


def _differ(got: dict[str, Any], expect: dict[str, Any], path: str) -> list[str]:
    found = []
    for key, wanted in expect.items():
        if key == "notes":
            continue
        where = f"{path}{key}"
        if key in ("u_min", "u_max"):
            found += _bound(got.get("u"), key, wanted, where)
            continue
        value = got.get(key)
        if isinstance(wanted, dict) and isinstance(value, dict):
            found += _differ(value, wanted, f"{where}.")
        elif not _same(value, wanted, key):
            found.append(f"{where} is {value!r}, expected {wanted!r}")
    return found


def _bound(u: Any, key: str, wanted: float, where: str) -> list[str]:
    if isinstance(u, int | float) and (u >= wanted if key == "u_min" else u <= wanted):
        return []
    return [f"{where} {wanted} does not hold for u = {u!r}"]


def _same(value: Any, wanted: Any, key: str) -> bool:
    if isinstance(wanted, bool) or isinstance(value, bool):
        return value is wanted
    if isinstance(wanted, int | float) and isinstance(value, int | float):
        return abs(value - wanted) <= (1e-3 if key in ("u", "v") else 1e-6)
    if isinstance(wanted, list) and isinstance(value, list):
        if key == "spotted":
            return value == wanted
        return sorted(map(repr, value)) == sorted(map(repr, wanted))
    return bool(value == wanted)
