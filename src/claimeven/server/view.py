"""The whole game as a client is told it."""

from claimeven.server import messages as m
from claimeven.server.live import Live, Who
from claimeven.server.presence import Attendance, Guest
from claimeven.server.store import start_text


def whole_state(
    live: Live, attendance: Attendance, who: Who, now: int, newcomer: Guest | None = None
) -> m.State:
    """A newcomer is told that they are there already."""
    board = live.start.board
    return m.State(
        seq=live.seq,
        protocol=m.PROTOCOL,
        game=live.id,
        you=tuple(side + 1 for side in who.sides),
        owner=who.is_owner,
        server_time=now,
        board=m.BoardShape(board.columns, board.rows, board.connect),
        start=start_text(live.start),
        moves=live.moves_text,
        take=live.take,
        redo=live.redo_text,
        turn=None if live.turn is None else live.turn + 1,
        landing=live.landing(),
        seats=attendance.seats(now, newcomer),
        clock=None if live.clock is None else live.clock.state(),
        think=live.think,
        offers=live.offers_state(),
        result=live.result_state(),
        four=tuple((cell.column + 1, cell.row + 1) for cell in live.position.four),
        status=live.status,
        watchers=attendance.watchers,
        rematch=live.rematch,
    )
