"""Which positions a parity theorem alone decides as they stand, many at once."""

from collections.abc import Sequence

from claimeven.position import Board, Position
from claimeven.reasons.planned.certificates import certify
from claimeven.reasons.planned.plan import Theorem
from claimeven.runner import Progress, run

AT_ONCE = 100  # positions of one task


def closed_by(
    board: Board,
    positions: Sequence[tuple[int, int]],
    *,
    draw_is_enough: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Theorem | None]:
    """Of positions, each the stones of the side to move and all stones, the theorem by which that side loses
    (or, if a draw is enough, does not win); None where none says so."""
    items = [(str(board), mine, mask, draw_is_enough) for mine, mask in positions]
    return list(run(_closed_by, items, workers=workers, per_shard=AT_ONCE, progress=progress))


def _closed_by(item: tuple[str, int, int, bool], _seed: int) -> Theorem | None:
    board, mine, mask, draw_is_enough = item
    found = certify(Position(Board.parse(board), mine, mask))
    return found.theorem if found is not None and found.bound < int(draw_is_enough) else None
