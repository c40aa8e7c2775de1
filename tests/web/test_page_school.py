"""The school in a browser: a child from the rules to the first fork; a phone, the keyboard, the game."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from claimeven.school import Task, judge, unit, units
from claimeven.school.questions import cells_asked, number_asked
from claimeven.solver import Solver
from kit.page.faults import faults_of
from kit.page.table import Person, Table

SIZES = {"desktop": (1280, 800), "phone": (375, 812)}
SOLVER = Solver(megabytes=16)


def next_step(page: Page) -> None:
    page.get_by_role("button", name="Next", exact=True).click()


def solve(table: Table, task: Task) -> None:
    """Answer a task as somebody would who knows."""
    page, position = table.page, task.position
    expect(page.locator("[data-status=ask]")).to_have_count(1)
    if task.kind == "drop":
        marks = {column: judge(task, str(column + 1), solver=SOLVER).mark for column in position.legal}
        table.column(next(column for column, mark in marks.items() if mark == "right") + 1).click()
    elif task.kind in ("cells", "mark"):
        for cell in cells_asked(task.about, position, task.cell):
            page.locator(f"[data-cell='{cell.column + 1}:{cell.row + 1}']").click()
        page.get_by_role("button", name="Answer", exact=True).click()
    elif task.kind == "count":
        page.get_by_label("How many?").fill(str(number_asked(task.about, position, task.cell, SOLVER)))
        page.keyboard.press("Enter")
    else:
        raise AssertionError(f"{task.kind} is not on the way to the first fork")
    expect(page.locator("[data-status=done]")).to_have_count(1)
    expect(page.locator("[data-mark]")).to_have_attribute("data-mark", "right")


def test_a_unit_whose_check_is_open_is_not_called_finished(person: Person) -> None:
    page = person("/learn/rules").page
    page.get_by_label("Steps of this unit").get_by_role("button").last.click()
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.get_by_role("heading", name="The rules", exact=True)).to_be_visible()
    page.get_by_role("button", name="To the check", exact=True).click()
    expect(page.get_by_role("heading", name="The rules", exact=True)).to_be_visible()
    expect(page.get_by_text("Check 1 of 5", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_child_from_the_rules_to_the_first_fork(person: Person, size: str) -> None:
    width, height = SIZES[size]
    table = person("/learn", width=width, height=height)
    page = table.page
    expect(page.get_by_text("Begin here")).to_have_count(1)
    page.get_by_role("link", name=re.compile("The rules")).click()
    for name in ("rules", "seeing"):
        one = unit(name)
        for _ in one.shows:
            next_step(page)
        for task in (*one.tasks, *one.check):
            solve(table, task)
            if task is one.check[-1]:
                expect(page.get_by_text("5 of 5 right.")).to_be_visible()
            next_step(page)
        expect(page.get_by_text(re.compile(r"Against \w+ · Level"))).to_be_visible()
        page.get_by_role("button", name="Skip", exact=True).click()
        page.get_by_role("link", name="Next unit").click()
    for _ in range(2):
        next_step(page)
    solve(table, unit("forks").tasks[0])
    next_step(page)
    # First a wrong disc: a hint, and the board is as it was. At the next one what was missed is said and lit.
    discs = page.locator(".disc").count()
    expect(page.locator(".turn")).to_have_text("Red to move")
    table.column(1).click()
    expect(page.locator("[data-mark=wrong]")).to_contain_text("Column a makes no fork.")
    expect(page.locator(".marks .cell")).to_have_count(0)
    expect(page.locator("text.rank")).to_have_count(6)  # rows have numbers from the first step on
    table.column(1).click()
    expect(page.locator("[data-mark=wrong]")).to_contain_text("After column a you threaten one cell at most.")
    expect(page.locator(".marks .cell")).to_have_count(2)
    expect(page.locator(".disc")).to_have_count(discs)
    assert is_seen(page, "[data-mark]"), "the words are on the screen together with the board"
    table.column(5).click()
    expect(page.locator("[data-mark=right]")).to_contain_text("Yellow can close only one of them.")
    page.goto("/learn")
    expect(page.get_by_text("✓ passed")).to_have_count(2)
    ends = page.locator(".list li").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert ends[-1] == max(ends)  # the map is the last of the row in which the last unit stands
    kept = json.loads(page.evaluate("localStorage.getItem('claimeven.school')"))
    assert kept["units"]["seeing"]["check"] == 5
    assert kept["units"]["forks"]["tasks"] == ["forks.1", "forks.2"]
    page.goto("/learn/forks")
    expect(page.get_by_role("heading", name="Forks", exact=True)).to_be_visible()
    expect(page.get_by_text("Task 3 of 9", exact=True)).to_be_visible()
    expect(page.locator(".marks text")).to_have_count(0)  # in the holes nothing but discs and rings
    # All units and which of them are passed, where there is room for them.
    page.set_viewport_size({"width": 1440, "height": 900})
    units = page.get_by_role("navigation", name="All units").get_by_role("link")
    expect(units).to_have_count(13)
    expect(units.nth(1)).to_have_text(re.compile("✓ *Seeing"))


def is_seen(page: Page, selector: str) -> bool:
    box, board = page.locator(selector).bounding_box(), page.locator(".board").bounding_box()
    size = page.viewport_size
    assert box is not None
    assert board is not None
    assert size is not None
    return board["y"] >= -5 and box["y"] + min(box["height"], 40) <= size["height"]


def test_the_school_by_keyboard_alone(person: Person) -> None:
    """Cells with the arrow keys, columns with digits; what the teacher says is in a live region."""
    page = person("/learn/rules").page
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".panel .text")).to_contain_text("Drop your first disc in any column")
    page.keyboard.press("4")
    expect(page.locator("[aria-live=polite] [data-mark=right]")).to_contain_text("bottom of column d")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".panel .text")).to_have_text("Mark every cell where a disc can land now.")
    page.locator("[role=gridcell][tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("[data-cell='1:2']")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Answer", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[aria-live=polite] [data-mark=wrong]")).to_contain_text(
        "6 cells are still to be found."
    )


def test_the_game_of_a_unit_on_the_page(person: Person) -> None:
    table = person("/learn/forks")
    page = table.page
    page.get_by_role("button", name="The game", exact=True).click()
    table.column(5).click()
    expect(page.locator("[data-mark]")).to_contain_text("answers in column")
    page.get_by_role("button", name="Take back", exact=True).click()
    expect(page.locator(".disc")).to_have_count(4)
    table.column(5).click()
    expect(page.locator(".disc")).to_have_count(6)
    reply = page.locator("[aria-label$='last move']").get_attribute("data-cell") or ""
    table.column(2 if reply.startswith("6") else 6).click()
    expect(page.locator("[data-mark=right]")).to_contain_text("You win!")
    page.goto("/learn")
    expect(page.get_by_text("★ game won")).to_have_count(1)


def test_addresses_of_the_old_lessons_lead_on(person: Person) -> None:
    page = person("/learn/threats").page
    expect(page).to_have_url(re.compile("/learn/seeing$"))
    expect(page.locator(".panel .text")).to_contain_text("Before every disc ask three questions.")


def test_axe_finds_nothing_in_a_task(person: Person) -> None:
    """Cells to pick, a number, sides, a line half entered: each as a screen reader meets it."""
    table = person("/learn")
    page = table.page
    for kind in ("drop", "cells", "count", "who", "line"):
        one, number = next(
            (one, number)
            for one in units()
            for number, task in enumerate(one.tasks)
            if task.kind == kind and task.moves
        )
        page.goto(f"/learn/{one.name}")
        page.get_by_role("button", name=f"Task {number + 1} of {len(one.tasks)}", exact=True).click()
        expect(page.locator("[data-status=ask]")).to_have_count(1)
        if kind == "cells":
            page.locator("[data-cell='1:1']").click()
            page.get_by_role("button", name="Answer", exact=True).click()
            expect(page.locator("[data-mark]")).to_have_count(1)
        elif kind == "line":
            table.column(1).click()
        assert faults_of(page) == [], kind


def test_cells_that_words_name_are_lit(person: Person) -> None:
    """In the question, in what is said to a wrong answer; and wrong cells are unpicked, right ones stay."""
    table = person("/learn/count")
    page = table.page
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".marks .cell")).to_have_count(1)
    expect(page.locator(".marks .cell")).to_have_attribute("data-spot", "4:4")
    page.goto("/learn/rows")
    page.get_by_role("button", name="Task 5 of 9").click()
    expect(page.locator(".marks .cell")).to_have_count(0)
    page.get_by_role("button", name="Nobody", exact=True).click()
    expect(page.locator("[data-mark=wrong]")).to_contain_text("It is not a draw.")
    expect(page.locator(".marks .cell")).to_have_count(0)
    page.get_by_role("button", name="Yellow", exact=True).click()
    expect(page.locator(".marks .cell")).to_have_count(1)
    expect(page.locator(".marks .cell")).to_have_attribute("data-spot", "7:5")
    page.goto("/learn/two")  # a disc is not marked
    page.get_by_role("button", name="Task 1 of 8").click()
    page.locator("[data-cell='4:1']").click()
    expect(page.get_by_role("alert").filter(has_text="That cell is taken.")).to_be_visible()
    expect(page.locator("[data-cell='4:1']")).to_have_attribute("aria-selected", "false")
    page.goto("/learn/rules")
    page.get_by_role("button", name="Task 2 of 8").click()
    for cell in ("1:1", "2:1"):
        page.locator(f"[data-cell='{cell}']").click()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator("[data-mark=wrong]")).to_contain_text("Not a1")
    expect(page.locator("[data-cell='1:1']")).to_have_attribute("aria-selected", "false")
    expect(page.locator("[data-cell='2:1']")).to_have_attribute("aria-selected", "true")
