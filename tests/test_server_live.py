"""A game being played, without any server: who may do what, and what follows."""

from typing import Any

import pytest

from claimeven.position import Position
from claimeven.server.clock import LAG_PER_MOVE, GameClock
from claimeven.server.errors import RefusedError
from claimeven.server.live import Live, Seat, Who
from claimeven.server.messages import ResultState
from claimeven.server.names import agent_name, clean_name

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
