"""Puzzles at the keyboard: find the column, or ask for a hint; a wrong answer is refuted with a line."""

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from claimeven import notation
from claimeven.position import Board
from claimeven.puzzles import Hint, Puzzle, Sitting
from claimeven.reasons.words import Words
from claimeven.solver import Solver
from claimeven.terminal.board import draw, has_discs, sign
from claimeven.terminal.keyboard import can_press, press
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.table import typed_line

KEYS = "123456789xo=yhsnq\n"


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """Someone has had enough."""


class Riddles:
    def __init__(
        self, console: Console, language: str = "en", ask: Callable[[str], str] | None = None
    ) -> None:
        self.console, self.words = console, Words(language)
        self.ask = ask or typed_line
        self.presses = ask is None and can_press()
        self.solver = Solver()
        self.solved = self.tried = 0

    def sit(self, puzzles: Iterable[Puzzle]) -> None:
        """One after the other, until someone leaves or the input ends."""
        try:
            for puzzle in puzzles:
                self.tried += 1
                self.solved += self.pose(puzzle)
                if self.answer(self.words.say("puzzle.again")) == "n":
                    break
        except (Leave, EOFError, KeyboardInterrupt) as error:
            if not isinstance(error, Leave):
                self.say("")
            if isinstance(error, KeyboardInterrupt):
                self.farewell()
                raise
        self.farewell()

    def farewell(self) -> None:
        if self.tried:
            self.say(self.words.say("puzzle.solved", n=self.tried, solved=self.solved))

    def pose(self, puzzle: Puzzle) -> bool:
        """Ask until it is answered or given up; whether it was solved without an error."""
        theme = self.words.say(f"theme.{puzzle.themes[0]}")
        self.say(f"{puzzle.id}: {self.words.say('puzzle.title', theme=theme, rating=puzzle.rating)}")
        draw(puzzle.position, self.console)
        self.say(puzzle.question(self.words.language, self.sign(puzzle.side)))
        is_right = self._who(puzzle) if puzzle.goal == "who" else self._columns(puzzle)
        self.say("")
        return is_right

    def _columns(self, puzzle: Puzzle) -> bool:
        """Every column of the line that the solving side plays."""
        sitting, is_clean = Sitting(puzzle), True
        while not sitting.is_solved:
            found = self._column(sitting)
            if found is None:
                self.say(self.words.say("puzzle.solution", line=" ".join(notation.moves_text(puzzle.line))))
                self.tell(sitting)
                return False
            is_clean = is_clean and found
            player = self.sign(1 - sitting.position.side)
            sitting, reply = sitting.advanced()
            if reply is not None:
                digit = notation.column_digit(reply)
                self.say(self.words.say("puzzle.reply", player=player, column=digit))
            draw(sitting.position, self.console)
        self.tell(sitting)
        return is_clean

    def _column(self, sitting: Sitting) -> bool | None:
        """Whether the column was found at the first try; None when it was given up."""
        is_first, hints = True, self._texts(sitting.hints)
        board, legal = sitting.position.board, sitting.position.legal
        digits = notation.moves_text(range(board.columns))
        prompt = self.words.say("puzzle.prompt", columns=f"{digits[0]}-{digits[-1]}")
        while True:
            word = self.answer(prompt)
            if word in ("s", "n"):
                return None
            if word == "h":
                self.hint(hints)
            elif len(word) != 1 or word not in map(notation.column_digit, legal):
                self.say(self.words.say("puzzle.no_answer"))
            elif sitting.is_right(column := notation.parse_column(word, board.columns)):
                self.say(self.words.say("puzzle.right"))
                return is_first
            else:
                told = sitting.refuted(column, self.solver, self.words.language)
                self.say(f"{self.words.say('puzzle.wrong')} {told.text}")
                is_first = False

    def _who(self, puzzle: Puzzle) -> bool:
        hints = self._texts(puzzle.hints)
        if has_discs(self.console):  # letters are typed
            self.say(", ".join(f"{self.sign(side)} = {notation.STONES[side]}" for side in (0, 1)))
        while True:
            word = self.answer(self.words.say("puzzle.prompt_who"))
            if word == "h":
                self.hint(hints)
            elif word in (*notation.STONES, "=", "s", "n"):
                break
            else:
                self.say(self.words.say("puzzle.no_answer"))
        is_right = word == puzzle.answer
        if word not in ("s", "n"):
            self.say(self.words.say("puzzle.right" if is_right else "puzzle.wrong"))
        code = "puzzle.who_draw" if puzzle.answer == "=" else "puzzle.who"
        self.say(self.words.say(code, player=puzzle.answer))
        self.tell(Sitting(puzzle))
        return is_right

    def hint(self, hints: Iterator[str]) -> None:
        self.say(next(hints, self.words.say("puzzle.no_hint")))

    def _texts(self, hints: Iterable[Hint]) -> Iterator[str]:
        return (hint.text(Board(), self.words.language) for hint in hints)

    def tell(self, sitting: Sitting) -> None:
        """Why the answer is right: the reasons and the plan, without the other columns."""
        self.say(sitting.explained(self.solver, self.words.language).own_text)

    def answer(self, prompt: str) -> str:
        shown = fitted(self.console, prompt)
        word = press(shown, KEYS) if self.presses else self.ask(shown).strip().lower()
        if word in ("q", "quit", "exit"):
            raise Leave
        return word

    def sign(self, side: int) -> str:
        return sign(side, has_discs(self.console))

    def say(self, text: str) -> None:
        say(self.console, text)
