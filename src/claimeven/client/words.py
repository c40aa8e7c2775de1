"""A game on a server in words: who sits where, whose turn it is, how it ended."""

from collections.abc import Mapping

from claimeven.game import Result, ending
from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.terminal import shows_discs, sign

OFFERS = {
    "draw": "a draw",
    "undo": "to take the last move back",
    "rematch": "another game",
    "seat": "to be replaced",
}
ASKED = ("undo", "seat")  # the others are offered


def stone(side: int) -> str:
    return sign(side - 1, shows_discs())


def who(state: m.State, side: int) -> str:
    """A player by name, or by stone."""
    seat = state.seats[side - 1]
    if state.you == (side,):
        return "you"
    if seat.kind == "free":
        return "the other player"
    return seat.name or stone(side)


def players(state: m.State, server_time: float) -> list[str]:
    """One line per player: stone, name, presence, clock."""
    return [_player(state, seat, server_time) for seat in state.seats]


def _player(state: m.State, seat: m.SeatState, server_time: float) -> str:
    mark = ">" if state.turn == seat.side else " "
    name = seat.name or ("nobody yet" if seat.kind == "free" else "no name")
    parts = [f"{mark} {stone(seat.side)}  {name}{' (you)' if state.you == (seat.side,) else ''}"]
    if seat.kind == "human" and seat.side not in state.you and seat.presence != "online":
        parts.append(_presence(seat, server_time))
    if state.clock is not None:
        parts.append(clock_text(time_left(state.clock, seat.side, server_time)))
    return ", ".join(parts)


def presence_news(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Who has left or come back; both say who is not here, and how.

    >>> presence_news({"ann": "away", "ben": "away"}, {"ben": "gone"})
    ['ben is gone', 'ann is here again']
    """
    left = [f"{name} is {how}" for name, how in now.items() if before.get(name) != how]
    return left + [f"{name} is here again" for name in before if name not in now]


def _presence(seat: m.SeatState, server_time: float) -> str:
    left = 0 if seat.gone_at is None else seat.gone_at - server_time
    return f"reconnecting, {left / 1000:.0f} s" if left > 0 else "gone"


def time_left(clock: m.ClockState, side: int, server_time: float) -> float:
    """Milliseconds; `left` of the running side is what it had at `since`."""
    left = float(clock.left[side - 1])
    if clock.running == side and clock.since is not None:
        left -= max(0.0, server_time - clock.since)
    return max(0.0, left)


def clock_text(ms: float) -> str:
    """
    >>> clock_text(171_000), clock_text(3_723_000), clock_text(9_400)
    ('2:51', '1:02:03', '0:09.4')
    """
    if ms < 10_000:
        return f"0:{int(ms / 100) / 10:04.1f}"
    minutes, seconds = divmod(int(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def turn(state: m.State) -> str:
    if state.status == "waiting":
        return "waiting for the other player"
    if state.turn is None:
        return "the game is over"
    if state.turn in state.you:
        return f"{stone(state.turn)} to move: you" if len(state.you) == 1 else f"{stone(state.turn)} to move"
    return f"{stone(state.turn)} to move: {who(state, state.turn)}"


def swapped(state: m.State) -> str:
    """By the pie rule the first disc is the other's now."""
    taker, stones = who(state, 1), stone(1)
    if taker == "you":
        return f"you take the first disc, and play {stones} now"
    more = f"; you play {stone(2)} now" if state.you == (2,) else ""
    return f"{taker} takes the first disc, and plays {stones} now{more}"


def result(state: m.State, position: Position) -> str:
    """How it ended, and why."""
    ended = state.result
    assert ended is not None
    reader = state.you[0] - 1 if len(state.you) == 1 else None
    return ending(Result(ended.score, ended.reason), position, lambda side: who(state, side + 1), reader)


def offers(state: m.State) -> list[str]:
    """What was asked and not answered yet."""
    lines = []
    for kind, what in OFFERS.items():
        side = getattr(state.offers, kind)
        if side is None:
            continue
        if kind == "seat" and state.offers.successor is not None:
            what = f"{what} by {state.offers.successor.name or 'the owner of the game'}"
        if state.you == (side,):
            lines.append(f"you asked {what}" if kind in ASKED else f"you offered {what}")
        else:
            verb = "asks" if kind in ASKED else "offers"
            more = " (yes or no)" if state.you else ""
            lines.append(f"{who(state, side)} {verb} {what}{more}")
    return lines


def asked(state: m.State) -> m.OfferKind | None:
    """What the other player asks of you."""
    kinds: tuple[m.OfferKind, ...] = ("rematch", "undo", "draw", "seat")
    return next((k for k in kinds if getattr(state.offers, k) not in (None, *state.you)), None)


def was_declined(before: m.State | None, state: m.State) -> bool:
    """Whether an offer of yours has gone although nothing else happened."""
    if before is None or len(state.you) != 1:
        return False
    same = ("game", "moves", "take", "status", "rematch")
    if any(getattr(before, name) != getattr(state, name) for name in same):
        return False
    return any(
        getattr(before.offers, kind) == state.you[0] and getattr(state.offers, kind) is None
        for kind in OFFERS
    )
