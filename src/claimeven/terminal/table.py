"""The table: people and agents, one game after the other, at one keyboard."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from rich.console import Console

from claimeven import notation
from claimeven.agents import Agent, AgentError, choose_in_pie
from claimeven.agents.agent import NO_LIMIT
from claimeven.errors import InputError
from claimeven.game import Game, Player, ending
from claimeven.limit import Limit
from claimeven.runner import Bar, write_whole
from claimeven.terminal.advice import Advisor, view
from claimeven.terminal.board import disc_text, draw, has_discs, paints, sentence, sign
from claimeven.terminal.keyboard import can_pick, erase, pick, press
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.shelf import Shelf

COMMANDS = ("undo", "redo", "hint", "moves", "help", "quit")
SWAP = "swap"  # where the pie rule is played
HELP = """\
Two players take turns to drop a disc; it falls to the lowest free cell of the
column. The first to get {connect} in a line, across, up or slanting, wins.
{begins}
{type}
  {undo:<6} take the last move back      {moves:<6} show the moves so far
  {redo:<6} play it again                {hint:<6} what would be best here
  4?     where column 4 leads         {quit:<6} leave"""
TYPE = "Type the number above a column to drop a disc there, or:"
PIE = """\
By the pie rule whoever is second may take the first disc and swap sides:
  {swap:<6} right after that disc"""
ARROWS = "Left and right move the disc, Enter drops it; a number moves it, too. Or press:"


def typed_line(prompt: str) -> str:
    """Read a line; when nobody types it, show it, so that the output reads like a game."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


@dataclass
class Seats:
    """Who plays: for each side an agent, or None for a person at the keyboard."""

    agents: tuple[Agent | None, Agent | None] = (None, None)
    limit: Limit = NO_LIMIT
    explains: bool = False  # one sentence for every move of an agent
    shows_values: bool = False
    first: str = "me"  # who begins the next game: "me", "agent" or "random"

    @property
    def has_people(self) -> bool:
        return None in self.agents

    def change(self) -> None:
        """Before another game: who begins is settled anew."""
        swaps = self.first == "random" and random.random() < 0.5
        if swaps:
            self.agents = self.agents[::-1]

    def swap(self) -> None:
        self.agents = self.agents[1], self.agents[0]

    def players(self) -> tuple[Player, Player]:
        first, second = (
            Player() if agent is None else Player(agent.name, "agent", agent.name) for agent in self.agents
        )
        return first, second


class Table:
    def __init__(
        self,
        game: Game,
        console: Console,
        ask: Callable[[str], str] | None = None,
        seats: Seats | None = None,
        save: Path | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        """Moves are saved in `save`, or else on the shelf, every game in a place of its own."""
        self.game = game
        self.console = console
        self.ask = ask or typed_line
        self.seats = seats or Seats()
        self.save = save
        self.shelf = shelf
        self.discs = has_discs(console)
        self.advisor = Advisor()
        self.picks = ask is None and can_pick(console, game.position)
        self.was_word = False  # what was typed last was no move
        columns = notation.moves_text(range(game.board.columns))
        self.columns = f"{columns[0]}-{columns[-1]}" if len(columns) > 1 else columns
        # On a wide board some letters are columns: there these commands have their whole name only.
        self.short = {word: word if word[0] in columns else word[0] for word in (*COMMANDS, SWAP)}
        self.short["help"] = "?"

    def sit(self) -> None:
        """Play until the people leave, or the input ends."""
        how = " Left and right move the disc, Enter drops it." if self.picks else ""
        self.say(f"{self.game.board}: {self.game.board.connect} in a line win.{how} Type ? for help.")
        self.show()
        try:
            while self.turn():
                pass
        except (EOFError, KeyboardInterrupt) as error:
            self.say("")
            if isinstance(error, KeyboardInterrupt):
                self.farewell()
                raise
        self.farewell()

    def farewell(self) -> None:
        if self.game.moves and self.shelf is not None and self.save is not None:
            number, is_over = self.save.stem, self.game.result is not None
            how = "shows it" if is_over else "goes on"
            self.console.out(
                f"saved as game {number}: claimeven play --resume {number} {how}", highlight=False
            )
            return
        if self.game.moves and self.game.result is None:
            first, second = self.seats.agents
            who = "".join(f" --agent {quote(agent.name)}" for agent in (first, second) if agent is not None)
            who += " --first agent" if first is not None and second is None else ""
            who += " --pie" if self.game.may_swap else ""
            # Not wrapped: it is there to be copied.
            self.console.out(
                f"go on with: claimeven play --terminal --board {self.game.board}{who}"
                f" --load {self.game.moves}",
                highlight=False,
            )
        if self.game.moves and self.save is not None:
            self.say(f"the game is in {self.save}")

    def turn(self) -> bool:
        """One move, or one command; whether to go on."""
        agent = self.seats.agents[self.game.position.side]
        if self.game.result is None and agent is not None:
            self.let(agent)
            return True
        is_over = self.game.result is not None
        keys = self.short
        if is_over:
            prompt = f"again? (y yes, {keys['undo']} undo, {keys['moves']} moves, {keys['quit']} quit): "
            word = self.ask_again(fitted(self.console, prompt))
        else:
            commands = (SWAP, *COMMANDS) if self.game.may_swap else COMMANDS
            listed = ", ".join(word if keys[word] == word else f"{keys[word]} {word}" for word in commands)
            prompt = f"{sentence(self.game.position, self.discs)}, column {self.columns} ({listed}): "
            word = self.ask_column(fitted(self.console, prompt))
        if word in ("quit", keys["quit"], "exit") or (is_over and word in ("n", "no")):
            return False
        try:
            self.obey(word)
        except InputError as error:
            self.say(str(error))
        return True

    def ask_again(self, prompt: str) -> str:
        if self.picks:
            commands = (word for word in self.short.values() if len(word) == 1)
            return press(prompt, "yn\n" + "".join(commands))
        return self.ask(prompt).strip().lower()

    def ask_column(self, prompt: str) -> str:
        if self.picks:
            position, commands = self.game.position, "".join(self.short.values())
            word = pick(position, self.console, prompt, commands, after_word=self.was_word)
            digits = notation.moves_text(position.legal)
            self.was_word = word not in digits
            return word
        return self.ask(prompt).strip().lower()

    def obey(self, word: str) -> None:
        """Do what was typed; InputError says why not."""
        game, keys = self.game, self.short
        if game.result is not None and word in ("", "y", "yes"):
            if game.pie == "swapped":  # who began is to be asked about, not who had the first disc
                self.seats.swap()
            self.seats.change()
            self.save = None if self.shelf is not None else self.save
            self.game = Game(game.board, players=self.seats.players(), pie=game.pie != "no")
        elif word in ("undo", keys["undo"]):
            self.back()
        elif word in ("redo", keys["redo"]):
            self.forth()
        elif word in ("moves", keys["moves"]):
            self.say(f"moves: {game.moves}" if game.moves else "no moves yet")
            return
        elif word in ("help", keys["help"]) and not self.is_column(word):
            begins = f"{sign(0, self.discs)} begins."
            how = ARROWS if self.picks else TYPE
            self.say(HELP.format(connect=game.board.connect, begins=begins, type=how, **keys))
            if game.pie != "no":
                self.say(PIE.format(**keys))
            return
        elif game.result is not None:
            raise InputError("over.another")
        elif word in (SWAP, keys[SWAP]) and not self.is_column(word):
            self.swap()
        elif word in ("hint", keys["hint"]) and not self.is_column(word):
            with self.thinking("the solver"):
                hint = self.advisor.hint(game.position, game.may_swap)
            self.say(f"hint: {hint}")
            return
        elif word.endswith("?") and self.is_column(word[:-1]):
            self.say(self.preview(word[:-1]))
            return
        elif not self.is_column(word):
            raise InputError("no_digit.typed", text=notation.quote(word), columns=self.columns)
        else:
            game.play(notation.parse_column(word, game.board.columns))
            self.keep()
            if game.result is None and self.seats.agents[game.position.side] is not None:
                return  # the board is shown after the answer
        self.keep()
        self.show()

    def is_column(self, word: str) -> bool:
        return len(word) == 1 and word in notation.moves_text(range(self.game.board.columns))

    def preview(self, digit: str) -> str:
        """Where a disc would fall."""
        position = self.game.position
        column = notation.parse_column(digit, position.board.columns)
        position.play(column)  # complains if it cannot be
        cell = position.board.cells_of(position.board.bit(column, position.height(column)))[0]
        return f"column {digit}: the disc would fall on {position.board.cell_name(cell)}"

    # Agents --------------------------------------------------------------------------------------

    def let(self, agent: Agent) -> None:
        """An agent moves; if it cannot, that is the end of the game."""
        game, before = self.game, self.game.position
        stone = sign(before.side, self.discs)
        start = time.perf_counter()
        try:
            with self.thinking(f"{stone} ({agent.name})"):
                choose = choose_in_pie if game.is_pie_open else type(agent).choose
                choice = choose(agent, before, self.seats.limit)
        except AgentError as error:
            game.end(1 - before.side, error.ending)
            self.say(f"{stone} ({agent.name}) fails: {error}")
            self.keep()
            self.show()
            return
        seconds = time.perf_counter() - start
        if choice.swaps:
            self.swap(f" ({agent.name})")
            self.keep()
            self.show()
            return
        game.play(choice.column, round(seconds * 1000))
        self.keep()
        name = notation.column_digit(choice.column)
        self.show(f"\n{stone} ({agent.name}) plays {name} in {seconds:.1f} s")
        if self.seats.explains:
            if choice.text:
                self.say(f"{stone} says: {choice.text}")
            with self.thinking("the solver"):
                proved = self.advisor.why(before, choice.column)
            if proved:
                self.say(f"proved, as {stone} sees it: {proved}")
        if self.seats.shows_values:
            for line in view(choice, before):
                self.say(line)

    def swap(self, name: str = "") -> None:
        """Who is to move takes the first disc."""
        taker, taken = (sign(side, self.discs) for side in (self.game.position.side, 0))
        self.game.swap()
        self.seats.swap()
        self.say(f"\n{taker}{name} takes the first disc and plays {taken} from now on")

    @contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        """Meanwhile somebody who waits sees the board, who thinks, and for how long."""
        board = disc_text(self.game.position, colours=paints(self.console))
        text = f"\n{board}\n" if self.picks and self.seats.has_people else ""
        self.console.file.write(text)
        self.console.file.flush()
        try:
            with Bar(only_watched=True) as bar:
                bar.watch(lambda seconds: f"{who} is thinking… {seconds:.0f} s")
                yield
        finally:
            erase(self.console, text.count("\n"))

    def back(self) -> None:
        """Take back the last move, and those of agents, down to one where a person is to move."""
        if not self.seats.has_people:
            raise InputError("nobody_to_move")
        self.undo()
        while self.seats.agents[self.game.position.side] is not None:
            if not self.game.columns:
                self.game.redo()  # an agent has begun: its first move stays
                raise InputError("no_undo")
            self.undo()

    def undo(self) -> None:
        before = self.game.pie
        self.game.undo()
        if self.game.pie != before:
            self.seats.swap()

    def forth(self) -> None:
        self.game.redo()
        while self.game.result is None and self.seats.agents[self.game.position.side] is not None:
            try:
                self.game.redo()
            except InputError:
                return  # the agent had not answered yet

    # What is seen and kept -----------------------------------------------------------------------

    def show(self, after: str = "") -> None:
        """Draw the board below a line of text, and say how the game has ended, if it has."""
        result = self.game.result
        if not self.picks or result is not None or not self.seats.has_people:  # else picker or waiting draw
            self.say(after)
            draw(self.game.position, self.console)
        elif after:
            self.say(after)
        if result is not None:
            self.say(f"{ending(result, self.game.position, lambda side: sign(side, self.discs))}.")

    def keep(self) -> None:
        """Save after every move; if that fails, say so once and go on playing."""
        try:
            if self.save is None and self.shelf is not None and self.game.moves:
                self.save = self.shelf.new()
            if self.save is None:
                return
            self.save.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.save, self.game.to_text().encode())
        except OSError as error:
            where = self.save or (self.shelf and self.shelf.folder)
            self.say(f"the game cannot be saved in {where}: {(error.strerror or str(error)).lower()}")
            self.save = self.shelf = None

    def say(self, text: str) -> None:
        say(self.console, text)
