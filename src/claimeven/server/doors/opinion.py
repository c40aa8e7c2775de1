"""What an agent thinks of a position, in words for the page: its own view, apart from what is proved."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from claimeven.agents import Choice, make_agent
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import OwnTerms, own_terms, view_of
from claimeven.reasons.told.agent_view import opinion_words
from claimeven.reasons.words import Words
from claimeven.server.doors.api import FAULTS, Id, json_response
from claimeven.server.errors import RefusedError
from claimeven.server.game.player import Thought
from claimeven.server.hub import Hub

LINE_LIMIT = Limit(seconds=2.0)  # to find the line that a search expected
router = APIRouter(prefix="/api")


def opinion(spec: str, choice: Choice, position: Position, language: str) -> dict[str, Any]:
    """What it saw, and how it shares its trust among the columns."""
    words = Words(language)
    seen = view_of(spec, choice, position, None, language)
    return {
        "agent": spec,
        "column": choice.column + 1,
        "saw": seen.grounds,
        "columns": [
            {
                "column": one.column + 1,
                "weight": round(seen.weight(one.column), 4),
                "known": one.kind is not None,
                "text": opinion_words(one, seen.weight(one.column), words),
            }
            for one in seen.opinions
        ],
    }


@router.get("/games/{game}/thought", responses=FAULTS)
async def thought(
    request: Request,
    game: Id,
    ply: Annotated[int, Query(ge=0, le=200, description="of the agent's move, from 0")],
    language: Literal["en", "fr", "pl", "vi"] = "en",
) -> Response:
    """Why an agent made its last move, in its own terms; remembered while the game is in memory."""
    hub: Hub = request.app.state.hub
    room = await hub.room(game)
    made = list(room.session.game.positions[ply : ply + 2])
    kept = [one for one in room.thoughts() if [one.position, one.position.play(one.choice.column)] == made]
    if not kept:
        raise RefusedError("not_found", "what was thought at this move is not remembered")
    visitor = request.app.state.limits.visitor(request.scope)
    return json_response(await hub.thinkers.aside(lambda: told(kept[0], language), visitor))


def told(thought: Thought, language: str) -> dict[str, Any]:
    words, spec = Words(language), thought.spec
    answer = opinion(spec, thought.choice, thought.position, language) | {"ms": thought.ms}
    if spec.partition(":")[0] != "minimax":
        return answer | {"line": None, "terms": [], "value": None}
    own = own_terms(make_agent(spec), thought.choice, thought.position, LINE_LIMIT)
    return answer | _own(own, words)


def _own(own: OwnTerms | None, words: Words) -> dict[str, Any]:
    if own is None:
        return {"line": None, "terms": [], "value": None}
    return {
        "line": own.line_text(words),
        "terms": [
            {"text": term.text(words), "count": term.count, "weight": term.weight, "value": term.value}
            for term in own.terms
        ],
        "value": own.value,
    }
