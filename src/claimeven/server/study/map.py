"""The map on the page: the whole of it as a picture, and a place with what is played there and why."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from claimeven import notation
from claimeven.map import Map, Place
from claimeven.map.argued.shown import answer as reached
from claimeven.map.argued.shown import seen
from claimeven.map.atlas import FIRST, STARTS, shipped, shipped_whys
from claimeven.map.course import course
from claimeven.map.file import about
from claimeven.map.picture import picture
from claimeven.map.reason import WHYS
from claimeven.map.stones import Stones, canonical
from claimeven.map.told import Told, answered, told
from claimeven.position import Cell, Position
from claimeven.server.doors.documented import answers
from claimeven.server.errors import readable
from claimeven.server.messages import Spot
from claimeven.server.study import view
from claimeven.server.study.analysis import Language
from claimeven.server.study.answers import MapPicture, MapPlace, MapPlan, MapReply
from claimeven.server.study.desk import Work, answer
from claimeven.server.study.shapes import Played

router = APIRouter(prefix="/map")

# The moves before the map that is asked for: none is the first player's.
Start = Annotated[str, Query(max_length=1, pattern=f"^({'|'.join(STARTS)})$")]


@cache
def _map(start: str) -> tuple[Map, dict[Stones, int], list[tuple[int, int, str]]]:
    """A map of the package, read when somebody first asks for it."""
    found = shipped(start)
    return found, *picture(found, shipped_whys(start))


@router.get("", responses=answers(MapPicture))
async def whole(request: Request, start: Start = FIRST) -> Response:
    """Every node: its parent, the kind of its reason, the columns from there."""

    def work(_mine: Work) -> MapPicture:
        found, _, nodes = _map(start)
        counts = about(found)
        return MapPicture(
            size=str(found.board),
            side=found.side + 1,
            goal=found.goal,
            places=len(found.nodes),
            ends=len(found.leaves),
            plans=int(str(counts["plans"])),
            whys=WHYS,
            back=tuple(0 if parent < 0 else number - parent for number, (parent, _, _) in enumerate(nodes)),
            marks=tuple(why for _, why, _ in nodes),
            steps=tuple(steps for _, _, steps in nodes),
        )

    return await answer(request, ("map", start), work)


@router.get("/place", responses=answers(MapPlace))
async def place(
    request: Request,
    moves: Annotated[str, Query(max_length=42, pattern="^[1-7]*$")] = "",
    language: Language = "en",
    start: Start = FIRST,
) -> Response:
    """A position on the map: every reply with its answer, and the plan that is followed, in words."""
    with readable():
        Position.parse(moves)  # a column may be full

    def work(_mine: Work) -> MapPlace:
        return _place(moves, language, start)

    return await answer(request, ("map", start, moves, language), work)


def _place(moves: str, language: str, start: str) -> MapPlace:
    found, numbers, _ = _map(start)
    position = Position.parse(moves, found.board)
    at = seen(found, position)
    said = told(found, position)
    is_theirs = position.side != found.side and not position.is_over
    return MapPlace(
        state=view.state(position),
        kind=said.kind,
        column=None if at is None or not at.cell else found.board.column_of(at.cell) + 1,
        node=None if at is None else numbers.get(canonical(found.board, at.leaf or at.stones)[0]),
        why=said.why,
        move="" if said.kind in ("node", "plan") else " ".join(said.move(language)),
        idea=said.idea(language),
        acts=(tuple(said.now(language)), tuple(said.filled(language)), tuple(said.ending(language))),
        how=tuple(said.plan(language)),
        numbers=tuple(said.numbers(language)),
        rest=tuple(said.rest(language)),
        line=_line(position, said),
        safe=said.safe,
        left=_spots(x for x, *_ in said.left),
        shown=tuple(said.shown(language)),
        fours=tuple(_spots(cells) for cells in said.drawn),
        threes=tuple(_spots(three.cells) for three in said.dotted),
        rivals=tuple(_spots(three.cells) for _, three in said.rivals),
        poison=_spots(said.poison),
        plan=None if at is None else _plan(found, at, said),
        replies=_replies(found, at, position, said, language) if at is not None and is_theirs else (),
    )


def _line(position: Position, said: Told) -> tuple[Played, ...]:
    """A long game in which the plan is followed, the opponent to move."""
    cells = (Cell(*notation.parse_cell(disc.cell)) for disc in said.game)
    return view.line(position, (cell.column for cell in cells))


def _spots(names: Iterable[str]) -> tuple[Spot, ...]:
    return view.spots(Cell(*notation.parse_cell(name)) for name in names)


def _plan(found: Map, at: Place, said: Told) -> MapPlan | None:
    plan, board = at.plan, found.board
    if plan is None:
        return None

    def spot(cell: int) -> Spot:
        return view.spot(board.cell_of(1 << cell))

    played = course(board, at.stones, plan)
    return MapPlan(
        urgent=tuple(map(spot, played.plan.urgent)),
        exceptions=tuple(
            (spot(x), tuple(map(spot, cells)))
            for x, cells in played.plan.answers.items()
            if 1 << x + 1 & board.full
        ),
        spare=tuple(map(spot, played.plan.spare)),
        keys=_spots(said.deciding),
        shut=_spots(said.shut),
    )


def _replies(found: Map, at: Place, position: Position, about: Told, language: str) -> tuple[MapReply, ...]:
    """Every column of the opponent, with the answer and where that leads."""
    _, numbers, nodes = _map(found.start)
    board, rows = found.board, []
    for x in at.stones.replies(board):
        y = reached(found, at, x)
        said = answered(found, Place(at.stones, at.plan, at.leaf, y), x)
        after = Stones(at.stones.theirs | x, at.stones.mask | x | y)
        number = None if at.plan is not None else numbers.get(canonical(board, after)[0])
        why = nodes[number][1] if number is not None else -1
        columns = (board.column_of(x), board.column_of(y))
        rows.append(
            MapReply(
                column=columns[0] + 1,
                answer=columns[1] + 1,
                moves=f"{position.moves}{notation.moves_text(columns)}",
                wins=said.kind == "win",
                node=number,
                loses=about.is_quick or said.x in about.lost,
                why=None if why < 0 else WHYS[why],
                said=" ".join(said.move(language)),
            )
        )
    return tuple(rows)
