"""Games on disk: SQLite in WAL mode with full synchronisation, or PostgreSQL."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven import notation
from claimeven.game import Result
from claimeven.position import Board, Position
from claimeven.server.clock import GameClock
from claimeven.server.database import open_engine, read_url
from claimeven.server.granted import Granted
from claimeven.server.live import Live, Seat, Write
from claimeven.server.schema import games, moves, requests, seats, takes


class SeatTakenError(RuntimeError):
    """Somebody else sits there according to the database."""


STATEMENTS: dict[str, sa.Executable] = {
    "new": sa.insert(games),
    "game": sa.update(games).where(games.c.id == sa.bindparam("game")),
    "new_seat": sa.insert(seats),
    "seat": sa.update(seats).where(
        seats.c.game == sa.bindparam("of"), seats.c.side == sa.bindparam("at_side")
    ),
    "take": sa.insert(takes),
    "move": sa.insert(moves),
    "request": sa.insert(requests),
    "forget": sa.delete(requests).where(
        requests.c.game == sa.bindparam("of"),
        requests.c.who == sa.bindparam("asker"),
        requests.c.number == sa.bindparam("old"),
    ),
    "trial": sa.insert(games),
    "remove": sa.delete(games).where(games.c.id == sa.bindparam("game")),
}
# A game that is gone before anybody could see it: whether it can be stored is whether games can.
TRIAL: list[Write] = [
    (
        "trial",
        {"id": " trial", "created": 0, "board": "", "start": "", "think": 0, "owner": "x" * 8192}
        | {"seq": 0, "take": 0, "redo": "", "offers": ""},
    ),
    ("remove", {"game": " trial"}),
]


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = read_url(url)
        self.engine = open_engine(self.url)

    def close(self) -> None:
        self.engine.dispose()

    # Writing -----------------------------------------------------------------------------------------

    def write(self, connection: Connection, writes: Iterable[Write]) -> None:
        """Execute in order; neighbours of one kind together."""
        batch: list[dict[str, Any]] = []
        last = ""
        for kind, row in writes:
            if kind == "join":
                self._flush(connection, last, batch)
                batch, last = [], ""
                _join(connection, row)
                continue
            if kind != last:
                self._flush(connection, last, batch)
                batch, last = [], kind
            batch.append(_seat_row(row) if kind == "seat" else row)
        self._flush(connection, last, batch)

    def _flush(self, connection: Connection, kind: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            connection.execute(STATEMENTS[kind], rows)

    # Reading -----------------------------------------------------------------------------------------

    def load(self, game: str) -> Live | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == game)).mappings().first()
            if row is None:
                return None
            chairs = connection.execute(
                sa.select(seats).where(seats.c.game == game).order_by(seats.c.side)
            ).mappings()
            cuts = connection.execute(sa.select(takes.c.take, takes.c.ply).where(takes.c.game == game))
            played = connection.execute(
                sa.select(moves).where(moves.c.game == game).order_by(moves.c.take, moves.c.ply)
            ).mappings()
            granted = connection.execute(
                sa.select(requests).where(requests.c.game == game).order_by(requests.c.number)
            ).mappings()
            known = dict(tuple(cut) for cut in cuts)
            return revived(row, chairs.all(), known, played.all(), granted.all())

    def forget_unstarted(self, before: int, but: Collection[str] = ()) -> int:
        """Delete games older than `before` in which nobody ever moved, but those; how many."""
        unstarted = sa.select(games.c.id).where(
            games.c.created < before, ~sa.exists().where(moves.c.game == games.c.id)
        )
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            found = set(connection.execute(unstarted).scalars()) - set(but)
            if found:
                connection.execute(STATEMENTS["remove"], [{"game": game} for game in sorted(found)])
        return len(found)

    def counts(self) -> dict[str, int]:
        with self.engine.connect() as connection:
            return {
                "games": connection.execute(sa.select(sa.func.count()).select_from(games)).scalar_one(),
                "moves": connection.execute(sa.select(sa.func.count()).select_from(moves)).scalar_one(),
            }


def new_game(live: Live) -> list[Write]:
    """The rows of a game that just began."""
    row = live.row()[1]
    row["id"] = row.pop("game")
    clock = live.clock
    row |= {
        "created": live.created,
        "board": str(live.start.board),
        "start": start_text(live.start),
        "think": live.think,
        "clock_initial": None if clock is None else clock.initial,
        "clock_increment": None if clock is None else clock.increment,
        "owner": live.owner,
        "invite": live.invite,
    }
    return [("new", row), *(("new_seat", live.seat_row(side)[1]) for side in (0, 1))]


def start_text(start: Position) -> str:
    return start.moves if start.moves is not None else str(start)


def revived(
    row: Any, chairs: Sequence[Any], cuts: dict[int, int], played: Sequence[Any], granted: Sequence[Any]
) -> Live:
    """A game from its rows, those of moves and requests in order."""
    columns: list[int] = []
    times: list[int | None] = []
    known: dict[tuple[int, int], tuple[int, int]] = {}
    seq, left = row["seq"], [row["left_first"], row["left_second"]]
    is_newer = False  # than the row of the game: its offers and redo are of before
    by_take: dict[int, list[Any]] = {}
    for move in played:
        by_take.setdefault(move["take"], []).append(move)
    for take in range(row["take"] + 1):
        if take:
            del columns[cuts[take] :], times[cuts[take] :]
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
    first, second = (Seat(c["kind"], c["name"], c["agent"], c["owner"]) for c in chairs)
    live = Live(
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
        columns=columns,
        times=times,
        known=known,
        rematch=row["rematch"],
        granted=Granted.of(granted),
    )
    if not is_newer:
        live.redo = list(reversed(notation.parse_moves(row["redo"], board.columns)))
        offers = (part.split(":") for part in row["offers"].split(",") if part)
        live.offers = {kind: int(side) - 1 for kind, side in offers}
    live.result = Result.shown(live.position)
    if live.result is None and row["score"] is not None and not is_newer:
        live.result = Result(row["score"], row["reason"])
    return live


def _seat_row(row: dict[str, Any]) -> dict[str, Any]:
    row = dict(row)
    row["of"], row["at_side"] = row.pop("game"), row.pop("side")
    return row


def _join(connection: Connection, row: dict[str, Any]) -> None:
    """Take a free seat, or fail: the database decides who was first."""
    taken = connection.execute(
        sa.update(seats)
        .where(seats.c.game == row["game"], seats.c.side == row["side"], seats.c.kind == "free")
        .values(kind="human", name=row["name"], owner=row["owner"])
    )
    if taken.rowcount != 1:
        raise SeatTakenError(row["game"])
