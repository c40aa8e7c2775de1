"""A mistake in words: what could have been seen, what was right, and what it cost."""

from typing import Any

from claimeven.position import Cell
from claimeven.reasons.reviewed.mistake import Mistake
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.told.tell import Teller

THREE = 3  # stones on each other that everybody knows to stop


def told_mistake(found: Mistake, voice: Voice) -> tuple[str, ...]:
    """The sentences; the first is the one to tell if there is time for one."""
    seen, right = _seen(found, voice), _right(found, voice)
    first = (right, seen) if found.kind == "deep" and not found.cells else (seen, right)
    return tuple(filter(None, (*first, _cost(found, voice))))


def told_simply(found: Mistake, voice: Voice) -> tuple[str, ...]:
    """The same without what it allowed, of a mistake of which the other side made something else."""
    if found.kind.endswith("_missed") and found.kind != "block_missed":
        return told_mistake(found, voice)[:1]
    return tuple(filter(None, (_right(found, voice), _cost(found, voice))))


def _seen(found: Mistake, voice: Voice) -> str:
    teller, code = Teller(found.position.board, voice.words.language), f"mistake.{found.kind}"
    join = "and" if found.kind.startswith(("fork", "line")) else "or"
    values: dict[str, Any] = {"cells": teller.cells(found.cells, join)}
    if found.is_one_move or found.kind == "threat_burned":
        return _with_subject(found, voice, teller, code, values)
    if found.line:
        values |= {"move": teller.column(found.line[0]), "line": teller.line(found.line)}
    if found.kind.startswith("seven"):  # its name says nothing to whoever has not met it
        code = code.replace("seven", "pair")
    if found.kind.startswith(("stacked", "seven", "pair")) or found.end == "stacked":
        lower, upper = map(teller.cell, found.cells[:2])
        values |= {"lower": lower, "upper": upper}
    if found.kind == "deep" and found.cells:  # in hindsight
        return voice.words.say(f"{code}.line", four=teller.ends(found.fours[0]), **values)
    if found.kind == "deep" and found.gain is not None:
        move, cell = found.gain
        values |= {"move": teller.column(move), "cells": teller.cell(cell)}
        return voice.say(f"{code}.gain", found.position.side, **values)
    if found.end is not None:
        code = f"{code}.{found.end}"
    if found.kind.endswith("_allowed") or found.kind in ("count_missed", "rows_missed"):
        return voice.say(code, found.position.side, **values)
    return voice.words.say(code, **values)


def _with_subject(found: Mistake, voice: Voice, teller: Teller, code: str, values: dict[str, Any]) -> str:
    if len(found.cells) > 1:
        code = f"{code}.several"
    elif found.kind == "block_missed" and _is_upright(found.fours[0]) and len(found.fours[0]) == THREE + 1:
        code = f"{code}.upright"
    values["four"] = teller.ends(found.fours[0]) if found.fours else ""
    values["column"] = teller.column(found.cells[0].column)
    return voice.say(code, found.position.side, **values)


def _is_upright(four: tuple[Cell, ...]) -> bool:
    return len({cell.column for cell in four}) == 1


def _right(found: Mistake, voice: Voice) -> str:
    """Which columns were right, or do not make this mistake, unless that is said already."""
    if found.kind == "win_missed" or (found.kind.endswith("_missed") and found.better == found.line[:1]):
        return ""
    teller = Teller(found.position.board, voice.words.language)
    if found.had is None:
        code = "mistake.avoids"  # whether they keep the outcome was not worked out
    else:
        code = "mistake.longer" if found.had.value < 0 else "mistake.better"
    return voice.words.say(code, n=len(found.better), columns=teller.columns(found.better))


def _cost(found: Mistake, voice: Voice) -> str:
    """What became of the outcome; nothing where that is not known, or was said with what is better."""
    had, has = found.had, found.has
    if had is None or has is None:
        return ""
    if had.outcome != has.outcome:
        return voice.words.say(f"mistake.cost.{had.outcome}_{has.outcome}")
    is_slower = has.outcome == "win" and has.moves != had.moves
    return voice.words.say("mistake.cost.win") if is_slower else ""
