"""What follows from the entries: the rating, cards and when they are due, days, themes, games (record.ts)."""

import math
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from datetime import date, timedelta

from claimeven.board import Board
from claimeven.practice.fsrs import Memory, review
from claimeven.practice.glicko import START, Rating, rated
from claimeven.practice.kinds import Entry, GameEntry, TriedEntry

PUZZLE_DEVIATION, PUZZLE_VOLATILITY = 100, 0.06  # measured, not by people: it may be off by so much
RATED = ("train", "daily")
HELPED = 2  # the grade of who took a hint: it is not rated
RIGHT = 3  # the least grade of who found it alone
STANDARD = str(Board())


@dataclass(frozen=True)
class Card:
    key: str  # puzzle:… or moment:…
    memory: Memory
    puzzle: str | None = None
    moves: str | None = None  # of a moment
    better: tuple[int, ...] = ()
    what: str | None = None


@dataclass
class Record:
    you: Rating = START
    curve: list[tuple[int, float]] = field(default_factory=list)  # when, and the rating then
    tried: set[str] = field(default_factory=set)  # puzzles
    solved: set[str] = field(default_factory=set)
    themes: dict[str, tuple[int, int]] = field(default_factory=dict)  # solved and tried, at first sight
    cards: dict[str, Card] = field(default_factory=dict)
    days: set[str] = field(default_factory=set)  # whose puzzle of the day was solved, at whatever try
    first: set[str] = field(default_factory=set)  # of those: at the first try, without help
    met: set[str] = field(default_factory=set)  # whose puzzle of the day was tried
    best: dict[str, int] = field(default_factory=lambda: {"streak": 0, "timed": 0})
    games: dict[str, GameEntry] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)
    puzzles: dict[str, Rating] = field(default_factory=dict)

    def due(self, now: int) -> list[Card]:
        found = [card for card in self.cards.values() if card.memory.due <= now]
        return sorted(found, key=lambda card: card.memory.due)

    @property
    def levels(self) -> dict[str, tuple[int, int, int]]:
        """Games won, drawn and lost against every opponent."""
        found: dict[str, tuple[int, int, int]] = {}
        for game in self.games.values():
            won, drawn, lost = found.get(game["opponent"], (0, 0, 0))
            score = game["score"]
            found[game["opponent"]] = (won + (score == 1), drawn + (score == 0.5), lost + (score == 0))
        return dict(sorted(found.items(), key=lambda item: _number(item[0])))

    @property
    def unseen(self) -> list[GameEntry]:
        """Lost games whose moments nobody has looked for."""
        usual = [game for game in self.games.values() if game["size"] == STANDARD and not game["start"]]
        return [game for game in usual if game["score"] == 0 and game["game"] not in self.looked]


def _number(opponent: str) -> tuple[int, str]:
    name, _, number = opponent.partition(":")
    return (int(number), "") if name == "level" and number.isdecimal() else (99, opponent)


def record_of(entries: Iterable[Entry]) -> Record:
    """Everything, from the first entry to the last."""
    found = Record()
    for entry in entries:
        _add(found, entry)
    return found


def _add(found: Record, entry: Entry) -> None:
    if entry["kind"] == "puzzle":
        _tried(found, entry)
    elif entry["kind"] == "found":
        found.days.add(entry["day"])
        found.met.add(entry["day"])
    elif entry["kind"] == "moment":
        if entry["card"] not in found.cards:
            memory = review(None, 1, entry["at"])
            better = tuple(column - 1 for column in entry["better"])
            found.cards[entry["card"]] = Card(
                entry["card"], memory, None, entry["moves"], better, entry["what"]
            )
    elif entry["kind"] == "grade":
        _grade(found, entry["card"], entry["at"], entry["grade"])
    elif entry["kind"] == "run":
        found.best[entry["mode"]] = max(found.best[entry["mode"]], entry["count"])
    elif entry["kind"] == "game":
        found.games[entry["game"]] = entry
    else:
        found.looked.add(entry["game"])


def _tried(found: Record, entry: TriedEntry) -> None:
    name, is_right = entry["puzzle"], entry["grade"] >= RIGHT
    if name not in found.tried:
        if entry["mode"] in RATED and entry["grade"] != HELPED:
            puzzle = Rating(entry["rating"], PUZZLE_DEVIATION, PUZZLE_VOLATILITY)
            found.puzzles[name] = rated(puzzle, found.you, 1 - is_right)
            found.you = rated(found.you, puzzle, is_right)
            found.curve.append((entry["at"], found.you.rating))
        solved, tried = found.themes.get(entry["theme"], (0, 0))
        found.themes[entry["theme"]] = (solved + is_right, tried + 1)
    found.tried.add(name)
    if is_right:
        found.solved.add(name)
    if entry["mode"] == "daily":
        if is_right:
            found.days.add(entry["day"])
            if entry["day"] not in found.met:
                found.first.add(entry["day"])
        found.met.add(entry["day"])
    key = f"puzzle:{name}"
    if key not in found.cards and not is_right:  # a missed puzzle becomes a card
        found.cards[key] = Card(key, review(None, entry["grade"], entry["at"]), puzzle=name)
    else:
        _grade(found, key, entry["at"], entry["grade"])


def _grade(found: Record, key: str, at: int, grade: int) -> None:
    card = found.cards.get(key)
    if card is not None:
        memory = review(card.memory, grade, at)
        found.cards[key] = Card(key, memory, card.puzzle, card.moves, card.better, card.what)


def next_rating(you: Rating) -> float:
    """The rating of a puzzle that is solved three times in four."""
    return you.rating - 400 * math.log10(3)


def days_in_a_row(days: Set[str], today: date) -> int:
    """Days with a puzzle of the day, up to today; today's may still be to come.

    >>> days_in_a_row({"2026-10-31", "2026-11-01"}, date(2026, 11, 2))
    2
    """
    day = today if today.isoformat() in days else today - timedelta(days=1)
    count = 0
    while day.isoformat() in days:
        count, day = count + 1, day - timedelta(days=1)
    return count
