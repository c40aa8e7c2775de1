"""The C++ test programs of tests/native, built with AddressSanitizer and UndefinedBehaviorSanitizer.

Every .cpp file there is one program. It runs with the argument "short" in `make test` and "long" in
`make test-all`. A line `// sanitizer: thread` asks for ThreadSanitizer, `// sanitizer: none` for none, and
then optimised.

The same programs are built by Clang, and for arm64, whose programs run in an emulator.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import nanobind
import pytest

from kit.places import ROOT

PROGRAMS = sorted((ROOT / "tests" / "native").glob("*.cpp"))
SOURCES = sorted((ROOT / "native").glob("*/*.cpp"))
# psabi only notes that older compilers passed vectors differently.
FLAGS = ["-std=gnu++20", "-pthread", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{ROOT / 'native'}"]
SANITIZERS = {
    "address": ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "thread": ["-O1", "-g", "-fsanitize=thread"],
    "none": ["-O2"],
}
OLDEST_CLANG, NEWEST_CLANG = 16, 30


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
        """Compile, unless the program is newer than every native source."""
        program = ROOT / "build" / "native" / self.name / source.stem
        sources = [*(ROOT / "native").glob("*/*"), *source.parent.iterdir()]
        if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in sources):
            program.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text()
            sanitizer = re.search(r"^// sanitizer: (.*)$", text, re.MULTILINE)
            wanted = (sanitizer[1] if sanitizer else "address") if self.is_sanitized else "none"
            self.compile(*SANITIZERS[wanted], str(source), "-o", str(program))
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


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_clang_reads_every_source(source: Path) -> None:
    includes = [sysconfig.get_path("include"), nanobind.include_dir()]
    definition = "-DCLAIMEVEN_MODULE=_core"
    systems = [word for folder in includes for word in ("-isystem", folder)]
    CLANG.compile("-fsyntax-only", definition, *systems, str(source))


@pytest.mark.slow
@pytest.mark.parametrize("source", PROGRAMS, ids=name_of)
def test_arm64(source: Path) -> None:
    ARM.check(source, "short")
