"""Puzzles at the keyboard: find the column, or ask for a hint; a wrong answer is refuted with a line."""

import re
import time
from collections.abc import Callable, Iterable, Iterator

from rich.console import Console

from claimeven import notation
from claimeven.position import Cell, Position
from claimeven.practice import Card
from claimeven.puzzles import Hint, Puzzle, Sitting, hints, why, wrong
from claimeven.reasons import advise
from claimeven.reasons.words import Words
from claimeven.solver import Solver
from claimeven.terminal.board import draw, has_discs, sign
from claimeven.terminal.keyboard import can_press, press
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.table import typed_line

KEYS = "123456789xo=yhsnq"
CELL = re.compile("[a-g][1-6]")
QUICK = 8  # seconds for each column to find
Nudge = tuple[str, tuple[Cell, ...]]  # a hint and the cells that it names
clock = time.monotonic


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """Someone has had enough."""


class Riddles:
    def __init__(
        self,
        console: Console,
        language: str = "en",
        ask: Callable[[str], str] | None = None,
        note: Callable[[Puzzle, int], str] | None = None,
    ) -> None:
        """`note` is told of every puzzle and its grade, and what it answers is said."""
        self.console, self.words, self.note = console, Words(language), note
        self.ask = ask or typed_line
        self.presses = ask is None and can_press()
        self.solver = Solver()
        self.solved = self.tried = 0
        self.is_clean, self.has_erred = True, False
        self.until: float | None = None  # when the time is up, by `clock`

    def stop_after(self, seconds: float) -> None:
        """An answer that comes later ends it."""
        self.until = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds."""
        return float("inf") if self.until is None else self.until - clock()

    def sit(self, puzzles: Iterable[Puzzle]) -> None:
        """One after the other, until someone leaves or the input ends."""
        try:
            for puzzle in puzzles:
                self.tried += 1
                self.solved += self.pose(puzzle)
                if self.answer(self.words.say("puzzle.again"), takes_enter=True) == "n":
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
        """Ask until it is answered or given up; whether it was solved without an error or a hint."""
        self.is_clean, self.has_erred = True, False
        self.say(f"{puzzle.id}: {self.words.say('puzzle.title', rating=puzzle.rating)}")
        draw(puzzle.position, self.console)
        owner = self.sign(puzzle.winner or 0) if puzzle.goal == "cell" else None
        self.say(puzzle.question(self.words.language, self.sign(puzzle.side), owner))
        asked = {"who": self._who, "cell": self._cell}.get(puzzle.goal, self._columns)
        began = clock()
        is_solved = asked(puzzle)
        self.say(why(puzzle, self.words.language, self.solver))
        theme = self.words.say(f"theme.{puzzle.theme}")  # told before, it would be a hint
        self.say(self.words.say("puzzle.theme", theme=theme))
        if self.note is not None:
            quick = clock() - began < QUICK * max(puzzle.steps, 1)
            grade = 1 if not is_solved or self.has_erred else 2 if not self.is_clean else 4 if quick else 3
            self.say(self.note(puzzle, grade))
        self.say("")
        return is_solved and self.is_clean

    def recall(self, card: Card) -> int:
        """A moment of an own game: the grade of it."""
        position = Position.parse(card.moves or "")
        draw(position, self.console)
        self.say(self.words.say("puzzle.moment", player=self.sign(position.side)))
        prompt = self.words.say("puzzle.prompt", columns="1-7")
        grade, told_hints = 3, self._nudges(position)
        while True:
            word = self.answer(prompt)
            if word == "h":
                self.hint(told_hints, position)
                grade = min(grade, 2)
                continue
            if word in ("s", "n"):
                shown = " ".join(notation.moves_text(card.better))
                self.say(self.words.say("puzzle.solution", line=shown))
                return 1
            if len(word) != 1 or word not in map(notation.column_digit, position.legal):
                self.say(self.words.say("puzzle.no_answer"))
                continue
            column = notation.parse_column(word, position.board.columns)
            if column in card.better:
                self.say(self.words.say("puzzle.right"))
                self.say("")
                return grade
            told = wrong(position, column, card.better[0], self.solver, self.words.language)
            self.say(f"{self.words.say('puzzle.wrong')} {told.text}")
            grade = 1

    def _nudges(self, position: Position) -> Iterator[Nudge]:
        """Where to look, the idea, the column; worked out when somebody asks."""
        for stage in advise(position, self.solver, self.words.language).stages:
            yield stage.text, stage.cells if stage.kind == "look" else ()

    def _columns(self, puzzle: Puzzle) -> bool:
        """Every column that the solving side plays, until the four is there."""
        sitting = Sitting(puzzle)
        while not sitting.is_solved:
            column = self._column(sitting)
            if column is None:
                self.say(self.words.say("puzzle.solution", line=" ".join(puzzle.answer)))
                return False
            player = self.sign(1 - sitting.position.side)
            sitting, reply = sitting.advanced(column, self.solver)
            if reply is not None:
                digit = notation.column_digit(reply)
                self.say(self.words.say("puzzle.reply", player=player, column=digit))
            draw(sitting.position, self.console)
        return True

    def _column(self, sitting: Sitting) -> int | None:
        """A right column; None when it was given up."""
        told = self._texts(sitting.puzzle, hints(sitting.puzzle, sitting.position, sitting.best(self.solver)))
        board, legal = sitting.position.board, sitting.position.legal
        digits = notation.moves_text(range(board.columns))
        prompt = self.words.say("puzzle.prompt", columns=f"{digits[0]}-{digits[-1]}")
        while True:
            word = self.answer(prompt)
            if word in ("s", "n"):
                return None
            if word == "h":
                self.hint(told, sitting.position)
            elif word in digits and word not in map(notation.column_digit, legal):
                self.say(self.words.say("puzzle.full", column=word))
            elif word not in digits or len(word) != 1:
                self.say(self.words.say("puzzle.no_answer"))
            elif sitting.is_right(column := notation.parse_column(word, board.columns), self.solver):
                self.say(self.words.say("puzzle.right"))
                return column
            else:
                refuted = sitting.refuted(column, self.solver, self.words.language)
                self.say(f"{self.words.say('puzzle.wrong')} {refuted.text}")
                self.is_clean, self.has_erred = False, True

    def _who(self, puzzle: Puzzle) -> bool:
        if has_discs(self.console):  # letters are typed
            self.say(", ".join(f"{self.sign(side)} = {notation.STONES[side]}" for side in (0, 1)))
        word = self._word(puzzle, "puzzle.prompt_who", lambda word: word in (*notation.STONES, "="))
        is_right = Sitting(puzzle).judge(word).is_right
        if word:
            self.say(self.words.say("puzzle.right" if is_right else "puzzle.wrong"))
        code = "puzzle.who_draw" if puzzle.answer == "=" else "puzzle.who"
        self.say(self.words.say(code, player=self.sign(puzzle.winner or 0)))
        return is_right

    def _cell(self, puzzle: Puzzle) -> bool:
        """Any cell of the board may be tried, until it is the right one."""
        told = self._texts(puzzle, hints(puzzle))
        while True:
            word = self._word(puzzle, "puzzle.prompt_cell", lambda word: bool(CELL.fullmatch(word)), told)
            if not word:
                cell = puzzle.position.board.cell_name(puzzle.cell)
                self.say(self.words.say("puzzle.solution", line=cell))
                return False
            judged = Sitting(puzzle).judge(word, self.words.language)
            if judged.is_right:
                self.say(self.words.say("puzzle.right"))
                return True
            if not judged.is_meant:
                self.say(judged.text)
                continue
            self.say(f"{self.words.say('puzzle.wrong')} {judged.text}")
            self.is_clean, self.has_erred = False, True

    def _word(
        self, puzzle: Puzzle, prompt: str, fits: Callable[[str], bool], told: Iterator[Nudge] | None = None
    ) -> str:
        """An answer, or nothing when it was given up."""
        told = self._texts(puzzle, hints(puzzle)) if told is None else told
        while True:
            word = self.answer(self.words.say(prompt), is_word=puzzle.goal == "cell")
            if word in ("s", "n"):
                return ""
            if word == "h":
                self.hint(told, puzzle.position)
            elif fits(word):
                return word
            else:
                self.say(self.words.say("puzzle.no_answer"))

    def hint(self, told: Iterator[Nudge], position: Position) -> None:
        """The next one; the cells that it names are marked on the board."""
        self.is_clean = False
        text, cells = next(told, (self.words.say("puzzle.no_hint"), ()))
        self.say(text)
        if cells:
            draw(position, self.console, cells)

    def _texts(self, puzzle: Puzzle, told: Iterable[Hint]) -> Iterator[Nudge]:
        return ((hint.text(puzzle, self.words.language), hint.cells) for hint in told)

    def answer(self, prompt: str, is_word: bool = False, takes_enter: bool = False) -> str:
        """What is typed. Enter alone is none, unless it is asked for: many end every key with it."""
        shown = fitted(self.console, prompt)
        while True:
            if self.presses and not is_word:
                word = press(shown, KEYS + "\n" if takes_enter else KEYS)
            else:
                word = self.ask(shown).strip().lower()
            if word in ("q", "quit", "exit") or self.left <= 0:
                raise Leave
            if word or takes_enter:
                return word

    def sign(self, side: int) -> str:
        return sign(side, has_discs(self.console))

    def say(self, text: str) -> None:
        say(self.console, text)
