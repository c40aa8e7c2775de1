"""Hints for players: one at a time in each game, and none between people."""

from typing import TYPE_CHECKING

from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.presence import Guest

if TYPE_CHECKING:
    from claimeven.server.room import Room


class Hints:
    def __init__(self) -> None:
        self._is_busy = False

    def give(self, room: "Room", guest: Guest, message: m.HintRequest) -> None:
        """Think, then tell the guest; RefusedError if they may not have one."""
        live = room.live
        if not live.who(guest.token_hash).sides:
            raise RefusedError("not_your_seat", "only players get hints")
        if live.is_between_people:
            raise RefusedError("not_allowed", "no hints in a game between people")
        if live.turn is None:
            raise RefusedError("game_over" if live.result else "not_started", "nobody is to move")
        if self._is_busy:
            raise RefusedError("busy", "a hint is on its way")
        self._is_busy = True
        room.hub.spawn(self._answer(room, guest, message, live.position))

    async def _answer(self, room: "Room", guest: Guest, message: m.HintRequest, position: Position) -> None:
        answer: m.Hint | m.Error
        try:
            columns, text = await room.hub.thinkers.hint(position, message.language)
            answer = m.Hint(message.id, columns, text)
        except RefusedError as error:
            answer = m.Error(message.id, error.code, error.message)
        except Exception:
            room.hub.log.exception("hint failed", extra={"game": room.live.id})
            answer = m.Error(message.id, "server_error", "the hint could not be made")
        finally:
            self._is_busy = False
        guest.send(m.text_of(answer))
