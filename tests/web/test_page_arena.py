"""The arena on the page: files, the example, a small match."""

import itertools
import json
import re
from math import comb
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from claimeven.cli import run
from kit.page.faults import faults_of
from kit.page.table import Person

EXAMPLE = (("Viktor", "25"), ("Hugo", "18"), ("Monte Carlo", "15½"), ("Otto", "1½"))


def told_of(result: dict[str, Any], names: dict[str, str]) -> list[str]:
    """The sentences that a match of two deserves, counted once more from its file."""
    (met,) = result["pairings"]
    better, worse = sum(met["pairs"][3:]), sum(met["pairs"][:2])
    one, two = (names[result["agents"][number]["name"]] for number in met["agents"])
    if met["losses"] > met["wins"]:
        better, worse, one, two = worse, better, two, one
    chance = min(
        1.0, sum(comb(better + worse, k) for k in range(min(better, worse) + 1)) * 2 ** (1 - better - worse)
    )
    all_of, even = sum(met["pairs"]), met["pairs"][2]
    lead = f"{one} is stronger." if chance < 0.05 else f"{one} looks stronger. More games would tell."
    if met["wins"] == met["losses"]:
        lead = "Neither is ahead."
    elif chance >= 0.15:
        lead = f"{one} is ahead, which says little yet."
    told = [
        lead,
        f"{all_of} openings, each played with both colours: {one} did better in {better}, {two} in {worse},"
        f" neither in {even}.",
    ]
    if met["wins"] != met["losses"] and better + worse < 6:
        decided = "1 opening was" if better + worse == 1 else f"{better + worse} openings were"
        told.append(f"{decided} decided. Fewer than six can never show who is stronger, whatever the score.")
    elif met["wins"] != met["losses"]:
        odds = (
            f"about {round(100 * chance)} of 100"
            if chance >= 0.01
            else f"about {round(1000 * chance)} of 1000"
        )
        odds = odds if chance >= 0.001 else "fewer than 1 of 1000"
        told.append(f"Between equals, a result at least this uneven comes in {odds} such matches.")
    return told


@pytest.mark.parametrize(
    ("pair", "games"), [(("minimax:depth=3", "first"), 16), (("minimax:depth=2", "minimax:depth=1"), 6)]
)
def test_a_match_says_who_is_stronger_and_how_sure_that_is(
    person: Person, tmp_path: Path, pair: tuple[str, str], games: int
) -> None:
    command = ["arena", *pair, "--games", str(games), "--judge", "0", "--workers", "1"]
    assert run([*command, "--out", str(tmp_path / "results")]) == 0
    page = person("/arena").page
    names = [tmp_path / "results" / name for name in ("result.json", "games.jsonl")]
    page.get_by_label("Files: result.json").set_input_files(names)
    board = page.get_by_role("region", name="Scoreboard")
    result = json.loads(names[0].read_text())
    called = {
        "minimax:depth=3": "Minimax (depth 3)",
        "first": "First column",
        "minimax:depth=2": "Minimax (depth 2)",
        "minimax:depth=1": "Minimax (depth 1)",
    }
    for sentence in told_of(result, called):
        expect(board).to_contain_text(sentence)
    sure = told_of(result, called)[0].endswith(" is stronger.")
    expect(page.get_by_role("columnheader", name="Rating")).to_have_count(int(sure))
    points = sorted((agent["wins"] + agent["draws"] / 2 for agent in result["agents"]), reverse=True)
    written = [f"{int(point) or ('' if point % 1 else '0')}{'½' if point % 1 else ''}" for point in points]
    expect(board.locator(".points b")).to_have_text(written)


@pytest.mark.parametrize("language", ["pl", "vi", "fr"])
def test_a_score_fits_on_the_smallest_phone(person: Person, tmp_path: Path, language: str) -> None:
    """Two figures and a half each, in the longest languages."""
    match = {
        "agents": [0, 1],
        "wins": 12,
        "draws": 3,
        "losses": 11,
        "score": 0.52,
        "pairs": [0, 5, 3, 5, 0],
        "p_holm": 1.0,
    }
    agents = [
        {"name": name, "wins": wins, "draws": 3, "losses": 23 - wins, "score": 0.5, "interval": [0.3, 0.7]}
        for name, wins in (("level:10", 12), ("mcts:simulations=300", 11))
    ]
    result = {"format": "claimeven-tournament", "games": 26, "agents": agents, "pairings": [match]}
    result["plan"] = {"board": "7x6x4"}
    page = person("/arena", width=320, height=640, settings={"language": language}).page
    (tmp_path / "result.json").write_text(json.dumps(result))
    page.locator("input[type=file]").first.set_input_files(tmp_path / "result.json")
    expect(page.locator(".points b")).to_have_text(["13½", "12½"])
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    parts = [page.locator("[data-scoreboard] .side").first, page.locator(".points")]
    parts.append(page.locator("[data-scoreboard] .side").last)
    ends = [
        part.evaluate("e => [e.getBoundingClientRect().left, e.getBoundingClientRect().right]")
        for part in parts
    ]
    assert all(one[1] <= other[0] + 1 for one, other in itertools.pairwise(ends)), ends


def test_open_the_results_of_a_tournament(person: Person, tmp_path: Path) -> None:
    command = ["arena", "minimax:depth=2", "first", "--games", "4", "--judge", "0", "--workers", "1"]
    tmp_path = tmp_path / "results"
    assert run([*command, "--out", str(tmp_path)]) == 0
    curve = {
        "board": "4x4x4",
        "curve": [
            {
                "games": games,
                "scores": {"random": {"value": 0.5 + games / 400, "interval": [0.4, 0.9]}},
                "kept": {"value": 0.5, "interval": [0.4, 0.6]},
            }
            for games in (0, 100)
        ],
    }
    (tmp_path / "small.curve.json").write_text(json.dumps(curve))
    (tmp_path / "broken.json").write_text('{"format": "something else"}')
    page = person("/arena").page
    names = ("result.json", "games.jsonl", "small.curve.json", "broken.json")
    page.get_by_label("Files: result.json").set_input_files([tmp_path / name for name in names])
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("broken.json is not a result")
    standings = page.get_by_role("region", name="Standings").first
    expect(standings.get_by_role("rowheader")).to_have_text(["Minimax depth 2", "First column"])
    result = json.loads((tmp_path / "result.json").read_text())
    named = {"minimax:depth=2": "Minimax (depth 2)", "first": "First column"}
    told = [f"{named[agent['name']]} {100 * agent['score']:.0f} %" for agent in result["agents"]]
    running = page.get_by_role("region", name="Running score").get_by_role("img")
    assert sorted((running.get_attribute("aria-label") or "").partition(": ")[2].split(", ")) == sorted(told)
    expect(page.get_by_role("heading", name="4 games", exact=True)).to_be_visible()
    record = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    discs = len(record["start"] + record["moves"])
    expect(page.locator(".disc")).to_have_count(discs)
    assert record["result"]["reason"] == "connect"
    assert page.locator(".replay .four circle, .replay .four path").count()
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".disc")).to_have_count(discs - 1)
    expect(page.locator(".replay .four")).to_have_count(0)
    expect(page.get_by_text("Score against random: 75.0 %")).to_be_visible()
    expect(page.get_by_role("link", name="Review this game")).to_have_attribute(
        "href", f"/review?moves={record['start']}{record['moves']}"
    )
    page.reload()  # results are kept
    expect(standings.get_by_role("rowheader")).to_have_text(["Minimax depth 2", "First column"])
    page.get_by_role("button", name="Remove these results").click()
    expect(standings).to_have_count(0)  # then it is stored
    page.reload()
    expect(page.get_by_role("heading", name="Who is stronger?")).to_be_visible()
    expect(standings).to_have_count(0)


def test_the_example_leads_from_a_number_to_its_games_and_into_one(person: Person) -> None:
    page = person("/arena").page
    # Before it is opened, its first lines invite.
    rows = page.get_by_role("region", name="Look at a tournament").get_by_role("listitem")
    expect(rows).to_have_text([re.compile(f"^{name} .* {points} of 30") for name, points in EXAMPLE])
    page.get_by_role("button", name="Show an example").click()
    board = page.get_by_role("region", name="Scoreboard")
    expect(board.get_by_role("heading")).to_have_text("Viktor leads with 25 of 30 points")
    expect(board).to_contain_text("Against Hugo, who is second, it stands 7–3. That can still be chance.")
    cell = page.get_by_role("button", name=re.compile(r"^Viktor · Level 8 against Hugo · Level 6: 70 %"))
    expect(page.get_by_role("region", name="Standings").first.locator("svg .interval")).to_have_count(4)
    assert faults_of(page) == []
    page.evaluate("document.documentElement.dataset.theme = 'contrast'")
    assert faults_of(page) == []
    cell.click()
    games = page.get_by_role("region", name="Viktor · Level 8 against Hugo · Level 6, 10 games")
    expect(games.get_by_role("heading", level=2)).to_be_in_viewport()
    expect(games.get_by_role("listitem")).to_have_count(10)  # of both colours
    expect(cell).to_have_attribute("aria-pressed", "true")
    second = games.get_by_role("listitem").nth(1).get_by_role("button")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    shown = page.locator(".disc").count()
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".disc")).to_have_count(shown - 1)
    expect(page.get_by_role("heading", name="Play from here against …")).to_be_visible()


LINES = """all => all.map(one => {
  const text = document.createRange(); text.selectNodeContents(one)
  return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
})"""
BOXES = "all => all.map(one => one.getBoundingClientRect().toJSON())"


@pytest.mark.parametrize(("width", "height"), [(375, 812), (320, 640), (820, 1180), (812, 375)])
def test_a_result_has_even_rows_on_small_screens(person: Person, width: int, height: int) -> None:
    """No score is cut or broken, a button fills its cell, a name is one line, controls stand in two rows."""
    page = person("/arena", width=width, height=height).page
    page.get_by_role("button", name="Show an example").click()
    cross = page.get_by_role("region", name="Head to head")
    expect(cross.locator("td button")).to_have_count(12)
    if width >= 375:
        assert cross.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    assert set(cross.locator("td button").evaluate_all(LINES)) == {1}
    gaps = """all => all.map(one => one.parentElement.getBoundingClientRect().height
        - one.getBoundingClientRect().height)"""
    assert max(cross.locator("td button").evaluate_all(gaps)) < 1
    expect(cross.locator("td button").first).to_have_accessible_name(re.compile("Viktor .* against Hugo"))
    rows = page.locator(".both li").evaluate_all(BOXES)
    assert len({round(row["height"]) for row in rows}) == 1
    steps, to = page.locator(".go").evaluate_all(BOXES)
    assert steps["bottom"] <= to["top"]
    assert len({round(one["top"]) for one in page.locator(".go .steps button").evaluate_all(BOXES)}) == 1
    buttons = page.locator(".go.to > *").evaluate_all(BOXES)
    assert len({(round(one["top"]), round(one["width"]), round(one["height"])) for one in buttons}) == 1


def test_files_can_be_dropped(person: Person) -> None:
    page = person("/arena").page
    target = page.get_by_role("region", name="Open your own results")
    expect(target).to_be_visible()
    data = page.evaluate_handle(
        """() => { const data = new DataTransfer()
        const text = '{"board": "4x4x4", "curve": [{"games": 0, "scores": {}, "kept": null}]}'
        data.items.add(new File([text], 'a.json'))
        return data }"""
    )
    target.dispatch_event("drop", {"dataTransfer": data})
    expect(page.get_by_role("heading", name="Learning curve a.json, board 4x4x4")).to_be_visible()


def test_a_small_match_is_played_here(person: Person) -> None:
    page = person("/arena").page
    page.get_by_label("Player", exact=True).select_option("level:5")
    page.get_by_label("Against", exact=True).select_option("first")
    page.get_by_role("radio", name="4", exact=True).check()
    page.get_by_role("button", name="Play the match").click()
    standings = page.get_by_role("region", name="Standings").first
    expect(standings.get_by_role("rowheader")).to_have_text(["Nia Level 5", "First column"])
    expect(page.get_by_role("heading", name="4 games", exact=True)).to_be_visible()
    page.reload()
    expect(standings.get_by_role("rowheader")).to_have_text(["Nia Level 5", "First column"])


def test_the_address_of_a_match_plays_the_same_games_elsewhere(person: Person) -> None:
    page = person("/arena").page
    page.get_by_label("Player", exact=True).select_option("random")
    page.get_by_label("Against", exact=True).select_option("level:1")
    page.get_by_role("radio", name="4", exact=True).check()
    page.get_by_role("button", name="Play the match").click()
    expect(page.get_by_role("heading", name="4 games", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/arena\?one=random&two=level%3A1&games=4&seed=\d+$"))
    elsewhere = person(page.url).page
    expect(elsewhere.get_by_role("heading", name="4 games", exact=True)).to_be_visible()
    told, same = (
        (one.get_by_role("link", name="Review").get_attribute("href"), one.get_by_role("main").inner_text())
        for one in (page, elsewhere)
    )
    assert same == told


def test_what_is_shown_is_kept_even_when_the_page_is_gone_at_once(person: Person) -> None:
    page = person("/arena").page
    page.evaluate(
        """() => new MutationObserver((_, watch) => {
          if (!document.querySelector('.results')) return
          watch.disconnect()
          location.reload()
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    with page.expect_event("load"):
        page.get_by_role("button", name="Show an example").click()
    expect(page.get_by_role("region", name="Standings").first).to_be_visible()
