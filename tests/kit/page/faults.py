"""What a page is like for those who do not see it."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The style sheets that axe would fetch once more are for a rule that is not asked.
OPTIONS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
# It skips what is not seen: what nobody looks at is opaque as long as axe looks, and not for longer.
ASKED = """async (options) => {
  const { style } = document.documentElement;
  const { opacity } = style;
  style.removeProperty('opacity');
  const { violations } = await axe.run(document, options);
  style.opacity = opacity;
  return violations;
}"""


def faults_of(page: Page) -> list[str]:
    """What axe finds, in short."""
    page.wait_for_load_state("networkidle")
    return _found(page, {})


def faults_of_colours(page: Page) -> list[str]:
    """What it finds of colours alone, when nothing else has changed since it looked."""
    return _found(page, {"runOnly": ["color-contrast"]})


def faults_in_themes(page: Page) -> list[str]:
    """What axe finds in light, and of colours in dark and high contrast; the theme stays what it was."""
    found = []
    before = page.evaluate("document.documentElement.dataset.theme ?? ''")
    for theme in ("light", "dark", "contrast"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        faults = faults_of(page) if theme == "light" else faults_of_colours(page)
        found += [f"{theme}: {fault}" for fault in faults]
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", before)
    return found


def _found(page: Page, options: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    faults = page.evaluate(ASKED, OPTIONS | options)
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:160]}" for fault in faults]
