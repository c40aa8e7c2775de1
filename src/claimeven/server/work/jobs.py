"""A question on its way to whoever has time for it, and what comes back."""

from typing import Any

import msgspec

from claimeven.agents import Choice
from claimeven.board import Board
from claimeven.position import Position
from claimeven.server.cluster.words import Choose, Chosen, Job, Studied

FAILED = 500
_choices: msgspec.msgpack.Decoder[Choice] = msgspec.msgpack.Decoder(Choice)


def choose_of(spec: str, position: Position, seconds: float, is_pie: bool) -> Choose:
    return Choose(spec, str(position.board), position.text, seconds, is_pie)


def position_of(word: Choose) -> Position:
    return Position.parse(word.position, Board.parse(word.board))


def choice_text(choice: Choice) -> bytes:
    return msgspec.msgpack.encode(choice, enc_hook=_plain)


def choice_of(text: bytes) -> Choice:
    return _choices.decode(text)


def failure_of(job: Job) -> Chosen | Studied:
    """Instead of an answer, at once: a clock may run meanwhile."""
    return Chosen(job.id, b"") if isinstance(job.work, Choose) else Studied(job.id, FAILED, b"")


def is_failure(word: Chosen | Studied) -> bool:
    return word in (Chosen(word.id, b""), Studied(word.id, FAILED, b""))


def _plain(value: Any) -> object:
    """Mappings that cannot be changed, and numbers of numpy."""
    return dict(value) if hasattr(value, "keys") else value.item()
