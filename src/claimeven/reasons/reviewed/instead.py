"""The words of a wrong move: what their answer does, and what is better."""

from dataclasses import replace
from typing import Any

from claimeven.position import Cell
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.tell import Teller


def better(teller: Teller, column: int, why: Reason, begins: tuple[int, ...] = ()) -> Reason:
    """Another column, with its reason; of a count only what comes of it, and after which moves."""
    text = why.text[:1].lower() + why.text[1:]
    if why.kind == "count_end":
        half = len(why.cells) // 2
        below, cells = (teller.cells(part, "or") for part in (why.cells[:half], why.cells[half:]))
        code = "better.count.after" if begins else "better.count"
        text = teller.words.say(code, n=half, below=below, cells=cells, line=teller.line(begins))
        why = replace(why, moves=begins)
    elif why.kind == "plan_key":
        lower, upper = map(teller.cell, why.cells[:2])
        text = teller.words.say("better.stack", lower=lower, upper=upper)
    elif why.kind in ("plan_swap", "plan_link", "plan_follow"):
        return Reason("better", teller.words.say("better.plan", column=teller.column(column)))
    said = teller.words.say("better", column=teller.column(column), text=text)
    return replace(why, kind="better", text=said)


def stops_that(teller: Teller, column: int) -> Reason:
    """Another column that stops what was told just before."""
    return Reason("better", teller.words.say("better.stops", column=teller.column(column)))


def takes(teller: Teller, cell: Cell, column: int, how: str) -> Reason:
    """It takes the cell that answers another column: the only one that beats it, or that saves them."""
    name = teller.cell(cell)
    said = teller.words.say(f"takes.{how}", cell=name, column=teller.column(column))
    return Reason("takes_one", said, (cell,))


def worse(teller: Teller, column: int, fault: Reason) -> Reason:
    """Another column, with what is wrong with it."""
    text = fault.text[:1].lower() + fault.text[1:]
    return replace(
        fault, kind="worse", text=teller.words.say("worse", column=teller.column(column), text=text)
    )


def shares(teller: Teller, reply: int, cells: tuple[Cell, ...]) -> Reason:
    """An answer after which they win where only you could."""
    line = teller.column(reply)
    said = teller.words.say("answer.shares", n=len(cells), line=line, cells=teller.cells(cells))
    return Reason("fault", said, cells)


def answer(teller: Teller, fact: Fact) -> Reason:
    """What an answer of theirs does."""
    name, cells = teller.cell, fact.cells
    code = "gain" if fact.kind in ("gains_odd", "gains_even") else fact.kind
    there, *rest = cells or (None,)
    shown = rest if code.startswith("prepares") else cells
    lower, upper = (*map(name, shown[:2]), "", "")[:2]
    values: dict[str, Any] = {
        "line": teller.column(fact.column),
        "cells": teller.cells(shown),
        "there": "" if there is None else name(there),
        "lower": lower,
        "upper": upper,
        "fours": teller.words.listed([teller.ends(four) for four in fact.fours]),
        "stones": fact.stones,
    }
    said = teller.words.say(f"answer.{code}", len(fact.fours) or len(shown), **values)
    return Reason("fault", said, cells, fact.fours)
