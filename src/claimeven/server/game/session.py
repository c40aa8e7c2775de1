"""A game being played: who may do what, and what follows. No input or output, no clock of its own.

Every method is told who asks and what time it is. It changes the game at once and returns a `Step`: what
happened, as values. The room (room.py) tells it only after it is stored.
"""

from typing import Literal, NamedTuple

from claimeven.errors import MoveError
from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import MORE_TIME, GameClock
from claimeven.server.game.events import (
    Event,
    GameRated,
    GameUnrated,
    MoveMade,
    MovesReplayed,
    Renamed,
    Replaced,
    Seat,
    SeatChanged,
    SeatTaken,
    Successor,
    TakenBack,
    Unrated,
)
from claimeven.server.game.state import BOTH, GameState, Who

__all__ = ["BOTH", "Seat", "Session", "Step", "Who"]

MOST_RATED = 3  # games of the same two within a day
MAX_TAKES = 500  # of one game: what was taken back is kept, and must not grow without end


def why_unrated(is_near: bool, rated_before: int) -> Unrated | None:
    """Of a game that was to be rated: who plays against themselves, or always against the same one, would say
    nothing about how strong they are."""
    if is_near:
        return "address"
    return "often" if rated_before >= MOST_RATED else None


class Step(NamedTuple):
    """What a request did. One that was granted before does nothing and has the seq of then."""

    seq: int
    events: tuple[Event, ...] = ()
    is_rematch: bool = False  # both want one: whoever has an id for it calls `begin_rematch`
    begun: "Session | None" = None  # the rematch


class Turn(NamedTuple):
    """A moment of the game: after so many moves, and whether sides are swapped already."""

    ply: int
    is_swapped: bool = False


class Session(GameState):
    # Moves -----------------------------------------------------------------------------------------

    def move(
        self, who: Who, take: int, ply: int, column: int, now: int, lag: int = 0, by_agent: bool = False
    ) -> Step:
        """Drop a disc. `take` and `ply` say after which moves: a repeated move is recognised by them."""
        if not who.sides:
            raise RefusedError("not_your_seat.move")
        played = self.ply
        if take > self.take or (take == self.take and ply > played):
            raise RefusedError("gap.ply", take=self.take, ply=played)
        known = self.known.get((take, ply))
        if known is None and take == self.take and ply < played:  # made in an earlier take, and still there
            known = self.game.columns[ply], self.seq
        if known is not None:
            # By the pie rule who dropped a disc may sit at the other side now.
            if known[0] == column and (self.has_pie or self.side_at(ply) in who.sides):
                return Step(known[1])
            raise RefusedError("conflict.move", ply=ply)
        if take < self.take:
            raise RefusedError("conflict.undone")
        self._check_playing()
        side = self.position.side
        if side not in who.sides or (self.seats[side].kind == "agent") != by_agent:
            raise RefusedError("not_your_turn.move")
        try:
            move = self._put(column, now, self.seq + 1, lag, by_agent)
        except MoveError as error:
            raise RefusedError.because(error, "illegal_column") from None
        self.offers.clear()
        self.seq += 1
        if self.result is None:
            return Step(self.seq, (move,))
        seq = self.seq  # of the move; the end is an event of its own
        self.seq += 1
        return Step(seq, (move, self.standing(), *self._rating(now)))

    def _rating(self, now: int) -> tuple[GameRated, ...]:
        """What the end means for ratings: nothing, where nobody asked for it or nobody has played."""
        if not self.is_rated or self.result is None or self.result.score == "*":
            return ()
        return (GameRated(self.id, self.result.score, now),)

    def _put(self, column: int | None, now: int, seq: int, lag: int = 0, by_agent: bool = False) -> MoveMade:
        """Make a move as event `seq`, or, without a column, the next one that was taken back."""
        side, ply = self.position.side, self.ply
        ms = None if self.turn_since is None else now - self.turn_since
        if column is None:
            column = self.game.undone[0]
            position = self.game.redo(ms)
        else:
            position = self.game.play(column, ms)
        if self.clock is not None:
            self.clock.press(now, lag)
        self.known[self.take, ply] = column, seq
        self.turn_since = now
        self.run_clock(now)
        return MoveMade(
            self.id,
            seq=seq,
            take=self.take,
            ply=ply,
            column=column,
            side=side,
            position=position,
            is_last=self.result is not None,
            ms=ms,
            clock=None if self.clock is None else self.clock.reading(),
            at=now,
            by_agent=by_agent,
            may_swap=self.game.may_swap,
        )

    def swap(self, who: Who, now: int, by_agent: bool = False) -> Step:
        """Take the first disc by the pie rule: nothing moves, both sit at the other side from now on."""
        self._check_player(who)
        self._check_playing()
        side = self.position.side
        if not self.game.may_swap:
            raise RefusedError("not_allowed.swap")
        if side not in who.sides or (self.seats[side].kind == "agent") != by_agent:
            raise RefusedError("not_your_turn.move")
        self.game.swap()
        self.offers.clear()
        self.turn_since = now
        changed = self._change_sides()
        self.run_clock(now)
        return self._rare(changed)

    def undo(self, who: Who, take: int, ply: int, now: int) -> Step:
        """Take back: at once where nobody else is asked, else as an offer."""
        self._check_player(who)
        self._check_lenient()
        if take < self.take:
            return Step(self.seq)  # done already
        if take > self.take or ply > self.ply:
            raise RefusedError("gap.ply", take=self.take, ply=self.ply)
        if not self._is_alone(who):
            return self.offer(who, "undo", now)
        return self._take_back(self._own_turn_before(who.sides, ply), now)

    def _take_back(self, turn: Turn, now: int) -> Step:
        if self.take >= MAX_TAKES:
            raise RefusedError("not_allowed.takes", times=MAX_TAKES)
        self.take += 1
        events: list[Event] = [TakenBack(self.id, self.take, turn.ply)]
        while self.ply > turn.ply or (self.game.pie == "swapped" and not turn.is_swapped):
            was_swapped = self.game.pie == "swapped"
            self.game.undo()
            if was_swapped and self.game.pie != "swapped":
                events.append(self._change_sides())
        self.offers.clear()
        self.turn_since = now
        self.run_clock(now)
        return self._rare(*events)

    def redo_moves(self, who: Who, take: int, ply: int, now: int) -> Step:
        """Play what was taken back again, up to the asker's next turn."""
        self._check_player(who)
        self._check_lenient()
        if take > self.take or ply > self.ply:
            raise RefusedError("gap.ply", take=self.take, ply=self.ply)
        if take < self.take:
            raise RefusedError("conflict.redo")
        if ply < self.ply:
            return Step(self.seq)  # done already
        if not self._is_alone(who):
            raise RefusedError("not_allowed.redo")
        if not self.game.undone:
            raise RefusedError("not_allowed.nothing_undone")
        self._check_playing()
        moves: list[MoveMade] = []
        while self.game.undone and self.result is None:
            moves.append(self._put(None, now, self.seq + 1))
            if self.position.side in who.sides:
                break
        return self._rare(MovesReplayed(self.id, tuple(moves)))

    # Terms -----------------------------------------------------------------------------------------

    def offer(self, who: Who, kind: str, now: int) -> Step:
        self._check_player(who)
        side = self._speaker(who)
        if kind == "undo":
            self._check_lenient()
        if kind == "rematch":
            if self.event is not None:
                raise RefusedError("not_allowed.event")
            if self.result is None:
                raise RefusedError("not_allowed.not_over")
            if self.rematch is not None:
                return Step(self.seq)
        else:
            self._check_playing()
        if kind == "undo":
            self._own_turn_before(who.sides, self.ply)  # is there anything to take back?
        asked = self.offers.get(kind)
        if asked == side and not self._is_alone(who):
            return Step(self.seq)
        if asked is not None or self._is_alone(who):
            return self._agree(kind, who, side if asked is None else asked, now)
        self.offers[kind] = side
        return self._rare()

    def answer(self, who: Who, kind: str, yes: bool, now: int) -> Step:
        self._check_player(who)
        asked = self.offers.get(kind)
        if asked is None or asked in who.sides:
            raise RefusedError("no_such_offer.asked", kind=kind)
        if yes:
            return self._agree(kind, who, asked, now)
        del self.offers[kind]
        return self._rare()

    def _agree(self, kind: str, who: Who, asked: int, now: int) -> Step:
        if kind == "seat":
            assert self.successor is not None
            self._check_playing()
            return self._replace(asked, self.successor, now, is_agreed=True)
        if kind == "undo":
            sides = who.sides if self._is_alone(who) else (asked,)
            return self._take_back(self._own_turn_before(sides, self.ply), now)
        if kind == "draw":
            if any(seat.kind == "agent" for seat in self.seats):
                raise RefusedError("not_allowed.draw")
            return self.end(None, "agreement", now)
        return Step(self.seq, is_rematch=True)

    def resign(self, who: Who, now: int) -> Step:
        self._check_player(who)
        if self.result is not None and self.result.reason in ("resign", "abort"):
            return Step(self.seq)
        if self.result is None and self.is_waiting:
            return self.end(None, "abort", now)
        self._check_playing()
        return self.end(1 - self._speaker(who), "resign", now)

    def claim(self, who: Who, result: str, gone_at: int | None, now: int) -> Step:
        """`gone_at`: since when the side to move counts as gone; None while it is there."""
        self._check_player(who)
        if self.result is not None and self.result.reason == "abandon":
            return Step(self.seq)
        self._check_playing()
        side = self.position.side
        if side in who.sides or self.seats[side].kind == "agent":
            raise RefusedError("not_allowed.claim")
        if gone_at is None or now < gone_at:
            raise RefusedError("too_early.claim")
        if result == "draw":
            return self.end(None, "agreement", now)
        return self.end(1 - side, "abandon", now)

    def end(self, winner: int | None, reason: str, now: int) -> Step:
        """End the game by something that the board does not show."""
        self.game.end(winner, reason)
        self.offers.clear()
        if self.clock is not None:
            self.clock.stop(now)
        return self._rare(*self._rating(now))

    def flag(self, now: int) -> Step | None:
        """End the game if the time of the side to move is up."""
        falls = None if self.clock is None or self.result is not None else self.clock.falls_at()
        if falls is None or now < falls:
            return None
        return self.end(1 - self.position.side, "time", now)

    def more_time(self, who: Who) -> Step:
        self._check_player(who)
        self._check_lenient()
        self._check_playing()
        if self.clock is None or len(who.sides) == 2:
            raise RefusedError("not_allowed.time")
        self.clock.left[1 - who.sides[0]] += MORE_TIME
        return self._rare()

    # Seats -----------------------------------------------------------------------------------------

    def set_agent(self, who: Who, side: int, successor: Successor, now: int) -> Step:
        """Let an agent play a side, or the owner. Its spec was checked before. In the middle of a game with
        another person it is an offer: who asks for what is so already takes it back."""
        seat = self.seats[side]
        self._check_lenient()
        if not who.is_owner or (seat.kind == "human" and seat.owner != self.owner):
            raise RefusedError("not_allowed.owner")
        if seat.agent == successor.agent and seat.kind != "free":
            return self._rare() if self.offers.pop("seat", None) is not None else Step(self.seq)
        if not self._is_asked_for_seats:
            return self._replace(side, successor, now)
        if self.offers.get("seat") == side and self.successor == successor:
            return Step(self.seq)
        self.offers["seat"], self.successor = side, successor
        return self._rare()

    @property
    def _is_asked_for_seats(self) -> bool:
        """Whether somebody plays here who is not the owner: nobody changes their opponent without them."""
        others = any(seat.kind == "human" and seat.owner != self.owner for seat in self.seats)
        return others and self.ply > 0 and self.result is None

    def _replace(self, side: int, successor: Successor, now: int, is_agreed: bool = False) -> Step:
        seat, (name, spec) = self.seats[side], successor
        replaced = None
        if self.ply and seat.kind != "free":
            replaced = Replaced(self.seq + 1, self.ply, side, seat, is_agreed)
            self.replaced.append(replaced)
        kind: Literal["human", "agent"] = "human" if spec is None else "agent"
        seat = self._sit(side, Seat(kind, name, spec, self.owner if spec is None else None))
        self.offers.clear()  # they were another's
        self.turn_since = now
        return self._rare(SeatChanged(self.id, side, seat, replaced))

    def join(
        self,
        name: str,
        token_hash: str,
        now: int,
        player: str | None = None,
        rating: int | None = None,
        is_near: bool = False,
        rated_before: int = 0,
    ) -> Step:
        """Take the free seat; the invitation was checked before. `is_near`: from the address of the other
        one, who may be the same person; so it counts for no rating. `rated_before`: games of these two within
        a day that did."""
        side = next((s for s in BOTH if self.seats[s].kind == "free"), None)
        if side is None or self.result is not None:
            raise RefusedError("seat_taken.seat")
        if self.is_rated and player is None:
            raise RefusedError("not_allowed.nameless")
        if player is not None and self.seats[1 - side].player == player and self.is_rated:
            raise RefusedError("not_allowed.oneself")
        seat = self._sit(side, Seat("human", name, None, token_hash, player, rating))
        if self.seats[1 - side].kind == "agent":  # nobody else plays: the game is theirs
            self.owner = token_hash
        self.turn_since = now
        self.rated_before = rated_before
        why = why_unrated(is_near, rated_before) if self.is_rated else None
        if why is None:
            return self._rare(SeatTaken(self.id, side, seat))
        self.is_rated, self.unrated = False, why
        return self._rare(SeatTaken(self.id, side, seat), GameUnrated(self.id, why))

    def sit_again(self, player: str, token_hash: str, now: int) -> Step:
        """A player comes from another browser: the seat goes with them."""
        side = next((s for s in BOTH if self.seats[s].player == player), None)
        if side is None:
            raise RefusedError("not_your_seat.player")
        seat = self.seats[side]
        if seat.owner == token_hash:
            return Step(self.seq)
        if self.owner == seat.owner:
            self.owner = token_hash
        return self._rare(SeatChanged(self.id, side, self._sit(side, seat._replace(owner=token_hash))))

    def set_name(self, who: Who, name: str) -> Step:
        self._check_player(who)
        # Who has a name of their own on this server is called by it.
        named = [side for side in who.sides if self.seats[side].player is None]
        own = [side for side in named if self.seats[side].name != name]
        for side in own:
            self._sit(side, self.seats[side]._replace(name=name))
        return self._rare(*(Renamed(self.id, side, name) for side in own)) if own else Step(self.seq)

    def begin_rematch(self, game: str, now: int) -> Step:
        """The same players on a new board, the other one begins; their tokens stay good."""
        first, second = self.seats
        seats = (first, second) if self.game.pie == "swapped" else (second, first)
        clock = None if self.clock is None else GameClock(self.clock.initial, self.clock.increment)
        new = Session(
            game,
            self.start,
            seats,
            now,
            self.think,
            clock,
            self.owner,
            turn_since=now,
            has_pie=self.has_pie,
            is_rated=self.is_rated,
            unrated=self.unrated,
            rated_before=self.rated_before,
        )
        if self.is_rated and self.is_between_people:
            new.rated_before += len(self._rating(now))  # this one, if it was played
            new.unrated = why_unrated(False, new.rated_before)
            new.is_rated = new.unrated is None
        self.rematch = game
        self.offers.clear()
        step = self._rare()
        return step._replace(events=(new.begun(), *step.events), begun=new)

    # Checks ------------------------------------------------------------------------------------------

    def _check_player(self, who: Who) -> None:
        if not who.sides:
            raise RefusedError("not_your_seat.player")

    def _check_lenient(self) -> None:
        if self.is_strict:
            raise RefusedError("not_allowed.strict")

    def _check_playing(self) -> None:
        if self.result is not None:
            raise RefusedError("game_over.game")
        if self.is_waiting:
            raise RefusedError("not_started.free")

    def _own_turn_before(self, sides: tuple[int, ...], ply: int) -> Turn:
        """The last moment at which one of these sides, as they are now, had to decide."""
        is_swapped = self.game.pie == "swapped"
        swapped_at = 1 - self.start.ply if is_swapped else 0
        for earlier in range(ply - 1, swapped_at - 1, -1):
            if self.side_at(earlier) in sides:
                return Turn(earlier, is_swapped)
        if is_swapped and ply >= swapped_at and 0 in sides:  # who has the first disc took it
            return Turn(swapped_at)
        if is_swapped and swapped_at and 1 in sides:  # and the other dropped it
            return Turn(0)
        raise RefusedError("not_allowed.undo")

    def _rare(self, *events: Event) -> Step:
        """What everybody is told the whole state for."""
        self.seq += 1
        return Step(self.seq, (*events, self.standing()))
