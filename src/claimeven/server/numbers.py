"""Numbers as Prometheus reads them."""

from collections.abc import Mapping


def lines(prefix: str, numbers: Mapping[str, tuple[float, str]]) -> list[str]:
    """Of each its value and its meaning. A name that ends in `_total` only grows.

    >>> lines("house", {"rooms": (3, "that there are")})
    ['# HELP house_rooms that there are', '# TYPE house_rooms gauge', 'house_rooms 3']
    """
    told: list[str] = []
    for name, (value, about) in numbers.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        full = f"{prefix}_{name}"
        told += [f"# HELP {full} {about}", f"# TYPE {full} {kind}", f"{full} {value}"]
    return told
