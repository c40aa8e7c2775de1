"""What people with a name do at the page."""

from playwright.sync_api import Page, expect

HEADLINE = "#headline"


def be(page: Page, name: str) -> None:
    """Take a name, where the page asks for one."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="That’s me").click()


def make_code(page: Page) -> str:
    """For another browser, from the lobby on."""
    page.get_by_role("link", name="Your page").click()
    page.get_by_role("button", name="Make a code").click()
    return page.locator(".code").inner_text()


def use_code(page: Page, code: str) -> None:
    """In the lobby."""
    page.get_by_text("I have a code").click()
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Use it").click()


def is_to_move(page: Page) -> bool:
    return page.locator(HEADLINE).inner_text().startswith("Your turn")


def drop(page: Page, column: int) -> None:
    """A machine may have answered before one looks: it is the disc that tells."""
    count = page.locator(".disc").count()
    page.locator("body").press(str(column))
    expect(page.locator(".disc").nth(count)).to_be_attached()
