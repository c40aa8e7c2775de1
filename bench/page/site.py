"""The static site in Chromium: `python bench/page/site.py [rounds]`, after `make static`.

Sizes of every stage, plain and packed; how long the first exact values of the analysis page and an
explanation take after a warm start; and the memory of the page's process with everything loaded. A busy
machine takes longer.
"""

import gzip
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "static"
FIRST = "4131"
POSITIONS = ("4453", "4444426", "274552224131661", "4455321", "44", "3344", "12", "455", "72655553444434465")


def sizes() -> None:
    (rooms,) = SITE.glob("rooms-*")
    stages = {
        "page": [
            path
            for end in ("js", "css", "html")
            for path in SITE.rglob(f"*.{end}")
            if rooms not in path.parents
        ],
        "engine": list((SITE / "assets").glob("*.wasm")),
        "Python": [path for path in rooms.iterdir() if path.name not in ("rooms.zip", "book-7x6x4.bin")],
        "rooms": [rooms / "rooms.zip"],
        "book": [rooms / "book-7x6x4.bin"],
    }
    for name, files in stages.items():
        contents = [path.read_bytes() for path in files]
        packed = sum(len(gzip.compress(content)) for content in contents)
        print(f"{name}: {sum(map(len, contents)) // 1000} KB, gzip {packed // 1000} KB")


def until(page: Page, selector: str) -> float:
    page.locator(selector).first.wait_for(timeout=120_000)
    return time.perf_counter()


def memory(page: Page) -> int:
    """Megabytes of the page's process, Chromium's own code in it included; others wait for pages to come."""
    assert page.context.browser is not None
    told = page.context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    megabytes = []
    for process in told["processInfo"]:
        if process["type"] == "renderer":
            lines = Path(f"/proc/{process['id']}/smaps_rollup").read_text().splitlines()
            megabytes.append(next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) // 1024)
    return max(megabytes)


def main() -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    from kit.page.host import static_host

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sizes()
    with static_host(SITE) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=("--no-sandbox",))
        page = browser.new_page()
        page.goto(f"{address}#/analysis?moves={FIRST}")
        until(page, ".why p.verdict")
        first = []
        for at in range(rounds):
            page.goto("about:blank")
            started = time.perf_counter()
            page.goto(f"{address}#/analysis?moves={POSITIONS[at % len(POSITIONS)]}")
            first.append(until(page, "[data-value]") - started)
        print(f"first exact values after a warm start: {statistics.median(first):.2f} s (median of {rounds})")
        explained = page.locator(".why p.verdict")
        explained.wait_for(timeout=120_000)
        taken = []
        for moves in POSITIONS:
            before = explained.inner_text()
            started = time.perf_counter()
            page.evaluate(f"location.hash = '/analysis?moves={moves}'")
            page.wait_for_function(
                "old => ![old, undefined].includes(document.querySelector('.why p.verdict')?.innerText)",
                arg=before,
                polling=10,
                timeout=120_000,
            )
            taken.append(time.perf_counter() - started)
        print(f"values and explanation: {statistics.median(taken):.2f} s (median of {len(taken)} positions)")
        print(f"memory: {memory(page)} MB")
        browser.close()


if __name__ == "__main__":
    main()
