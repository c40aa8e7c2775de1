"""Pictures of a position in pixels: PNG for previews of links, GIF for a whole game.

A picture is rows of colour numbers. A disc is drawn as spans, one for each row of pixels; red carries a
ring and yellow a star, so that colour alone never tells them apart.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isqrt

from claimeven.position import Board, Cell, Position

GROUND, PLATE, HOLE, RED, RED_SIGN, YELLOW, YELLOW_SIGN, MARK = range(8)
COLOURS = (
    (246, 244, 238),
    (44, 79, 158),
    (24, 45, 94),
    (198, 40, 40),
    (255, 185, 174),
    (255, 214, 64),
    (138, 106, 0),
    (255, 255, 255),
)
FACES = {"x": (RED, RED_SIGN), "o": (YELLOW, YELLOW_SIGN)}
SMALL, LARGE = 48, 88  # pixels of a cell
PREVIEW = (1200, 630)  # what services that show links expect
LAST_PAUSE = 300  # hundredths of a second
PAUSE = 70

Picture = list[bytearray]


def position_png(position: Position) -> bytes:
    """The position in the middle of a wide picture, for the preview of a link."""
    wide, high = PREVIEW
    board = position.board
    cell = min(LARGE, (high - 40) // (board.rows + 1), (wide - 40) // (board.columns + 1))
    drawn = _board(position, cell)
    left, top = (wide - len(drawn[0])) // 2, (high - len(drawn)) // 2
    picture = [bytearray([GROUND]) * wide for _ in range(high)]
    for y, row in enumerate(drawn):
        picture[top + y][left : left + len(row)] = row
    return _png(picture)


def game_gif(positions: Sequence[Position]) -> bytes:
    """A game, disc by disc, again and again. After the first picture only the cells that change are drawn."""
    first, board = positions[0], positions[0].board
    drawn = _board(first, SMALL)
    parts = [_gif_head(len(drawn[0]), len(drawn)), _gif_part(drawn, 0, 0, PAUSE)]
    for before, after in pairwise(positions):
        (change,) = _cells(board, before.mask ^ after.mask)
        changed = after.four or (change,)
        for cell in changed:
            left, top = _corner(board, cell, SMALL)
            pixels = [bytearray([PLATE]) * SMALL for _ in range(SMALL)]
            _disc(pixels, SMALL // 2, SMALL // 2, SMALL, after.stone(*cell), bool(after.four))
            parts.append(_gif_part(pixels, left, top, PAUSE if cell == changed[-1] else 0))
    parts.append(_gif_part([bytearray([PLATE])], 0, 0, LAST_PAUSE))  # the end stays for a while
    return b"".join([*parts, b";"])


# Drawing ------------------------------------------------------------------------------------------------


def _board(position: Position, cell: int) -> Picture:
    board, edge = position.board, cell // 4
    picture = [
        bytearray([PLATE]) * (board.columns * cell + 2 * edge) for _ in range(board.rows * cell + 2 * edge)
    ]
    four = set(position.four)
    for column in range(board.columns):
        for row in range(board.rows):
            left, top = _corner(board, Cell(column, row), cell)
            stone = position.stone(column, row)
            _disc(picture, left + cell // 2, top + cell // 2, cell, stone, (column, row) in four)
    return picture


def _corner(board: Board, cell: Cell, size: int) -> tuple[int, int]:
    return size // 4 + cell.column * size, size // 4 + (board.rows - 1 - cell.row) * size


def _cells(board: Board, mask: int) -> Iterable[Cell]:
    for column in range(board.columns):
        for row in range(board.rows):
            if mask & board.bit(column, row):
                yield Cell(column, row)


def _disc(picture: Picture, x: int, y: int, cell: int, stone: str | None, is_four: bool) -> None:
    if is_four:
        _circle(picture, x, y, cell * 47 // 100, MARK)
    face, sign = (HOLE, HOLE) if stone is None else FACES[stone]
    _circle(picture, x, y, cell * 41 // 100, face)
    if stone == "x":
        _circle(picture, x, y, cell * 21 // 100, sign)
        _circle(picture, x, y, cell * 14 // 100, face)
    elif stone == "o":
        _star(picture, x, y, cell * 24 // 100, sign)


def _star(picture: Picture, x: int, y: int, radius: int, colour: int) -> None:
    """Four points: within a line from each point to a corner between two of them."""
    inner = radius * 27 // 100
    for down in range(-radius, radius + 1):
        far, point = abs(down), radius - inner
        half = inner * (radius - far) // point if far > inner else radius - point * far // inner
        picture[y + down][x - half : x + half + 1] = bytes([colour]) * (2 * half + 1)


def _circle(picture: Picture, x: int, y: int, radius: int, colour: int) -> None:
    for down in range(-radius, radius + 1):
        half = isqrt(radius * radius - down * down)
        if 0 <= y + down < len(picture):
            left, right = max(0, x - half), min(len(picture[0]), x + half + 1)
            picture[y + down][left:right] = bytes([colour]) * (right - left)


# Writing ------------------------------------------------------------------------------------------------


def _png(picture: Picture) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(picture[0]), len(picture), 8, 3, 0, 0, 0)  # eight bits, a palette
    rows = b"".join(b"\0" + bytes(row) for row in picture)
    palette = bytes(part for colour in COLOURS for part in colour)
    chunks = (chunk(b"IHDR", head), chunk(b"PLTE", palette), chunk(b"IDAT", zlib.compress(rows, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IEND", b"")


def _gif_head(width: int, height: int) -> bytes:
    palette = bytes(part for colour in COLOURS for part in colour)
    for_ever = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF2, 0, 0) + palette + for_ever


def _gif_part(picture: Picture, left: int, top: int, pause: int) -> bytes:
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0, pause, 0, 0)
    place = b"," + struct.pack("<HHHHB", left, top, len(picture[0]), len(picture), 0)
    data = _lzw(b"".join(map(bytes, picture)))
    blocks = (data[at : at + 255] for at in range(0, len(data), 255))
    return control + place + b"\x03" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _lzw(pixels: bytes) -> bytes:
    """As GIF packs pixels of three bits: a table of what came before, begun anew when it is full."""
    clear, end = 8, 9
    bits = width = 0
    out = bytearray()
    table: dict[bytes, int] = {}
    size = 4

    def put(code: int) -> None:
        nonlocal bits, width
        bits |= code << width
        width += size
        while width >= 8:
            out.append(bits & 255)
            bits >>= 8
            width -= 8

    def renew() -> None:
        nonlocal table, size
        put(clear)
        table = {bytes([colour]): colour for colour in range(8)}
        size = 4

    renew()
    run = b""
    for pixel in pixels:
        longer = run + bytes([pixel])
        if longer in table:
            run = longer
            continue
        put(table[run])
        code = len(table) + 2
        table[longer] = code
        if code == 1 << size:
            size += 1
        if code == 4095:
            renew()
        run = bytes([pixel])
    put(table[run])
    put(end)
    if width:
        out.append(bits & 255)
    return bytes(out)
