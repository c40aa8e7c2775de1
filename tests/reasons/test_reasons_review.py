"""Reviews: every claim of every form is checked by a kit that shares no code with them (reviewed.py)."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import Any, cast

import pytest

from claimeven import cli
from claimeven.agents import make_agent
from claimeven.game import Game, Player
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.reasons import review
from claimeven.reasons.reviewed.chosen import decided_by, given, lost
from claimeven.reasons.reviewed.reviews import Review
from claimeven.reasons.reviewed.story import won
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.words import Words
from claimeven.solver import Solver
from kit.coach.claims import column_scores
from kit.coach.reviewed import check_review
from kit.coach.stories import StoryReading

GAME = "35333571225757226"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


@pytest.fixture(scope="module")
def reviewed(solver: Solver) -> Review:
    return review(Game.parse(GAME), solver)


PLAYERS = ["random", "level:1", "level:3", "level:5", "level:7", "minimax:depth=6", "perfect"]
BOARDS = ["7x6"] * 12 + ["5x4", "4x4x3", "6x5", "5x5", "4x6", "35x1x2"]


def some_game(chance: random.Random) -> Game:
    """Of agents, weak to perfect: whole ones and unfinished ones, from a position or a random opening too."""
    board = Board.parse(chance.choice(BOARDS))
    game = Game(board, players=(Player(name="A & <b>"), Player(name=chance.choice(["", "o'Hara"]))))
    agents = [make_agent(chance.choice(PLAYERS), chance.getrandbits(32)) for _ in range(2)]
    if chance.random() < 0.1:
        agents = [make_agent("perfect", chance.getrandbits(32)) for _ in range(2)]
    opening, end = (
        chance.choice([0, 0, 2, 5]),
        chance.choice([board.cells] * 3 + [chance.randrange(board.cells)]),
    )
    while game.result is None and game.ply < end:
        agent = make_agent("random", chance.getrandbits(32)) if game.ply < opening else agents[game.ply % 2]
        game.play(agent.choose(game.position).column)
        if game.ply == opening and game.result is None and chance.random() < 0.2:
            game = Game(start=Position.parse(str(game.position)), players=game.players)
            opening = -1
    return game


def check_many(seed: int, count: int, solver: Solver) -> str:
    chance, positions, checked, kinds = random.Random(seed), 0, 0, Counter[str]()
    for _ in range(count):
        game = some_game(chance)
        found = review(game, solver)
        try:
            more = check_review(found, solver)
        except AssertionError as error:
            raise AssertionError(f"{game.start} {game.moves}: {error}") from error
        positions, checked = positions + more[0], checked + more[1]
        kinds.update(move.name for move in found.moves)
        kinds[game.result.score if game.result else "unfinished"] += 1
    return f"{checked} claims of {count} reviews with {positions} moves checked: {dict(kinds)}"


@pytest.mark.parametrize("seed", range(3))
def test_every_claim_of_a_review_is_true(seed: int, solver: Solver) -> None:
    print(check_many(seed, 4, solver))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 125))
def test_every_claim_of_many_reviews_is_true(seed: int, solver: Solver) -> None:
    print(check_many(seed, 45, solver))


@pytest.mark.parametrize("language", ["fr", "pl", "vi"])
def test_other_languages_say_the_same(language: str, reviewed: Review, solver: Solver) -> None:
    other = review(Game.parse(GAME), solver, language)
    assert (other.moves, other.values, other.accuracy) == (reviewed.moves, reviewed.values, reviewed.accuracy)
    lines = [told.text.splitlines() for told in (reviewed, other)]
    numbers = [[Counter(re.findall(r"\b[a-g]?\d+\b", line)) for line in told] for told in lines]
    assert numbers[0] == numbers[1]
    page = unescape(re.sub("</strong><p>|</p><p>", " ", other.to_html()))
    assert all(line in page for line in lines[1])
    moments = cast("list[dict[str, Any]]", other.to_json()["moments"])
    assert [moment["text"] for moment in moments] == [moment.text for moment in other.lessons]


def test_what_it_says(golden: Callable[[str, str], None], reviewed: Review) -> None:
    found = reviewed
    golden("review.txt", found.text + "\n")
    assert json.loads(json.dumps(found.to_json()))["accuracy"]["o"]["percent"] == pytest.approx(100 * 6 / 7)


def test_the_page_stands_alone_and_hides_the_answers(reviewed: Review) -> None:
    page = reviewed.to_html()
    links = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?([^"\')\s>]+)', page)
    assert links == []
    assert "<script" not in page
    assert page.count("<details>") == len(reviewed.moments) == 3
    assert page.count("<svg") == 1 + 2 * 3 + len(reviewed.turning_points)
    assert "<details open" not in page


def test_a_story_is_short_and_tells_every_turn(solver: Solver) -> None:
    """Four sentences, one of them for the big swing; what came after the first disc, not that it changed
    something in theory."""
    found = review(Game.parse("121213451"), solver)
    check_review(found, solver)
    assert found.story[0].startswith("After the first disc o was winning in theory until move 6.")
    assert found.story[1] == "It turned again with move 7, and for good with move 8."
    assert found.story[2] == ("With move 6 o turned a win into a loss: column 1 would have kept it.")
    assert len(re.findall(r"[.](?: |$)", " ".join(found.story))) == 4
    # At the end of a game its winner is also told how long three discs stood.
    for moves, is_told in (("121213451", True), ("4141414", False)):
        said = won(Game.parse(moves).positions, Voice(Words("en")))
        assert said.endswith("x had three on a1–a4 since move 5.") == is_told, said


TURNS = {  # a word that each of these stories may not do without
    "6654464441455676": "The outcome changed 9 times, last with move 15.",
    "4545454": "Then it was even.",
}


@pytest.mark.parametrize("moves", TURNS)
def test_no_turn_is_dropped(moves: str, solver: Solver) -> None:
    """Many are counted, and what stood between two is said; the kit refuses a story without."""
    found, told = review(Game.parse(moves), solver, explains=False), TURNS[moves]
    assert told in " ".join(found.story)
    values = [value for value in found.values if value is not None]
    positions = found.game.positions[:-1]
    reading = StoryReading(found.game, values, None, [column_scores(one, solver) for one in positions])
    reading.read_whole(list(found.story))
    for lie in ("", told.replace("9", "7").replace("even", "winning")):
        with pytest.raises(AssertionError):
            reading.read_whole(" ".join(found.story).replace(told, lie).replace("  ", " ").split("  "))


def test_games_that_hold_little(solver: Solver) -> None:
    empty = review(Game(), solver)
    assert (empty.moves, empty.values) == ((), (1,))
    assert "Nobody gave anything away." in empty.text
    assert "<svg" in empty.to_html()
    from_position = review(Game.parse("7/7/7/7/3o3/2oxx2 x"), solver)
    assert from_position.moves == ()


def test_a_limit_leaves_moves_unknown() -> None:
    found = review(Game.parse("44", Board.parse("9x7")), Solver(megabytes=16), limit=Limit(nodes=50))
    assert [move.name for move in found.moves] == ["unknown", "unknown"]
    assert found.accuracy[0].percent is None
    for language in ("en", "fr", "pl", "vi"):
        told = review(
            Game.parse("44", Board.parse("9x7")),
            Solver(megabytes=16),
            limit=Limit(nodes=50),
            language=language,
        )
        assert "1" in told.text
        assert len(told.text.splitlines()) == 4  # that nothing is known, and nothing more
    assert found.text.splitlines()[2] == "x: 1 move was not worked out within the limit."
    assert "Nobody gave anything away" not in found.to_html()


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["review", GAME]) == 0
    assert "\nx: 2 of 5 key moves found, 40 %.\n" in capsys.readouterr().out
    assert cli.run(["review", GAME, "--as", "x"]) == 0
    assert "\nYou: 2 of 5 key moves found, 40 %.\n" in capsys.readouterr().out
    assert cli.run(["review", GAME, "--html", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert cli.run(["review", GAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classes"][0]["class"] == "mistake"
    assert cli.run(["explain", "4131", "--column", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["column"], told["winner_moves"], told["goal"]) == ("5", 2, "win_sooner")
    assert cli.run(["explain", "4131", "--svg", "-"]) == 0
    assert capsys.readouterr().out.startswith("<svg")
    for line in (
        "explain 1122334",
        "explain --language xx",
        "review 4 --as y",
        "review 4 --as xo",
        "explain 111111 --column 1",
    ):
        assert cli.run(line.split()) == 2
        assert capsys.readouterr().err.startswith("claimeven: ")


def taken(moves: str) -> Game:
    """By the pie rule: Ada takes the disc that Lan dropped."""
    game = Game(players=(Player("Lan"), Player("Ada")), pie=True)
    for digit in moves:
        game.play(int(digit) - 1)
        if game.may_swap:
            game.swap()
    return game


def test_a_disc_taken_by_the_pie_rule_is_nobodys_mistake(solver: Solver) -> None:
    """Disc 1 in column 1 loses by force; who took it did not drop it, and who dropped it was the other."""
    moves = "14241424"
    plain, swapped = review(Game.parse(moves), solver), review(taken(moves), solver)
    assert [move.position.ply for move in plain.moves if move.name == "blunder"] == [0]
    assert [move.position.ply for move in swapped.moves] == list(range(1, 8))
    assert not swapped.turning_points
    assert swapped.accuracy[0].asked == plain.accuracy[0].asked - 1
    assert swapped.accuracy[1] == plain.accuracy[1]
    assert swapped.values == plain.values[1:]
    assert [moment.ply for moment in swapped.moments] == [7]
    assert "disc" not in swapped.story[0]
    check_review(swapped, solver)


def test_an_end_by_resignation_is_kept_after_a_swap(solver: Solver) -> None:
    game = taken("444")
    game.resign(0)
    assert review(game, solver).game.result == game.result


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (
            "345445325334661625245662452233",
            "A disc on e4 would have broken c6–f3, the line that won in the end.",
        ),
    ],
)
def test_a_deep_slip_shows_in_the_end(solver: Solver, moves: str, told: str) -> None:
    """What nobody sees at the board is told from the end: the line that a right disc would have broken."""
    found = review(Game.parse(moves), solver, reader=0)
    assert any(told in moment.text for moment in found.moments)
    assert decided_by(found.game.positions, solver.analyse) is not None


LOST = {  # games of whoever lost without a mistake at sight: what the end of the game and the review say
    "44444432655555323333226617111": (
        1,
        "Move 20: you played column 3. A disc on b3 would have broken a4–d1, the line that won in the end. "
        "Viktor had three on it since move 21. In the end you had to block a3, and that opened a4.",
    ),
    "444475555243733335222423527767711111166": (
        1,
        "Move 10: you played column 2. A disc on d5 would have broken d5–g2, the line that won in the end. "
        "Viktor had three on it since move 13. In the end you ran out of safe columns and opened f3.",
    ),
    "44536743557644331316653556": (
        0,
        "Move 19: you played column 1. Then Viktor could play column 6 and force every answer: after "
        "6 6 5 3 5 (Viktor first), there are two threats, e6 and f5, and only one can be stopped.",
    ),
    "2367137334762211131616626772273445": (  # move 19 allowed what Viktor then did not play
        0,
        "Viktor won with move 34 on e1, which completes b4–e1: there were two threats, and you could stop "
        "only one. Move 19: you played column 1. The game was lost already, but columns 2 and 7 would have "
        "held out longer.",
    ),
    "444444533335555311511367772777116666622": (
        1,
        "You gave nothing away: Viktor began, and whoever begins can always win. Viktor won with move 39 "
        "on b3, which completes a4–d1: you had run out of safe columns. Viktor had three on a4–d1 "
        "since move 21.",
    ),
    "4456543243326554245566232277777711": (
        0,
        "Move 3: you played column 5. Column 4 was right. It was hard to see. Viktor won with move 34 on a2, "
        "which completes a2–d2: you had run out of safe columns. Viktor had three on a2–d2 since move 12.",
    ),
}


@pytest.mark.parametrize("moves", LOST)
def test_a_hard_loss_says_what_to_do(solver: Solver, moves: str) -> None:
    side, sentence = LOST[moves]
    game = Game.parse(moves)
    voice = Voice(Words("en"), side, ("you", "Viktor") if side == 0 else ("Viktor", "you"))
    told = lost(tuple(game.positions), voice, solver.analyse)
    assert told.sentence == sentence
    first = review(game, solver, reader=side).moments[:1]
    assert told.moment is None or [told.moment.mistake] == [moment.mistake for moment in first]


@pytest.mark.parametrize("moves", LOST)
def test_how_a_hard_loss_is_told_is_true(solver: Solver, moves: str) -> None:
    side, _ = LOST[moves]
    game = Game.parse(moves)
    told = lost(tuple(game.positions), Voice(Words("en"), side), solver.analyse)
    values = [int(solver.score(position)) * (-1) ** position.ply for position in game.positions[:-1]]
    reading = StoryReading(game, [*values, values[-1]], "xo"[side])
    reading.read([one for one in (*told.ended, *told.after) if not one.startswith("To remember")])
    for lie, truth in (("move 2", "move 3"), ("safe columns and opened f3", "safe columns and opened f4")):
        false = [one.replace(truth, lie) for one in told.after]
        if false != list(told.after):
            with pytest.raises(AssertionError):
                reading.read(false)


@pytest.mark.parametrize(
    ("moves", "decided", "again", "is_lost"),
    [
        ("4417776423246614", 15, 9, False),  # column 3 would have made two threats at move 9
        ("4623244643424", 12, None, True),
        ("2367137334762211131616626772273445", 19, None, True),
        ("4435552143612244665233", 17, None, False),  # nothing was lost before it
    ],
)
def test_a_second_try_begins_where_more_could_be_kept(
    solver: Solver, moves: str, decided: int, again: int | None, is_lost: bool
) -> None:
    """Of a game lost before the mistake that is told: at the last one that cost more, if any did."""
    positions = Game.parse(moves).positions
    assert positions[-1].winner is not None
    loser = 1 - positions[-1].winner
    told = lost(positions, Voice(Words("en"), loser), solver.analyse)
    assert told.moment is not None
    assert (told.moment.ply, told.again and told.again.ply, told.is_lost) == (decided, again, is_lost)
    values = [max(column_scores(position, solver).values()) for position in positions[:-1]]
    assert (values[decided - 1] < 0) == (again is not None or is_lost)
    if again is not None:
        assert values[again - 1] >= 0
        assert all(value < 0 for value in values[again + 1 : decided : 2]), "a later one was not lost"


def test_what_the_other_side_did_not_take_is_not_told_as_the_end(solver: Solver) -> None:
    """Games between levels: where a sentence says what could be played, it was; else the end comes first."""
    told = Counter[str]()
    for seed in range(40):
        agents = [make_agent(f"level:{level}", seed) for level in ((5, 6), (4, 7))[seed % 2]]
        game = Game()
        while game.result is None:
            game.play(agents[game.ply % 2].choose(game.position).column)
        winner = game.position.winner
        if winner is None:
            continue
        voice = Voice(Words("en"), 1 - winner)
        found = lost(game.positions, voice, solver.analyse)
        if found.ended:
            told["ended"] += 1
            StoryReading(game, [0] * (game.ply + 1), "xo"[1 - winner]).read(list(found.ended))
        if found.moment is None:
            continue
        said, column = found.reason, game.columns[found.moment.ply :]
        could = re.search(r"could play column (\w)", said)
        if could:
            told["could"] += 1
            assert column[0] == int(could[1]) - 1, found.sentence
        if "could complete" in said or "let " in said or "did not block" in said:
            told["took"] += 1
            assert len(column) == 1, found.sentence
    assert min(told[kind] for kind in ("ended", "could", "took")) > 0, told


def test_two_threats_allowed_twice_are_one_moment(solver: Solver) -> None:
    """It is told where it cost the game, not where it was punished."""
    found = review(Game.parse("4435552143612244665233"), solver, reader=0)
    assert (found.moments[0].ply, found.moments[0].also) == (17, (19,))
    decided = decided_by(found.game.positions, solver.analyse)
    assert decided is not None
    assert decided.position.ply + 1 == 17


def test_a_second_try_says_whether_it_was_lost_already(solver: Solver) -> None:
    """Of a game that began with given discs: for whoever lost it, or for a reader who won it all the same."""
    lost_line = Game.parse("1424142").positions  # after 1. a1 the second player wins with best play
    finished = Game.parse("14241424").positions
    for reader, told in ((0, "Where you began here, the game was lost already with best play."), (1, "")):
        assert given(finished[1:], Voice(Words("en"), reader), solver.analyse) == told
    assert given(finished, Voice(Words("en"), 0), solver.analyse) == "", "the empty board is not lost"
    assert given(lost_line, Voice(Words("en"), 0), solver.analyse) == "", "it is not over"
    won_back = Game.parse("4364345414").positions  # the first player had the edge, and the other one won
    start = next(i for i, one in enumerate(won_back) if int(solver.score(one)) * (-1) ** one.ply > 0 < i)
    said = given(won_back[start:], Voice(Words("en"), 1), solver.analyse)
    assert won_back[-1].winner == 1
    assert said == "With best play it was lost where you began: well turned round."


@pytest.mark.parametrize(
    ("moves", "tip"),
    [
        ("6141553", "three in a row with both ends open cannot be stopped"),
        ("4147242214375", "look for a cell where two open lines meet"),
        ("44754345533445553377377111711122", "a winning cell higher up can decide late"),
        ("444544553412265225333", "break their lines before the third disc"),
        ("464444232211667452335", ""),  # it was hard to see
    ],
)
def test_what_to_remember_fits_the_mistake(moves: str, tip: str, solver: Solver) -> None:
    found = review(Game.parse(moves), solver, explains=False)
    assert (tip in found.tip) if tip else not found.tip


def test_the_winner_by_a_line_without_a_gap_is_told_no_rule_about_gaps(solver: Solver) -> None:
    """A tower lacks its top, and a row its end."""
    for moves in ("4623244643424", "1122334"):
        found = review(Game.parse(moves), solver, reader=0, explains=False)
        assert found.moments[0].mistake.kind == "block_missed"
        assert found.tip == "", found.tip
    gap = review(Game.parse("1144223"), solver, reader=0, explains=False)
    assert "three in a row with a gap" in gap.tip
