"""A game being played, without any server: who may do what, and what follows."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from claimeven.position import Board, Position
from claimeven.server.clock import LAG_PER_MOVE, GameClock
from claimeven.server.errors import RefusedError
from claimeven.server.live import Live, Seat, Step, Who
from claimeven.server.messages import ResultState
from claimeven.server.names import agent_name, clean_name
from referee import Referee

FIRST, SECOND, BOTH, NOBODY = Who((0,), True), Who((1,)), Who((0, 1), True), Who()


def people(**parts: Any) -> Live:
    seats = (Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two"))
    return Live("game", Position(), seats, 0, 1000, owner="one", **parts)


def against_agent(**parts: Any) -> Live:
    seats = (Seat("human", "Lan", None, "one"), Seat("agent", "Level 3", "level:3"))
    return Live("game", Position(), seats, 0, 1000, owner="one", **parts)


def one_screen() -> Live:
    seats = (Seat("human", "", None, "one"), Seat("human", "", None, "one"))
    return Live("game", Position(), seats, 0, 1000, owner="one")


def play(live: Live, moves: str, now: int = 0) -> None:
    for digit in moves:
        who = Who((live.position.side,), True)
        is_agent = live.seats[live.position.side].kind == "agent"
        live.move(who, live.take, live.ply, int(digit) - 1, now, by_agent=is_agent)


def refused(code: str) -> Any:
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def test_who_is_who() -> None:
    live = people()
    assert live.who("one") == FIRST
    assert live.who("two") == SECOND
    assert live.who("three") == live.who(None) == NOBODY
    assert live.knows("one")
    assert not live.knows("three")
    assert one_screen().who("one") == BOTH


def test_a_move_is_stored_once_and_acknowledged_each_time() -> None:
    live = people()
    first = live.move(FIRST, 0, 0, 3, now=5)
    again = live.move(FIRST, 0, 0, 3, now=9)
    assert [kind for kind, _ in first.writes] == ["move"]
    assert (again.writes, again.moved, again.seq) == ([], None, first.seq)
    assert live.moves_text == "4"


@pytest.mark.parametrize(
    ("who", "take", "ply", "column", "code"),
    [
        (NOBODY, 0, 2, 0, "not_your_seat"),
        (SECOND, 0, 2, 0, "not_your_turn"),
        (FIRST, 0, 3, 0, "gap"),
        (FIRST, 1, 2, 0, "gap"),
        (FIRST, 0, 0, 0, "conflict"),
        (SECOND, 0, 0, 3, "conflict"),  # the right column, but not theirs
        (FIRST, 0, 2, 7, "illegal_column"),
    ],
)
def test_moves_refused_change_nothing(who: Who, take: int, ply: int, column: int, code: str) -> None:
    live = people()
    play(live, "45")
    with refused(code):
        live.move(who, take, ply, column, 0)
    assert (live.moves_text, live.seq) == ("45", 2)


def test_the_end_is_an_event_of_its_own() -> None:
    live = people()
    play(live, "121212")
    step = live.move(FIRST, 0, 6, 0, 0)
    assert step.moved is not None
    assert (step.moved.seq, step.moved.turn, step.moved.landing, step.is_rare, live.seq) == (
        7,
        None,
        {},
        True,
        8,
    )
    assert [kind for kind, _ in step.writes] == ["move", "game"]
    assert live.result is not None
    assert live.result.reason == "connect"
    with refused("game_over"):
        live.move(SECOND, 0, 7, 1, 0)
    assert live.move(FIRST, 0, 6, 0, 0).seq == 7  # the last move, once more


def test_undo_against_an_agent_goes_back_to_ones_own_turn() -> None:
    live = against_agent()
    play(live, "4455")
    step = live.undo(FIRST, 0, 4, 0)
    assert (live.moves_text, live.redo_text, live.take, step.is_rare) == ("44", "55", 1, True)
    assert live.undo(FIRST, 0, 4, 0).writes == []  # the same undo once more
    live.undo(FIRST, 1, 2, 0)
    assert (live.moves_text, live.redo_text) == ("", "4455")
    with refused("not_allowed"):
        live.undo(FIRST, 2, 0, 0)
    live.redo_moves(FIRST, 2, 0, 0)
    assert (live.moves_text, live.redo_text) == ("44", "55")
    assert live.redo_moves(FIRST, 2, 0, 0).writes == []
    play(live, "1")
    assert live.redo_text == ""
    with refused("not_allowed"):
        live.redo_moves(FIRST, 2, 3, 0)


def test_undo_while_the_agent_answers_means_the_same() -> None:
    """Whether the agent's move came in between or not, the asker's last move is taken back."""
    for agent_was_quick in (True, False):
        live = against_agent()
        play(live, "44" + ("55" if agent_was_quick else "5"))
        live.undo(FIRST, 0, 3, 0)
        assert live.moves_text == "44"


def test_undo_revives_a_game_that_was_over() -> None:
    live = one_screen()
    play(live, "1212121")
    assert live.status == "over"
    live.undo(BOTH, 0, 7, 0)
    assert (live.status, live.moves_text, live.redo_text) == ("playing", "121212", "1")
    live.redo_moves(BOTH, 1, 6, 0)
    assert live.status == "over"


def test_between_people_undo_is_asked_for() -> None:
    live = people()
    play(live, "445")
    live.undo(FIRST, 0, 3, 0)
    assert (live.moves_text, live.offers) == ("445", {"undo": 0})
    with refused("no_such_offer"):
        live.answer(FIRST, "undo", True, 0)  # not one's own
    live.answer(SECOND, "undo", False, 0)
    assert live.offers == {}
    live.offer(FIRST, "undo", 0)
    live.answer(SECOND, "undo", True, 0)
    assert (live.moves_text, live.take) == ("44", 1)
    with refused("not_allowed"):
        live.redo_moves(FIRST, 1, 2, 0)


def test_an_old_move_after_an_undo() -> None:
    live = against_agent()
    play(live, "4455")
    seq = live.known[0, 2][1]
    live.undo(FIRST, 0, 4, 0)
    assert live.move(FIRST, 0, 2, 4, 0).seq == seq  # it was made, and is acknowledged again
    assert live.moves_text == "44"
    with refused("conflict"):
        live.move(FIRST, 0, 4, 0, 0)  # it was never made, and its take is past


def test_offers_expire_with_the_next_move_and_meet() -> None:
    live = people()
    live.offer(FIRST, "draw", 0)
    assert live.offer(FIRST, "draw", 0).writes == []
    play(live, "4")
    assert live.offers == {}
    live.offer(FIRST, "draw", 0)
    live.offer(SECOND, "draw", 0)  # both want it
    assert live.result_state() == ResultState("1/2-1/2", None, "agreement")
    with refused("not_allowed"):
        against_agent().offer(FIRST, "draw", 0)


def test_resign_and_abort() -> None:
    live = people()
    live.resign(SECOND, 0)
    assert live.result is not None
    assert (live.result.score, live.result.reason) == ("1-0", "resign")
    assert live.resign(SECOND, 0).writes == []
    waiting = people()
    waiting.seats[1].kind, waiting.seats[1].owner = "free", None
    with refused("not_started"):
        waiting.move(FIRST, 0, 0, 0, 0)
    waiting.resign(FIRST, 0)
    assert waiting.result is not None
    assert waiting.result.reason == "abort"
    with refused("seat_taken"):
        waiting.join("Ada", "two", 0)


def test_claims() -> None:
    live = people()
    with refused("not_allowed"):
        live.claim(FIRST, "win", 0, 100)  # one's own turn
    with refused("too_early"):
        live.claim(SECOND, "win", None, 100)
    with refused("too_early"):
        live.claim(SECOND, "win", 101, 100)
    live.claim(SECOND, "win", 100, 100)
    assert live.result is not None
    assert (live.result.score, live.result.reason) == ("0-1", "abandon")


def test_a_rematch_swaps_colours_and_keeps_tokens() -> None:
    live = people(clock=GameClock(60_000, 1_000))
    with refused("not_allowed"):
        live.offer(FIRST, "rematch", 0)
    live.resign(FIRST, 0)
    live.offer(FIRST, "rematch", 0)
    assert live.answer(SECOND, "rematch", True, 0).is_rematch
    new = live.swapped("next", 9)
    assert [seat.name for seat in new.seats] == ["Ada", "Lan"]
    assert new.who("one").sides == (1,)
    assert new.clock is not None
    assert new.clock.left == [60_000, 60_000]
    live.rematched("next")
    assert live.offer(FIRST, "rematch", 0).writes == []


def test_seats_change_by_their_owner_only() -> None:
    live = against_agent()
    live.set_agent(FIRST, 1, None, "Lan", 0)
    assert live.who("one").sides == (0, 1)
    live.set_agent(BOTH, 0, "perfect", "Perfect", 0)
    assert (live.agent_to_move, live.who("one")) == ("perfect", Who((1,), True))
    with refused("not_allowed"):
        people().set_agent(FIRST, 1, "perfect", "", 0)  # somebody sits there
    with refused("not_allowed"):
        live.set_agent(SECOND, 1, None, "", 0)


def test_clock() -> None:
    live = people(clock=GameClock(10_000, 2_000))
    play(live, "4", now=5_000)
    play(live, "4", now=9_000)  # both first moves are free
    assert live.clock is not None
    assert (live.clock.left, live.clock.running) == ([10_000, 10_000], 0)
    play(live, "4", now=12_000)
    assert (live.clock.left, live.clock.running, live.clock.since) == ([9_000, 10_000], 1, 12_000)
    assert live.flag(22_000) is None  # within what a slow line may be forgiven
    assert live.flag(22_000 + LAG_PER_MOVE) is not None
    assert live.result is not None
    assert (live.result.score, live.result.reason, live.clock.left[1]) == ("1-0", "time", 0)


def test_lag_is_forgiven_from_an_account() -> None:
    clock = GameClock(10_000)
    for now in range(0, 10_000, 1_000):
        clock.run(0, now)
        clock.press(now + 1_000, lag=5_000)
    # Each time at most half a second, and not for ever.
    assert 10_000 - 10 * 1_000 < clock.left[0] < 10_000 - 10 * (1_000 - LAG_PER_MOVE)


def test_more_time() -> None:
    live = people(clock=GameClock(10_000))
    live.more_time(FIRST)
    assert live.clock is not None
    assert live.clock.left == [10_000, 25_000]
    with refused("not_allowed"):
        people().more_time(FIRST)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Nguyễn Thị Lan", "Nguyễn Thị Lan"),
        ("a\u202eb\u0000c\nd\u200be", "abc de"),
        ("<b>&", "<b>&"),  # kept as it is: whoever shows it escapes it
        ("x" * 100, "x" * 40),
        ("e" + "\u0301" * 9, "é\u0301\u0301"),
        ("\ud800", ""),
    ],
)
def test_names(text: str, name: str) -> None:
    assert clean_name(text) == name


def test_agent_names() -> None:
    assert [agent_name(spec) for spec in ("level:3", "level", "perfect", "mcts", "mcts:tt")] == [
        "Level 3",
        "Level 5",
        "Perfect",
        "MCTS",
        "mcts:tt",
    ]


class Network(RuleBasedStateMachine):
    """Two players whose messages are lost, doubled and late, a disk that forgets nothing it acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.live = people()
        self.live.start = Position(Board(4, 4, 3))
        self.live.positions = [self.live.start]
        self.line: list[tuple[int, tuple[str, Any]]] = []  # messages on their way: side, request
        self.acked: dict[tuple[int, int], tuple[int, int]] = {}  # (take, ply): side, column
        self.stored: dict[tuple[int, int], int] = {}
        self.seq = 0

    @rule(side=st.integers(0, 1), column=st.integers(0, 3), stale=st.integers(-1, 1), old=st.booleans())
    def send_move(self, side: int, column: int, stale: int, old: bool) -> None:
        """A client may think of an older or a newer position than the server's."""
        take, ply = max(0, self.live.take - old), max(0, self.live.ply + stale)
        self.line.append((side, ("move", (take, ply, column))))

    @rule(column=st.integers(0, 3), old=st.integers(0, 3))
    def move_well(self, column: int, old: int) -> None:
        """Without such moves no game would get far; one in four is of the take before."""
        take = max(0, self.live.take - (old == 3))
        self.line.append((self.live.position.side, ("move", (take, self.live.ply, column))))
        self.hand_over(len(self.line) - 1, again=True)

    @rule(side=st.integers(0, 1), what=st.sampled_from(["undo", "agree", "decline"]))
    @precondition(lambda self: self.live.ply > 1)
    def send_other(self, side: int, what: str) -> None:
        self.line.append((side, (what, (self.live.take, self.live.ply))))

    @rule(side=st.integers(0, 1))
    @precondition(lambda self: self.live.ply > 1)
    def take_back(self, side: int) -> None:
        for who, what in ((side, "undo"), (1 - side, "agree")):
            self.line.append((who, (what, (self.live.take, self.live.ply))))
            self.hand_over(len(self.line) - 1, again=True)

    @rule(side=st.integers(0, 1))
    @precondition(lambda self: self.live.ply > 6)
    def send_resignation(self, side: int) -> None:
        self.line.append((side, ("resign", ())))

    @precondition(lambda self: self.line)
    @rule(data=st.data(), again=st.booleans())
    def deliver(self, data: st.DataObject, again: bool) -> None:
        """Any of them next, and perhaps it comes once more later."""
        self.hand_over(data.draw(st.integers(0, len(self.line) - 1)), again)

    def hand_over(self, place: int, again: bool) -> None:
        side, request = self.line[place] if again else self.line.pop(place)
        before = (self.live.moves_text, self.live.take, self.live.seq, self.live.result)
        try:
            step = self.perform(Who((side,)), *request)
        except RefusedError:
            assert (self.live.moves_text, self.live.take, self.live.seq, self.live.result) == before
            if request[0] == "move":  # what was acknowledged once is acknowledged for ever
                assert self.acked.get(request[1][:2]) != (side, request[1][2])
            return
        assert self.live.take == before[1] + (len(self.live.moves_text) < len(before[0]))
        self.store(step)
        if request[0] == "move":
            take, ply, column = request[1]
            assert self.acked.setdefault((take, ply), (side, column)) == (side, column)
            assert self.live.side_at(ply) == side
            assert self.stored[take, ply] == column  # acknowledged, so stored

    def perform(self, who: Who, what: str, parts: Any) -> Step:
        if what == "move":
            return self.live.move(who, *parts, now=0)
        if what == "undo":
            return self.live.undo(who, *parts, now=0)
        if what == "resign":
            return self.live.resign(who, 0)
        return self.live.answer(who, "undo", what == "agree", 0)

    def store(self, step: Step) -> None:
        for kind, row in step.writes:
            if kind == "move":
                key = row["take"], row["ply"]
                assert key not in self.stored
                self.stored[key] = row["column"] - 1
        events = [step.moved.seq] if step.moved else []
        events += [self.live.seq] if step.is_rare else []
        for seq in events:
            assert seq == self.seq + 1  # no gaps
            self.seq = seq

    @precondition(lambda self: self.line)
    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        self.line.pop(data.draw(st.integers(0, len(self.line) - 1)))

    @invariant()
    def the_game_is_legal(self) -> None:
        columns = [int(digit) - 1 for digit in self.live.moves_text]
        referee = Referee(4, 4, 3)
        for column in columns:
            assert not referee.four
            assert len(referee.stacks[column]) < 4
            referee.play(column)
        assert Position.parse(self.live.moves_text, Board(4, 4, 3)) == self.live.position
        assert (self.live.result is not None) >= bool(referee.four)
        assert len(self.live.times) == len(columns) == self.live.ply
        assert self.live.seq == self.seq


TestNetwork = Network.TestCase
TestNetwork.settings = settings(
    max_examples=80,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
