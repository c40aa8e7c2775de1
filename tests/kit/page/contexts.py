"""Contexts of a browser, used by one test after another: a visit in a new one costs nearly twice as much.

What was kept in one is gone before somebody else has it, only what the browser has cached is not. Who reaches
for the context itself (a network that is gone, a clock, a second tab) is the last to have it.
"""

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

MOST = 6  # that wait for somebody: each is a process
CHEAPEST = "/icon.svg"  # of all addresses
# Options that several tests have.
USUAL = {"service_workers": "block", "reduced_motion": "reduce", "is_mobile": True, "has_touch": True}
# With it a page begins in the process of another one of its context, where scripts are compiled.
ONE_PROCESS = "--renderer-process-limit=1"
# Somebody who does not look: all is laid out, heard and hit as ever, but no pixel is painted.
UNSEEN = """{
  const hide = () => document.documentElement && !(document.documentElement.style.opacity = 0);
  hide() || new MutationObserver((_, it) => hide() && it.disconnect()).observe(document, { childList: true });
}"""

_reached: set[BrowserContext] = set()


def _watch(name: str) -> None:
    given = getattr(Page, name).fget

    def asked(page: Page) -> Any:
        _reached.add(context_of(page))
        return given(page)

    setattr(Page, name, property(asked))


context_of = Page.context.fget  # type: ignore[attr-defined]
_watch("clock")
_watch("context")


class Contexts:
    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self._address = address
        self._free: list[tuple[dict[str, Any], BrowserContext]] = []

    def take(self, options: dict[str, Any]) -> BrowserContext:
        for asked, context in self._free:
            if asked == options:
                self._free.remove((asked, context))
                self._forget(context)
                return context
        return self.new(options)

    def new(self, options: dict[str, Any]) -> BrowserContext:
        """Where nobody has been: nothing is cached."""
        context = self.browser.new_context(base_url=self._address, **options)
        context.set_default_timeout(60_000)
        return context

    def give_back(self, options: dict[str, Any], context: BrowserContext) -> None:
        if context in _reached or any(USUAL.get(name) != value for name, value in options.items()):
            _reached.discard(context)
            context.close()
            return
        used = [page for page in context.pages if urlsplit(page.url).path != CHEAPEST]
        if len(used) == len(context.pages):  # one remains, for the process
            context.new_page().goto(CHEAPEST)
        for page in used:
            page.close()
        self._free.append((options, context))
        if len(self._free) > MOST:
            self._free.pop(0)[1].close()

    def _forget(self, context: BrowserContext) -> None:
        session = context.new_cdp_session(context.pages[0])
        session.send("Storage.clearDataForOrigin", {"origin": self._address, "storageTypes": "all"})
        session.detach()
