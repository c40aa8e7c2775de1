"""Goes through a review: story, moments, classes, accuracy, values, turning points, in all its three forms.

Nothing is taken from the review but what it says: classes follow from the published table and from the score
of every column's own position, and the forms (text, JSON, page) are read back and compared with each other.
"""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from claimeven.agents import make_agent
from claimeven.position import Position
from claimeven.reasons.reviewed.chosen import lost
from claimeven.reasons.reviewed.reviews import Review
from claimeven.reasons.words import Words
from claimeven.solver import Solver, score_of
from kit.coach import claims
from kit.coach.explained import check_explanation
from kit.coach.moments import check_moments, one_move_errors
from kit.coach.stories import StoryReading
from kit.coach.words import spot

ERRORS = ("blunder", "mistake", "missed_win")
MARKED = (*ERRORS, "oversight", "inaccuracy")
MUCH = 3  # moves that a win is put off, or a loss comes sooner
ENOUGH = 5  # decisions for a percentage
ENGLISH = {
    "blunder": "blunder",
    "mistake": "mistake",
    "missed_win": "missed win",
    "oversight": "oversight",
    "inaccuracy": "inaccuracy",
    "great": "great move",
    "slow": "slower",
    "hasty": "loses sooner",
    "best": "best",
    "only": "only move",
    "forced": "forced",
    "book": "book",
}
STACKED, COUNT = "right above each other", "count the free cells"
OPEN_THREE, DEEP = "both ends open", "third disc"
TIPS = {  # what the rule of thumb for a kind of mistake speaks of
    "win_missed": "whether this disc wins",
    "block_missed": "where they would win",
    "door_opened": "the cell above",
    "threat_burned": "under your own winning cell",
    "fork": "two open lines meet",
    "line": "every threat and its answer",
    **dict.fromkeys(("stacked", "seven", "pair"), STACKED),
    **dict.fromkeys(("zugzwang", "count"), COUNT),
    "rows": "a winning cell higher up",
    "deep": DEEP,
}
SAID = {  # by the outcome before and after
    "mistake": {(1, 0): "It turns a win into a draw.", (0, -1): "It turns a draw into a loss."},
    "inaccuracy": {
        (1, 1): "The result stays, but the win comes much later than it has to.",
        (-1, -1): "The result stays, but the loss comes much sooner than it has to.",
    },
}
DIGITS = "123456789abcdefghijklmnopqrstuvwxyz"


class Facts:
    """What is true of a game, found out anew."""

    def __init__(self, start: Position, columns: tuple[int, ...], solver: Solver) -> None:
        self.positions = [start]
        for column in columns:
            self.positions.append(self.positions[-1].play(column))
        self.columns = columns
        self.scores = [claims.column_scores(position, solver) for position in self.positions]
        self.values = [self.value(place) for place in range(len(self.positions))]
        self.classes: list[str] = []
        for place in range(len(columns)):
            self.classes.append(self.name(place))

    def value(self, place: int) -> int:
        """For the first player: the best column's, or what the end of the game is worth."""
        position = self.positions[place]
        sign = 1 if position.side == 0 else -1
        if not position.is_over:
            return sign * max(self.scores[place].values())
        if position.winner is None:
            return 0
        return -sign * ((position.board.cells + 1 - (position.ply - 1)) // 2)

    def name(self, place: int) -> str:
        """The first class of the table in docs/explanations.md that applies."""
        position, column, scores = self.positions[place], self.columns[place], self.scores[place]
        own, best = scores[column], max(scores.values())
        drop = claims.sign(best) - claims.sign(own)
        if drop:
            if best > 0 and place and self.classes[place - 1] in ERRORS:
                return "missed_win"
            return {1: "mistake", 2: "blunder"}[drop]
        if one_move_errors(position, [column]):
            return "oversight"
        game = claims.referee_of(position)
        me, you = "xo"[position.side], "ox"[position.side]
        danger = [spot[0] for spot in claims.open_wins(game, you)]
        if len(scores) == 1 or (danger == [column] and not claims.open_wins(game, me)):
            return "forced"
        if [c for c in scores if claims.sign(scores[c]) == claims.sign(own)] == [column]:
            return "great" if self.is_great(place) else "only"
        if own < best:
            cells, ply = position.board.cells, position.ply
            lasts = [score_of(value, cells, ply).moves or 0 for value in (own, best)]
            if abs(lasts[0] - lasts[1]) >= MUCH:
                return "inaccuracy"
            return "slow" if own > 0 else "hasty"
        follows = all(
            s[c] == max(s.values()) for s, c in zip(self.scores[:place], self.columns, strict=False)
        )
        return "book" if follows and self.positions[0].ply == 0 and position.ply < 8 else "best"

    def is_great(self, place: int) -> bool:
        """It threatens nothing and answers no threat; and level 7, asked five times, mostly plays another."""
        position, column = self.positions[place], self.columns[place]
        before, after = claims.referee_of(position), claims.referee_of(position.play(column))
        me, you = "xo"[position.side], "ox"[position.side]
        if after.four or claims.open_wins(after, me) or claims.open_wins(before, you):
            return False
        tried = [make_agent("level:7", seed=seed).choose(position).column for seed in range(5)]
        return sum(found != column for found in tried) >= 3

    def accuracy(self, side: int) -> tuple[int, int]:
        """Moves that kept the outcome, and moves where the columns led to different ones."""
        kept = asked = 0
        for position, column, scores in zip(self.positions, self.columns, self.scores, strict=False):
            outcomes = {claims.sign(value) for value in scores.values()}
            if position.side == side and len(outcomes) > 1:
                asked += 1
                kept += claims.sign(scores[column]) == max(outcomes)
        return kept, asked


OPENING = 8  # discs


def _is_led(review: Review, solver: Solver) -> bool:
    """Whether the end of the game told its loser a moment; then the review begins with the same."""
    positions, voice = review.game.positions, review.voice
    if positions[-1].winner in (None, voice.reader):
        return False
    moment = lost(positions, voice, solver.analyse).moment
    if moment is None or moment.mistake.had is None:  # by the rules alone, and no mistake by the scores
        return False
    assert moment.ply in review.moments[0].plies, "the end of the game told another moment"
    return True


def check_review(review: Review, solver: Solver) -> tuple[int, int]:
    """How many positions and claims there were; AssertionError if one is false."""
    assert review.language == "en", "sentences are read in English"
    facts = Facts(review.game.start, review.game.columns, solver)
    told: dict[str, Any] = json.loads(json.dumps(review.to_json()))
    checked = _check_moves(review, told, facts)
    checked += _check_accuracy(told, facts)
    checked += check_moments(
        told, review.game.start, facts.columns, facts.scores, solver, is_led=_is_led(review, solver)
    )
    reading = StoryReading(review.game, facts.values, told["reader"], facts.scores)
    # A game that turned once, where nothing else is told of it, does without the sentence about the turn.
    # What turned a win into a loss has one of its own.
    swings = [one for one in told["story"] if "turned a win into a loss" in one]
    thrown = reading.wins_thrown_away()
    assert len(swings) == (1 if thrown else 0), "the big swing"
    named = {ply for moment in told["moments"] for ply in (moment["ply"], *moment["also"])}
    changed = [ply for ply in reading.turns if ply > 1]
    assert not changed or changed[0] in named, "no moment of what changed the result first"
    assert not thrown or ([ply for ply in thrown if ply > OPENING] or thrown)[-1] in named, "no moment"
    is_short = bool(swings) or (len(reading.turns) == 1 < reading.turns[0] and len(told["story"]) == 2)
    assert len(told["story"]) in ((0,) if not facts.columns else (2, 3, 4) if is_short else (3,))
    checked += reading.read_whole(told["story"])
    errors = [place for place, name in enumerate(facts.classes) if name in ERRORS]
    assert len(told["turning_points"]) == len(review.turning_points) == len(errors)
    for place, point in zip(errors, review.turning_points, strict=True):
        position, scores = facts.positions[place], facts.scores[place]
        assert point.move.position == position
        assert (point.played.position, point.better.position) == (position, position)
        assert point.played.column == facts.columns[place]
        assert scores[point.better.column] == max(scores.values()), "the better move is not the best"
        assert claims.sign(scores[point.better.column]) > claims.sign(scores[point.played.column])
        checked += 4 + check_explanation(point.played, solver) + check_explanation(point.better, solver)
    for place, point in zip(errors, told["turning_points"], strict=True):
        assert point["position"] == str(facts.positions[place])
        assert point["class"] == facts.classes[place]
        checked += 2
    checked += _check_text(review.text, told, facts)
    checked += _check_page(review, told, facts, errors)
    return len(facts.columns), checked


def _check_moves(review: Review, told: dict[str, Any], facts: Facts) -> int:
    assert told["values"] == facts.values == list(review.values)
    assert len(told["classes"]) == len(facts.columns)
    for place, move in enumerate(told["classes"]):
        position, scores = facts.positions[place], facts.scores[place]
        best = max(scores.values())
        assert move == {
            "ply": position.ply + 1,
            "side": "xo"[position.ply % 2],
            "column": DIGITS[facts.columns[place]],
            "class": facts.classes[place],
            "score": scores[facts.columns[place]],
            "outcome": ("loss", "draw", "win")[claims.sign(scores[facts.columns[place]]) + 1],
            "best": [DIGITS[column] for column in scores if scores[column] == best],
            "best_score": best,
        }, (str(position), move, facts.classes[place])
        said, worst = review.moves[place].why, min(best, scores[facts.columns[place]])
        if facts.classes[place] in SAID and said != "why_class.deep":
            # Of two cases the one that holds: what is given up, or what comes later or sooner.
            assert Words("en").say(said) == SAID[facts.classes[place]][claims.sign(best), claims.sign(worst)]
    return len(facts.values) + 8 * len(facts.columns)


def _check_accuracy(told: dict[str, Any], facts: Facts) -> int:
    for side in (0, 1):
        kept, asked = facts.accuracy(side)
        found = told["accuracy"]["xo"[side]]
        assert (found["kept"], found["asked"], found["unknown"]) == (kept, asked, 0)
        if asked >= ENOUGH:
            assert abs(found["percent"] - 100 * kept / asked) < 1e-9
        else:
            assert found["percent"] is None
    return 8


def accuracy_line(side: int, facts: Facts, reader: str | None) -> str:
    kept, asked = facts.accuracy(side)
    who = "You" if "xo"[side] == reader else "xo"[side]
    if not asked:
        return f"{who}: no choice could change who wins in theory."
    percent = f", {round(100 * kept / asked)} %" if asked >= ENOUGH else ""
    return f"{who}: {kept} of {asked} key moves found{percent}."


def moment_line(place: int, facts: Facts) -> str:
    position = facts.positions[place]
    digit, name = DIGITS[facts.columns[place]], ENGLISH[facts.classes[place]]
    return f"Move {position.ply + 1}: {'xo'[position.side]} plays column {digit}, {name}."


def opening_of(told: dict[str, Any]) -> str:
    """Why, and what is proved of the column itself."""
    *first, last = told["text"].split("\n")
    if told["better"] is not None:
        first.remove(told["better"]["text"])
    proved = re.split(r"(?<=\.) ", last)[0]
    is_said = any(reason["kind"] == "misses_win" for reason in told["reasons"])  # where else to play
    if told["rank"] is not None and not is_said:
        proved = f"{proved} {told['rank']['text']}"
        assert last.startswith(proved)
    return f"{first[0]} {proved}" if first else proved


def _check_text(text: str, told: dict[str, Any], facts: Facts) -> int:
    """The text says what the JSON says, and nothing else."""
    paragraphs = [" ".join(told["story"])] if told["story"] else []
    paragraphs += [moment["text"] for moment in told["moments"]] or ["Nobody gave anything away."]
    if told["later"]:
        numbers = [str(ply) for ply in told["later"]]
        shown = numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"
        paragraphs.append(
            f"A deeper slip, for later: move {shown}."
            if len(numbers) == 1
            else f"Deeper slips, for later: moves {shown}."
        )
        for ply in told["later"]:  # the outcome dropped there
            assert facts.classes[ply - 1 - facts.positions[0].ply] in ERRORS
    if told["tip"]:
        first = told["moments"][0]
        kind = first["kind"]
        is_open = kind.startswith("fork") and is_open_three(first)
        assert (OPEN_THREE if is_open else TIPS[kind if kind in TIPS else kind.split("_")[0]]) in told["tip"]
        assert first["cells"] or DEEP not in told["tip"], "of what was hard to see nothing is to be learnt"
        paragraphs.append(told["tip"])
    paragraphs.append("\n".join(accuracy_line(side, facts, told["reader"]) for side in (0, 1)))
    assert text == told["text"] == "\n\n".join(paragraphs)
    return len(paragraphs)


def is_open_three(moment: dict[str, Any]) -> bool:
    """The two threats are the ends of five cells in a line, with three discs of one side between them."""
    position = Position.parse(moment["position"])
    answered = [] if moment["kind"] == "fork_missed" else [moment["column"]]
    for digit in (*answered, moment["line"][0]):
        position = position.play(DIGITS.index(digit))
    ends = [spot(cell) for cell in moment["cells"]]
    for one in ends:
        for across, up in ((1, 0), (1, 1), (1, -1)):
            five = [(one[0] + i * across, one[1] + i * up) for i in range(5)]
            stones = {position.stone(*cell) for cell in five[1:4]} if five[4] in ends else set()
            if stones in ({"x"}, {"o"}):
                return True
    return False


class Page(HTMLParser):
    """The words of a page by section: what stands in headings, lists, cards, and what is hidden."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.moves: list[tuple[str, bool]] = []  # of the list, and whether it is marked as an error
        self.cards: list[str] = []
        self.story: list[str] = []
        self.sections: list[dict[str, list[str]]] = []  # bold, shown and hidden words
        self.curve = ""
        self.marks: list[tuple[float, float, str]] = []
        self.feed(page)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("class") == "curve":
            self.curve = given["d"] or ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta":
            return
        given = dict(attrs)
        name = f"{tag}.{(given.get('class') or '').split(' ')[0]}"
        if tag == "circle" and "svg.graph" in self.open:
            self.marks.append((float(given["cx"] or 0), float(given["cy"] or 0), ""))
        self.open.append(name)
        if name == "section.card":
            self.sections.append({"bold": [], "shown": [], "hidden": []})
        if name == "div.card":
            self.cards.append("")
        if tag == "li":
            self.moves.append(("", "error" in (given.get("class") or "")))

    def handle_endtag(self, tag: str) -> None:
        while self.open and not self.open.pop().startswith(f"{tag}."):
            pass

    def handle_data(self, data: str) -> None:
        inside = "/".join(self.open)
        if not data.strip():
            return
        if "svg.graph" in inside:
            if inside.endswith("title.") and self.marks:
                x, y, _ = self.marks[-1]
                self.marks[-1] = (x, y, data)
        elif "svg." in inside:
            pass  # the board
        elif "section.card" in inside:
            part = "hidden" if "details." in inside else "bold" if "strong." in inside else "shown"
            if not inside.endswith("summary."):
                self.sections[-1][part].append(data)
        elif "p.story" in inside:
            self.story.append(data)
        elif "li." in inside:
            self.moves[-1] = (self.moves[-1][0] + data, self.moves[-1][1])
        elif "div.card" in inside and not inside.endswith(("div.big",)):
            self.cards[-1] += data
        elif inside.endswith(("h1.", "h2.")):
            self.headings.append(data)


def _check_page(review: Review, told: dict[str, Any], facts: Facts, errors: list[int]) -> int:
    """The page says what the JSON says; what is to be found is hidden in its lesson."""
    source = review.to_html()
    page = Page(source)
    assert page.story == [" ".join(told["story"])] * bool(told["story"])
    assert page.cards[:2] == [accuracy_line(side, facts, told["reader"]) for side in (0, 1)]
    assert ("Nobody gave anything away." in source) == (not told["moments"])
    assert [words for words, _ in page.moves] == [
        f"{facts.positions[place].ply + 1}. {'xo'[facts.positions[place].side]}"
        f"{DIGITS[column]} {ENGLISH[facts.classes[place]]}"
        for place, column in enumerate(facts.columns)
    ]
    assert [is_error for _, is_error in page.moves] == [name in MARKED for name in facts.classes]
    moments = told["moments"]
    assert len(page.sections) == 2 * len(moments) + len(errors)
    assert source.count("<details>") == source.count("<details") == len(moments)
    lessons = page.sections[: len(moments)]
    shown = page.sections[len(moments) : 2 * len(moments)]
    for moment, lesson, section in zip(moments, lessons, shown, strict=True):
        assert lesson["bold"] == [moment["question"]]
        assert lesson["shown"] == []
        heading = section["bold"][0]
        assert f"{heading} {lesson['hidden'][0]}" == moment["text"] == " ".join([heading, *section["shown"]])
        _check_question(moment, facts)
    points = page.sections[2 * len(moments) :]
    for place, point, section in zip(errors, told["turning_points"], points, strict=True):
        openings = [opening_of(point[name]) for name in ("played", "better")]
        assert section["bold"] == [moment_line(place, facts)]
        assert section["shown"] == openings
    return 3 + 2 * len(facts.columns) + 4 * len(moments) + _check_graph(page, facts, errors)


def _check_question(moment: dict[str, Any], facts: Facts) -> None:
    """What is asked for can be found, and is what was missed."""
    place = moment["ply"] - 1 - facts.positions[0].ply
    best = max(facts.scores[place].values())
    asked = moment["question"].split(". ", 1)[1]
    if moment["kind"] == "win_missed":
        assert asked == "There is a win with this disc: find it."
    elif best >= 0:
        assert asked == f"Find a column that {'wins' if best > 0 else 'does not lose'}."
    elif moment["kind"] in ("block_missed", "door_opened"):
        assert asked == "Find a column that does not lose at once."
    else:
        assert asked == "Find the column that holds out longest."


def _check_graph(page: Page, facts: Facts, errors: list[int]) -> int:
    """Every value stands where it should: above the line for a win of the first player, sooner is higher."""
    points = [tuple(map(float, point.split())) for point in re.split("[ML]", page.curve)[1:]]
    assert len(points) == len(facts.values)
    middle = 130.0
    heights = [middle - y for _, y in points]
    for value, height in zip(facts.values, heights, strict=True):
        assert claims.sign(value) == claims.sign(round(height))
    for one, first in zip(facts.values, heights, strict=True):
        for two, second in zip(facts.values, heights, strict=True):
            assert one <= two or first > second, "a higher value does not stand higher"
            assert one != two or first == second
    steps = [second[0] - first[0] for first, second in pairwise(points)]
    assert all(abs(step - steps[0]) < 0.2 for step in steps)
    marks = [(*points[place + 1], moment_line(place, facts)) for place in errors]
    assert page.marks == marks
    return len(points) + len(marks)
