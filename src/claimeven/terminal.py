"""The plain door: a board in the terminal, and games for two people at one keyboard."""

import sys
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from claimeven import notation, picture
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.position import Board, Cell, Position

# Shape and colour both tell the sides apart.
DISC = {notation.FIRST: "●", notation.SECOND: "○"}
COLOUR = {notation.FIRST: "red", notation.SECOND: "yellow"}

COMMANDS = ("undo", "redo", "moves", "help", "quit")
HELP = """\
Two players take turns to drop a disc; it falls to the lowest free cell of the column.
The first to get {connect} in a line, across, up or slanting, wins. {begins}
Type the number above a column to drop a disc there, or:
  {undo:<6} take the last move back      {moves:<6} show the moves so far
  {redo:<6} play it again                {quit:<6} leave"""


def draw(position: Position, console: Console) -> None:
    """Show the board: with coloured discs where the console can, else in plain characters."""
    if has_discs(console):
        console.print(disc_text(position), soft_wrap=True)
    else:
        console.out(picture.position_text(position), highlight=False)


def has_discs(console: Console) -> bool:
    return console.is_terminal and console.encoding.lower().startswith("utf")


def disc_text(position: Position) -> Text:
    """The board with discs: the last move in brackets, the winning line in reverse."""
    board = position.board
    text = Text()
    text.append(picture.column_digits(board) + "\n", "bold")
    for number, row in zip(picture.row_numbers(board), picture.squares(position), strict=True):
        text.append(number, "dim")
        before = " "
        for square in row:
            text.append("(" if square.is_last else before)
            before = ")" if square.is_last else " "
            if square.stone is None:
                text.append("·", "dim")
            else:
                style = f"bold {COLOUR[square.stone]}" + (" reverse" if square.is_four else "")
                text.append(DISC[square.stone], style)
        text.append(before.strip() + "\n")
    text.append("\n".join(picture.column_letters(board)), "dim")
    text.rstrip()
    return text


def sentence(position: Position) -> str:
    """How the game stands: who is to move, who has won and with which cells."""
    if position.winner is not None:
        cells = " ".join(cell_words(position.board, cell) for cell in position.four)
        return f"{notation.STONES[position.winner]} wins with {cells}"
    if position.is_over:
        return "a draw: the board is full"
    return f"{notation.STONES[position.side]} to move"


def cell_words(board: Board, cell: Cell) -> str:
    """The name of a cell, also on boards too wide for letters."""
    if board.columns <= len(notation.LETTERS):
        return str(cell)
    return f"{notation.column_digit(cell.column)}/{cell.row + 1}"


def ask(prompt: str) -> str:
    """Read a line; when nobody types it, show it, so that the output reads like a game."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


class Table:
    """Two people, one keyboard, one game after the other."""

    def __init__(self, game: Game, console: Console, ask: Callable[[str], str] = ask) -> None:
        self.game = game
        self.console = console
        self.ask = ask
        columns = notation.moves_text(range(game.board.columns))
        self.columns = f"{columns[0]}-{columns[-1]}" if len(columns) > 1 else columns
        # On a wide board some letters are columns: there these commands have their whole name only.
        self.short = {word: word if word[0] in columns else word[0] for word in COMMANDS} | {"help": "?"}

    def sit(self) -> None:
        """Play until the people leave, or the input ends."""
        self.say(f"{self.game.board}: {self.game.board.connect} in a line win. Type ? for help.")
        self.show()
        try:
            while self.turn():
                pass
        except (EOFError, KeyboardInterrupt) as error:
            self.say("")
            if isinstance(error, KeyboardInterrupt):
                raise
        if self.game.moves and self.game.result is None:
            self.say(f"go on with: claimeven play --board {self.game.board} --load {self.game.moves}")

    def turn(self) -> bool:
        """Ask once and do it; whether to go on."""
        is_over = self.game.result is not None
        keys = self.short
        if is_over:
            prompt = f"again? (y yes, {keys['undo']} undo, {keys['moves']} moves, {keys['quit']} quit): "
        else:
            listed = ", ".join(word if keys[word] == word else f"{keys[word]} {word}" for word in COMMANDS)
            prompt = f"{self.marked()}, column {self.columns} ({listed}): "
        word = self.ask(prompt).strip().lower()
        if word in ("quit", keys["quit"], "exit") or (is_over and word in ("n", "no")):
            return False
        try:
            self.obey(word)
        except InputError as error:
            self.say(str(error))
        return True

    def obey(self, word: str) -> None:
        """Do what was typed; InputError says why not."""
        game, keys = self.game, self.short
        if game.result is not None and word in ("", "y", "yes"):
            self.game = Game(game.board)
        elif word in ("undo", keys["undo"]):
            game.undo()
        elif word in ("redo", keys["redo"]):
            game.redo()
        elif word in ("moves", keys["moves"]):
            self.say(f"moves: {game.moves}" if game.moves else "no moves yet")
            return
        elif word in ("help", "h", keys["help"]) and not self.is_column(word):
            begins = "x (●) begins, o (○) follows." if has_discs(self.console) else "x begins."
            self.say(HELP.format(connect=game.board.connect, begins=begins, **keys))
            return
        elif game.result is not None:
            raise InputError("the game is over: y plays another one, ? tells more")
        elif not self.is_column(word):
            raise InputError(f"{notation.quote(word)} is no column: type {self.columns}, or ? for help")
        else:
            game.play(notation.parse_column(word, game.board.columns))
        self.show()

    def is_column(self, word: str) -> bool:
        return len(word) == 1 and word in notation.moves_text(range(self.game.board.columns))

    def show(self) -> None:
        self.say("")
        draw(self.game.position, self.console)
        result = self.game.result
        if self.game.position.is_over:
            self.say(f"{sentence(self.game.position)}.")
        elif result is not None:  # a loaded game that was resigned, say
            self.say(f"the game ended {result.score} by {result.reason}.")

    def marked(self) -> str:
        """Who is to move, with the disc where discs are drawn."""
        stone = notation.STONES[self.game.position.side]
        disc = f"{DISC[stone]} " if has_discs(self.console) else ""
        return disc + sentence(self.game.position)

    def say(self, text: str) -> None:
        self.console.out(text, highlight=False)
