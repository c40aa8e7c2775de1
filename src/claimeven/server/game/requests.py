"""What players ask for at a game, each request once, however often it comes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.game.events import Successor
from claimeven.server.game.granted import KEPT
from claimeven.server.game.names import agent_name, table_name
from claimeven.server.game.session import Session, Step, Who

_encoder = msgspec.json.Encoder()


class Asker(NamedTuple):
    """Who asks, as far as it matters for what they get."""

    token_hash: str | None
    lag: int = 0  # milliseconds of their wire
    gone_at: int | None = None  # for a claim: when the side to move counts as gone; None while it is there


class Requests:
    """Those of one game: what was granted is with the game on disk, what was refused is remembered here. That
    is enough, for a copy that comes late comes over a wire, and no wire outlives the room."""

    def __init__(
        self, session: Session, check_agent: Callable[[str], str], new_id: Callable[[], str]
    ) -> None:
        self._session = session
        self._check_agent = check_agent
        self._new_id = new_id
        self._refused: dict[str, OrderedDict[m.Change, RefusedError]] = {}  # by player

    def grant(self, asker: Asker, message: m.Change, now: int) -> Step:
        """Do what is asked, unless it was done already; RefusedError if it cannot be."""
        token_hash = asker.token_hash
        who = self._session.who(token_hash)
        if token_hash is None or not (who.sides or who.is_owner):
            return self._perform(asker, who, message, now)  # which refuses it
        refused = self._refused.setdefault(token_hash, OrderedDict())
        if error := refused.get(message):
            raise error.again()
        try:
            if isinstance(message, m.Move):
                return self._perform(asker, who, message, now)
            return self._once(asker, token_hash, who, message, now)
        except RefusedError as error:
            refused[message] = error.again()
            if len(refused) > KEPT:
                refused.popitem(last=False)
            raise

    def _once(self, asker: Asker, token_hash: str, who: Who, message: m.Change, now: int) -> Step:
        granted, asked = self._session.granted, _without_id(message)
        seq = granted.seq(token_hash, message.id, asked)
        if seq is not None:
            return Step(seq)
        step = self._perform(asker, who, message, now)
        remembered = granted.add(self._session.id, token_hash, message.id, asked, step.seq)
        return step._replace(events=(*step.events, remembered))

    def _perform(self, asker: Asker, who: Who, message: m.Change, now: int) -> Step:
        session = self._session
        match message:
            case m.Move():
                return session.move(who, message.take, message.ply, message.column - 1, now, asker.lag)
            case m.Undo():
                return session.undo(who, message.take, message.ply, now)
            case m.Redo():
                return session.redo_moves(who, message.take, message.ply, now)
            case m.Swap():
                return session.swap(who, now)
            case m.Offer():
                return self._rematched(session.offer(who, message.kind, now), now)
            case m.Answer():
                return self._rematched(session.answer(who, message.kind, message.yes, now), now)
            case m.Resign():
                return session.resign(who, now)
            case m.Claim():
                return session.claim(who, message.result, asker.gone_at, now)
            case m.SeatChange():
                return self._change_seat(who, message, now)
            case m.MoreTime():
                return session.more_time(who)
            case m.Name():
                return session.set_name(who, table_name(message.name))

    def _change_seat(self, who: Who, message: m.SeatChange, now: int) -> Step:
        session = self._session
        side = message.side - 1
        if message.agent is None:
            successor = Successor(session.own_name(who, side), None)
        else:
            spec = self._check_agent(message.agent)
            successor = Successor(agent_name(spec), spec)
        return session.set_agent(who, side, successor, now)

    def _rematched(self, step: Step, now: int) -> Step:
        return self._session.begin_rematch(self._new_id(), now) if step.is_rematch else step


def _without_id(message: m.Change) -> str:
    parts = msgspec.to_builtins(message)
    del parts["id"]
    return _encoder.encode(parts).decode()
