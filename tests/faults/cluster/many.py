"""Many storms side by side, each in a process of its own, for so many seconds.

    python tests/faults/cluster/many.py --storms 12 --seconds 1200 --seed 600001 --out FOLDER

In the folder: `storm.txt` has a line for each round, `sum.txt` the sum of all so far, `rounds.jsonl` the
counts of each, `broken.tar.gz` what is left of rounds with broken promises. The exit code is 1 if there were
any. Other options go on to run.py.
"""

import argparse
import json
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

RUN = Path(__file__).with_name("run.py")
APART = 1_000  # between the seeds of two storms
LAST_SECONDS = 75  # for the rounds under way at the end; those that are not over then are not counted
LARGEST = 4 << 20  # bytes of one file that is kept
SHOWN = ("games", "moves stored", "moves acknowledged")


class Results:
    """Of all storms, as they come in."""

    def __init__(self, out: Path, storms: int, commit: str) -> None:
        self.total: Counter[str] = Counter()
        self.broken: list[str] = []
        self._out = out
        self._began = time.monotonic()
        self._storms = storms
        self._commit = commit
        self._read = [0] * storms  # characters of each file

    def look(self, folder: Path) -> None:
        """What is new in the files of the storms."""
        for storm in range(self._storms):
            file = folder / f"{storm}.jsonl"
            text = file.read_text() if file.exists() else ""
            new = text[self._read[storm] : text.rfind("\n") + 1]
            self._read[storm] += len(new)
            for line in new.splitlines():
                self._add(json.loads(line), line)

    def _add(self, one: dict[str, Any], line: str) -> None:
        self.total.update(one["counts"], rounds=1)
        self.broken += [f"seed {one['seed']}: {fault}" for fault in one["broken"]]
        shown = [f"{one['counts'].get(name, 0):,} {name}" for name in SHOWN]
        others = [f"{count} {name}" for name, count in one["counts"].items() if name not in SHOWN]
        words = ", ".join([f"seed {one['seed']}", *shown, *others, f"{len(one['broken'])} broken"])
        for name, text in (("storm.txt", words), ("rounds.jsonl", line)):
            with (self._out / name).open("a") as file:
                file.write(f"{text}\n")
        self.tell()

    def tell(self) -> None:
        lasted = time.monotonic() - self._began
        lines = [f"commit {self._commit}", f"{self._storms} storms, {lasted:.0f} s"]
        lines += [f"{count:>9,}  {name}" for name, count in self.total.items()]
        lines += [f"{len(self.broken)} broken promises", *self.broken[:200]]
        (self._out / "sum.txt").write_text("\n".join(lines) + "\n")


def begin(
    storm: int, folder: Path, options: argparse.Namespace, rest: list[str]
) -> "subprocess.Popen[bytes]":
    seconds = max(1, options.seconds - LAST_SECONDS)
    words = ["--rounds", str(APART), "--seed", str(options.seed + storm * APART), "--seconds", str(seconds)]
    words += ["--results", str(folder / f"{storm}.jsonl"), "--keep", str(folder / "broken"), *rest]
    with (folder / f"{storm}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, RUN, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )


def pack(folder: Path, to: Path) -> None:
    """What is left of broken rounds, and the last words of storms that ended by themselves."""
    with tarfile.open(to, "w:gz") as packed:
        for file in sorted([*folder.glob("broken/*/*"), *folder.glob("*.log")]):
            if file.stat().st_size > LARGEST:
                file.write_bytes(file.read_bytes()[-LARGEST:])
            packed.add(file, file.relative_to(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--storms", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600, help="after which nothing runs any more")
    parser.add_argument("--seed", type=int, default=1, help="of the first storm; each other is 1,000 further")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--commit", type=Path, help="a file that says what is tried")
    options, rest = parser.parse_known_args()
    options.out.mkdir(parents=True, exist_ok=True)
    commit = "unknown" if options.commit is None else " ".join(options.commit.read_text().split())
    results = Results(options.out, options.storms, commit)
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        storms = []
        for number in range(options.storms):
            storms.append(begin(number, folder, options, rest))
            time.sleep(0.5)  # all at once would begin with each other's work
        while time.monotonic() < end and any(storm.poll() is None for storm in storms):
            time.sleep(1)
            results.look(folder)
        late = [storm for storm in storms if storm.poll() is None]
        for storm in late:
            storm.send_signal(signal.SIGINT)  # it ends what it started
        for storm in late:
            storm.wait()
        results.look(folder)
        results.total["rounds given up at the end"] = len(late)
        results.total["storms that failed"] = sum(
            "broken promises" not in (folder / f"{number}.log").read_text()
            for number, storm in enumerate(storms)
            if storm not in late
        )
        results.tell()
        pack(folder, options.out / "broken.tar.gz")
    print((options.out / "sum.txt").read_text())
    return 1 if results.broken else 0


if __name__ == "__main__":
    sys.exit(main())
