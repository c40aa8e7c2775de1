"""The C++ test programs of tests/native, built with AddressSanitizer and UndefinedBehaviorSanitizer.

Every .cpp file there is one program. It runs with the argument "short" in `make test` and "long" in
`make test-all`. A line `// links: native/x.cpp native/y.cpp` names what to compile with it; a line
`// sanitizer: thread` asks for ThreadSanitizer, `// sanitizer: none` for none, and then optimised.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAMS = sorted((ROOT / "tests" / "native").glob("*.cpp"))
# psabi only notes that older compilers passed vectors differently.
FLAGS = ["-std=gnu++20", "-pthread", "-Wall", "-Wextra", "-Werror", "-Wno-psabi"]
SANITIZERS = {
    "address": ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "thread": ["-O1", "-g", "-fsanitize=thread"],
    "none": ["-O2"],
}


def built(source: Path) -> Path:
    """Compile, unless the program is newer than every native source."""
    program = ROOT / "build" / "sanitized" / source.stem
    sources = [*(ROOT / "native").iterdir(), *source.parent.iterdir()]
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        compiler = os.environ.get("CXX", "g++")
        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is missing: apt-get install g++")
        program.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text()
        links = re.findall(r"^// links: (.*)$", text, re.MULTILINE)
        sanitizer = re.search(r"^// sanitizer: (.*)$", text, re.MULTILINE)
        flags = [*FLAGS, *SANITIZERS[sanitizer[1] if sanitizer else "address"]]
        inputs = [source, *(ROOT / name for line in links for name in line.split())]
        command = [compiler, *flags, *map(str, inputs), "-o", str(program)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    return program


def check(source: Path, length: str) -> None:
    command = [str(built(source)), length]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_short(source: Path) -> None:
    check(source, "short")


@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_long(source: Path) -> None:
    check(source, "long")
