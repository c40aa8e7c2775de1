"""Why a leaf wins: every sentence is held against all games of the plan, by code of its own."""

import random
import re
from collections.abc import Iterator

import pytest

from claimeven.map import Plan
from claimeven.map.atlas import STARTS, shipped, shipped_whys
from claimeven.map.reason import WHYS, reason
from claimeven.map.stones import Stones
from claimeven.map.told import Told, told
from claimeven.position import Position
from kit.coach.witness import CELL, Rules, Seen, Witness

DISCS = 14  # so many at least: what follows is played to its ends by naive code


def name(cell: int) -> str:
    return f"{'abcdefg'[cell // 7]}{cell % 7 + 1}"


def names(cells: int) -> frozenset[str]:
    return frozenset(name(cell) for cell in range(49) if cells >> cell & 1)


def witness_of(stones: Stones, plan: Plan) -> Witness:
    answers: dict[str, list[str]] = {}
    for x, y in plan.exceptions:
        answers.setdefault(name(x), []).append(name(y))
    rules = Rules([*map(name, plan.urgent)], answers, [*map(name, plan.spare)])
    return Witness(Seen(names(stones.theirs), names(stones.mask & ~stones.theirs)), rules)


def leaves(start: str, count: int, seed: int = 7) -> Iterator[tuple[Told, Witness]]:
    found = shipped(start)
    late = [stones for stones in sorted(found.leaves) if stones.mask.bit_count() >= DISCS]
    for stones in random.Random(seed).sample(late, count):
        for seen in (stones, stones.mirrored(found.board)):  # of some only the image is come to
            position = Position(found.board, seen.theirs, seen.mask)
            place = found.find(position)
            if place is not None and place.plan is not None:
                yield told(found, position), witness_of(place.stones, place.plan)
                break
        else:
            pytest.fail(f"nobody comes to {stones}")


@pytest.mark.parametrize("start", STARTS)
def test_every_sentence_is_true_of_all_games(start: str) -> None:
    kinds = set()
    for said, witness in leaves(start, 12):
        kinds.add(said.why)
        if said.why != "full":
            assert witness.refuses(said.steps()) == []
        plays(said, witness)
    assert len(kinds) > 2


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_every_sentence_is_true_of_many_leaves(start: str) -> None:
    for said, witness in leaves(start, 100, seed=8):
        if said.why != "full":
            assert witness.refuses(said.steps()) == []
        plays(said, witness)


def plays(said: Told, witness: Witness) -> None:
    """The game that is shown: legal, by the plan, won, and no forced loss where there is another reply."""
    now, cells, texts = witness.start, [disc.cell for disc in said.game], said.shown()
    assert len(texts) == len(cells)
    for at in range(0, len(cells), 2):
        x, free = cells[at], witness.open_cells(now.theirs | now.ours)
        assert x in free
        if "Now every column left loses" in texts[at]:
            told_of = dict(re.findall(rf"after ({CELL}), ({CELL}) (?:completes|wins)", texts[at]))
            assert set(told_of) == set(free)
            assert all(witness.loses(now, each) for each in free)
            for each in re.findall(rf"after ({CELL}), {CELL} completes", texts[at]):
                assert told_of[each] in witness.wins(now, each)
        elif any(not witness.loses(now, each) for each in free):
            assert not witness.loses(now, x)
        if at + 1 == len(cells):
            assert said.why == "full"
            assert len(free) == 1
            return
        wins = witness.wins(now, x)
        assert cells[at + 1] in wins if wins else now.ours | {cells[at + 1]} == witness.after(now, x).ours
        assert (f"completes a four on {cells[at + 1]}" in texts[at + 1]) == bool(wins)
        now = Seen(now.theirs | {x}, now.ours | {cells[at + 1]})
    assert bool(wins) == (said.why != "full")


def test_a_false_sentence_is_refused() -> None:
    planted = refused = 0
    for said, witness in leaves("", 12):
        if said.why not in ("one", "two", "three", "long"):
            continue
        for sentence in false_ones(said, witness):
            planted += 1
            refused += bool(witness.refuses(sentence))
    assert planted == refused > 25


def false_ones(said: Told, witness: Witness) -> Iterator[list[str]]:
    """The words of a leaf, each time with one mistake in them."""
    steps = said.steps()
    for number, step in enumerate(steps):
        changed = []
        if found := re.search(r"happens in (\d+)", step):
            changed.append(step.replace(found[0], f"happens in {int(found[1]) + 1}"))
        if found := re.search(r"in (all|\d+) of them", step):
            changed.append(
                step.replace(found[0], f"in {said.ends - 1 if found[1] == 'all' else said.ends} of them")
            )
        if found := re.search(rf", on {CELL}", step):
            changed.append(step.replace(found[0], f", on {min(witness.start.theirs)}"))
        if found := re.search(rf"already has ({CELL})", step):
            changed.append(step.replace(found[0], f"already has {min(witness.start.theirs)}"))
        if "nearly always " in step:
            changed.append(step.replace("nearly always ", ""))
        elif "it comes down" in step:
            changed.append(step.replace("it comes", "it nearly always comes"))
            changed.append(
                re.sub(rf"{CELL}–{CELL}", "a6–d6" if "d6" in witness.start.theirs else "d6–g6", step)
            )
        for each in changed:
            yield [*steps[:number], each, *steps[number + 1 :]]


def test_who_can_get_a_cell_is_not_said_not_to() -> None:
    """Where the opponent can get a cell of a four, that it cannot is refused."""
    found = 0
    for said, witness in leaves("", 30):
        for four in said.fours:
            if said.why in ("one", "two", "three") and not four.is_safe and four.have:
                line = f"the {four.axis} {four.cells[0]}–{four.cells[-1]}".replace("upright", "column")
                claim = f"Of {line}, Red already has {' and '.join(four.have)}, and Yellow cannot get "
                assert witness.refuses([f"{claim}{' or '.join(four.lack)} without losing by force."])
                found += 1
    assert found > 3


@pytest.mark.parametrize("start", STARTS)
def test_what_exceptions_are_for_is_so_wherever_they_are_asked_for(start: str) -> None:
    asked = 0
    for said, witness in leaves(start, 10):
        assert said.rules is not None
        purposes = {x: what for (x, _), what in zip(said.rules.exceptions, said.rules.purposes, strict=True)}
        seen, waiting = set[Seen](), [witness.start]
        while waiting:
            now = waiting.pop()
            for x in witness.open_cells(now.theirs | now.ours):
                rule, y = witness.answer(now.theirs | {x}, now.ours, x)
                after = witness.after(now, x)
                if not y or witness.completes(now.ours, y) or after in seen:
                    continue
                seen.add(after)
                waiting.append(after)
                if rule != "exception":
                    continue
                asked += 1
                above = f"{x[0]}{int(x[1]) + 2}"
                if purposes[x] == "force":
                    free = witness.open_cells(after.theirs | after.ours)
                    assert any(witness.completes(after.ours, cell) for cell in free)
                elif purposes[x] == "theirs":
                    assert witness.completes(after.theirs, above)
                elif purposes[x] == "ours":
                    assert witness.completes(now.ours, above)
    assert asked > 10


@pytest.mark.parametrize("start", STARTS)
def test_the_kinds_that_are_kept_are_those_of_the_leaves(start: str) -> None:
    found, kept = shipped(start), shipped_whys(start)
    assert kept.keys() == found.leaves.keys()
    for stones, plan in random.Random(9).sample(sorted(found.leaves.items()), 30):
        assert kept[stones] == reason(found.board, stones, plan).why
    assert set(kept.values()) <= set(WHYS)
