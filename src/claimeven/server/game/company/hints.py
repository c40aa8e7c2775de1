"""Hints for players: one at a time in each game, and none between people."""

import asyncio
import logging

from claimeven.game import Game
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.game.ports import Think
from claimeven.server.game.session import Session, Who

log = logging.getLogger("claimeven.server")
Answer = m.Hint | m.Error


class Hints:
    def __init__(self, think: Think) -> None:
        self._think = think
        self._task: asyncio.Task[Answer] | None = None

    def ask(self, session: Session, who: Who, message: m.HintRequest) -> "asyncio.Task[Answer]":
        """Begin to think of an answer; RefusedError if they may not have one."""
        if not who.sides:
            raise RefusedError("not_your_seat.hint")
        if session.is_between_people:
            raise RefusedError("not_allowed.hint")
        if session.is_strict:
            raise RefusedError("not_allowed.strict")
        if session.turn is None:
            raise RefusedError("game_over.hint" if session.result else "not_started.hint")
        if self._task is not None and not self._task.done():
            raise RefusedError("busy.hint")
        answer = _answer(self._think, message, session.game, session.id)
        self._task = asyncio.get_running_loop().create_task(answer)
        return self._task

    def stop(self) -> None:
        """Nobody waits for it any more."""
        if self._task is not None:
            self._task.cancel()


async def _answer(think: Think, message: m.HintRequest, played: Game, game: str) -> Answer:
    position, may_swap = played.position, played.may_swap
    try:
        columns, text = await think.hint(position, message.language, message.stage, may_swap=may_swap)
        return m.Hint(message.id, tuple(str(column + 1) for column in columns), text)
    except RefusedError as error:
        return m.Error.of(message.id, error)
    except Exception:
        log.exception("hint failed", extra={"game": game})
        return m.Error(message.id, "server_error", "the hint could not be made")
