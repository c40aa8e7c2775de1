"""Figures of the house itself: python bench/house.py

Open dictionaries, rings of imports, regular expressions, the fullest folders, the longest files, the last
`make test` and `make coverage`. ARCHITECTURE.md keeps the last ones; test_project.py and test_floors.py hold
them.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from kit.sources import floors  # noqa: E402
from kit.sources.dictionaries import open_dictionaries  # noqa: E402

CODE = {".py", ".hpp", ".cpp", ".ts", ".js", ".mjs", ".svelte"}
FOLDERS = ("src", "native", "tests", "bench", "fuzz", "deploy", "web")
IN_PYTHON = re.compile(r"\bre\.(?:compile|sub|subn|match|fullmatch|search|split|findall|finditer)\(")
IN_THE_PAGE = re.compile(
    r"(?:(?<=[=(,:!&|?\[])|(?<=return)) ?/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\n\\\[])+/[dgimsuvy]*"
    r"|\bnew RegExp\("
)
# What stands around every name in a sentence for the page (`notation.BEGIN`, `END`). Who reads these reads
# our own sentences, not their words; expressions read what people, files, addresses and libraries say.
MARKS = re.compile(r"0x206[89]|\\u206[89]|[\u2068\u2069]")
LAST_TESTS = ROOT / "build" / "tests.xml"  # `make test` writes it
LAST_COVERAGE = ROOT / "build" / "coverage.json"  # `make coverage` does


class Figures(NamedTuple):
    open: dict[str, Counter[str]]  # dictionaries of anything, by how they are written, and by room
    rings: list[list[str]]  # of modules, also behind TYPE_CHECKING and inside functions
    upwards: list[str]  # imports against the floors that are no allowed exception
    expressions: dict[str, int]  # regular expressions by file, in src and web/src
    marks: list[str]  # files of the page that know the marks of names in sentences
    folders: Counter[str]  # files of code
    lines: Counter[str]


def counted() -> Figures:
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in _files()}
    ours = {name: text for name, text in texts.items() if name.startswith("src/") and name.endswith(".py")}
    expressions = {name: len(IN_PYTHON.findall(text)) for name, text in ours.items()}
    page = {
        name: text for name, text in texts.items() if name.startswith("web/src/") and ".test." not in name
    }
    expressions |= {name: len(IN_THE_PAGE.findall(text)) for name, text in page.items()}
    return Figures(
        open=open_dictionaries(floors.PACKAGE),
        rings=floors.rings(floors.PACKAGE),
        upwards=floors.violations(floors.PACKAGE),
        expressions=expressions,
        marks=[name for name, text in page.items() if MARKS.search(text)],
        folders=Counter(str(Path(name).parent) for name in texts if not Path(name).name.startswith("__")),
        lines=Counter({name: text.count("\n") for name, text in texts.items()}),
    )


def _files() -> list[str]:
    """Also those that git does not know yet; not those that it is told to ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in listed if Path(name).suffix in CODE and (ROOT / name).exists()]


def _tests() -> str:
    if not LAST_TESTS.exists():
        return "not recorded here; `make test` does"
    suite = next(ET.parse(LAST_TESTS).iter("testsuite")).attrib
    minutes, seconds = divmod(round(float(suite["time"])), 60)
    wrong = int(suite["failures"]) + int(suite["errors"])
    return f"{suite['tests']} tests, {wrong} failed, in {minutes}:{seconds:02} ({suite['timestamp'][:10]})"


def _coverage() -> str:
    if not LAST_COVERAGE.exists():
        return "not recorded here; `make coverage` does"
    found = json.loads(LAST_COVERAGE.read_text())
    totals, when = found["totals"], found["meta"]["timestamp"][:10]
    covered, lines = totals["covered_lines"], totals["num_statements"]
    return f"{covered / lines:.1%}, {covered:,} of {lines:,} lines of Python in src ({when})"


def main() -> None:
    found = counted()
    total = sum(rooms.total() for rooms in found.open.values())
    print(f"open dictionaries in src, {total} in all ways of writing them:")
    for kind, rooms in sorted(found.open.items()):
        print(f"  {kind}: {rooms.total()} ({', '.join(f'{n} {room}' for room, n in rooms.most_common())})")
    print("rings of imports:", "; ".join(map(" ↔ ".join, found.rings)) or "none")
    print("imports against the floors:", "; ".join(found.upwards) or "none, but for what is allowed:")
    print("  from outside:", ", ".join(sorted(f"{room} → {other}" for room, other in floors.OUTSIDE)))
    print("regular expressions in src and web/src:", sum(found.expressions.values()))
    print("marks of names in our own sentences are read in:", ", ".join(found.marks))
    for what, numbers in (("files in the fullest folders", found.folders), ("lines of files", found.lines)):
        print(f"{what}:", ", ".join(f"{n} {path}" for path, n in numbers.most_common(8)))
    print("the last make test:", _tests())
    print("the last make coverage:", _coverage())


if __name__ == "__main__":
    main()
