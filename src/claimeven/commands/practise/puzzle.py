"""puzzle: find the right column, with hints."""

from typing import Annotated

import typer

from claimeven.commands.asked.options import JsonOption, print_json
from claimeven.commands.explain import LanguageOption

THEMES_HELP = (
    "win (or win-in-3), fork, stacked, zugzwang, only-move, refute or parity; given again, either of them."
)
ThemeOption = Annotated[list[str] | None, typer.Option("--theme", metavar="THEME", help=THEMES_HELP)]
RatingOption = Annotated[
    str | None, typer.Option("--rating", metavar="R", help="About 1200, or a range like 1000-1400.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="The same seed, the same puzzles in the same order.")
]
IdOption = Annotated[str | None, typer.Option("--id", metavar="ID", help="This puzzle.")]
CountOption = Annotated[
    int | None,
    typer.Option("--count", metavar="N", min=1, help="So many at most; with --json, 1 if not given."),
]


def puzzle(
    theme: ThemeOption = None,
    rating: RatingOption = None,
    seed: SeedOption = None,
    id: IdOption = None,
    count: CountOption = None,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Solve puzzles, with hints; wrong answers are refuted."""
    from claimeven.puzzles import parse_rating, pick_puzzles, puzzle_by_id
    from claimeven.reasons.words import catalogue

    catalogue(language)  # complains of a language that there is not
    if id is not None:
        puzzles = [puzzle_by_id(id)]
    else:
        puzzles = pick_puzzles(theme, parse_rating(rating) if rating is not None else None, seed)
    puzzles = puzzles[: count or (1 if json else None)]
    if json:
        for found in puzzles:
            print_json(found.to_json(language))
        return
    from rich.console import Console

    from claimeven.terminal.riddles import Riddles

    Riddles(Console(highlight=False), language).sit(puzzles)
