"""What players ask for at a game, each request once, however often it comes."""

from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec

from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.granted import KEPT
from claimeven.server.live import Live, Step, Who
from claimeven.server.names import agent_name, clean_name
from claimeven.server.presence import Guest
from claimeven.server.store import new_game

if TYPE_CHECKING:
    from claimeven.server.room import Room

Asked = (
    m.Move | m.Undo | m.Redo | m.Offer | m.Answer | m.Resign | m.Claim | m.SeatChange | m.MoreTime | m.Name
)
_encoder = msgspec.json.Encoder()


class Requests:
    """Those of one room: what was granted is with the game on disk, what was refused is remembered here. That
    is enough, for a copy that comes late comes over a line, and no line outlives the room."""

    def __init__(self) -> None:
        self._refused: dict[str, OrderedDict[m.Change, RefusedError]] = {}  # by player

    def grant(self, room: "Room", guest: Guest, message: m.Change, now: int) -> Step:
        """Do what is asked, unless it was done already; RefusedError if it cannot be."""
        live, token_hash = room.live, guest.token_hash
        who = live.who(token_hash)
        if token_hash is None or not (who.sides or who.is_owner):
            return _perform(room, guest, who, message, now)  # which refuses it
        refused = self._refused.setdefault(token_hash, OrderedDict())
        if error := refused.get(message):
            raise RefusedError(error.code, error.message)
        try:
            if isinstance(message, m.Move):
                return _perform(room, guest, who, message, now)
            return self._once(room, guest, who, message, now)
        except RefusedError as error:
            refused[message] = RefusedError(error.code, error.message)
            if len(refused) > KEPT:
                refused.popitem(last=False)
            raise

    def _once(self, room: "Room", guest: Guest, who: Who, message: m.Change, now: int) -> Step:
        live, token_hash = room.live, guest.token_hash
        assert token_hash is not None
        asked = _without_id(message)
        seq = live.granted.seq(token_hash, message.id, asked)
        if seq is not None:
            return Step(seq, [])
        step = _perform(room, guest, who, message, now)
        remembered = live.granted.add(live.id, token_hash, message.id, asked, step.seq)
        return step._replace(writes=[*step.writes, *remembered])


def _without_id(message: m.Change) -> str:
    parts = msgspec.to_builtins(message)
    del parts["id"]
    return _encoder.encode(parts).decode()


def _perform(room: "Room", guest: Guest, who: Who, message: m.Change, now: int) -> Step:
    live = room.live
    match message:
        case m.Move():
            return live.move(who, message.take, message.ply, message.column - 1, now, guest.lag)
        case m.Undo():
            return live.undo(who, message.take, message.ply, now)
        case m.Redo():
            return live.redo_moves(who, message.take, message.ply, now)
        case m.Offer():
            return _rematched(room, live.offer(who, message.kind, now))
        case m.Answer():
            return _rematched(room, live.answer(who, message.kind, message.yes, now))
        case m.Resign():
            return live.resign(who, now)
        case m.Claim():
            return live.claim(who, message.result, room.attendance.gone_at(live.position.side), now)
        case m.SeatChange():
            return _change_seat(room, who, message, now)
        case m.MoreTime():
            return live.more_time(who)
        case m.Name():
            return live.set_name(who, clean_name(message.name))


def _change_seat(room: "Room", who: Who, message: m.SeatChange, now: int) -> Step:
    live = room.live
    spec = None if message.agent is None else room.hub.thinkers.check(message.agent)
    own = next((live.seats[side].name for side in who.sides), "")
    step = live.set_agent(who, message.side - 1, spec, own if spec is None else agent_name(spec), now)
    room.attendance.seat_changed(message.side - 1, now)
    return step


def _rematched(room: "Room", step: Step) -> Step:
    if not step.is_rematch:
        return step
    live: Live = room.live.swapped(room.hub.new_id(), room.hub.now())
    room.hub.open(live)
    step = room.live.rematched(live.id)
    return step._replace(writes=[*new_game(live), *step.writes])
