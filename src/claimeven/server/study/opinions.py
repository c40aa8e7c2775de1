"""What an agent thinks of a position, in words for the page: its own view, apart from what is proved."""

from claimeven.agents import Choice
from claimeven.position import Position
from claimeven.reasons import view_of
from claimeven.reasons.told.agent_view import opinion_words
from claimeven.reasons.words import Words
from claimeven.server.doors.answers import ColumnOpinion, Opinion


def opinion(spec: str, choice: Choice, position: Position, language: str) -> Opinion:
    """What it saw, and how it shares its trust among the columns."""
    words = Words(language)
    seen = view_of(spec, choice, position, None, language)
    columns = tuple(
        ColumnOpinion(
            column=one.column + 1,
            weight=round(seen.weight(one.column), 4),
            known=one.kind is not None,
            text=opinion_words(one, seen.weight(one.column), words),
        )
        for one in seen.opinions
    )
    return Opinion(spec, choice.column + 1, f"{seen.grounds} {seen.overlooked}".strip(), columns)
