"""The kit that checks explanations and reviews finds what is false: every tampering is noticed."""

import re
from dataclasses import dataclass, replace
from functools import cache

import pytest

from claimeven.game import Game
from claimeven.position import Cell, Position
from claimeven.reasons import Explanation, explain, review
from claimeven.reasons.reviewed.mistake import Mistake
from claimeven.reasons.reviewed.moments import Accuracy
from claimeven.reasons.reviewed.reviews import Review
from claimeven.solver import Score, Solver
from kit.coach.explained import check_explanation
from kit.coach.reviewed import check_review

SOLVER = Solver(megabytes=64)


@dataclass(frozen=True)
class Misquoted(Explanation):
    """True values with a text that does not follow from them."""

    quote: str = ""

    @property
    def text(self) -> str:
        return self.quote


@dataclass(frozen=True)
class MisquotedReview(Review):
    quote: str = ""

    @property
    def text(self) -> str:
        return self.quote


@cache
def told(moves: str, column: int) -> Explanation:
    return explain(Position.parse(moves), column - 1, SOLVER)


@cache
def reviewed() -> Review:
    return review(Game.parse("4455224"), SOLVER)


COUNT = "546445664565544151123133177773122"  # it turns on the number of free cells
STACK = "44444343311312"  # two winning cells above each other
SWAP = "726555534444344655333737766662"  # a pair of cells, and a column that is set apart

LIES = [
    ("4131", 5, "wins in 2 moves", "wins in 3 moves"),
    ("4131", 5, "Column 5: ", "Column 4: "),
    ("4131", 5, "as soon", ""),
    ("4131", 5, "b1 and f1", "b1 and g1"),
    ("4131", 5, "Columns 1, 3, 4, 6 and 7 win", "Columns 1, 2, 3, 4, 6 and 7 win"),
    ("4131", 5, "Columns 1, 3, 4, 6 and 7 win", "Columns 1, 3, 4 and 6 win"),
    ("4131", 5, "in 11 to 18 moves", "in 11 to 17 moves"),
    ("445566", 1, "on c1 or g1", "on c1"),
    ("445566", 1, "you can win at once on c1 or g1 instead", "it threatens to win on c1 and g1 at once"),
    ("4444426", 5, "Every other column loses.", "So does every other column."),
    ("4444426", 5, "after columns 1, 2, 4 and 6 they", "after columns 1, 2, 3, 4 and 6 they"),
    ("4444426", 5, "they would play e1", "they would play d6"),
    ("4444426", 5, "threaten c1 and g1 at once", "threaten c1 and f1 at once"),
    ("4444426", 5, "in 15 to 17 moves", "in 15 to 16 moves"),
    ("5455174361263362", 2, "take b3, or they play d3", "take b4, or they play d3"),
    ("5455174361263362", 2, "take b3, or they play d3", "take b3, or they play e5"),
    ("5455174361263362", 2, "b3 and d4 at once", "b3 and c4 at once"),
    ("5455174361263362", 2, "lose in 2 moves", "lose in 3 moves"),
    ("64", 4, "they take d2", "they take d3"),
    ("64", 4, "if you play column 1, 2, 3, 5 or 7", "if you play column 1, 2, 3, 5, 6 or 7"),
    ("4444446555666661122222", 2, "the one cell that would beat every", "a cell that would beat every"),
    ("274552224131661", 4, "it blocks a3–d3", "it blocks b3–e3"),
    ("274552224131661", 4, "win on c3 and d4", "win on c3 and d3"),
    ("2464644446777", 7, "an even row, e2", "an odd row, e3"),
    ("2464644446777", 7, "below theirs, e3", "below theirs, e4"),
    ("2464644446777", 7, "Even rows are yours", "Odd rows are yours"),
    ("2464644446777", 7, "After 7 6 2 you", "After 7 6 3 you"),
    ("", 4, "such as a5", "such as a3"),
    ("", 4, "on 7 lines", "on 8 lines"),
    ("4", 4, "They look for", "Look for"),
    ("33474534413433425271", 2, "cells are free, an odd number", "cells are free, an even number"),
    ("33474534413433425271", 2, "you must play e3", "they must play e3"),
    ("2442551", 2, "in column 2, and then a disc on c3", "in column 2, and then a disc on c5"),
    ("4344443334373117", 5, "win with d6–g6", "win with d5–g5"),
    ("4344443334373117", 5, "they have an answer", "you have an answer"),
    ("4453", 3, "2 discs on a4–d1", "3 discs on a4–d1"),
    ("4453", 3, "2 discs on a4–d1", "2 discs on b4–e1"),
    ("2442551", 2, "in column 2, and then a disc on c3", "in column 3, and then a disc on c3"),
    (
        COUNT,
        2,
        "now every column has an even number of free cells, so you can always answer right above. ",
        "",
    ),
    (COUNT, 2, "play c5, and you win on c6", "play c3, and you win on c4"),
    (COUNT, 2, "play c5, and you win on c6", "play f5, and you win on f6"),
    (
        COUNT,
        2,
        "Win when you can; otherwise",
        "If they take b5, take c5, and the other way round. Win when you can; otherwise",
    ),
    (STACK, 3, "with a3–d3", "with a2–d2"),
    (STACK, 3, "Both b3 and b4", "Both b2 and b3"),
    (
        STACK,
        3,
        "Play b2 next; they have to block b3, and you win on b4",
        "Play f2 next; they have to block f3, and you win on f4",
    ),
    ("3275225373553", 2, " If they threaten to win first, stop that, then play d1.", ""),
    (SWAP, 2, "play a2, and you win on a3", "play a3, and you win on a4"),
    (SWAP, 2, "6 cells are free", "8 cells are free"),
    (SWAP, 2, "take a1, take b4", "take a1, take g5"),
    (SWAP, 2, "If they take a1, take b4, and the other way round. ", ""),
    ("4214222444566676266747231117771", 1, "on c3 and e3", "on c3 and e4"),
    ("4153673443443566", 5, "after 5 3 5 you", "after 5 3 you"),
    (
        "6566555233333226566737752244",
        4,
        "worthless, right above theirs, a2",
        "worthless, right above theirs, a1",
    ),
    ("54554544355336643423", 7, "winning cell g2", "winning cell g3"),
    ("54554544355336643423", 7, "then both b4 and b5", "then both b3 and b4"),
    ("54554544355336643423", 7, "columns 2, 3 and 6 win", "columns 2 and 3 win"),
    ("5744444", 1, "Column 3 stops that", "Column 5 stops that"),
    ("5744444", 1, "lasts 17 moves", "lasts 16 moves"),
    ("464444", 4, "it takes b1, which", "it takes c1, which"),
    ("21444524466466", 5, "they must play g2", "they must play g1"),
    ("444444", 3, "it prepares b1", "it prepares c2"),
    ("6634444324", 3, "block a1–d4 and", "block a2–d5 and"),
    ("373433", 4, "prepare f1", "prepare g1"),
    ("5444454", 6, "saves them after", "beats"),
    ("664544444651655", 3, "right under c4 or g4", "right under c4 or g5"),
    ("244645", 4, "threaten to win on c1 and g1", "threaten to win on c1 and f1"),
    ("4456454644233", 3, "a disc on g2 would win for you", "a disc on g4 would win for you"),
    ("3444344343", 5, "after 5 3 3 5 6 5", "after 5 3 3 5 6 6"),
    ("5444445545", 5, "the winning cell c2", "the winning cell c4"),
    ("3444434", 2, "it lets slip a win that is 13", "it lets slip a win that is 12"),
    ("2344444334", 7, "in column 5 and make f2", "in column 5 and make f4"),
    ("2344444334", 7, "Column 5 is worse", "Column 6 is worse"),
    ("424444656724153551", 5, "win on c3 too", "win on g3 too"),
    ("464444", 4, "a disc on e2 would win for them", "a disc on e4 would win for them"),
    ("4544444555", 3, "it blocks b1–e4, which", "it blocks a1–d4, which"),
    (
        "3444434",
        2,
        "it lets slip a win that is 13 moves away",
        "you will only feel it much later: they need 13 more moves",
    ),
    ("454444334232522332636", 5, "take b6. Win", "take b6, and the other way round. Win"),
    ("454444334232522332636", 5, "they must take e4", "they must take e5"),
    ("444444355155167577752222212111", 7, "take g6, take f2", "take f2, take g6"),
    ("4444443225", 2, "a disc on a3 or e3 would", "a disc on a3 would"),
    ("447444435655515571", 1, "b2 would win for them, too, as on f4", "b2 or f4 would win for them"),
    ("434444334336663666", 2, "both of you win on e2", "a disc on e2 would win for them"),
    ("4444443223232236626633667", 7, "both of you win on e5", "both of you win on e6"),
    ("434443433243371117177", 5, "Then every column", "Now every column"),
    (COUNT, 2, "now every column", "then every column"),
    ("424442", 2, "your line a4–d1", "your line b4–e1"),
    ("4444", 4, "your line a5–d5", "your line b5–e5"),
    (
        "4244424542255525",
        5,
        "a disc on c2 would",
        "it gives you 2 discs each on 3 open lines, b6–e6 and c6–f6 among them. A disc on c2 would",
    ),
    ("444444233332126726232776666311771711", 5, "right above, on e2", "right above, on e3"),
    ("4444426", 5, "It holds the draw. ", "It holds the draw. It is a good move. "),
    ("4444426", 5, "Every other column loses. ", "Every other column loses. Every other column loses. "),
]


@pytest.mark.parametrize(("moves", "column", "truth", "lie"), LIES)
def test_a_false_sentence_is_found(moves: str, column: int, truth: str, lie: str) -> None:
    honest = told(moves, column)
    check_explanation(honest, SOLVER)
    assert truth in honest.text
    false = Misquoted(**vars(honest), quote=honest.text.replace(truth, lie, 1))
    with pytest.raises((AssertionError, KeyError)):
        check_explanation(false, SOLVER)


def test_a_false_line_or_fact_is_found() -> None:
    honest = told("4444426", 5)
    assert honest.line is not None
    prevented = next(fact for fact in honest.facts if fact.kind == "stops_fork")
    others = [fact for fact in honest.facts if fact is not prevented]
    for lie in (
        replace(honest, facts=(*others, replace(prevented, columns=(0, 2)))),
        replace(honest, score=Score(1, 18)),
        replace(honest, goal="lose_later"),
        replace(honest, why_not=(replace(honest.why_not[0], score=Score(0, None)), *honest.why_not[1:])),
        replace(honest, line=replace(honest.line, columns=(4, 2, *honest.line.columns[2:]))),
    ):
        with pytest.raises(AssertionError):
            check_explanation(lie, SOLVER)


def tampered(found: Review) -> dict[str, Review]:
    first, *rest = found.moves
    point, moment = found.turning_points[0], found.moments[0]
    blame, row = moment.mistake, tuple(Cell(column, 0) for column in range(2, 6))

    def blamed(false_mistake: Mistake) -> Review:
        false = replace(moment, mistake=false_mistake)
        return replace(found, moments=(false, *found.moments[1:]))

    return {
        "a moment left out": replace(found, moments=found.moments[1:]),
        "another kind": blamed(replace(blame, kind="door_opened")),
        "another cell": blamed(replace(blame, cells=(Cell(1, 0),))),
        "another line": blamed(replace(blame, fours=(row,))),
        "another column is right": blamed(replace(blame, better=(0,))),
        "another price": blamed(replace(blame, has=Score(0, None))),
        "a repetition": replace(found, moments=(replace(moment, also=(4,)), *found.moments[1:])),
        "another beginning": replace(
            found, story=("In theory o was winning until move 3.", *found.story[1:])
        ),
        "another turn": replace(found, story=(found.story[0], "Move 6 turned it.", found.story[2])),
        "another end": replace(found, story=(*found.story[:2], "Both sides agreed on a draw.")),
        "class": replace(found, moves=(replace(first, name="slow"), *rest)),
        "score": replace(found, moves=(replace(first, score=Score(3, 1)), *rest)),
        "best": replace(found, moves=(replace(first, best=(0,)), *rest)),
        "value": replace(found, values=(0, *found.values[1:])),
        "accuracy": replace(found, accuracy=(Accuracy(3, 4), found.accuracy[1])),
        "a turning point left out": replace(found, turning_points=found.turning_points[1:]),
        "a worse answer": replace(found, turning_points=(replace(point, better=point.played),)),
        "another position": replace(
            found,
            turning_points=(replace(point, move=replace(point.move, column=0)), *found.turning_points[1:]),
        ),
        "text": MisquotedReview(**vars(found), quote=found.text.replace("2 of 4", "3 of 4")),
    }


@pytest.mark.parametrize("what", tampered(reviewed()))
def test_a_false_review_is_found(what: str) -> None:
    with pytest.raises(AssertionError):
        check_review(tampered(reviewed())[what], SOLVER)


@pytest.mark.parametrize(
    ("truth", "lie"),
    [
        (r"2 of 4 key", "3 of 4 key"),
        (r"<small>missed win</small>", "<small>best</small>"),
        (r"<details>", "<details open>"),
        (r"Find a column that wins", "Find a column that does not lose"),
        (r"class='curve' d='M(\d+)\.\d [\d.]+L", r"class='curve' d='M\1.0 200.0L"),
        (r"r='7'", "r='7' cy='1'"),
        (r"<p>Column", "<p>column"),
    ],
)
def test_a_page_that_says_something_else_is_found(
    truth: str, lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = reviewed()
    check_review(found, SOLVER)
    page = re.sub(truth, lie, found.to_html(), count=1)
    assert page != found.to_html()
    monkeypatch.setattr(Review, "to_html", lambda self: page)
    with pytest.raises((AssertionError, ValueError)):
        check_review(found, SOLVER)
