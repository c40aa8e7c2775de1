"""A game being played, without any server: who may do what, and what follows."""

from typing import Any

import pytest

from claimeven import notation
from claimeven.game import Result
from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.game import wire
from claimeven.server.game.clock import LAG_PER_MOVE, GameClock
from claimeven.server.game.events import GameBegun, MoveMade, Standing, Successor, TakenBack
from claimeven.server.game.names import agent_name, clean_name
from claimeven.server.game.session import Seat, Session, Step, Who

PERFECT = Successor("Perfect", "perfect")
FIRST, SECOND, BOTH, NOBODY = Who((0,), True), Who((1,)), Who((0, 1), True), Who()


def people(**parts: Any) -> Session:
    seats = (Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two"))
    return Session("game", Position(), seats, 0, 1000, owner="one", **parts)


def against_agent(**parts: Any) -> Session:
    seats = (Seat("human", "Lan", None, "one"), Seat("agent", "Level 3", "level:3"))
    return Session("game", Position(), seats, 0, 1000, owner="one", **parts)


def one_screen() -> Session:
    seats = (Seat("human", "", None, "one"), Seat("human", "", None, "one"))
    return Session("game", Position(), seats, 0, 1000, owner="one")


def play(session: Session, moves: str, now: int = 0) -> None:
    for digit in moves:
        who = Who((session.position.side,), True)
        is_agent = session.seats[session.position.side].kind == "agent"
        session.move(who, session.take, session.ply, int(digit) - 1, now, by_agent=is_agent)


def kinds(step: Step) -> list[type]:
    return [type(event) for event in step.events]


def refused(code: str) -> Any:
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def test_who_is_who() -> None:
    session = people()
    assert session.who("one") == FIRST
    assert session.who("two") == SECOND
    assert session.who("three") == session.who(None) == NOBODY
    assert session.knows("one")
    assert not session.knows("three")
    assert one_screen().who("one") == BOTH


def test_a_move_is_stored_once_and_acknowledged_each_time() -> None:
    session = people()
    first = session.move(FIRST, 0, 0, 3, now=5)
    again = session.move(FIRST, 0, 0, 3, now=9)
    assert kinds(first) == [MoveMade]
    assert (again.events, again.seq) == ((), first.seq)
    assert session.game.moves == "4"


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
    session = people()
    play(session, "45")
    with refused(code):
        session.move(who, take, ply, column, 0)
    assert (session.game.moves, session.seq) == ("45", 2)


def test_the_end_is_an_event_of_its_own() -> None:
    session = people()
    play(session, "121212")
    step = session.move(FIRST, 0, 6, 0, 0)
    assert kinds(step) == [MoveMade, Standing]
    move, standing = step.events
    assert isinstance(move, MoveMade)
    assert isinstance(standing, Standing)
    assert (move.seq, standing.seq, session.seq, move.is_last) == (7, 8, 8, True)
    told = wire.moved(move)
    assert (told.seq, told.turn, told.landing) == (7, None, {})
    assert session.result is not None
    assert session.result.reason == "connect"
    with refused("game_over"):
        session.move(SECOND, 0, 7, 1, 0)
    assert session.move(FIRST, 0, 6, 0, 0).seq == 7  # the last move, once more


def test_undo_against_an_agent_goes_back_to_ones_own_turn() -> None:
    session = against_agent()
    play(session, "4455")
    step = session.undo(FIRST, 0, 4, 0)
    assert (session.game.moves, notation.moves_text(session.game.undone), session.take, kinds(step)) == (
        "44",
        "55",
        1,
        [TakenBack, Standing],
    )
    assert session.undo(FIRST, 0, 4, 0).events == ()  # the same undo once more
    session.undo(FIRST, 1, 2, 0)
    assert (session.game.moves, notation.moves_text(session.game.undone)) == ("", "4455")
    with refused("not_allowed"):
        session.undo(FIRST, 2, 0, 0)
    session.redo_moves(FIRST, 2, 0, 0)
    assert (session.game.moves, notation.moves_text(session.game.undone)) == ("44", "55")
    assert session.redo_moves(FIRST, 2, 0, 0).events == ()
    play(session, "1")
    assert notation.moves_text(session.game.undone) == ""
    with refused("not_allowed"):
        session.redo_moves(FIRST, 2, 3, 0)


def test_undo_while_the_agent_answers_means_the_same() -> None:
    """Whether the agent's move came in between or not, the asker's last move is taken back."""
    for agent_was_quick in (True, False):
        session = against_agent()
        play(session, "44" + ("55" if agent_was_quick else "5"))
        session.undo(FIRST, 0, 3, 0)
        assert session.game.moves == "44"


def test_undo_revives_a_game_that_was_over() -> None:
    session = one_screen()
    play(session, "1212121")
    assert session.status == "over"
    session.undo(BOTH, 0, 7, 0)
    assert (session.status, session.game.moves, notation.moves_text(session.game.undone)) == (
        "playing",
        "121212",
        "1",
    )
    session.redo_moves(BOTH, 1, 6, 0)
    assert session.status == "over"


def test_between_people_undo_is_asked_for() -> None:
    session = people()
    play(session, "445")
    session.undo(FIRST, 0, 3, 0)
    assert (session.game.moves, session.offers) == ("445", {"undo": 0})
    with refused("no_such_offer"):
        session.answer(FIRST, "undo", True, 0)  # not one's own
    session.answer(SECOND, "undo", False, 0)
    assert session.offers == {}
    session.offer(FIRST, "undo", 0)
    session.answer(SECOND, "undo", True, 0)
    assert (session.game.moves, session.take) == ("44", 1)
    with refused("not_allowed"):
        session.redo_moves(FIRST, 1, 2, 0)


def test_an_old_move_after_an_undo() -> None:
    session = against_agent()
    play(session, "4455")
    seq = session.known[0, 2][1]
    session.undo(FIRST, 0, 4, 0)
    assert session.move(FIRST, 0, 2, 4, 0).seq == seq  # it was made, and is acknowledged again
    assert session.game.moves == "44"
    with refused("conflict"):
        session.move(FIRST, 0, 4, 0, 0)  # it was never made, and its take is past


def test_offers_expire_with_the_next_move_and_meet() -> None:
    session = people()
    session.offer(FIRST, "draw", 0)
    assert session.offer(FIRST, "draw", 0).events == ()
    play(session, "4")
    assert session.offers == {}
    session.offer(FIRST, "draw", 0)
    session.offer(SECOND, "draw", 0)  # both want it
    assert session.result == Result("1/2-1/2", "agreement")
    with refused("not_allowed"):
        against_agent().offer(FIRST, "draw", 0)


def test_resign_and_abort() -> None:
    session = people()
    session.resign(SECOND, 0)
    assert session.result is not None
    assert (session.result.score, session.result.reason) == ("1-0", "resign")
    assert session.resign(SECOND, 0).events == ()
    waiting = people()
    waiting.seats = waiting.seats[0], Seat("free")
    with refused("not_started"):
        waiting.move(FIRST, 0, 0, 0, 0)
    waiting.resign(FIRST, 0)
    assert waiting.result is not None
    assert waiting.result.reason == "abort"
    with refused("seat_taken"):
        waiting.join("Ada", "two", 0)


def test_claims() -> None:
    session = people()
    with refused("not_allowed"):
        session.claim(FIRST, "win", 0, 100)  # one's own turn
    with refused("too_early"):
        session.claim(SECOND, "win", None, 100)
    with refused("too_early"):
        session.claim(SECOND, "win", 101, 100)
    session.claim(SECOND, "win", 100, 100)
    assert session.result is not None
    assert (session.result.score, session.result.reason) == ("0-1", "abandon")


def test_a_rematch_swaps_colours_and_keeps_tokens() -> None:
    session = people(clock=GameClock(60_000, 1_000))
    with refused("not_allowed"):
        session.offer(FIRST, "rematch", 0)
    session.resign(FIRST, 0)
    session.offer(FIRST, "rematch", 0)
    assert session.answer(SECOND, "rematch", True, 0).is_rematch
    step = session.begin_rematch("next", 9)
    assert kinds(step) == [GameBegun, Standing]
    new = step.begun
    assert new is not None
    assert [seat.name for seat in new.seats] == ["Ada", "Lan"]
    assert new.who("one").sides == (1,)
    assert new.clock is not None
    assert new.clock.left == [60_000, 60_000]
    assert session.rematch == "next"
    assert session.offer(FIRST, "rematch", 0).events == ()


def test_seats_change_by_their_owner_only() -> None:
    session = against_agent()
    session.set_agent(FIRST, 1, Successor("Lan", None), 0)
    assert session.who("one").sides == (0, 1)
    session.set_agent(BOTH, 0, PERFECT, 0)
    assert (session.agent_to_move, session.who("one")) == ("perfect", Who((1,), True))
    with refused("not_allowed"):
        people().set_agent(FIRST, 1, PERFECT, 0)  # somebody sits there
    with refused("not_allowed"):
        session.set_agent(SECOND, 1, Successor("", None), 0)


def test_a_seat_offered_in_the_middle_is_taken_back_or_gone_with_the_next_move() -> None:
    session = people()
    play(session, "44")
    assert kinds(session.set_agent(FIRST, 0, PERFECT, 0)) == [Standing]
    assert session.set_agent(FIRST, 0, PERFECT, 0).events == ()  # it is asked already
    assert kinds(session.set_agent(FIRST, 0, Successor("First", "first"), 0)) == [Standing]  # another
    assert kinds(session.set_agent(FIRST, 0, Successor("Lan", None), 0)) == [Standing]  # so it is: no more
    with refused("no_such_offer"):
        session.answer(SECOND, "seat", True, 0)
    session.set_agent(FIRST, 0, PERFECT, 0)
    play(session, "5")
    with refused("no_such_offer"):
        session.answer(SECOND, "seat", True, 0)
    session.set_agent(FIRST, 0, PERFECT, 0)
    session.resign(SECOND, 0)
    with refused("no_such_offer"):
        session.answer(SECOND, "seat", True, 0)
    assert [seat.kind for seat in session.seats] == ["human", "human"]


def test_clock() -> None:
    session = people(clock=GameClock(10_000, 2_000))
    play(session, "4", now=5_000)
    play(session, "4", now=9_000)  # both first moves are free
    assert session.clock is not None
    assert (session.clock.left, session.clock.running) == ([10_000, 10_000], 0)
    play(session, "4", now=12_000)
    assert (session.clock.left, session.clock.running, session.clock.since) == ([9_000, 10_000], 1, 12_000)
    assert session.flag(22_000) is None  # within what a slow line may be forgiven
    assert session.flag(22_000 + LAG_PER_MOVE) is not None
    assert session.result is not None
    assert (session.result.score, session.result.reason, session.clock.left[1]) == ("1-0", "time", 0)


def test_lag_is_forgiven_from_an_account() -> None:
    clock = GameClock(10_000)
    for now in range(0, 10_000, 1_000):
        clock.run(0, now)
        clock.press(now + 1_000, lag=5_000)
    # Each time at most half a second, and not for ever.
    assert 10_000 - 10 * 1_000 < clock.left[0] < 10_000 - 10 * (1_000 - LAG_PER_MOVE)


def test_more_time() -> None:
    session = people(clock=GameClock(10_000))
    session.more_time(FIRST)
    assert session.clock is not None
    assert session.clock.left == [10_000, 25_000]
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
        ("\u3164\u2800\uffa0\u115f\ufe0f\u034f", ""),  # letters and symbols that nobody sees
        ("가\u3164나", "가나"),
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
