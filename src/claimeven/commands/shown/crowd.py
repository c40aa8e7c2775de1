"""What people would play, in words and as JSON."""

from claimeven.commands.shown.verdict import column_row
from claimeven.notation import column_digit
from claimeven.people import Difficulty


def crowd_data(found: Difficulty) -> dict[str, object]:
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
    for column, score in analysis.scores.items():
        row = column_row(analysis.position, column, (int(score), int(score)), column in analysis.best)
        lines.append(f"{100 * found.chances[column]:5.0f} {row.removeprefix('  ')}")
    lines.append(
        f"{100 * found.share_keeping:.0f} keep the outcome, {100 * found.share_best:.0f} find the best"
    )
    return "\n".join(lines)
