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
# Those of these files look for something in sentences that we have made ourselves; all others read what
# people, files, addresses and foreign libraries say. A new one belongs here.
READS_OUR_SENTENCES: tuple[str, ...] = ()
LAST_TESTS = ROOT / "build" / "tests.xml"  # `make test` writes it
LAST_COVERAGE = ROOT / "build" / "coverage.json"  # `make coverage` does


class Figures(NamedTuple):
    open: dict[str, Counter[str]]  # dictionaries of anything, by how they are written, and by room
    rings: list[list[str]]  # of modules inside a room, also behind TYPE_CHECKING and inside functions
    upwards: list[str]  # imports against the floors that are no allowed exception
    expressions: dict[str, int]  # regular expressions by file, in src and web/src
    folders: Counter[str]  # files of code
    lines: Counter[str]


def counted() -> Figures:
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in _files()}
    ours = {name: text for name, text in texts.items() if name.startswith("src/") and name.endswith(".py")}
    expressions = {name: len(IN_PYTHON.findall(text)) for name, text in ours.items()}
    for name, text in texts.items():
        if name.startswith("web/src/") and ".test." not in name:
            expressions[name] = len(IN_THE_PAGE.findall(text))
    rings = [floors.ring(floors.PACKAGE, room) for room in floors.rooms_with_folders()]
    return Figures(
        open=open_dictionaries(floors.PACKAGE),
        rings=[ring for ring in rings if ring],
        upwards=floors.violations(floors.PACKAGE),
        expressions=expressions,
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
    print("rings of imports inside rooms:", "; ".join(map(" → ".join, found.rings)) or "none")
    print("imports against the floors:", "; ".join(found.upwards) or "none, but for what is allowed:")
    print("  upwards:", ", ".join(sorted(f"{room} → {other}" for room, other in floors.EXCEPTIONS)))
    print("  from outside:", ", ".join(sorted(f"{room} → {other}" for room, other in floors.OUTSIDE)))
    print("regular expressions in src and web/src:", sum(found.expressions.values()))
    over = {name: found.expressions[name] for name in READS_OUR_SENTENCES if found.expressions.get(name)}
    print("  over our own sentences:", ", ".join(f"{n} {name}" for name, n in over.items()) or "none")
    for what, numbers in (("files in the fullest folders", found.folders), ("lines of files", found.lines)):
        print(f"{what}:", ", ".join(f"{n} {path}" for path, n in numbers.most_common(8)))
    print("the last make test:", _tests())
    print("the last make coverage:", _coverage())


if __name__ == "__main__":
    main()
