"""For the organiser: how hard decisions went. It accuses nobody, and nothing follows from it by itself."""

import asyncio
import random
import threading

from claimeven.arena.measure import Share
from claimeven.game import Game
from claimeven.people.hard import found
from claimeven.position import Position
from claimeven.server.events.answers import FairLine, FairPlay
from claimeven.server.events.rows import Event, Person
from claimeven.server.hub import Hub
from claimeven.server.shares import Asker, Rank
from claimeven.solver import Solver

MOVES = 60  # of each person, drawn by seed: an evening of thirty is looked through in minutes
Move = tuple[Position, int]


async def fair_play(hub: Hub, event: Event, visitor: str, after: int) -> FairPlay:
    """Of players after that number: of each, or of as many as there is time for while others wait."""
    people = [person for person in event.people if person.agent is None and person.number > after]
    games: dict[str, list[Move]] = {}
    for table in event.tables:
        if table.game is not None and table.score is not None and table.is_played:
            session = await asyncio.to_thread(hub.store.load, table.game)
            if session is not None:
                games[table.game] = _moves(Game.from_record(session.record()))
    stop = threading.Event()

    def judge() -> FairPlay:
        solver = Solver(megabytes=64)
        lines: list[FairLine] = []
        for person in people:
            if lines and stop.is_set():
                break
            lines.append(_line(event, person, games, solver))
        return FairPlay(tuple(lines), len(lines) == len(people))

    return await hub.thinkers.studies.run(judge, Asker(Rank.ASIDE, visitor), stop)


def _moves(game: Game) -> list[Move]:
    return list(zip(game.positions, game.columns, strict=False))


def _line(event: Event, person: Person, games: dict[str, list[Move]], solver: Solver) -> FairLine:
    own: list[Move] = []
    count = 0
    for table in event.tables:
        if table.game in games and person.number in (table.first, table.second):
            side = 0 if table.first == person.number else 1
            own += [move for move in games[table.game] if move[0].side == side]
            count += 1
    chosen = random.Random(event.id).sample(own, min(MOVES, len(own)))
    judged = found(chosen, person.rating, solver)
    share = Share(judged.right, judged.decisions)
    low, high = share.interval if judged.decisions else (0.0, 1.0)
    return FairLine(
        number=person.number,
        decisions=judged.decisions,
        right=judged.right,
        share=share.value if judged.decisions else 0.0,
        low=low,
        high=high,
        expected=judged.expected,
        rating=judged.rating,
        games=count,
    )
