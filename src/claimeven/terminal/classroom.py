"""The school at the keyboard: things to look at, tasks, the check, the game; what is done is remembered."""

from collections.abc import Callable

from rich.console import Console

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Cell
from claimeven.school import PASSED, UNITS, Progress, Show, Task, Unit, Verdict, Voice, judge
from claimeven.school.asked import SIDES
from claimeven.school.drop import column_of
from claimeven.school.game import game_position, play_game
from claimeven.school.questions import winning_cells
from claimeven.solver import Solver
from claimeven.terminal.board import draw, has_discs, sign
from claimeven.terminal.lines import fitted, say
from claimeven.terminal.schoolbag import Schoolbag
from claimeven.terminal.table import typed_line

LEAVES = ("q", "quit", "exit")


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """Someone has had enough."""


class Classroom:
    def __init__(
        self,
        console: Console,
        language: str = "en",
        ask: Callable[[str], str] | None = None,
        bag: Schoolbag | None = None,
    ) -> None:
        self.console, self.language = console, language
        self.ask, self.bag = ask or typed_line, bag or Schoolbag()
        self.solver = Solver()

    def sit(self, unit: Unit) -> None:
        """One unit from where it was left, until it is over, someone leaves or the input ends."""
        voice = Voice(unit.name, self.language)
        try:
            self._teach(unit, voice)
        except (Leave, EOFError) as error:
            if isinstance(error, EOFError):
                self.say("")

    def _teach(self, unit: Unit, voice: Voice) -> None:
        number = UNITS.index(unit.name) + 1
        self.say(voice.shared("ui.unit", number, title=voice.written("title")))
        self.say(voice.written("about"))
        done = self.bag.progress.of(unit.name)
        left = [task for task in unit.tasks if task.id not in done.tasks]
        if len(left) == len(unit.tasks):
            self._shows(unit, voice)
        for task in left:
            title = voice.shared("ui.task", unit.tasks.index(task) + 1, all=len(unit.tasks))
            if self._pose(task, title, voice):
                self.bag.keep(self.bag.progress.with_task(task.id))
        if not done.is_passed:
            self._check(unit, voice)
        if not self.bag.progress.of(unit.name).game:
            self._game(unit, voice)
        self.say(voice.shared("ui.done", title=voice.written("title")))

    def _shows(self, unit: Unit, voice: Voice) -> None:
        for number, show in enumerate(unit.shows, 1):
            self.say("")
            draw(show.position, self.console, shown_cells(show))
            self.say(voice.written(f"show.{number}"))
            if show.cells:
                self.say(f"{voice.shared('ui.show')}: {', '.join(show.cells)}")
            self.answer(voice.shared("ui.enter"))

    def _pose(self, task: Task, title: str, voice: Voice, tries: int | None = None) -> bool:
        """Ask until it is right, skipped, or the tries are used up."""
        self.say(f"\n{title}")
        draw(task.position, self.console, [Cell(*notation.parse_cell(task.cell))] if task.cell else ())
        self.say(voice.written(f"ask.{task.text}", **voice.players(task.position)))
        if task.cell:  # what the page lights
            self.say(f"{voice.shared('ui.show')}: {task.cell}")
        if task.moves or task.kind == "drop":  # lines and rows of the empty board are nobody's turn
            self._turn(task.side, voice)
        played, found, is_first = "", "", tries is None
        while True:
            word = self.answer(self._prompt(task, voice))
            if word == "s":
                return False
            if not word:  # many end every key with Enter
                continue
            if task.kind == "cells":  # what was right need not be typed again
                word = f"{found} {word}".strip()
            try:
                verdict = judge(
                    task, word, self.language, played=played, is_first=is_first, solver=self.solver
                )
            except InputError as error:
                self.say(f"{error}.")
                continue
            self._tell(task, verdict)
            played, is_first = verdict.played, is_first and verdict.mark != "wrong"
            if task.kind == "cells":
                extra = {str(cell) for cell in verdict.cells}
                found = " ".join(cell for cell in word.replace(",", " ").split() if cell not in extra)
            if verdict.is_done:
                return True
            if verdict.mark == "wrong" and tries is not None:
                tries -= 1
                if tries <= 0:
                    return False

    def _tell(self, task: Task, verdict: Verdict) -> None:
        """The words, and the board with the cells that they are about; not with those that were typed."""
        self.say(verdict.text)
        is_typed = task.kind in ("cells", "mark") and not verdict.is_right and not task.is_check
        if verdict.is_right or verdict.reply is not None or (verdict.cells and not is_typed):
            draw(verdict.position, self.console, verdict.cells)

    def _prompt(self, task: Task, voice: Voice) -> str:
        kind = {"mark": "cells", "play": "drop"}.get(task.kind, task.kind)
        if kind != "who":
            return voice.shared(f"ui.ask.{kind}")
        names = {"=": voice.shared("ui.nobody")}
        names |= {stone: voice.player(side) for side, stone in enumerate(notation.STONES)}
        options = ", ".join(f"{word} = {names[word]}" for word in SIDES[task.about])
        return voice.shared("ui.ask.who", options=options)

    def _check(self, unit: Unit, voice: Voice) -> None:
        """Five questions, one try each; once more as long as somebody likes."""
        while True:
            right = 0
            for number, task in enumerate(unit.check, 1):
                title = voice.shared("ui.check", number, all=len(unit.check))
                right += self._pose(task, title, voice, tries=1)
            self.bag.keep(self.bag.progress.with_check(unit.name, right))
            code = "ui.passed" if right >= PASSED else "ui.failed"
            self.say(voice.shared(code, right=right, all=len(unit.check)))
            if right >= PASSED or self.answer(voice.shared("ui.again")) == "n":
                return

    def _game(self, unit: Unit, voice: Voice) -> None:
        while True:
            self.say(f"\n{voice.shared('ui.game')}")
            self.say(voice.written("game"))
            draw(unit.game.position, self.console)
            self._turn(unit.game.side, voice)
            verdict = self._play(unit, voice)
            if verdict is None:
                return
            if verdict.is_right:
                self.bag.keep(self.bag.progress.with_game(unit.name))
                return
            if self.answer(voice.shared("ui.again")) == "n":
                return

    def _play(self, unit: Unit, voice: Voice) -> Verdict | None:
        played = ""
        while True:
            word = self.answer(voice.shared("ui.ask.drop"))
            if word == "s":
                return None
            if not word:
                continue
            try:
                column = column_of(word, game_position(unit.game, played))
            except InputError as error:
                self.say(f"{error}.")
                continue
            verdict = play_game(unit, column, self.language, played=played, solver=self.solver)
            played = verdict.played
            draw(verdict.position, self.console)
            self.say(verdict.text)
            if verdict.mark != "go_on":
                return verdict

    def _turn(self, side: int, voice: Voice) -> None:
        """Whose turn it is, and how those discs are drawn here."""
        discs = has_discs(self.console)
        self.say(voice.shared("ui.turn", player=f"{voice.player(side)} ({sign(side, discs)})"))

    def answer(self, prompt: str) -> str:
        word = self.ask(fitted(self.console, prompt)).strip().lower()
        if word in LEAVES:
            raise Leave
        return word

    def say(self, text: str) -> None:
        say(self.console, text)


def shown_cells(show: Show) -> tuple[Cell, ...]:
    """What the page lights: cells, or the winning cells of both sides."""
    if show.shows == "threats":
        position = show.position
        return position.board.cells_of(winning_cells(position, 0) | winning_cells(position, 1))
    return tuple(Cell(*notation.parse_cell(cell)) for cell in show.cells)


def listed(progress: Progress, language: str) -> list[str]:
    """A line for every unit: what is done of it."""
    lines = []
    for number, name in enumerate(UNITS, 1):
        voice, done = Voice(name, language), progress.of(name)
        mark = "✓" if done.is_passed else "·"
        lines.append(f"{number:>3} {mark} {name:<10} {voice.written('title')}: {voice.written('about')}")
    return lines
