"""Any order of messages that are lost, doubled and late, and of crashes between them: each request acts once.

No server and no time: the game, its requests and a disk that keeps what was committed.
"""

from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from claimeven.position import Board, Position
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import MORE_TIME, GameClock
from claimeven.server.game.events import Event, MoveMade, Standing
from claimeven.server.game.requests import Asker, Requests
from claimeven.server.game.session import Seat, Session, Step
from claimeven.server.storage.rows import Rows, revived, rows_of
from kit.referee import Referee

TOKENS = "one", "two"
INITIAL = 600_000


class Disk:
    """The tables, as lists."""

    def __init__(self, session: Session) -> None:
        self.game: dict[str, Any] = {}
        self.seats: list[dict[str, Any]] = []
        self.cuts: dict[int, int] = {}
        self.moves: dict[tuple[int, int], dict[str, Any]] = {}
        self.requests: dict[tuple[str, str], dict[str, Any]] = {}
        self.rematches = 0
        self.write([session.begun()])

    def write(self, events: Iterable[Event]) -> None:
        for kind, values in rows_of(events):
            row: dict[str, Any] = dict(values)
            if kind == "new" and self.game:
                self.rematches += 1
            elif kind == "new":
                self.game = row
            elif kind == "new_seat" and row["game"] == self.game["id"]:
                self.seats.append(row)
            elif kind == "seat":
                self.seats[row["at_side"] - 1] |= row
            elif kind == "game":
                self.game |= row
            elif kind == "take":
                assert row["take"] not in self.cuts
                self.cuts[row["take"]] = row["ply"]
            elif kind == "move":
                assert (row["take"], row["ply"]) not in self.moves
                self.moves[row["take"], row["ply"]] = row
            elif kind == "request":
                assert (row["who"], row["id"]) not in self.requests
                self.requests[row["who"], row["id"]] = row

    def read(self) -> Session:
        moves = [self.moves[key] for key in sorted(self.moves)]
        requests = sorted(self.requests.values(), key=lambda row: row["number"])
        return revived(Rows(self.game, self.seats, self.cuts, moves, requests))


class Network(RuleBasedStateMachine):
    has_pie = False

    def __init__(self) -> None:
        super().__init__()
        seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
        start = Position(Board(4, 4, 3))
        session = Session(
            "game", start, seats, 0, 1000, GameClock(INITIAL), owner="one", has_pie=self.has_pie
        )
        self.disk = Disk(session)
        self.start(session)
        self.line: list[tuple[int, m.Change]] = []  # messages on their way: side, request
        self.ids = iter(range(10**6))
        self.acked: dict[str, int] = {}  # by id: the number told
        self.refused: set[str] = set()
        self.acts: dict[str, int] = {}  # how often a request changed something that is on disk

    def start(self, session: Session) -> None:
        self.session = session
        self.requests = Requests(session, check_agent=str, new_id=lambda: f"g{next(self.ids)}")
        self.unstored: list[tuple[m.Change, Step, bool]] = []  # and whether it changed anything
        self.seq = session.seq

    def send(self, side: int, kind: Any, *parts: Any) -> None:
        self.line.append((side, kind(f"r{next(self.ids)}", *parts)))

    def send_now(self, side: int, kind: Any, *parts: Any) -> None:
        self.send(side, kind, *parts)
        self.hand_over(len(self.line) - 1, again=True)

    def player(self, side: int) -> int:
        """Who sits at a side: by the pie rule perhaps the other."""
        owner = self.session.seats[side].owner
        assert owner is not None
        return TOKENS.index(owner)

    # What happens ------------------------------------------------------------------------------------

    @rule(side=st.integers(0, 1), column=st.integers(1, 4), stale=st.integers(-1, 1), old=st.booleans())
    def send_move(self, side: int, column: int, stale: int, old: bool) -> None:
        """A client may think of an older or a newer position than the server's."""
        self.send(side, m.Move, max(0, self.session.take - old), max(0, self.session.ply + stale), column)

    @rule(column=st.integers(1, 4), old=st.integers(0, 3))
    def move_well(self, column: int, old: int) -> None:
        """Without such moves no game would get far; one in four is of the take before."""
        take = max(0, self.session.take - (old == 3))
        self.send_now(self.player(self.session.position.side), m.Move, take, self.session.ply, column)

    @rule(column=st.integers(1, 4), reply=st.integers(1, 4))
    def move_too_soon(self, column: int, reply: int) -> None:
        """A move before its turn, and a copy of it when it would be right: it was refused."""
        side = self.player(self.session.position.side)
        self.send_now(1 - side, m.Move, self.session.take, self.session.ply + 1, reply)
        self.send_now(side, m.Move, self.session.take, self.session.ply, column)
        self.hand_over(len(self.line) - 2, again=True)

    @rule(side=st.integers(0, 1), kind=st.sampled_from(["draw", "undo", "rematch"]), yes=st.booleans())
    def ask_and_answer(self, side: int, kind: str, yes: bool) -> None:
        self.send_now(side, m.Offer, kind)
        self.send_now(1 - side, m.Answer, kind, yes and kind != "draw")

    @rule(side=st.integers(0, 1), now=st.booleans())
    def give_time(self, side: int, now: bool) -> None:
        (self.send_now if now else self.send)(side, m.MoreTime)

    @rule(side=st.integers(0, 1), yes=st.booleans())
    @precondition(lambda self: self.session.ply > 1)
    def send_other(self, side: int, yes: bool) -> None:
        self.send(side, m.Undo, self.session.take, self.session.ply)
        self.send(1 - side, m.Answer, "undo", yes)

    @rule(side=st.integers(0, 1))
    @precondition(lambda self: self.session.ply > 6)
    def send_resignation(self, side: int) -> None:
        self.send(side, m.Resign)

    @precondition(lambda self: self.line)
    @rule(data=st.data(), again=st.booleans())
    def deliver(self, data: st.DataObject, again: bool) -> None:
        """Any of them next, and perhaps it comes once more later."""
        self.hand_over(data.draw(st.integers(0, len(self.line) - 1)), again)

    @precondition(lambda self: self.line)
    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        self.line.pop(data.draw(st.integers(0, len(self.line) - 1)))

    @rule()
    def commit(self) -> None:
        for message, step, acted in self.unstored:
            self.disk.write(step.events)
            self.acts[message.id] = self.acts.get(message.id, 0) + acted
            assert self.acts[message.id] <= 1
            assert self.acked.setdefault(message.id, step.seq) == step.seq
        self.unstored.clear()

    @rule()
    def crash(self) -> None:
        """What was not committed is gone. Clients ask again for what was not answered, and perhaps for what
        was acknowledged; who was refused knows it."""
        self.line = [(side, message) for side, message in self.line if message.id not in self.refused]
        self.start(self.disk.read())

    def hand_over(self, place: int, again: bool) -> None:
        side, message = self.line[place] if again else self.line.pop(place)
        before = self.seen()
        try:
            step = self.requests.grant(Asker(TOKENS[side]), message, 0)
        except RefusedError:
            assert self.seen() == before
            assert message.id not in self.acked  # what was acknowledged once is acknowledged for ever
            self.refused.add(message.id)
            return
        assert message.id not in self.refused
        if message.id in self.acked:
            assert self.seen() == before
            assert step.seq == self.acked[message.id]
        for event in step.events:
            if isinstance(event, MoveMade | Standing):
                assert event.seq == self.seq + 1  # no gaps
                self.seq = event.seq
        self.unstored.append((message, step, self.seen() != before))

    def seen(self) -> tuple[Any, ...]:
        session = self.session
        assert session.clock is not None
        offers = tuple(sorted(session.offers.items()))
        return (
            session.game.moves,
            session.take,
            session.seq,
            session.result,
            offers,
            tuple(session.clock.left),
            session.rematch,
            session.game.pie,
            session.seats,
        )

    # What holds --------------------------------------------------------------------------------------

    @invariant()
    def acknowledged_moves_are_stored(self) -> None:
        stored = {row["seq"] for row in (*self.disk.moves.values(), *self.disk.requests.values())}
        assert set(self.acked.values()) <= stored

    @invariant()
    def time_was_given_once_for_each_gift(self) -> None:
        assert self.session.clock is not None
        gifts = [row for row in self.disk.requests.values() if "more_time" in row["asked"]]
        unstored = [
            message for message, _, acted in self.unstored if acted and isinstance(message, m.MoreTime)
        ]
        assert sum(self.session.clock.left) == 2 * INITIAL + MORE_TIME * (len(gifts) + len(unstored))

    @invariant()
    def one_rematch_at_most(self) -> None:
        assert self.disk.rematches == (self.disk.game["rematch"] is not None)

    @invariant()
    def the_game_is_legal(self) -> None:
        columns = [int(digit) - 1 for digit in self.session.game.moves]
        referee = Referee(4, 4, 3)
        for column in columns:
            assert not referee.four
            assert len(referee.stacks[column]) < 4
            referee.play(column)
        assert Position.parse(self.session.game.moves, Board(4, 4, 3)) == self.session.position
        assert (self.session.result is not None) >= bool(referee.four)
        assert len(self.session.game.columns) == len(columns) == self.session.ply
        assert len(self.session.record().times_ms) in (0, self.session.ply)
        assert self.session.seq == self.seq


class PieNetwork(Network):
    """With the pie rule: whoever swaps, however often it is sent, both have their own seat and time."""

    has_pie = True

    @rule(side=st.integers(0, 1), now=st.booleans())
    def swap(self, side: int, now: bool) -> None:
        (self.send_now if now else self.send)(side, m.Swap)

    @rule(side=st.integers(0, 1))
    def take_back(self, side: int) -> None:
        self.send_now(side, m.Undo, self.session.take, self.session.ply)
        self.send_now(1 - side, m.Answer, "undo", True)

    @invariant()
    def seats_and_game_agree(self) -> None:
        is_swapped = self.session.game.pie == "swapped"
        assert [seat.owner for seat in self.session.seats] == (
            ["two", "one"] if is_swapped else ["one", "two"]
        )
        assert not is_swapped or self.session.ply >= 1


TestNetwork = Network.TestCase
TestNetwork.settings = settings(
    max_examples=100,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestPieNetwork = PieNetwork.TestCase
TestPieNetwork.settings = TestNetwork.settings
