"""The arena on the page: files, the example, a small match."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from claimeven.cli import run
from kit.page.faults import faults_of
from kit.page.table import Person


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
    expect(standings.get_by_role("rowheader")).to_have_text(["Minimax (depth 2)", "First column"])
    result = json.loads((tmp_path / "result.json").read_text())
    named = {"minimax:depth=2": "Minimax (depth 2)", "first": "First column"}
    told = [f"{named[agent['name']]} {100 * agent['score']:.1f} %" for agent in result["agents"]]
    running = page.get_by_role("region", name="Running score").get_by_role("img")
    assert sorted((running.get_attribute("aria-label") or "").partition(": ")[2].split(", ")) == sorted(told)
    page.get_by_role("button", name=re.compile(r"^Minimax \(depth 2\) against First column")).click()
    games = page.get_by_role("heading", name="Minimax (depth 2) against First column, 4 games")
    expect(games).to_be_in_viewport()
    record = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    discs = len(record["start"] + record["moves"])
    expect(page.locator(".disc")).to_have_count(discs)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".disc")).to_have_count(discs - 1)
    expect(page.get_by_text("Score against random: 75.0 %")).to_be_visible()
    expect(page.get_by_role("link", name="Review this game")).to_have_attribute(
        "href", f"/review?moves={record['start']}{record['moves']}"
    )
    page.reload()  # results are kept
    expect(standings.get_by_role("rowheader")).to_have_text(["Minimax (depth 2)", "First column"])
    page.get_by_role("button", name="Remove these results").click()
    expect(standings).to_have_count(0)  # then it is stored
    page.reload()
    expect(page.get_by_role("heading", name="Who is stronger?")).to_be_visible()
    expect(standings).to_have_count(0)


def test_the_example_leads_from_a_number_to_its_games_and_into_one(person: Person) -> None:
    page = person("/arena").page
    page.get_by_role("button", name="Show an example").click()
    cell = page.get_by_role("button", name=re.compile(r"^Viktor · Level 8 against Hugo · Level 6: 70.0 %"))
    expect(page.get_by_role("region", name="Standings").first.locator("svg .interval")).to_have_count(8)
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


def test_files_can_be_dropped(person: Person) -> None:
    page = person("/arena").page
    target = page.get_by_role("region", name="Look at a tournament")
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
    page.get_by_label("Games", exact=True).select_option("4")
    page.get_by_role("button", name="Play the match").click()
    standings = page.get_by_role("region", name="Standings").first
    expect(standings.get_by_role("rowheader")).to_have_text(["Nia · Level 5", "First column"])
    expect(page.get_by_role("heading", name="4 games", exact=True)).to_be_visible()
    page.reload()
    expect(standings.get_by_role("rowheader")).to_have_text(["Nia · Level 5", "First column"])


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
