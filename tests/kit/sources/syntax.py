"""Our own sources as syntax trees."""

import ast
import gc
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    return parsed_text(path.read_text())


def parsed_text(text: str) -> ast.Module:
    """Without the collector: a finalizer that it runs meanwhile makes Python 3.11 fail with SystemError."""
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        gc.enable()
