"""A visit to a game on a server, at a terminal."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from claimeven import notation
from claimeven.client import words
from claimeven.client.client import Client
from claimeven.client.events import Connected, Delayed, Event, Lost
from claimeven.client.faces import Face
from claimeven.client.link import Link
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError

COMMANDS = {
    "swap": "take the first disc: the pie rule",
    "undo": "take the last move back",
    "draw": "offer a draw",
    "resign": "give up",
    "claim": "win when the other has left",
    "time": "give the other 15 seconds",
    "hint": "what is best here, against agents",
    "moves": "the moves so far",
    "again": "another game, colours swapped",
    "help": "this list",
    "quit": "leave; the game stays, and so does your seat",
}


class Visit:
    def __init__(self, client: Client, face: Face) -> None:
        self.client = client
        self.face = face
        self._doing: set[asyncio.Task[None]] = set()
        self._presence: dict[str, str] = {}  # who is not here, and what is said of them
        self._line = "connecting"
        self._is_sure_of: str | None = None  # a command that was asked back
        self._told_end = False
        self._before: m.State | None = None

    async def stay(self) -> Link | None:
        """Until somebody leaves, or both want another game: then its link."""
        news = aiter(self.client)
        event: asyncio.Task[Event] | None = None
        word: asyncio.Task[str] | None = None
        try:
            while not self._is_done():
                event = event or asyncio.ensure_future(anext(news))
                word = word or asyncio.ensure_future(self.face.typed())
                if word.done() and self._is_timely(word):
                    typed, word = word.result(), None
                    if not self._obey(typed):
                        return None
                    continue
                if not word.done() and not self._doing and self.state is not None:
                    self.face.ask(self._prompt())
                await asyncio.wait(
                    {task for task in (event, word, *self._doing) if not task.done()},
                    timeout=self._patience(),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                for done in [task for task in self._doing if task.done()]:
                    self._doing.discard(done)
                    done.result()
                if event.done():
                    heard, event = event.result(), None
                    self._hear(heard)
                    if next_game := self.client.state and self.client.state.rematch:
                        return self.client.link._replace(game=next_game, invite=None)
                if self.face.is_picture:
                    self._show()
        except EOFError:
            self.face.say("")
        finally:
            for unfinished in (event, word, *self._doing):
                if unfinished is not None:
                    unfinished.cancel()
        return None

    @property
    def state(self) -> m.State | None:
        return self.client.state

    def _is_done(self) -> bool:
        """A watcher goes when the game is over."""
        state = self.state
        return self._told_end and state is not None and not state.you

    def _is_timely(self, word: "asyncio.Task[str]") -> bool:
        """Whether to obey now. Written in advance, columns wait for the turn and answers for a question."""
        state = self.state
        if state is None or self._doing:
            return False
        if not self.face.waits:
            return True
        if word.exception() is not None:  # the end of the input: but all that happened is told before
            return not self.client.has_news and (bool(state.you) or self._told_end)
        text = word.result()
        if text in ("y", "yes", "n", "no"):
            return self._told_end or self._is_asked
        if text in ("swap", self._short("swap")):
            return self._told_end or not state.you or self.client.is_my_turn
        if len(text) == 1 and text in notation.moves_text(range(state.board.columns)):
            return self._told_end or not state.you or self.client.is_my_turn
        return True

    @property
    def _is_asked(self) -> bool:
        state = self.state
        return self._is_sure_of is not None or (state is not None and words.asked(state) is not None)

    def _patience(self) -> float | None:
        """Clocks and countdowns are drawn once a second."""
        state = self.state
        if not self.face.is_picture or state is None:
            return None
        runs = state.clock is not None and state.clock.running is not None
        return 1.0 if runs or any(seat.gone_at is not None for seat in state.seats) else None

    # What is heard -----------------------------------------------------------------------------------

    def _hear(self, event: Event) -> None:
        state = self.state
        match event:
            case Connected():
                if self._line != "connecting":
                    self.face.say("connected again")
                self._line = ""
            case Lost(reason=reason):
                if not self._line or self._line == "connecting":
                    self.face.say(f"{reason}; trying to connect …")
                self._line = f"{reason}; trying to connect"
            case Delayed(reason=reason):
                self.face.say(f"{reason} (this is done by itself)")
            case m.Notice():
                self.face.say("the server restarts; the game goes on in a moment")
            case m.Moved() if state is not None:
                digit = notation.column_digit(event.column - 1)
                name = words.who(state, event.side)
                self.face.say(f"{words.stone(event.side)} ({name}) plays {digit}")
                if event.seq == state.seq and event.turn is not None:  # else more follows
                    self._show()
            case m.State():
                self._presence = self._absent()
                if words.was_declined(self._before, event):
                    self.face.say(f"{words.who(event, 3 - event.you[0])} declines")
                if event.pie == "swapped" and self._before is not None and self._before.pie == "yes":
                    self.face.say(words.swapped(event))
                self._before = event
                self._show()
                self._tell_end()
            case m.Presence() if not self.face.is_picture:
                absent = self._absent()
                for line in words.presence_news(self._presence, absent):
                    self.face.say(line)
                self._presence = absent
            case _:
                pass

    def _absent(self) -> dict[str, str]:
        state = self.state
        assert state is not None
        return {
            words.who(state, seat.side): "away" if seat.presence == "reconnecting" else "gone"
            for seat in state.seats
            if seat.kind == "human" and seat.side not in state.you and seat.presence != "online"
        }

    def _tell_end(self) -> None:
        state = self.state
        is_over = state is not None and state.result is not None
        if state is not None and is_over and not self._told_end:
            self.face.say(f"{words.result(state, self.client.position)}.")
        self._told_end = is_over

    def _show(self) -> None:
        state = self.state
        if state is None:
            return
        lines = words.players(state, self.client.server_time)
        if state.watchers:
            lines.append(f"  {state.watchers} watching")
        if self.face.waits or not self.client.is_my_turn:  # else the prompt says it
            lines.append(words.turn(state))
        lines += words.offers(state)
        if self._line:
            lines.append(self._line)
        self.face.show(self.client.position, lines, self._prompt(), self.client.is_my_turn)

    # What is typed -----------------------------------------------------------------------------------

    def _short(self, command: str) -> str:
        """On boards with ten columns and more, letters are columns: there only whole words are commands."""
        state = self.state
        is_wide = state is not None and state.board.columns > 9
        return "?" if command == "help" else command if is_wide else command[0]

    def _listed(self) -> list[str]:
        state = self.state
        if state is None or not state.you:
            return ["help", "quit"]
        if state.status == "over":
            return ["again", "moves", "quit"]
        if state.status == "waiting":
            return ["help", "quit"]
        listed = ["undo", "draw", "resign", "help", "quit"]
        if self.client.may_swap:
            listed.insert(0, "swap")
        gone = [seat for seat in state.seats if seat.presence == "gone" and seat.side == state.turn]
        return ["claim", *listed] if gone and not self.client.is_my_turn else listed

    def _prompt(self) -> str:
        state = self.state
        if state is None:
            return ""
        if self._is_sure_of is not None:
            return f"{self._is_sure_of}? (y yes, n no): "
        commands = ", ".join(
            name if self._short(name) == name else f"{self._short(name)} {name}" for name in self._listed()
        )
        if (kind := words.asked(state)) and state.you:
            commands = f"y yes, n no to {words.OFFERS[kind]}, {commands}"
        if not self.client.is_my_turn:
            return f"({commands}): "
        digits = notation.moves_text(range(state.board.columns))
        return f"{words.turn(state)}, column {digits[0]}-{digits[-1]} ({commands}): "

    def _obey(self, word: str) -> bool:
        """Whether to stay."""
        state = self.state
        if state is None or not word:
            return True
        sure, self._is_sure_of = self._is_sure_of, None
        if sure is not None:
            if word in ("y", "yes"):
                self._do(self.client.resign())
            return True
        digits = notation.moves_text(range(state.board.columns))
        if len(word) == 1 and word in digits:
            self._drop(digits.index(word))
            return True
        command = next((name for name in COMMANDS if word in (name, self._short(name))), word)
        kind = words.asked(state)
        if command in ("y", "yes", "n", "no") and kind is not None and state.you:
            self._do(self.client.answer(kind, command[0] == "y"))
        elif command in ("quit", "exit") or (command in ("n", "no") and state.status == "over"):
            return False
        elif command == "again" or (command in ("y", "yes") and state.status == "over"):
            self._do(self.client.offer("rematch"), "you ask for another game")
        elif command == "swap":
            self._do(self.client.swap())
        elif command == "undo":
            self._do(self.client.undo())
        elif command == "draw":
            self._do(self.client.offer("draw"))
        elif command == "resign":
            self._is_sure_of = "resign"
        elif command == "claim":
            self._do(self.client.claim())
        elif command == "time":
            self._do(self.client.more_time())
        elif command == "hint":
            self._do(self._hint())
        elif command == "moves":
            self.face.say(f"moves: {state.moves}" if state.moves else "no moves yet")
        elif command == "help":
            self._help(digits)
        else:
            self.face.say(f"{notation.quote(word)} is no column and no command: ? tells more")
        return True

    def _drop(self, column: int) -> None:
        if self.client.is_my_turn:
            self._do(self.client.move(column))
        else:
            state = self.state
            self.face.say("you only watch" if state and not state.you else "it is not your turn")

    async def _hint(self) -> None:
        hint = await self.client.hint()
        self.face.say(f"hint: {hint.text}")

    def _help(self, digits: str) -> None:
        how = "Left and right move the disc, Enter drops it" if self.face.is_picture else "Type a column"
        self.face.say(f"{how} ({digits[0]}-{digits[-1]}), or:")
        has_pie = self.state is not None and self.state.pie != "no"
        for name, about in COMMANDS.items():
            if name == "swap" and not has_pie:
                continue
            self.face.say(f"  {self._short(name):<6} {about}")

    def _do(self, request: Coroutine[Any, Any, Any], after: str = "") -> None:
        async def do() -> None:
            try:
                await request
                if after:
                    self.face.say(after)
            except RefusedError as error:
                self.face.say(error.message)

        self._doing.add(asyncio.ensure_future(do()))
