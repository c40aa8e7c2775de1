"""Why a leaf wins: every sentence is held against all games of the plan, by code of its own."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from claimeven.map import Plan
from claimeven.map.argued.shown import seen
from claimeven.map.atlas import STARTS, shipped, shipped_whys
from claimeven.map.reason import WHYS, reason
from claimeven.map.stones import Stones
from claimeven.map.told import Told, told
from claimeven.position import Position
from kit.coach.argued import CELLS, Argued, Excepted
from kit.coach.witness import CELL, Rules, Seen, Witness, line_between

OTHER = {"even": "odd", "odd": "even"}
OURS = ("Red", "Yellow")
# Leaves of which a club player showed a sentence to be false, or to read falsely.
WALKED = (
    "466572412",
    "4447354251526",
    "44455362425",
    "43624437443",
    "45212422444",
    "42254544562",
    "46676266462",
    "4445536534525",
    "4745447554354",
    "43624344573",
    "44433434255",
)
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
    """Of many leaves a larger sample of the same seed begins with the smaller one."""
    for stones in random.Random(seed).sample(late(start), count):
        yield leaf(start, stones)


@cache
def late(start: str) -> list[Stones]:
    return [stones for stones in sorted(shipped(start).leaves) if stones.mask.bit_count() >= DISCS]


@cache
def leaf(start: str, stones: Stones) -> tuple[Told, Witness]:
    """Several tests take the same ones: what a witness has played once it keeps."""
    found = shipped(start)
    for turned in (stones, stones.mirrored(found.board)):  # of some only the image is come to
        position = Position(found.board, turned.theirs, turned.mask)
        place = seen(found, position)
        if place is not None and place.plan is not None:
            return told(found, position), witness_of(place.stones, place.plan)
    pytest.fail(f"nobody comes to {stones}")


def fours_of(said: Told) -> list[frozenset[str]]:
    return [frozenset(four.cells) for four in said.fours]


def refused(said: Told, witness: Witness) -> list[str]:
    """Of all sentences of a leaf those that are not true."""
    if said.why == "full":
        steps = [step for step in said.steps() if "could still make" not in step]  # test_map.py has these
        reader = Excepted(witness, [], draw_is_enough=True)
        return [*Argued(witness).refuses(steps), *reader.refuses(said.plan())]
    return [
        *Argued(witness).refuses(said.steps()),
        *witness.refuses(said.numbers(), fours_of(said), said.why == "long"),
        *Excepted(witness, fours_of(said)).refuses(said.plan()),
    ]


@pytest.mark.parametrize("start", STARTS)
def test_every_sentence_is_true_of_all_games(start: str) -> None:
    kinds = set()
    for said, witness in leaves(start, 12):
        kinds.add(said.why)
        assert refused(said, witness) == []
        plays(said, witness)
        crossed_out(said, witness)
        drawn(said, witness)
    assert len(kinds) > 2


@pytest.mark.parametrize("moves", WALKED)
def test_every_sentence_is_true_where_a_stranger_found_a_false_one(moves: str) -> None:
    found, position = shipped(""), Position.parse(moves)
    place = seen(found, position)
    assert place is not None
    assert place.plan is not None
    said, witness = told(found, position), witness_of(place.stones, place.plan)
    assert refused(said, witness) == []
    crossed_out(said, witness)
    drawn(said, witness)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_every_sentence_is_true_of_many_leaves(start: str) -> None:
    for said, witness in leaves(start, 100, seed=8):
        assert refused(said, witness) == []
        plays(said, witness)
        crossed_out(said, witness)
        drawn(said, witness)


def crossed_out(said: Told, witness: Witness) -> None:
    """What loses now, whatever the plan plays, and nothing that the game begins with."""
    theirs, ours = witness.start
    assert set(said.poison) <= set(witness.open_cells(theirs | ours))
    if not said.is_quick:
        assert set(said.poison) == {
            x for x in witness.open_cells(theirs | ours) if witness.loses(witness.start, x)
        }
        assert said.game[0].cell not in said.poison


def drawn(said: Told, witness: Witness) -> None:
    """A column that is covered is entered in no game with resistance; what is drawn decides these."""
    assert all(set(said.shut) <= set(witness.open_cells(end.theirs | end.ours)) for end in witness.ends)
    if said.why in ("one", "two", "three", "long"):
        fours = [frozenset(cells) for cells in said.drawn]
        had = sum(any(witness.lacks(end, four) for four in fours) for end in witness.ends)
        assert 10 * had >= 9 * len(witness.ends) or not fours


def plays(said: Told, witness: Witness) -> None:
    """The game that is shown: legal, by the plan, won, and no forced loss where there is another reply."""
    now, cells, texts = witness.start, [disc.cell for disc in said.game], said.shown()
    assert len(texts) == len(cells)
    if said.is_quick:
        assert Argued(witness).is_forced_so(now, cells[0], cells[1:])
        return
    for at in range(0, len(cells), 2):
        x, free = cells[at], witness.open_cells(now.theirs | now.ours)
        assert x in free
        if "Now everything" in texts[at]:
            pattern = rf"after ({CELL}), ({CELL}) completes|({CELL}) loses by force: \w+ ({CELL})"
            told_of = {a or c: b or d for a, b, c, d in re.findall(pattern, texts[at])}
            assert set(told_of) == set(free)
            assert all(witness.loses(now, each) for each in free)
            for each in re.findall(rf"after ({CELL}), {CELL} completes", texts[at]):
                assert told_of[each] in witness.wins(now, each)
            assert Argued(witness).is_forced_so(now, x, cells[at + 1 :])
            assert texts[-1].startswith(f"{OURS[said.side]} completes a four on {cells[-1]}")
            return
        if any(not witness.loses(now, each) for each in free):
            assert not witness.loses(now, x)
        if at + 1 == len(cells):
            assert said.why == "full"
            assert len(free) == 1
            return
        wins = witness.wins(now, x)
        assert not wins
        assert now.ours | {cells[at + 1]} == witness.after(now, x).ours
        now = Seen(now.theirs | {x}, now.ours | {cells[at + 1]})


def test_a_false_sentence_is_refused() -> None:
    planted = Counter[str]()
    for said, witness in leaves("", 24):
        if said.argument is None:
            continue
        for what, steps in false_ones(said.steps(), witness):
            planted[what] += 1
            assert Argued(witness).refuses(steps), (what, steps)
        for what, steps in false_numbers(said, witness):
            planted[what] += 1
            assert witness.refuses(steps, fours_of(said), said.why == "long"), (what, steps)
    assert sum(planted.values()) > 150
    wanted = [
        "when",
        "rows when",
        "entered",
        "near",
        "poison left out",
        "where",
        "elsewhere",
        "poison",
        "only",
        "three",
        "last",
        "four",
        "mostly",
        "below",
        "elsewhere now",
        "rival",
        "fate",
        "untold",
        "pattern",
        "already",
        "block",
        "enters",
    ]
    assert set(planted) >= {*wanted, "count", "parity", "left", "answer", "force", "rows", "alone", "open"}


def test_a_false_win_by_force_is_refused() -> None:
    """What is told where every reply loses: a wrong line, a reply left out, or all of it elsewhere."""
    planted = Counter[str]()
    lost, held = list[tuple[Told, Witness]](), list[Witness]()
    for said, witness in leaves("", 60):
        if said.is_quick and said.now():
            lost.append((said, witness))
        elif not said.is_quick:
            held.append(witness)
    for said, witness in lost:
        planted["fours"] += 1
        assert Argued(witness).refuses(said.steps()) == []
        fours = [re.sub(rf"{CELL}–{CELL}", held_row(witness), step) for step in said.steps()]
        assert Argued(witness).refuses(fours)
        idea, lines = said.idea(), next((each for each in said.now() if "completes a four or" in each), "")
        if not lines:
            continue
        assert Argued(witness).refuses([idea, lines]) == []
        head, _, parts = lines.rstrip(".").partition(": ")
        for number, part in enumerate(parts.split("; ")):
            planted["left out"] += 1
            others = [each for at, each in enumerate(parts.split("; ")) if at != number]
            is_threat = "threatens to complete" in said.now()[0]
            if others and not (is_threat or part.startswith("after")):
                assert Argued(witness).refuses([f"{head}: {'; '.join(others)}."])
            planted["line"] += 1
            wrong = re.sub(rf"{CELL}( wins| completes|, and)", rf"{min(witness.start.theirs)}\1", part)
            assert Argued(witness).refuses([lines.replace(part, wrong)]), (part, wrong)
    for witness in held[:20]:
        planted["held"] += 1
        assert Argued(witness).refuses(["Red wins by force, whatever Yellow plays."])
    assert planted["line"] > 5
    assert planted["fours"] > 5
    assert planted["held"] == 20


def test_a_false_count_of_a_draw_is_refused() -> None:
    planted = 0
    for said, witness in leaves("3", 12):
        for step in said.steps():
            if "If the board fills up" in step:
                planted += 1
                assert Argued(witness).refuses(
                    [step.replace(f"{said.empty} cells", f"{said.empty + 2} cells")]
                )
    assert planted > 2


def false_ones(steps: list[str], witness: Witness) -> Iterator[tuple[str, list[str]]]:
    """The argument of a leaf, each time with one mistake in it."""
    theirs = min(witness.start.theirs)
    for number, step in enumerate(steps):
        changed: list[tuple[str, str]] = []
        if "safe moves" in step and (where := re.search(rf"(in column )({CELL}|[a-g])", step)):
            full = next((c for c in "abcdefg" if f"{c}6" in witness.start.theirs | witness.start.ours), "")
            wrong = full or "h"
            changed.append(("where", step.replace(where[0], where[1] + wrong)))
            if "elsewhere" not in step and where[1] != "":
                changed.append(("elsewhere", step.replace(".", " and elsewhere.")))
        if "No short reason" in step:
            changed.append(("short", "Yellow runs out of safe moves: in the end only poison is left."))
        elif "safe moves" in step:
            changed.append(("open", "No short reason is known here: Yellow runs out of safe moves."))
        if step.startswith("One long game"):
            changed.append(("way", re.sub(r", [^,]*\.$", ".", step)))
            changed.append(("way", re.sub(rf"{CELL}\.$", f"{theirs}.", step)))
        if step.startswith(("The four", "Among the fours")):
            changed.append(("fours", re.sub(rf"{CELL}–{CELL}", held_row(witness), step, count=1)))
        if "one alone, " in step:
            changed.append(("alone", step.replace("one alone, ", "")))
        elif step.startswith("Leave out "):
            changed.append(("alone", step.replace("Leave out", "Leave out one alone,")))
        if "right below where" in step:
            changed.append(("right below", re.sub(rf"{CELL}(?=,| or| is)", theirs, step, count=1)))
        if "right on top of it" in step:
            others = set(witness.open_cells(witness.start.theirs | witness.start.ours)) - set(
                re.findall(CELL, step)
            )
            if found := re.search(rf"({CELL}) comes ({CELL})", step):
                changed.append(("elsewhere now", step.partition(", but not now")[0] + "."))
                changed.append(("elsewhere now", step.replace(found[0], f"{found[1]} comes {theirs}")))
                changed.append(("elsewhere now", step.replace(found[0], f"{theirs} comes {found[2]}")))
            elif others:
                wrong = f"of it, but not now: after {min(others)} comes {theirs}"
                changed.append(("on top now", step.replace("of it", wrong)))
        if "has to open" in step:
            changed.append(("either", re.sub("column ([a-g])", "column h", step)))
        is_rival = " has all of" in step and " now: " in step
        if " has all of" in step and not (is_rival or step.endswith((" now.", "loses."))):
            changed.append(("last", re.sub(rf" but (one cell, )?{CELL}", f" but {theirs}", step, count=1)))
            changed.append(("four", re.sub(rf"{CELL}–{CELL}", far_from(witness), step)))
            if found := re.search(r"In nearly every end|In some of the ends", step):
                wrong = "nearly every end" if "some" in found[0] else "some of the ends"
                changed.append(("mostly", step.replace(found[0], f"In {wrong}")))
                changed.append(("mostly", step.replace(found[0], "In the end")))
            elif step.startswith("In the end"):
                changed.append(("mostly", step.replace("In the end", "In nearly every end")))
            if "already has" not in step:
                here = step.replace(" (already now)", "")
                last = rf"( but (?:one cell, )?{CELLS})"
                changed.append(
                    ("already", here if here != step else re.sub(last, r"\1 (already now)", step, count=1))
                )
        if step.startswith("That will make "):
            changed.append(("below", re.sub(rf"make {CELL}", f"make {theirs}", step, count=1)))
        if step.endswith(" now.") and " has " in step:
            changed.append(("three", re.sub(rf" but {CELL}", f" but {theirs}", step, count=1)))
            changed.append(("three", re.sub(rf"{CELL}–{CELL}", far_from(witness), step)))
        if is_rival:
            changed.append(("rival", re.sub(rf" but {CELL}", f" but {theirs}", step, count=1)))
            changed.append(("rival", re.sub(rf"{CELL}–{CELL}", held_row(witness), step)))
            head, _, fate = step.partition(" now: ")
            changed.append(("fate", f"{head} now: {re.sub(CELL, theirs, fate, count=1)}"))
            lows = " and ".join(f"{x[0]}{int(x[1]) - 1}" for x in re.findall(rf" but ({CELL})", head))
            if "completes a four" not in fate:
                changed.append(("fate", f"{head} now: right below, on {lows}, Red completes a four."))
            if "nobody plays" not in fate and not said_to_wait(lows, witness):
                wrong = f"nobody plays right below, on {lows}, unless Yellow plays what loses by force."
                changed.append(("fate", f"{head} now: {wrong}"))
            if "before it wins" in fate:
                changed.append(("fate", re.sub("never plays.*", f"takes {min(witness.start.ours)}.", step)))
            yield "untold", [*steps[:number], *steps[number + 1 :]]
        if found := re.search(r"A (?:pair|stack), .*$", step):
            changed.append(("pattern", step.replace(found[0], re.sub(CELL, theirs, found[0], count=1))))
            told, wrong = ("A pair", "A stack") if "A pair" in found[0] else ("A stack", "A pair")
            changed.append(("pattern", step.replace(told, wrong)))
        if "answers every disc right on top" in step:
            block = "Unless it must stop a four, "
            changed.append(("block", step.replace(block, "") if block in step else block + step))
        if found := re.search(rf"after ({CELLS}), {CELL} completes", step):
            changed.append(("poison", step.replace(found[0], f"after {found[1]}, {theirs} completes")))
            changed.append(("poison", step.replace(found[0], found[0].replace(found[1], theirs, 1))))
        if found := re.search(rf"must play {CELL}\.", step):
            changed.append(("only", step.replace(found[0], f"must play {theirs}.")))
            changed.append(("only", step.rpartition(";")[0] + "."))
        if found := re.search(r"Elsewhere (\d+) cells", step):
            changed.append(("count", step.replace(found[0], f"Elsewhere {int(found[1]) + 2} cells")))
            parity = re.search(r"an (even|odd) number", step)
            assert parity
            changed.append(("parity", step.replace(parity[0], f"an {OTHER[parity[1]]} number")))
            changed.append(
                ("column", re.sub(rf"(plays|has played) in .*?{CELL}", rf"\1 in {theirs}", step, count=1))
            )
            when = re.match(r"If [^,]*,", step)
            assert when
            head = step[when.end() + 1 :]
            changed.append(("when", head[0].upper() + head[1:]))
            if "holds out" in when[0] and covers_less(said_cells(head), witness):
                changed.append(
                    ("when", step.replace(when[0], "If Yellow plays nothing that loses by force,"))
                )
        if "right below that, too" in step:
            changed.append(("second", re.sub(rf"{CELL}–{CELL}", far_from(witness), step)))
        if step.startswith("Leave out ") and "is odd" in step:
            changed.append(("rows", re.sub("number is odd.*", "number is an even number.", step)))
        elif step.startswith("Leave out "):
            changed.append(
                ("rows", re.sub(r"an (even|odd) number", lambda found: f"an {OTHER[found[1]]} number", step))
            )
        if "as long as nobody" in step:
            changed.append(("rows when", step.replace("as long as nobody plays there, ", "")))
        if "first all the same" in step:
            changed.append(("entered", re.sub(CELL, theirs, step)))
            yield "entered", [*steps[:number], *steps[number + 1 :]]
        elif "so Red always has" in step and not any("first all the same" in each for each in steps):
            yield "entered", [*steps, f"In some games Red plays {theirs} first all the same."]
        if "open or right above an open one" in step:
            changed.append(("near", step.replace(", with that cell open or right above an open one", "")))
        if step.startswith("Poison now: ") and "; " in step:
            changed.append(("poison left out", step.rpartition("; ")[0] + "."))
        if "is one disc short of" in step:
            changed.append(
                ("open", "No short reason is known" + step.partition("No short reason is known")[2])
            )
            changed.append(("open", re.sub(rf"{CELL}–{CELL}", far_from(witness), step)))
        if found := re.search(rf"has only {CELL}", step):
            changed.append(("left", step.replace(found[0], f"has only {theirs}")))
        if found := re.search(rf"after ({CELL}) comes ({CELL})", step):
            changed.append(("answer", step.replace(found[0], f"after {found[1]} comes {theirs}")))
        if found := re.search(rf"loses by force(?:, in most ends so)?: \w+ {CELL}", step):
            changed.append(("force", step.replace(found[0], f"{found[0][:-2]}{theirs}")))
        if "gives up" in step:
            changed.append(("gives", re.sub(rf"on {CELL}:", f"on {theirs}:", step)))
        if found := re.search(r"put it off for (\d+|one) disc", step):
            changed.append(("put off", step.replace(found[0], "put it off for 7 disc")))
        if step.startswith("The longest defence: "):
            changed.append(
                (
                    "defence",
                    re.sub(r", [^,]*\.$", ".", step) if ", " in step else f"{step[:-1]} Red {theirs}.",
                )
            )
        if "It can be stuck sooner" in step:
            changed.append(("sooner", step.partition(" It can")[0]))
        if "comes to another end" in step:
            changed.append(("enters", re.sub(CELL, theirs, step, count=1)))
            yield "enters", [*steps[:number], *steps[number + 1 :]]
        elif "nobody plays in" in step:
            wrong = f"But Yellow can play {theirs} now without losing by force: then it comes to another end."
            yield "enters", [*steps[: number + 1], wrong, *steps[number + 1 :]]
        if "does not matter" in step:
            changed.append(("stack", re.sub(rf"But {CELL}", f"But {theirs}", step)))
        for what, each in changed:
            yield what, [*steps[:number], each, *steps[number + 1 :]]


def said_cells(head: str) -> set[str]:
    return set(re.findall(rf"from ({CELL}) up", head.partition(". Elsewhere")[0]))


def said_to_wait(lows: str, witness: Witness) -> bool:
    """Whether nobody who resists plays there."""
    return not any(set(re.findall(CELL, lows)) & (now.theirs | now.ours) for now in witness.games)


def covers_less(cells: set[str], witness: Witness) -> bool:
    """Whether these can be played in the ends of the longest defence, but not in nearly all."""
    return any(not cells <= set(witness.open_cells(end.theirs | end.ours)) for end in witness.ends)


def far_from(witness: Witness) -> str:
    """A row that the holder cannot make."""
    return next(row for row in ("a1–d1", "d1–g1", "a2–d2", "d2–g2", "a6–d6") if crosses(row, witness))


def held_row(witness: Witness) -> str:
    """A row that neither side can make, or else one that the opponent cannot."""
    rows = [
        row
        for row in ("a1–d1", "d1–g1", "a2–d2", "d2–g2")
        if line_between(*row.split("–")) & witness.start.ours
    ]
    return next((row for row in rows if crosses(row, witness)), rows[0])


def crosses(row: str, witness: Witness) -> bool:
    first, last = row.split("–")
    return bool(line_between(first, last) & witness.start.theirs)


def false_numbers(said: Told, witness: Witness) -> Iterator[tuple[str, list[str]]]:
    steps, theirs = said.numbers(), min(witness.start.theirs)
    for number, step in enumerate(steps):
        changed: list[tuple[str, str]] = []
        if found := re.search(r"happens in (\d+)", step):
            changed.append(("ends", step.replace(found[0], f"happens in {int(found[1]) + 1}")))
        if found := re.search(r"in (all|\d+) of them", step):
            wrong = said.ends - 1 if found[1] == "all" else said.ends
            changed.append(("told", step.replace(found[0], f"in {wrong} of them")))
        if found := re.search(rf", on {CELL}", step):
            changed.append(("lacks", step.replace(found[0], f", on {theirs}")))
        if found := re.search(rf"already has ({CELL})", step):
            changed.append(("has", step.replace(found[0], f"already has {theirs}")))
        for what, each in changed:
            yield what, [*steps[:number], each, *steps[number + 1 :]]


def test_a_false_reason_of_an_exception_is_refused() -> None:
    planted = Counter[str]()
    for said, witness in leaves("", 40):
        reader = Excepted(witness, fours_of(said))
        for step in said.plan():
            told_of = re.match(rf"((?:A|Later, a)fter {CELL}) comes (?:the first of )?({CELL})(.*)", step)
            if told_of is None:
                continue
            after, _, why = told_of.groups()
            planted["answer"] += 1
            assert reader.refuses([f"{after} comes {min(witness.start.theirs)}{why}"])
            planted["later"] += 1
            is_later = step.startswith("Later, ")
            assert reader.refuses([f"A{step[8:]}" if is_later else f"Later, a{step[1:]}"]), step
            planted["free"] += 1  # that nothing is lost without it
            assert reader.refuses([f"These answers are a choice of the map: {step[0].lower()}{step[1:]}"])
            if "could then complete" not in why:
                planted["loss"] += 1
                wrong = f"this plan could let Yellow complete the row {held_row(witness)}."
                assert reader.refuses([re.sub("this plan could .*", wrong, step)])
            for word, cell in re.findall(rf"(on|block|take) ({CELL})", why):
                planted["cell"] += 1
                assert reader.refuses([step.replace(f"{word} {cell}", f"{word} {min(witness.start.theirs)}")])
            if "–" in why:
                planted["four"] += 1
                assert reader.refuses([re.sub(rf"{CELL}–{CELL}", held_row(witness), step)])
    assert planted["answer"] > 10
    assert planted["later"] > 10
    assert planted["loss"] > 10
    assert planted["cell"] > 2
    assert planted["four"] > 5


def test_who_can_get_a_cell_is_not_said_not_to() -> None:
    """Where the opponent can get a cell of a four, that it cannot is refused."""
    found = 0
    for said, witness in leaves("", 30):
        for four in said.fours:
            if said.why in ("one", "two", "three") and not four.is_safe and four.have:
                line = f"the {four.axis} {four.cells[0]}–{four.cells[-1]}".replace("upright", "column")
                claim = f"Of {line}, Red already has {' and '.join(four.have)}, and Yellow cannot get "
                claim += f"{' or '.join(four.lack)} without losing by force."
                assert witness.refuses([claim], fours_of(said), is_long=False)
                found += 1
    assert found > 3


@pytest.mark.parametrize("start", STARTS)
def test_the_kinds_that_are_kept_are_those_of_the_leaves(start: str) -> None:
    found, kept = shipped(start), shipped_whys(start)
    assert kept.keys() == found.leaves.keys()
    for stones, plan in random.Random(9).sample(sorted(found.leaves.items()), 30):
        assert kept[stones] == reason(found.board, stones, plan).why
    assert set(kept.values()) <= set(WHYS)
