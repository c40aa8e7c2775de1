"""What people would play, in words and as JSON."""

from collections.abc import Mapping
from typing import TypedDict

from claimeven.commands.shown.verdict import column_mark
from claimeven.notation import column_digit
from claimeven.people import Difficulty


class CrowdJson(TypedDict):
    moves: str | None
    board: str
    rating: int
    chances: dict[str, float]  # by column, like the scores
    scores: dict[str, int]
    best: list[str]
    keeping: list[str]
    share_keeping: float
    share_best: float


def crowd_data(found: Difficulty) -> CrowdJson:
    position, scores = found.analysis.position, found.analysis.scores
    return {
        "moves": position.moves,
        "board": str(position.board),
        "rating": round(found.rating),
        "chances": {column_digit(c): round(chance, 4) for c, chance in found.chances.items()},
        "scores": {column_digit(c): int(score) for c, score in scores.items()},
        "best": [column_digit(c) for c in found.analysis.best],
        "keeping": [column_digit(c) for c in found.keeping],
        "share_keeping": round(found.share_keeping, 4),
        "share_best": round(found.share_best, 4),
    }


def crowd_words(found: Difficulty) -> str:
    """Of a hundred people, how many play each column; then how many are right."""
    analysis, lines = found.analysis, [f"of 100 people of rating {found.rating:.0f}:"]
    people = hundred(found.chances)
    for column, score in analysis.scores.items():
        row = column_mark(analysis.position, column, (int(score), int(score)), column in analysis.best)
        lines.append(f"{people[column]:5} {row}")
    keeping, best = (sum(people[c] for c in columns) for columns in (found.keeping, analysis.best))
    lines.append(f"{keeping} keep the outcome, {best} find the best")
    return "\n".join(lines)


def hundred(chances: Mapping[int, float]) -> dict[int, int]:
    """A hundred people, shared out by largest remainders: whole ones, so that columns and sums agree."""
    people = {column: int(100 * chance) for column, chance in chances.items()}
    by_rest = sorted(chances, key=lambda column: people[column] - 100 * chances[column])
    for column in by_rest[: 100 - sum(people.values())]:
        people[column] += 1
    return people
