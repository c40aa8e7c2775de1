"""The report and the commands: complete, self-contained, safe with any name; the table people see."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from claimeven import cli
from claimeven.arena import standings, store
from claimeven.arena.page import report
from claimeven.arena.page.running import running_section, running_shares
from claimeven.arena.play import tournament
from claimeven.arena.play.played import Played
from claimeven.arena.play.schedule import Plan
from claimeven.arena.play.tournament import Standing
from claimeven.arena.quality import judge
from claimeven.arena.result import TournamentResult
from claimeven.arena.sprt import Sprt
from claimeven.commands.shown.scoreboard import progress_line, short, table
from claimeven.game import read_json_lines
from kit.forked import Forked

Capture = pytest.CaptureFixture[str]
PLAN = Plan(("minimax:depth=3", "rules", "random"), games=4, openings="balanced-6", seed=2)


@pytest.fixture(scope="module")
def games() -> list[Played]:
    return tournament.play(PLAN)


@pytest.fixture(scope="module")
def result(games: list[Played]) -> TournamentResult:
    return standings.result(PLAN, games, judge(games, 3, moves=20))


class Outline(HTMLParser):
    """Checks that tags are balanced, and collects what a page refers to."""

    VOID = ("meta", "input", "br", "wbr")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href"):
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    assert parser.open == []
    return parser


def embedded(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_nobody_is_first_alone_in_a_tie(result: TournamentResult) -> None:
    tied = replace(result, agents=tuple(replace(agent, score=0.5) for agent in result.agents))
    assert "share the first place with 50.0% of the points" in report.page(tied, [])
    assert "is first with" in report.page(result, [])


def test_the_page_needs_nothing_else(games: list[Played], result: TournamentResult) -> None:
    page = report.page(result, games)
    parser = outline(page)
    assert parser.links == []
    assert len(set(parser.ids)) == len(parser.ids)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|https?://(?!www\.w3\.org/2000/svg)", page)
    for heading in (
        "Standings",
        "Ratings",
        "Who against whom",
        "Running score",
        "Quality of moves",
        "Time per move",
        "Openings",
    ):
        assert f"<h2>{heading}</h2>" in page


def test_every_game_can_be_replayed(games: list[Played], result: TournamentResult) -> None:
    data = embedded(report.page(result, games))
    assert data["agents"] == list(PLAN.names)
    assert len(data["games"]) == len(games)
    for told, game in zip(data["games"], games, strict=True):
        assert told["moves"] == game.record.moves
        assert (told["first"], told["second"]) == game.players
        assert len(told["start"]) == len(game.record.start) == 6
        assert bool(told["four"]) == (game.reason == "connect")


def test_the_running_score_ends_at_the_score(games: list[Played], result: TournamentResult) -> None:
    page = report.page(result, games)
    for number, agent in enumerate(result.agents):
        shares = running_shares(games, number)
        own = [game for game in games if number in game.players]
        assert len(shares) == len(own) // 2
        assert shares[0] == (own[0].points(number) + own[1].points(number)) / 2
        assert shares[-1] == pytest.approx(agent.score, abs=1e-6)
        assert f"{agent.name} {agent.score:.1%}" in page  # for who cannot see the lines
    long = games * 500  # thousands of games are still a line, not a file of points
    drawn = re.findall(r'<path class="line c0" d="([^"]*)"', running_section(PLAN.names, long))
    assert len(drawn) == 1
    assert drawn[0].count("M") == 1
    assert 300 < drawn[0].count("L") < 400
    assert running_section(PLAN.names, games[:2]) == ""


def test_names_cannot_break_the_page(games: list[Played], result: TournamentResult) -> None:
    evil = '</script><script>alert("1")</script><!--'
    changed = replace(result, agents=tuple(replace(agent, name=evil) for agent in result.agents))
    page = report.page(changed, games)
    parser = outline(page)
    assert len(re.findall("<script", page)) == 2
    assert parser.links == []
    assert embedded(page)["agents"] == [evil] * 3


def test_a_report_without_times_and_quality(games: list[Played], result: TournamentResult) -> None:
    bare = [Played(game.number, game.players, game.record) for game in games]
    page = report.page(standings.result(PLAN, games), bare)
    outline(page)
    assert "Time per move" not in page
    assert "Quality of moves" not in page


def test_the_table(games: list[Played], result: TournamentResult, golden: Callable[[str, str], None]) -> None:
    golden("arena_table.txt", table(result) + "\n")


def test_warnings_are_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("raise ValueError('no')\n")
    plan = Plan(("first", f"kaggle:file={path}"), games=4, openings="0-ply")
    games = tournament.play(plan, workers=2)
    told = table(standings.result(plan, games))
    assert "failed too often to be rated fairly (4 by crash)" in told
    assert "only 2 of 4 games are different" in told
    page = report.page(standings.result(plan, games), games)
    assert "failed too often" in page
    assert "what went wrong" in page


def test_long_names_are_shortened() -> None:
    assert short("rules") == "rules"
    assert len(short("process:command=/very/long/path/to/some/program --with arguments")) <= 34


# Progress


def test_progress_in_words() -> None:
    match = Standing(Plan(("first", "random"), games=100), 20, 10, {(0, 1): [1, 0, 4, 0, 5]})
    assert progress_line(match, 5).startswith("20 of 100 games, 2.0/s · 40 s left · first 70.0% [")
    tested = Standing(Plan(("first", "random"), games=100, sprt=Sprt()), 20, 20, {(0, 1): [1, 0, 4, 0, 5]})
    assert "LLR +0." in progress_line(tested, 5)
    assert "left" not in progress_line(tested, 5)
    many = Standing(PLAN, 4, 0, {(0, 1): [0, 0, 0, 0, 1], (0, 2): [0, 0, 0, 0, 1], (1, 2): [0] * 5})
    assert progress_line(many, 2).endswith("minimax:depth=3 leads with 100.0%")


# Commands


def answer(capsys: Capture, *arguments: str) -> str:
    assert cli.run(arguments) == 0
    return capsys.readouterr().out


def test_arena_and_report(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    arguments = [
        "arena",
        "first",
        "random",
        "--games",
        "4",
        "--workers",
        "1",
        "--limit",
        "100n",
        "--seed",
        "3",
    ]
    arguments += ["--judge", "5", "--out", str(folder)]
    told = answer(capsys, *arguments)
    assert told.splitlines()[0].split()[:4] == ["games", "win", "draw", "loss"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "games.jsonl",
        "report.html",
        "result.json",
        "times.jsonl",
    ]
    with open(folder / "games.jsonl") as lines:
        assert len(list(read_json_lines(lines))) == 4
    result = json.loads((folder / "result.json").read_text())
    assert answer(capsys, *arguments, "--resume") == told
    before = (folder / "report.html").read_text()
    (folder / "report.html").unlink()
    assert answer(capsys, "report", str(folder)) == told
    assert (folder / "report.html").read_text() == before
    assert json.loads(answer(capsys, "report", str(folder), "--json")) == result
    assert cli.run(arguments) == 2
    assert "finished tournament" in capsys.readouterr().err


def test_arena_without_a_folder(capsys: Capture) -> None:
    arguments = [
        "arena",
        "rules",
        "first",
        "random",
        "--games",
        "2",
        "--format",
        "gauntlet",
        "--workers",
        "1",
    ]
    found = json.loads(answer(capsys, *arguments, "--judge", "0", "--json"))
    assert [pairing["agents"] for pairing in found["pairings"]] == [[0, 1], [0, 2]]
    assert found["agents"][0]["quality"] is None


def test_sprt(capsys: Capture) -> None:
    arguments = ["arena", "minimax:depth=3", "random", "--sprt", "0,200", "--workers", "1", "--judge", "0"]
    told = answer(capsys, *arguments)
    assert "SPRT 0, 200: LLR +" in told
    assert "the difference is more than 0 Elo" in told
    assert "overstates the difference" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("arena first", "at least two agents"),
        ("arena", "missing argument"),
        ("arena first random --games 3", "even number"),
        ("arena first nobody", "there is no agent 'nobody'"),
        ("arena first random --limit soon", "a limit is written"),
        ("arena first random --sprt 10,0", "SPRT: elo0 must be less than elo1"),
        ("arena first random --format swiss", "round-robin or gauntlet"),
        ("arena first random --openings nowhere.txt", "openings 'nowhere.txt'"),
        ("arena first random --resume", "--resume needs --out"),
        ("arena first random --resume --out /nowhere", "/nowhere holds no tournament to go on with"),
        ("arena first random --workers 0", "at least 1 worker"),
        ("arena first random --board 7", "a board is written"),
        ("report /nowhere", "holds no tournament"),
    ],
)
def test_wrong_input_is_one_line(arguments: str, words: str, capsys: Capture) -> None:
    assert cli.run(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err


def test_ctrl_c_and_resume(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "out"
    arguments = ["arena", "mcts:simulations=500", "minimax:depth=4", "--games", "60", "--judge", "0"]
    arguments += ["--out", str(folder)]
    process = Forked(
        [sys.executable, "-m", "claimeven", *arguments, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(list((folder / store.RUN).glob("0*.jsonl"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert out == ""
    assert "Traceback" not in err
    assert "--resume goes on where it was" in err
    assert cli.run([*arguments, "--workers", "1"]) == 2
    assert "unfinished tournament" in capsys.readouterr().err
    told = json.loads(answer(capsys, *arguments, "--workers", "1", "--resume", "--json"))
    assert told["games"] == 60


def test_pairs_all_alike_tell_no_elo_difference(capsys: pytest.CaptureFixture[str]) -> None:
    # Whoever begins wins on this board: every pair ends 1 to 1, which is no measurement without error.
    command = "arena random first --games 4 --board 1x1x1 --openings 0-ply --judge 0"
    assert cli.run(command.split()) == 0
    shown = capsys.readouterr().out
    assert "random – first: 2 won, 0 drawn, 2 lost; p = 1.000" in shown
