"""A histogram of seconds, as Prometheus reads it."""

from bisect import bisect_left

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Durations:
    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str, about: str) -> list[str]:
        lines = [f"# HELP {name} {about}", f"# TYPE {name} histogram"]
        seen = 0
        for bound, count in zip((*BUCKETS, "+Inf"), self.counts, strict=True):
            seen += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {seen}')
        return [*lines, f"{name}_sum {self.total:.6f}", f"{name}_count {seen}"]
