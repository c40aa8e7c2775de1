"""Why an agent made its last move, for the page."""

import threading
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from msgspec import structs

from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.reasons import Term, own_terms
from claimeven.reasons.reviewed.thought import told_move
from claimeven.reasons.told.agent_view import agent_title
from claimeven.reasons.words import Spoken, Words
from claimeven.server.doors.answers import ToldTerm, ToldThought
from claimeven.server.doors.api import Id
from claimeven.server.doors.documented import answers, json_response
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import RefusedError
from claimeven.server.game.company.player import Thought
from claimeven.server.hub import Hub
from claimeven.server.messages import MAX_NAME
from claimeven.server.study.opinions import opinion

LINE_SECONDS = 2.0  # to find the line that a search expected
router = APIRouter(prefix="/api")


@router.get("/games/{game}/thought", responses=answers(ToldThought))
async def thought(
    request: Request,
    game: Id,
    ply: Annotated[int, Query(ge=0, le=200, description="of the agent's move, from 0")],
    language: Spoken = "en",
    name: Annotated[str, Query(max_length=MAX_NAME, description="what the reader calls the agent")] = "",
) -> Response:
    """Why an agent made its last move, as it would tell it; remembered while the game is in memory."""
    hub: Hub = request.app.state.hub
    room = await hub.room(game)
    made = list(room.session.game.positions[ply : ply + 2])
    kept = [one for one in room.thoughts() if [one.position, one.position.play(one.choice.column)] == made]
    if not kept:
        raise RefusedError("not_found.thought")
    visitor = request.app.state.limits.visitor(request.scope)
    words = hub.thinkers.aside(lambda stop: told(kept[0], language, stop, name), visitor)
    return json_response(await while_connected(request, words))


def told(thought: Thought, language: str, stop: threading.Event | None = None, name: str = "") -> ToldThought:
    words, spec = Words(language), thought.spec
    is_minimax = spec.partition(":")[0] == "minimax"
    limit = Limit(seconds=LINE_SECONDS, stop=stop)
    own = own_terms(make_agent(spec), thought.choice, thought.position, limit) if is_minimax else None
    seen = opinion(spec, thought.choice, thought.position, language)
    spoken = told_move(thought.choice, thought.position, name or agent_title(spec, words), language)
    return ToldThought(
        **structs.asdict(seen),
        says=spoken.says,
        overlooked=spoken.overlooked,
        because=spoken.because,
        ms=thought.ms,
        line=None if own is None else own.line_text(words),
        terms=() if own is None else tuple(_term(term, words) for term in own.terms),
        value=None if own is None else own.value,
    )


def _term(term: Term, words: Words) -> ToldTerm:
    return ToldTerm(term.text(words), term.count, term.weight, term.value)
