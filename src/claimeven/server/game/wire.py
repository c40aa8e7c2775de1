"""A game as its guests are told it, in messages. Columns and sides count from 1 here."""

from collections.abc import Callable

from msgspec import structs

from claimeven import notation
from claimeven.game import Result
from claimeven.server import messages as m
from claimeven.server.game.company.presence import Attendance, Guest
from claimeven.server.game.events import MoveMade, Reading
from claimeven.server.game.session import BOTH, Session, Who

Telling = Callable[[Guest], m.Outgoing]  # what a guest is told


def moved(move: MoveMade) -> m.Moved:
    position = move.position
    return m.Moved(
        seq=move.seq,
        take=move.take,
        ply=move.ply,
        column=move.column + 1,
        row=position.height(move.column),
        side=move.side + 1,
        turn=None if move.is_last else position.side + 1,
        landing={} if move.is_last else m.landing(position),
        clock=_clock(move.clock),
        by="agent" if move.by_agent else "human",
        swap=move.may_swap,
    )


def whole_state(
    session: Session, attendance: Attendance, who: Who, now: int, newcomer: Guest | None = None
) -> m.State:
    """A newcomer is told that they are there already."""
    board, position = session.start.board, session.position
    return m.State(
        seq=session.seq,
        protocol=m.PROTOCOL,
        game=session.id,
        you=sides(who),
        owner=who.is_owner,
        server_time=now,
        board=m.BoardShape(board.columns, board.rows, board.connect),
        start=session.start.text,
        moves=session.game.moves,
        take=session.take,
        redo=notation.moves_text(session.game.undone),
        turn=_side(session.turn),
        landing=m.landing(position) if session.status == "playing" else {},
        seats=seats(session, attendance, now, newcomer),
        clock=_clock(None if session.clock is None else session.clock.reading()),
        think=session.think,
        offers=_offers(session),
        result=_result(session.result),
        four=tuple((cell.column + 1, cell.row + 1) for cell in position.four),
        status=session.status,
        watchers=attendance.watchers,
        rematch=session.rematch,
        pie=session.game.pie,
        swap=session.status == "playing" and session.game.may_swap,
        rated=session.is_rated,
        event=session.event,
        unrated=session.unrated,
    )


def states(whole: m.State, session: Session) -> Telling:
    """A state for each guest: what is theirs differs."""
    told: dict[Who, m.Outgoing] = {}

    def state_for(guest: Guest) -> m.Outgoing:
        who = session.who(guest.token_hash)
        if who not in told:
            told[who] = m.Outgoing(structs.replace(whole, you=sides(who), owner=who.is_owner))
        return told[who]

    return state_for


def presence(session: Session, attendance: Attendance, now: int) -> m.Presence:
    return m.Presence(seats(session, attendance, now), attendance.watchers)


def seats(
    session: Session, attendance: Attendance, now: int, newcomer: Guest | None = None
) -> tuple[m.SeatState, m.SeatState]:
    first, second = (_seat(session, attendance, side, now, newcomer) for side in BOTH)
    return first, second


def _seat(
    session: Session, attendance: Attendance, side: int, now: int, newcomer: Guest | None
) -> m.SeatState:
    kind, name, agent, _, player, rating = session.seats[side]
    presence, gone_at = attendance.presence(side, now, newcomer)
    return m.SeatState(side + 1, kind, name, agent, presence, gone_at, player, rating)


def sides(who: Who) -> tuple[int, ...]:
    return tuple(side + 1 for side in who.sides)


def _offers(session: Session) -> m.Offers:
    successor = session.successor if "seat" in session.offers else None
    return m.Offers(
        **{kind: side + 1 for kind, side in session.offers.items()},
        successor=None if successor is None else m.Successor(*successor),
    )


def _side(side: int | None) -> int | None:
    return None if side is None else side + 1


def _clock(clock: Reading | None) -> m.ClockState | None:
    if clock is None:
        return None
    return m.ClockState(clock.initial, clock.increment, clock.left, _side(clock.running), clock.since)


def _result(result: Result | None) -> m.ResultState | None:
    return None if result is None else m.ResultState(result.score, _side(result.winner), result.reason)
