"""What all tests share: the published numbers, golden files."""

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Generator
from typing import Any

import hypothesis
import pytest

from kit.places import DATA

# A busy machine is slow now and then: that says nothing about an example.
hypothesis.settings.register_profile("busy", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("busy")

# Tests start the program hundreds of times: each would compile the package anew where bytecode is not kept.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that starts the tests in its background lets them, and all that they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write the golden files anew instead of comparing")


def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: three more than processors. Servers and browsers wait; but every worker collects all."""
    return 3 + (os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported and collected stays to the end: no need to look for garbage in it again and again.

    What a test makes is mostly no garbage either, while a map has tens of thousands of positions: looked for
    after every 700 new objects it took a third of the time of tests/map, and found no more."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000)
        gc.enable()


# Which of how many processes this one is. None: there is no other.
WORKER = os.environ.get("PYTEST_XDIST_WORKER")
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each worker begins elsewhere: what one has compiled the others find, and need not compile."""
    report = yield
    if WORKER is not None and isinstance(collector, pytest.Directory) and report.result:
        first = len(report.result) * int(WORKER.removeprefix("gw")) // WORKERS
        report.result = [*report.result[first:], *report.result[:first]]
    return report


# One test of these may take as long as a whole folder: at the end the other workers would wait for it.
LONG = ("test_native.py", "test_faults.py", "test_faults_planted.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if WORKER is not None:  # all workers have the same order
        items.sort(key=lambda item: item.path.parts)
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI nothing may be skipped unnoticed."""
    report = yield
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
    return report


@pytest.fixture(scope="session")
def oracles() -> dict[str, Any]:
    """The published and recomputed numbers of tests/data/oracles.json."""
    numbers: dict[str, Any] = json.loads((DATA / "oracles.json").read_text())
    return numbers


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text is what tests/data/golden/name says."""

    def check(name: str, text: str) -> None:
        path = DATA / "golden" / name
        if request.config.getoption("--record"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        assert text == path.read_text(), f"not what {path.name} says; if it should be, run pytest --record"

    return check
