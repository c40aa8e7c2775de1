"""How soon a click shows its disc: python bench/page/clicks.py [GAMES] (needs Chromium and the built page).

A real browser and a real server on this machine, two people at one screen. The clock runs in the page:
from the click to the first frame with one disc more.
"""

import re
import statistics
import subprocess
import sys
import tempfile

from playwright.sync_api import Page, sync_playwright

FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
MOVES = "22525762534622441115"  # nobody wins
CLICK = """column => new Promise(done => {
  const count = () => document.querySelectorAll('svg .disc').length
  const before = count(), began = performance.now()
  const look = () => count() > before ? done(performance.now() - began) : requestAnimationFrame(look)
  document.querySelector(`button[data-column="${column}"]`).click()
  look()
})"""


def game(page: Page, address: str) -> list[float]:
    page.goto(address)
    page.get_by_role("radio", name="Same screen").check()
    times = []
    for column in MOVES:
        page.locator(f"button[data-column='{column}'][aria-disabled='false']").wait_for()
        times.append(page.evaluate(CLICK, int(column)))
        page.wait_for_timeout(400)  # as a quick person plays
    return times


def main(games: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--tcp-port", "0", "--database"]
        command.append(f"sqlite:///{folder}/games.db")
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split())
        times: list[float] = []
        for _ in range(games):
            page = browser.new_page()
            times += game(page, found[0])
            page.close()
        browser.close()
        server.terminate()
        server.wait()
    times.sort()
    median = statistics.median(times)
    print(f"{len(times)} clicks: median {median:.0f} ms, most {times[-1]:.0f} ms to the disc")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
