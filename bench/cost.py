"""What each test costs the processor, with all that it starts: python -m pytest -p bench.cost -n2 tests/web

Seconds of a clock say little on a machine that others use. Each process of the tests gets a control group of
its own, in which all that it starts remains: compilers, servers, browsers. It needs root, and Linux with
control groups of version 2.
"""

import contextlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

MOUNTED = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
LOG = "CLAIMEVEN_COST"  # the variable with the file that all processes write to
DEAREST = 30


def pytest_configure(config: pytest.Config) -> None:
    root = next(path for path in MOUNTED if (path / "cgroup.procs").exists())
    if LOG not in os.environ:  # the workers find it there
        with tempfile.NamedTemporaryFile(prefix="cost-", suffix=".jsonl", delete=False) as log:
            os.environ[LOG] = log.name
    config.pluginmanager.register(Cost(root))


class Cost:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._group = root / f"claimeven-tests-{os.getpid()}"
        self._group.mkdir()
        self._enter(self._group)

    def _enter(self, group: Path) -> None:
        (group / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def _seconds(self) -> float:
        return int((self._group / "cpu.stat").read_text().split()[1]) / 1e6

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = self._seconds
        result = yield
        self._write(item.nodeid, self._seconds - before)
        return result

    def pytest_collection_finish(self) -> None:
        self._write("", self._seconds)

    def _write(self, test: str, seconds: float) -> None:
        with open(os.environ[LOG], "a") as log:
            log.write(json.dumps([test, seconds]) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Only where the results of all processes come together."""
        rows = [json.loads(line) for line in Path(os.environ[LOG]).read_text().splitlines()]
        tests, folders = Counter[str](), Counter[str]()
        for test, seconds in rows:
            folder = test.split("/")[1] if test else "collecting"
            tests[test or folder] += seconds
            folders[folder] += seconds
        terminalreporter.section(f"{sum(folders.values()):.1f} processor seconds")
        for counted in (folders.most_common(), tests.most_common(DEAREST)):
            terminalreporter.line("\n".join(f"{seconds:8.2f}  {name}" for name, seconds in counted))

    def pytest_unconfigure(self) -> None:
        self._enter(self._root)
        with contextlib.suppress(OSError):  # something that a test started is still there
            self._group.rmdir()
