"""Where the native engine lies: a C library for this system's programs, built with the package."""

from importlib.util import find_spec
from pathlib import Path

from claimeven.errors import InputError


def engine_library() -> bytes:
    """The bytes of the library, for Linux on x86-64."""
    core = find_spec("claimeven._core")  # the build puts both into one folder
    # Not called .so: it would look like a module of Python.
    path = Path(str(core and core.origin)).parent / "export" / "engine.elf"
    if not path.is_file():
        raise InputError("export.no_engine")
    return path.read_bytes()
