"""What must hold between the moves of a line and the notes and variations that belong to it."""

from collections.abc import Iterator, Sequence

from claimeven import notation
from claimeven.errors import MoveError, RecordError
from claimeven.game.record import MAX_DEPTH, MAX_VARIATIONS, Record, Variation
from claimeven.position import Position


def replay(position: Position, moves: str, where: str) -> Iterator[tuple[int, Position]]:
    for place, column in enumerate(notation.parse_moves(moves, position.board.columns), start=1):
        try:
            position = position.play(column)
        except MoveError as error:
            raise MoveError(f"{where}, move {place} of {notation.quote(moves)}: {error}") from None
        yield column, position


def check_annotations(
    line: Record | Variation, positions: list[Position], where: str = "", depth: int = 0
) -> None:
    """Check that notes and variations belong to moves of this line, and that the variations are legal."""
    first, last = positions[0].ply, positions[-1].ply
    seen = set()
    for note in line.notes:
        if not first <= note.ply <= last:
            raise RecordError(f"{where}note of ply {note.ply}: the moves make the plies {first} to {last}")
        if note.ply in seen:
            raise RecordError(f"{where}two notes of ply {note.ply}")
        if note.ply == first and note.nag:
            raise RecordError(f"{where}note of ply {note.ply}: a nag judges a move, and none was made yet")
        seen.add(note.ply)
    if line.variations and depth == MAX_DEPTH:
        raise RecordError(f"more than {MAX_DEPTH} variations inside each other")
    for variation in line.variations:
        here = f"{where}variation of ply {variation.ply}"
        if not first < variation.ply <= last:
            raise RecordError(f"{here}: the moves make the plies {first + 1} to {last}")
        if not variation.moves:
            raise RecordError(f"{here}: no moves")
        before = positions[variation.ply - 1 - first]
        branch = [before, *(position for _, position in replay(before, variation.moves, here))]
        check_annotations(variation, branch, f"{here}, ", depth + 1)


def check_count(variations: Sequence[Variation]) -> None:
    count, waiting = 0, list(variations)
    while waiting:
        count += 1
        waiting.extend(waiting.pop().variations)
    if count > MAX_VARIATIONS:
        raise RecordError(f"{count} variations, at most {MAX_VARIATIONS} are kept in one game")
