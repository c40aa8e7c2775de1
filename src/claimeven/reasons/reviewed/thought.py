"""A move as the one who made it would tell it: what the disc does, what it hopes or fears, what it missed.

It speaks as "I" to "you", the other player. Of the board it says only what is there; of what it expects, only
what its `Choice` says. No number of a search is in it: those are for who asks for them (agent_view.py).
"""

from dataclasses import dataclass
from typing import Any

from claimeven.agents import Choice
from claimeven.position import Cell, Position
from claimeven.reasons.reviewed.blame import told_mistake
from claimeven.reasons.reviewed.mistake import Mistake, mistake
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.seen.fact import Fact, FactKind
from claimeven.reasons.seen.move import facts
from claimeven.reasons.told.tell import Teller

# What the disc does, the most telling first: a disc that stops a win often builds something, too.
DOES: dict[FactKind, str] = {
    "wins_now": "wins",
    "blocks": "blocks",
    "blocks_one": "blocks",
    "open_three": "fork",
    "fork": "fork",
    "stacked": "stacked",
    "zugzwang": "zugzwang",
    "threatens": "threatens",
    "denies_fork": "denies",
    "prepares_fork": "prepares",
    "prepares_stacked": "prepares",
    "stacked_pair": "gains",
    "gains_odd": "gains",
    "gains_even": "gains",
    "joins": "joins",
    "kills": "kills",
    "middle": "middle",
    "most_lines": "most_lines",
}
BUILT = 2  # discs on a line that are worth a word
LINES = 3  # through a cell, for it to be a place to be
GOOD, BAD = 0.6, 0.4  # shares of the points at which one likes one's chances, or not


@dataclass(frozen=True)
class ToldMove:
    """In the words of the one who moved, but for what it overlooked: that is told about it."""

    says: str
    overlooked: str = ""
    because: str = ""  # why it was overlooked, where that is known


def told_move(choice: Choice, position: Position, name: str, language: str) -> ToldMove:
    """A choice that was made in a position, of whoever is called `name`."""
    teller = Teller(position.board, language)
    said = [*_lapse(choice, teller), _does(choice, position, teller), *_expects(choice, position, teller)]
    wrong = mistake(position, choice.column)
    if wrong is None:
        return ToldMove(" ".join(said))
    voice = Voice(teller.words, 1 - position.side, (name, name))
    return ToldMove(" ".join(said), " ".join(told_mistake(wrong, voice)), _because(choice, wrong, teller))


def _lapse(choice: Choice, teller: Teller) -> list[str]:
    return [teller.words.say("thought.lapse")] if choice.rule == "lapse" else []


def _does(choice: Choice, position: Position, teller: Teller) -> str:
    """The most telling fact about the disc; else that it was liked, or that chance chose it."""
    if _is_chance(choice):
        return teller.words.say("thought.chance")
    found = {fact.kind: fact for fact in reversed(facts(position, choice.column)) if _is_worth(fact)}
    kind = next((kind for kind in DOES if kind in found), None)
    if kind is None:
        return teller.words.say("thought.likes")
    fact = found[kind]
    values: dict[str, Any] = {"cells": teller.cells(fact.cells)}
    if kind == "stacked":
        values["lower"], values["upper"] = map(teller.cell, fact.cells[:2])
    if kind.startswith("prepares"):
        values["there"] = teller.cell(fact.cells[0])
    if fact.fours:
        values["four"] = teller.ends(fact.fours[0])
    return teller.words.say(f"thought.{DOES[kind]}", **values)


def _is_chance(choice: Choice) -> bool:
    """Several columns were the same to it, and it has nothing to say about any."""
    shares = [share for share in choice.weights.values() if share > 0]
    return choice.rule is None and not choice.opinions and len(shares) > 1 and max(shares) == min(shares)


def _is_worth(fact: Fact) -> bool:
    """Every disc lies on some line: only one with company, or on many of them, is worth a word."""
    if fact.kind == "most_lines":
        return (fact.count or 0) >= LINES
    return fact.kind not in ("joins", "kills") or (fact.stones or 0) >= BUILT


def _expects(choice: Choice, position: Position, teller: Teller) -> list[str]:
    """What it hopes or fears, as far as its choice says; nothing where the game is over."""
    if position.play(choice.column).is_over:
        return []
    opinion, say = choice.opinion(choice.column), teller.words.say
    match opinion.kind:
        case "scores":
            score = opinion.score or 0
            return [say(f"thought.knows.{'win' if score > 0 else 'loss' if score else 'draw'}")]
        case "ends":
            plies, is_hope = opinion.ends or 0, (opinion.ends or 0) > 0
            return [
                say("thought.hopes", n=(plies + 1) // 2) if is_hope else say("thought.fears", n=-plies // 2)
            ]
        case "proven":
            return [say(f"thought.knows.{opinion.proven}")]
        case "visits":
            share = opinion.value or 0.0
            return [say(f"thought.chances.{'good' if share >= GOOD else 'bad' if share <= BAD else 'even'}")]
        case _:
            return []


def _because(choice: Choice, wrong: Mistake, teller: Teller) -> str:
    """How it came to be overlooked; "" where nothing is known of that."""
    looked = choice.effort.depth
    if choice.rule == "lapse" or not looked:
        return ""
    if looked < wrong.plies:
        return teller.words.say("thought.too_near", n=looked)
    # Within its sight, and a line that is completed with the next disc: then it did not see the line.
    if not wrong.is_one_move:
        return ""
    return teller.words.say(f"thought.slipped.{'diagonal' if _is_diagonal(wrong.fours[0]) else 'line'}")


def _is_diagonal(four: tuple[Cell, ...]) -> bool:
    return four[0].column != four[-1].column and four[0].row != four[-1].row
