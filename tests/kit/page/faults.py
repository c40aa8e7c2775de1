"""What a page is like for those who do not see it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults_of(page: Page) -> list[str]:
    """What axe finds, in short."""
    page.wait_for_load_state("networkidle")
    return [
        f"{found['id']}: {found['nodes'][0]['html'][:160]}"
        for found in Axe().run(page).response["violations"]
    ]
