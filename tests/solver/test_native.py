"""The C++ test programs of tests/native, built with AddressSanitizer and UndefinedBehaviorSanitizer.

Every .cpp file there is one program. It runs with the argument "short" in `make test` and "long" in
`make test-all`. A line `// sanitizer: thread` asks for ThreadSanitizer, `// sanitizer: none` for none, and
then optimised.

The same programs are built by Clang, and for arm64, whose programs run in an emulator.
"""

import atexit
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nanobind
import pytest

from kit.places import ROOT

BINDINGS = ROOT / "native" / "python"
PROGRAMS = sorted((ROOT / "tests" / "native").glob("*.cpp"))
# native/web is built for browsers only (make engine), where headers of WebAssembly are.
SOURCES = sorted(path for path in (ROOT / "native").rglob("*.cpp") if path.parent.name != "web")
# psabi only notes that older compilers passed vectors differently.
FLAGS = ["-std=gnu++20", "-pthread", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{ROOT / 'native'}"]
SANITIZERS = {
    "address": ["-Og", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "thread": ["-O1", "-g1", "-fsanitize=thread"],
    "none": ["-O2"],
}
OLDEST_CLANG, NEWEST_CLANG = 16, 30
BUILT = ROOT / "build" / "native"
# What says with which words a compiler is called.
CALLS = (Path(__file__), ROOT / "CMakeLists.txt")


def telling(made: Path) -> list[str]:
    """Words that let a compiler write down what it read."""
    return ["-MD", "-MF", f"{made}.d"]


def is_newer(made: Path) -> bool:
    """Than all that a compiler read for it, headers of the system too, and than what says how to call it."""
    told = made.with_name(f"{made.name}.d")
    if not made.exists() or not told.exists():
        return False
    read = [Path(name) for name in told.read_text().partition(":")[2].replace("\\\n", " ").split()]
    age = made.stat().st_mtime
    return all(path.exists() and path.stat().st_mtime < age for path in (*read, *CALLS))


@dataclass(frozen=True)
class Way:
    """A compiler, and how what it builds is run."""

    name: str
    compiler: str | None
    package: str
    flags: tuple[str, ...] = ()
    is_sanitized: bool = False
    runner: str | None = None

    def built(self, source: Path) -> Path:
        """Compile, unless the program is newer than all that it was made of."""
        program = BUILT / self.name / source.stem
        if not is_newer(program):
            program.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text()
            sanitizer = re.search(r"^// sanitizer: (.*)$", text, re.MULTILINE)
            wanted = (sanitizer[1] if sanitizer else "address") if self.is_sanitized else "none"
            self.compile(*SANITIZERS[wanted], *telling(program), str(source), "-o", str(program))
        return program

    def compile(self, *words: str) -> None:
        if self.compiler is None or shutil.which(self.compiler) is None:
            pytest.skip(f"apt-get install {self.package}")
        command = [self.compiler, *FLAGS, *self.flags, *words]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr

    def check(self, source: Path, length: str) -> None:
        command = [str(self.built(source)), length]
        if self.runner is not None:
            if shutil.which(self.runner) is None:
                pytest.skip("an emulator is missing: apt-get install qemu-user-static")
            command.insert(0, self.runner)
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


def clang() -> str | None:
    """The newest Clang, if it is new enough."""
    named = [f"clang++-{version}" for version in range(NEWEST_CLANG, OLDEST_CLANG - 1, -1)]
    if (plain := shutil.which("clang++")) is not None:
        version = subprocess.check_output([plain, "-dumpversion"], text=True)
        named += [plain] if int(version.partition(".")[0]) >= OLDEST_CLANG else []
    return next(filter(shutil.which, named), None)


SANITIZED = Way("sanitized", os.environ.get("CXX", "g++"), "g++", is_sanitized=True)
# libstdc++ 12 uses in stable_sort what it calls deprecated; only Clang minds.
CLANG = Way("clang", clang(), "clang-19", ("-Wno-deprecated-declarations",))
ARM = Way(
    "arm64", "aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu", ("-static",), runner="qemu-aarch64-static"
)


def name_of(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("source", PROGRAMS, ids=name_of)
def test_short(source: Path) -> None:
    SANITIZED.check(source, "short")


@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=name_of)
def test_long(source: Path) -> None:
    SANITIZED.check(source, "long")


def quick_for_clang(source: Path) -> bool:
    """The programs that between them use every vector and every word."""
    return source.stem in ("board", "solver")


@pytest.mark.parametrize("source", [p for p in PROGRAMS if quick_for_clang(p)], ids=name_of)
def test_clang(source: Path) -> None:
    CLANG.check(source, "short")


@pytest.mark.slow
@pytest.mark.parametrize("source", [p for p in PROGRAMS if not quick_for_clang(p)], ids=name_of)
def test_clang_too(source: Path) -> None:
    CLANG.check(source, "short")


@functools.cache
def as_clang_is_called() -> dict[str, list[str]]:
    """The words with which CMakeLists.txt calls Clang for each source, where a wheel is built."""
    if CLANG.compiler is None:
        pytest.skip(f"apt-get install {CLANG.package}")
    given = {
        "CMAKE_CXX_COMPILER": CLANG.compiler,
        "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
        "CLAIMEVEN_WERROR": "ON",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": nanobind.cmake_dir(),
    }
    tools = Path(sys.executable).parent  # CMake and Ninja come from pip
    words = [f"-D{name}={value}" for name, value in given.items()]
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        command = [str(tools / "cmake"), "-G", "Ninja", "-S", str(ROOT), "-B", folder, *words]
        subprocess.run(command, check=True, capture_output=True, env=environment)
        commands = json.loads((Path(folder) / "compile_commands.json").read_text())
    return {entry["file"]: shlex.split(entry["command"]) for entry in commands}


@functools.cache
def with_bindings() -> Path:
    """What every binding reads first, read once: with nanobind it is more than most have themselves."""
    made = Path(tempfile.mkdtemp()) / "bind.pch"
    atexit.register(shutil.rmtree, made.parent)
    words = list(as_clang_is_called()[str(BINDINGS / "bind.cpp")])
    words[words.index("-o") :] = ["-x", "c++-header", str(BINDINGS / "bind.hpp"), "-o", str(made)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return made


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_clang_reads_every_source(source: Path) -> None:
    """Unless nothing has changed of what it read the last time that it was content."""
    content = BUILT / "clang" / f"{source.stem}.read"
    if is_newer(content):
        return
    words = list(as_clang_is_called()[str(source)])
    content.parent.mkdir(parents=True, exist_ok=True)
    known = ["-include-pch", str(with_bindings())] if source.parent == BINDINGS else []
    words[words.index("-o") : words.index("-o") + 2] = ["-fsyntax-only", *known, *telling(content)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    content.touch()


@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=name_of)
def test_arm64(source: Path) -> None:
    ARM.check(source, "short")
