"""Whether a puzzle is what it says: answers, themes, hints; and whether a collection repeats itself."""

import re
from collections import Counter
from collections.abc import Sequence

from claimeven.position import Position
from claimeven.puzzles import Puzzle, hints, why
from claimeven.reasons import explain
from claimeven.solver import Solver
from kit.coach.claims import all_wins, column_scores, open_wins, sign
from kit.coach.sentences import Reading
from kit.coach.words import run_between, spot
from kit.puzzles.scene import Asked, by_thumb, is_quiet, landing, opens, right_columns
from kit.puzzles.themes import PLACES, refute, worthless_cells

AREAS = {"left": {0, 1}, "middle": {2, 3, 4}, "right": {5, 6}}
ORDER = ["danger", "idea", "area", "cell", "answer"]


def judge(row: str, solver: Solver) -> None:
    asked = Asked.read(row)
    try:
        assert is_quiet(asked.game()), "nobody wins or blocks at once"
        if asked.has_line:
            check_line(asked, solver)
            for theme in asked.themes:
                check_theme(asked, theme, solver)
        elif asked.goal == "who":
            check_who(asked, solver)
        else:
            check_cell(asked, solver)
        check_hints(asked, row, solver)
    except AssertionError as error:
        raise AssertionError(f"{row}: {error}") from error


def check_line(asked: Asked, solver: Solver) -> None:
    """One right column at first, the stored one right at every turn, and the best defence between."""
    wanted = {"win": 1, "keep": 1, "draw": 0}[asked.goal]
    assert len(asked.columns) % 2 == 1
    for place, column in enumerate(asked.columns):
        scores = asked.scores(solver, place)
        best = max(scores.values())
        if place % 2:
            assert scores[column] == best, f"no best defence at {place}"
            continue
        assert sign(best) == wanted
        assert column in right_columns(scores), f"wrong at {place}"
        if place == 0 or asked.goal != "win":
            assert right_columns(scores) == [column], f"not the only one at {place}"
        if asked.goal == "win":
            assert scores[column] == best, f"a slow win at {place}"
    end = asked.game(len(asked.columns))
    won = end.winner is not None and "xo"[end.winner] == asked.me
    assert won == (asked.goal == "win"), "a win is shown to the end"
    assert len(asked.game().legal) >= 4


def check_theme(asked: Asked, theme: str, solver: Solver) -> None:
    if theme == "refute":
        assert asked.goal == "win"
        assert refute(asked, solver)
        place: int | None = 0
    elif theme == "only_move":
        assert asked.goal == "draw"
        place = 0
    else:
        place = PLACES[theme](asked)
    assert place is not None, f"no {theme}"
    game, column = asked.game(place), asked.columns[place]
    assert is_quiet(game), f"{theme}: a forced answer"
    assert right_columns(asked.scores(solver, place)) == [column], f"{theme} is not needed"
    thumbs = by_thumb(game, asked.you, looks_above=theme != "door")
    assert column not in thumbs, f"{theme}: found by a rule of thumb"


def check_who(asked: Asked, solver: Solver) -> None:
    position = Position.parse(asked.moves)
    value = sign(int(solver.score(position)))
    side = position.side if value > 0 else 1 - position.side
    assert asked.answer == ("xo"[side] if value else "="), "the wrong winner"
    assert all_wins(asked.game(), "x") or all_wins(asked.game(), "o")


def check_cell(asked: Asked, solver: Solver) -> None:
    """The owner wins, and would without this one cell, and without no other."""
    position = Position.parse(asked.moves)
    value = sign(int(solver.score(position)))
    assert asked.answer[0] == "xo"[position.side if value > 0 else 1 - position.side]
    assert value != 0
    cells, worthless = worthless_cells(asked)
    assert len(cells) >= 2
    cell = ("abcdefg".index(asked.answer[1]), int(asked.answer[2]) - 1)
    assert worthless == [cell], "the wrong cell"


def check_hints(asked: Asked, row: str, solver: Solver) -> None:
    """In their order, and the answer in none but the last; what is told at the end names the same cells."""
    puzzle = Puzzle.from_row(row)
    told = hints(puzzle)
    stages = [hint.stage for hint in told]
    assert stages == [stage for stage in ORDER if stage in stages]
    assert stages[:2] == ORDER[:2]
    assert stages[-1] == "answer"
    game = asked.game()
    named = {tuple(cell) for hint in told[:-1] for cell in hint.cells}
    if asked.has_line:
        assert landing(game, asked.columns[0]) not in named
        digit = asked.answer[0]
        assert not any(f"olumn {digit}" in hint.text(puzzle) for hint in told[:-1])
        assert told[-1].text(puzzle) == f"It is column {digit}."
    elif asked.goal == "cell":
        assert named == set(all_wins(game, asked.answer[0]))
        assert len(named) >= 2
    cells = next((hint.cells for hint in told if hint.stage == "cell"), ())
    if asked.goal != "who":
        columns = {cell.column for cell in cells} | ({asked.columns[0]} if asked.has_line else set())
        check_area(next((hint.name for hint in told if hint.stage == "area"), None), columns)
    text = why(puzzle, solver=solver)
    if puzzle.theme in OF_THE_OTHERS:
        text = check_right(asked, puzzle, text, solver)
    if asked.goal == "cell":
        check_worthless(asked, text)
    if puzzle.theme not in ("win", "zugzwang", "tempo"):  # those tell the line alone
        assert all(str(cell) in text for cell in cells), text
    check_lines(asked, text)
    check_danger(asked, told[0].name, told[0].count)
    check_told(asked, puzzle, text)


# Where the theme speaks of the wrong columns, with what it says of them.
OF_THE_OTHERS = {
    "only_move": r"Every other column loses\.",
    "door": r"After column \d they would have won right above, on",
    "deny_fork": r"After column \d their next disc would have",
    "keep": r"You win on [\w ,]+ in the end\.",
}
VERDICTS = {"win": "wins", "draw": "holds the draw", "keep": "keeps the win"}


def check_right(asked: Asked, puzzle: Puzzle, text: str, solver: Solver) -> str:
    """First what the right column does: its cell, and reasons that hold. The rest is about the others."""
    begins = re.search(OF_THE_OTHERS[puzzle.theme], text)
    assert begins, text
    does, rest = text[: begins.start()].rstrip(), text[begins.start() :]
    column, row = landing(asked.game(), asked.columns[0])
    verdict, *reasons = re.split(r"(?<=\.) ", does)
    head = f"Column {column + 1} {VERDICTS[asked.goal]}"
    takes = f"{head}: it takes {'abcdefg'[column]}{row + 1}."
    assert verdict == takes or (verdict == f"{head}." and reasons[0].startswith(("Take ", "It takes "))), text
    position = puzzle.position
    reading = Reading(explain(position, column, solver), column_scores(position, solver), solver)
    for reason in reasons:
        reading.check(reason)
    return rest


def check_worthless(asked: Asked, text: str) -> None:
    """A cell of both below it is named; else the one that comes first is of one side."""
    cell = spot(asked.answer[1:])
    wins = [set(all_wins(asked.game(), stone)) for stone in "xo"]
    below = [[(c, r) for c, r in one if c == cell[0] and r < cell[1]] for one in wins]
    both = sorted(set(below[0]) & set(below[1]))
    found = re.search(
        r"lies above (\w\d), where either side would win: whoever plays there ends the game", text
    )
    assert (found is not None) == bool(both), text
    assert found is None or spot(found[1]) == both[0], text


def check_lines(asked: Asked, text: str) -> None:
    """A win names its lines: each lacks one disc at some point, or is what the last disc completes."""
    named = re.findall(r"[a-g]\d–[a-g]\d", text)
    assert bool(named) == (asked.goal == "win"), text
    games = [asked.game(place) for place in range(len(asked.columns) + 1)]
    for name in named:
        cells = run_between(name)
        assert len(cells) == 4
        stones = [[game.at(*cell) for cell in cells] for game in games]
        if "Here it ends with" in text:
            assert stones[-1].count(asked.me) == 4 > stones[-2].count(asked.me), name
        else:
            assert any(sorted(map(str, one)) == sorted(["None", *3 * [asked.me]]) for one in stones), name


def check_area(name: str | None, columns: set[int]) -> None:
    """Answer and cells lie in the area that was named before, and nothing of it is empty."""
    parts = list(AREAS) if name is None else name.split("_")
    assert columns <= {column for part in parts for column in AREAS[part]}, f"{name} points elsewhere"
    assert all(AREAS[part] & columns for part in parts), f"{name} is too much"


def check_danger(asked: Asked, name: str, count: int | None) -> None:
    game = asked.game()
    doors = sum(opens(game, column, asked.you) for column in game.legal)
    if name == "door":
        assert count == doors
    elif asked.has_line:
        assert doors == 0 if name == "none" else name == "fork"


def check_denied(asked: Asked, text: str) -> None:
    """After the column that is told some answer makes two threats, those that are named among them."""
    end = r"(?: Here it ends with [a-g]\d–[a-g]\d\.)?"
    two, one = r"threatened (.*) at once", r"made two threats at once, one of them on (\w\d)"
    found = re.search(rf"After column (\d) their next disc would have (?:{two}|{one})\.{end}$", text)
    assert found, text
    named = set(re.findall(r"\w\d", found[2] or found[3]))
    assert (len(named) > 1) == bool(found[2]), text
    game = asked.game()
    game.play(int(found[1]) - 1)
    threats = []
    for reply in game.legal:
        game.play(reply)
        threats.append({f"{'abcdefg'[c]}{r + 1}" for c, r in open_wins(game, asked.you)})
        game.undo(reply)
    assert any(len(found) > 1 and named <= found for found in threats), text


def check_told(asked: Asked, puzzle: Puzzle, text: str) -> None:
    """Two threats that are told are on the board after the line that is told."""
    if puzzle.theme == "deny_fork":
        check_denied(asked, text)
    if puzzle.theme not in ("fork", "stacked"):
        return
    line = text.split("After ")[1].split(" you")[0].replace(" ", "")
    if not line.isdigit():  # a single disc is told by its cell
        column, row = landing(asked.game(), asked.columns[0])
        assert line == f"{'abcdefg'[column]}{row + 1}"
        line = asked.answer[0]
    assert asked.answer.startswith(line)
    game = asked.game(len(line))
    threats = {f"{'abcdefg'[c]}{r + 1}" for c, r in open_wins(game, asked.me)}
    assert all(name in text for name in threats)
    assert min(len(threats), 2) == (2 if puzzle.theme == "fork" else 1)


# A collection --------------------------------------------------------------------------------------


def check_collection(rows: Sequence[str]) -> None:
    """No position twice, in no mirror, none in another's solution, none within two plies of one game."""
    puzzles = [Asked.read(row) for row in rows]
    starts = Counter(canonical(asked.moves) for asked in puzzles)
    assert max(starts.values()) == 1, "a position twice"
    for asked in puzzles:
        near = [asked.moves[:-1], asked.moves[:-2]]
        if asked.has_line:
            near += [asked.moves + asked.answer[: place + 1] for place in range(len(asked.answer))]
        for moves in near:
            assert canonical(moves) not in starts, f"{asked.moves} is near another"


def canonical(moves: str) -> str:
    """The same for a position and its mirror, however they were reached."""
    stacks: list[str] = [""] * 7
    for ply, digit in enumerate(moves):
        stacks[int(digit) - 1] += "xo"[ply % 2]
    return min("/".join(stacks), "/".join(reversed(stacks)))


def distribution(rows: Sequence[str]) -> str:
    """How many of each theme, by rating and by steps."""
    puzzles = [Asked.read(row) for row in rows]
    lines = [f"{len(puzzles)} puzzles"]
    for theme in dict.fromkeys(asked.themes[0] for asked in puzzles):
        mine = [asked for asked in puzzles if asked.themes[0] == theme]
        ratings = sorted(asked.rating for asked in mine)
        steps = Counter((len(asked.columns) + 1) // 2 for asked in mine)
        shown = " ".join(f"{n}x{steps[n]}" for n in sorted(steps))
        middle = ratings[len(ratings) // 2]
        lines.append(f"{theme:10} {len(mine):4}  rating {ratings[0]}-{middle}-{ratings[-1]}  steps {shown}")
    bands = Counter(asked.rating // 200 * 200 for asked in puzzles)
    lines.append("ratings    " + "  ".join(f"{band}: {bands[band]}" for band in sorted(bands)))
    return "\n".join(lines)
