"""What an isolated agent and its program (host.py) say to each other, a line of JSON each."""

from typing import TypedDict


class Introduction(TypedDict):
    """The first thing said: which agent it is to be."""

    spec: str
    seed: int | None


class Question(TypedDict):
    position: str
    board: str
    seconds: float | None
    nodes: int | None
    depth: int | None


class Introduced(TypedDict):
    name: str


class Answered(TypedDict):
    column: int
    outlooks: list[tuple[int, float]]  # of the columns of which it tells what it expects


class Failed(TypedDict):
    error: str
    ending: str
