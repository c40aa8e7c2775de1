"""Events as rows of the tables, and a session from its rows. Columns and sides count from 1 here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol
from urllib.parse import quote, unquote

import msgspec
from sqlalchemy.engine import Connection

from claimeven import notation
from claimeven.game import Result
from claimeven.position import Board, Position
from claimeven.server.game.clock import GameClock
from claimeven.server.game.events import (
    Event,
    GameBegun,
    GameRated,
    GameRemoved,
    GameUnrated,
    MoveMade,
    MovesReplayed,
    Renamed,
    Replaced,
    RequestGranted,
    Seat,
    SeatChanged,
    SeatTaken,
    SidesChanged,
    Standing,
    Successor,
    TakenBack,
)
from claimeven.server.game.granted import Granted
from claimeven.server.game.session import Session

Values = dict[str, str | int | None]
_encoder = msgspec.json.Encoder()
Kind = Literal[
    "new",
    "game",
    "new_seat",
    "seat",
    "replaced",
    "join",
    "rename",
    "take",
    "move",
    "request",
    "forget",
    "remove",
    "terms",
    "unrated",
    "sitting",
    "stand_up",
    "rate",
]


class Row(NamedTuple):
    kind: Kind  # a statement of store.py
    values: Values


@dataclass(frozen=True, slots=True)
class Trial(Event):
    """Nothing happened: a game that is gone before anybody could see it. Whether it can be stored is whether
    games can."""

    game: str = " trial"


@dataclass(frozen=True, slots=True)
class Deed(Event):
    """Something that is no game's: done within the transaction, where it may refuse."""

    do: Callable[[Connection], object]


def rows_of(events: Iterable[Event]) -> Iterator[Row]:
    """What to write, in order."""
    for event in events:
        match event:
            case MoveMade():
                yield Row("move", move_row(event))
            case MovesReplayed():
                yield from (Row("move", move_row(move)) for move in event.moves)
            case Standing():
                yield Row("game", {"of": event.game, **_standing(event)})
            case TakenBack():
                yield Row("take", {"game": event.game, "take": event.take, "ply": event.ply})
            case SeatTaken():
                yield Row("join", _chair(event.game, event.side) | _seat(event.seat))
                yield from _sitting(event.game, event.side, event.seat)
            case SeatChanged():
                yield Row("seat", _chair(event.game, event.side) | _seat(event.seat))
                if event.seat.player is None:
                    yield Row("stand_up", _chair(event.game, event.side))
                if event.replaced is not None:
                    yield Row("replaced", _replaced(event.game, event.replaced))
            case SidesChanged():
                for side, seat in enumerate(event.seats):
                    yield Row("seat", _chair(event.game, side) | _seat(seat))
                if any(seat.player for seat in event.seats):  # whose games they are goes along
                    yield from (Row("stand_up", _chair(event.game, side)) for side in (0, 1))
                    for side, seat in enumerate(event.seats):
                        yield from _sitting(event.game, side, seat)
            case Renamed():
                yield Row("rename", _chair(event.game, event.side) | {"name": event.name})
            case RequestGranted():
                yield Row("request", _request(event))
                if event.forgotten is not None:
                    old: Values = {"of": event.game, "asker": event.who, "old": event.forgotten}
                    yield Row("forget", old)
            case GameBegun():
                yield Row("new", _game(event) | _standing(event.standing))
                for side, seat in enumerate(event.seats):
                    yield Row("new_seat", {"game": event.game, "side": side + 1, **_seat(seat)})
                for side, seat in enumerate(event.seats):
                    yield from _sitting(event.game, side, seat)
                if event.is_rated or event.event is not None or event.unrated is not None:
                    counts: Values = {"rated": int(event.is_rated), "event": event.event}
                    yield Row("terms", {"game": event.game, "unrated": event.unrated, **counts})
            case GameUnrated():
                yield Row("unrated", {"of": event.game, "why": event.why})
            case GameRated():
                yield Row("rate", {"game": event.game, "score": event.score, "at": event.at})
            case GameRemoved():
                yield Row("remove", {"of": event.game})
            case Trial():
                row: Values = {"id": event.game, "created": 0, "board": "", "start": "", "think": 0}
                row |= {"owner": "x" * 8192, "seq": 0, "take": 0, "redo": "", "offers": ""}
                yield from (Row("new", row), Row("remove", {"of": event.game}))
            case _:
                raise TypeError(f"no rows for {type(event).__name__}")


def _game(begun: GameBegun) -> Values:
    return {
        "id": begun.game,
        "created": begun.created,
        "board": str(begun.start.board),
        "start": begun.start.text,
        "think": begun.think,
        "clock_initial": None if begun.clock is None else begun.clock.initial,
        "clock_increment": None if begun.clock is None else begun.clock.increment,
        "invite": begun.invite,
    }


def _standing(standing: Standing) -> Values:
    left, result = standing.left, standing.result
    return {
        "seq": standing.seq,
        "owner": standing.owner,
        "take": standing.take,
        "redo": notation.moves_text(standing.redo),
        "left_first": None if left is None else left[0],
        "left_second": None if left is None else left[1],
        "offers": _offers(standing),
        "score": None if result is None else result.score,
        "reason": None if result is None else result.reason,
        "rematch": standing.rematch,
        "pie": standing.pie,
    }


def _offers(standing: Standing) -> str:
    """Kinds and sides; after the side of a seat, who shall sit there."""
    words = [f"{kind}:{side + 1}" for kind, side in standing.offers]
    if standing.successor is not None:
        name, agent = standing.successor
        heir = f"{quote(name, safe='')}:{quote(agent or '', safe='')}"
        words = [f"{word}:{heir}" if word.startswith("seat:") else word for word in words]
    return ",".join(words)


def move_row(move: MoveMade) -> Values:
    return {
        "game": move.game,
        "take": move.take,
        "ply": move.ply,
        "column": move.column + 1,
        "side": move.side + 1,
        "seq": move.seq,
        "ms": move.ms,
        "left_ms": None if move.clock is None else move.clock.left[move.side],
        "at": move.at,
    }


def as_json(rows: Sequence[Values]) -> str:
    return _encoder.encode(rows).decode()


def _chair(game: str, side: int) -> Values:
    """Which row of the seats; named so that the rest can be its new values."""
    return {"of": game, "at_side": side + 1}


def _seat(seat: Seat) -> Values:
    return {"kind": seat.kind, "name": seat.name, "agent": seat.agent, "owner": seat.owner}


def _sitting(game: str, side: int, seat: Seat) -> Iterator[Row]:
    if seat.player is not None:
        chair: Values = {"game": game, "side": side + 1, "player": seat.player, "rating": seat.rating}
        yield Row("sitting", chair)


def _replaced(game: str, one: Replaced) -> Values:
    kind, name, agent, *_ = one.seat
    chair: Values = {"game": game, "seq": one.seq, "ply": one.ply, "side": one.side + 1}
    return chair | {"kind": kind, "name": name, "agent": agent, "agreed": int(one.is_agreed)}


def _request(grant: RequestGranted) -> Values:
    return {
        "game": grant.game,
        "who": grant.who,
        "number": grant.number,
        "id": grant.id,
        "asked": grant.asked,
        "seq": grant.seq,
    }


# Reading -----------------------------------------------------------------------------------------------


class Read(Protocol):
    """A row as the database gives it."""

    def __getitem__(self, column: str, /) -> Any: ...


class Rows(NamedTuple):
    """All of a game, each table in its order."""

    game: Read
    seats: Sequence[Read]
    cuts: Mapping[int, int]  # take: its first ply
    moves: Sequence[Read]
    requests: Sequence[Read]
    replaced: Sequence[Read] = ()
    sittings: Sequence[Read] = ()
    terms: Read | None = None
    rated_before: int = 0


def revived(rows: Rows) -> Session:
    """A game from its rows."""
    row, seq = rows.game, rows.game["seq"]
    columns: list[int] = []
    times: list[int | None] = []
    known: dict[tuple[int, int], tuple[int, int]] = {}
    left = [row["left_first"], row["left_second"]]
    is_newer = False  # than the row of the game: its offers and redo are of before
    by_take: dict[int, list[Read]] = {}
    for move in rows.moves:
        by_take.setdefault(move["take"], []).append(move)
    for take in range(row["take"] + 1):
        if take:
            del columns[rows.cuts[take] :], times[rows.cuts[take] :]
        for move in by_take.get(take, ()):
            columns.append(move["column"] - 1)
            times.append(move["ms"])
            known[take, move["ply"]] = move["column"] - 1, move["seq"]
            if move["seq"] > row["seq"]:
                is_newer = True
                seq = max(seq, move["seq"])
                left[move["side"] - 1] = move["left_ms"]
    board = Board.parse(row["board"])
    clock = None
    if row["clock_initial"] is not None:
        clock = GameClock(row["clock_initial"], row["clock_increment"] or 0, left)
    players = {row["side"]: (row["player"], row["rating"]) for row in rows.sittings}
    first, second = (
        Seat(
            chair["kind"],
            chair["name"],
            chair["agent"],
            chair["owner"],
            *players.get(chair["side"], (None, None)),
        )
        for chair in rows.seats
    )
    session = Session(
        id=row["id"],
        start=Position.parse(row["start"], board),
        seats=(first, second),
        created=row["created"],
        think=row["think"],
        clock=clock,
        owner=row["owner"],
        invite=row["invite"],
        seq=seq,
        take=row["take"],
        known=known,
        rematch=row["rematch"],
        replaced=[
            Replaced(
                gone["seq"],
                gone["ply"],
                gone["side"] - 1,
                Seat(gone["kind"], gone["name"], gone["agent"]),
                bool(gone["agreed"]),
            )
            for gone in rows.replaced
        ],
        granted=Granted.of(_grant(request) for request in rows.requests),
        has_pie=row["pie"] != "no",
        is_rated=rows.terms is not None and bool(rows.terms["rated"]),
        event=None if rows.terms is None else rows.terms["event"],
        unrated=None if rows.terms is None else rows.terms["unrated"],
        rated_before=rows.rated_before,
    )
    for column, ms in zip(columns, times, strict=True):
        _swap(session, row)
        session.game.play(column, ms)
    _swap(session, row)
    if not is_newer:
        _restore(session, row)
    return session


def _swap(session: Session, row: Read) -> None:
    """The seats of the rows are those after it."""
    if row["pie"] == "swapped" and session.game.may_swap:
        session.game.swap()


def _restore(session: Session, row: Read) -> None:
    """What the row of the game says beyond the moves: what was taken back, what is asked, how it ended."""
    undone = notation.parse_moves(row["redo"], session.start.board.columns)
    for column in undone:
        session.game.play(column)
    for _ in undone:
        session.game.undo()
    for part in filter(None, row["offers"].split(",")):
        kind, side, *heir = part.split(":")
        session.offers[kind] = int(side) - 1
        if heir:
            session.successor = Successor(unquote(heir[0]), unquote(heir[1]) or None)
    if session.result is None and row["score"] is not None:
        result = Result(row["score"], row["reason"])
        session.game.end(result.winner, result.reason)


def _grant(row: Read) -> RequestGranted:
    return RequestGranted(row["game"], row["who"], row["number"], row["id"], row["asked"], row["seq"])
