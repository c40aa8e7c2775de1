"""A map as a file: docs/map.md describes it, check.py reads it on its own.

    claimeven-map 2
    one line of JSON: board, side, goal, start, column, nodes, leaves, plans
    the rest, packed by zlib: the plans, the most used first, then the nodes in the order of `Map.walk`
    32 bytes: SHA-256 of everything before them

Positions are not written: who walks the map meets them in the same order.
"""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.map.plan import Plan, upright
from claimeven.map.stones import Stones, canonical, questions
from claimeven.map.walk import Map, Node, children
from claimeven.runner import unpacked, write_whole

FIRST = b"claimeven-map 2\n"
MOST_BYTES = 1 << 26  # of plans and nodes: a thousand times those of 7x6
BEFORE = b"claimeven-map 1\n"  # its plans had exceptions alone, one for each x


def about(found: Map) -> dict[str, object]:
    """What a file says of itself."""
    leaves = found.leaves
    return {
        "board": str(found.board),
        "side": found.side,
        "goal": found.goal,
        **({"start": found.start} if found.start else {}),
        "column": found.column,
        "nodes": len(found.nodes),
        "leaves": len(leaves),
        "plans": len({upright(found.board, plan) for plan in leaves.values()}),
    }


def write_map(found: Map, path: Path) -> None:
    write_whole(path, map_bytes(found))


def map_bytes(found: Map) -> bytes:
    board = found.board
    often = Counter(upright(board, plan) for plan in found.leaves.values())
    plans = sorted(often, key=lambda plan: (-often[plan], plan))
    numbers = {plan: number for number, plan in enumerate(plans)}
    body = bytearray(_number(len(plans)))
    for plan in plans:
        pairs = [cell for pair in plan.exceptions for cell in pair]
        for cells in (plan.urgent, pairs, plan.spare):
            body += _number(len(cells)) + bytes(cells)
    for stones, node in found.walk():
        if isinstance(node, Plan):
            plan = upright(board, node)
            body += _number(1 + 2 * numbers[plan] + (plan != node))
        else:
            body.append(0)
            body += bytes(column for _, column, _ in children(board, stones, node))
    data = FIRST + json.dumps(about(found)).encode() + b"\n" + zlib.compress(bytes(body), 9)
    return data + hashlib.sha256(data).digest()


def read_map(path: Path) -> Map:
    """The map of a file; what is no map, or not whole, is an InputError."""
    try:
        data = path.read_bytes()
    except OSError:
        raise InputError("file.missing", name=path) from None
    if not data.startswith((FIRST, BEFORE)) or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise InputError("file.damaged", path=path)
    try:
        return _map_of(data)
    except (
        ValueError,
        LookupError,
        TypeError,
        StopIteration,
        RuntimeError,
    ):  # signed, and yet no map
        raise InputError("file.damaged", path=path) from None


def _map_of(data: bytes) -> Map:
    line, _, packed = data[len(FIRST) : -32].partition(b"\n")
    told = json.loads(line)
    board = Board.parse(told["board"])
    if told["side"] not in (0, 1):
        raise ValueError("of nobody's side")
    found = Map(board, told["side"], told["goal"], told["column"], {}, told.get("start", ""))
    body = iter(unpacked(packed, MOST_BYTES))
    read_plan = _plan if data.startswith(FIRST) else _plan_before
    plans = [read_plan(body) for _ in range(_read(body))]
    waiting = [canonical(board, found.root)[0]]
    while waiting:
        stones = waiting.pop()
        if stones in found.nodes:
            continue
        node = found.nodes[stones] = _node(board, body, plans, stones)
        if isinstance(node, dict):
            waiting.extend(reversed([child for _, _, child in children(board, stones, node)]))
    return found


def _node(board: Board, body: Iterator[int], plans: list[Plan], stones: Stones) -> Node:
    number = _read(body)
    if not number:
        return {board.column_of(x): next(body) for x in questions(board, stones)}
    plan = plans[(number - 1) // 2]
    return plan.mirrored(board) if (number - 1) % 2 else plan


def _plan(body: Iterator[int]) -> Plan:
    urgent, cells, spare = (tuple(next(body) for _ in range(_read(body))) for _ in range(3))
    return Plan(tuple(zip(cells[::2], cells[1::2], strict=True)), urgent, spare)


def _plan_before(body: Iterator[int]) -> Plan:
    return Plan(tuple((next(body), next(body)) for _ in range(_read(body))))


def _number(value: int) -> bytes:
    """Seven bits a byte, the lowest first; every byte but the last has the eighth bit."""
    found = bytearray()
    while value >= 128:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _read(body: Iterator[int]) -> int:
    value = shift = 0
    for byte in body:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    return value
