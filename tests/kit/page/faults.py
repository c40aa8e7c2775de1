"""What a page is like for those who do not see it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults_of(page: Page) -> list[str]:
    """What axe finds, in short."""
    page.wait_for_load_state("networkidle")
    return _found(page, {})


def faults_of_colours(page: Page) -> list[str]:
    """What it finds of colours alone, when nothing else has changed since it looked."""
    return _found(page, {"runOnly": ["color-contrast"]})


def _found(page: Page, options: dict[str, object]) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:160]}" for fault in found]
