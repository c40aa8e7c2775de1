"""The people of these tests: a browser that was somebody else's before is like a new one, and axe sees it."""

from kit.page.faults import faults_of, faults_of_colours
from kit.page.table import Person

KEPT = "[localStorage.getItem('left'), sessionStorage.getItem('left')]"


def test_one_leaves_something(person: Person) -> None:
    page = person("/learn").page
    page.evaluate("localStorage.setItem('left', '1'); sessionStorage.setItem('left', '1')")
    assert page.evaluate(KEPT) == ["1", "1"]


def test_the_next_one_finds_nothing_of_it(person: Person) -> None:
    page = person("/learn").page
    assert page.evaluate(KEPT) == [None, None]
    page.context.set_offline(True)  # a context that was changed is nobody's again


def test_the_one_after_finds_a_network(person: Person) -> None:
    page = person("/learn").page
    assert page.evaluate("fetch('/api/agents').then((answer) => answer.ok)")


def test_axe_sees_what_is_not_painted(person: Person) -> None:
    page = person("/learn", color_scheme="light").page
    page.get_by_role("heading", level=1).evaluate("heading => heading.style.color = '#ddd'")
    assert [fault.partition(":")[0] for fault in faults_of(page)] == ["color-contrast"]
    assert [fault.partition(":")[0] for fault in faults_of_colours(page)] == ["color-contrast"]
