"""puzzle: find the right column, with hints."""

from typing import Annotated

import typer

from claimeven.commands.asked.options import JsonOption, print_json
from claimeven.commands.explain import LanguageOption

THEMES_HELP = (
    "win (win-in-3: in three moves), fork, stacked, seven, zugzwang, rows, undercut, tempo, keep, door, "
    "deny-fork, only-move, refute, parity or worthless; given again, either of them."
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


DailyOption = Annotated[bool, typer.Option("--daily", help="The puzzle of the day.")]
CardsOption = Annotated[
    bool, typer.Option("--cards", help="What you missed and is due again: puzzles, moments of your games.")
]
StreakOption = Annotated[bool, typer.Option("--streak", help="Harder and harder, until the first error.")]
TimedOption = Annotated[bool, typer.Option("--timed", help="As many as you solve in three minutes.")]


def puzzle(
    theme: ThemeOption = None,
    rating: RatingOption = None,
    seed: SeedOption = None,
    id: IdOption = None,
    count: CountOption = None,
    daily: DailyOption = False,
    cards: CardsOption = False,
    streak: StreakOption = False,
    timed: TimedOption = False,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Solve puzzles, with hints; wrong answers are refuted.

    Without --rating, --seed or --id they are those that you solve three times in four. What you do is kept
    here: claimeven me.
    """
    from claimeven.puzzles import parse_rating, pick_puzzles, puzzle_by_id
    from claimeven.puzzles.hints import to_json
    from claimeven.reasons.words import catalogue

    catalogue(language)  # complains of a language that there is not
    if json:
        if id is not None:
            puzzles = [puzzle_by_id(id)]
        else:
            puzzles = pick_puzzles(theme, parse_rating(rating) if rating is not None else None, seed)
        for one in puzzles[: count or 1]:
            print_json(to_json(one, language))
        return
    from claimeven.commands.practise.sitting import Practice

    practice = Practice(language)
    if cards:
        practice.cards(count)
    elif daily:
        practice.daily()
    elif streak:
        practice.streak(seed)
    elif timed:
        practice.timed(seed)
    elif id is not None:
        practice.sit([puzzle_by_id(id)])
    elif rating is not None or seed is not None:
        found = pick_puzzles(theme, parse_rating(rating) if rating is not None else None, seed)
        practice.sit(found[:count])
    else:
        practice.matched(theme, count)
