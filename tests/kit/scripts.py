"""Programs that are no part of a package, loaded as modules: those of docs, bench and web."""

import importlib.util
from pathlib import Path
from types import ModuleType


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
