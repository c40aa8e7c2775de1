"""What must hold between the moves of a line and the notes and variations that belong to it."""

from collections.abc import Iterator, Sequence

from claimeven import notation
from claimeven.errors import InputError, MoveError, RecordError
from claimeven.game.record import MAX_DEPTH, MAX_VARIATIONS, Pie, Record, Variation
from claimeven.position import Position

PIE_PLY = 1  # stones on the board when sides may be swapped
Path = tuple[int, ...]  # the plies of the variations that lead to a line, the outermost first


def replay(position: Position, moves: str, path: Path = ()) -> Iterator[tuple[int, Position]]:
    for place, column in enumerate(notation.parse_moves(moves, position.board.columns), start=1):
        try:
            position = position.play(column)
        except MoveError as error:
            error = error.wrapped("move_of", at_move=place, whole=notation.quote(moves))
            raise _within(path, error) if path else error.wrapped("in_moves") from None
        yield column, position


def check_pie(pie: Pie, start: Position, ply: int) -> None:
    """A game with the pie rule must have its first disc to come, or to be taken; `ply`: how far it came."""
    if pie != "no" and start.ply > PIE_PLY:
        raise RecordError("record.pie_start", stones=start.ply)
    if pie == "swapped" and ply < PIE_PLY:
        raise RecordError("record.pie_disc")


def check_annotations(line: Record | Variation, positions: list[Position], path: Path = ()) -> None:
    """Check that notes and variations belong to moves of this line, and that the variations are legal."""
    first, last = positions[0].ply, positions[-1].ply
    seen = set()
    for note in line.notes:
        if not first <= note.ply <= last:
            raise _within(path, RecordError("record.note_ply", ply=note.ply, first=first, last=last))
        if note.ply in seen:
            raise _within(path, RecordError("record.two_notes", ply=note.ply))
        if note.ply == first and note.nag:
            raise _within(path, RecordError("record.nag", ply=note.ply))
        seen.add(note.ply)
    if line.variations and len(path) == MAX_DEPTH:
        raise RecordError("record.depth", most=MAX_DEPTH)
    for variation in line.variations:
        if not first < variation.ply <= last:
            error = RecordError("record.variation_ply", ply=variation.ply, first=first + 1, last=last)
            raise _within(path, error)
        if not variation.moves:
            raise _within(path, RecordError("record.no_moves", ply=variation.ply))
        here = (*path, variation.ply)
        before = positions[variation.ply - 1 - first]
        branch = [before, *(position for _, position in replay(before, variation.moves, here))]
        check_annotations(variation, branch, here)


def _within(path: Path, error: InputError) -> InputError:
    for ply in reversed(path):
        error = error.wrapped("in_variation", ply=ply)
    return error


def check_count(variations: Sequence[Variation]) -> None:
    count, waiting = 0, list(variations)
    while waiting:
        count += 1
        waiting.extend(waiting.pop().variations)
    if count > MAX_VARIATIONS:
        raise RecordError("record.variations", n=count, most=MAX_VARIATIONS)
