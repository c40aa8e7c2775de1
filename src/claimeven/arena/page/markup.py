"""Sections and tables of the report."""

import re
from collections.abc import Sequence
from html import escape

GROW = '<div class="grow"></div>'  # the head of a column that takes the width that is left


def section(title: str, about: str, content: str) -> str:
    return f'<section><h2>{escape(title)}</h2><p class="soft">{about}</p>{content}</section>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Cells are HTML already; the first one of a row names it."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(
        f'<tr><td class="name">{row[0]}</td>' + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table class="{kind}"><tr>{top}</tr>{body}</table></div>'


def spec(name: str) -> str:
    """The name of an agent; a long one may be broken where its parts end.

    >>> spec("mcts:tt,lgr=2")
    'mcts:<wbr>tt,<wbr>lgr=<wbr>2'
    """
    return re.sub(r"([:,=/])", r"\1<wbr>", escape(name))
