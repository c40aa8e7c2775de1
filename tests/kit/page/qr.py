"""A reader of QR codes, written from the standard and not from the page's writer.

It repairs no errors, but checks that the error correction is right.
"""

# Per version, level M: alignment centres, error correction codewords per block, data codewords of each block.
VERSIONS = {
    1: ([], 10, [16]),
    2: ([6, 18], 16, [28]),
    3: ([6, 22], 26, [44]),
    4: ([6, 26], 18, [32] * 2),
    5: ([6, 30], 24, [43] * 2),
    6: ([6, 34], 16, [27] * 4),
    7: ([6, 22, 38], 18, [31] * 4),
    8: ([6, 24, 42], 22, [38] * 2 + [39] * 2),
    9: ([6, 26, 46], 22, [36] * 3 + [37] * 2),
    10: ([6, 28, 50], 26, [43] * 4 + [44]),
}
MASKS = (
    lambda r, c: (r + c) % 2,
    lambda r, c: r % 2,
    lambda r, c: c % 3,
    lambda r, c: (r + c) % 3,
    lambda r, c: (r // 2 + c // 3) % 2,
    lambda r, c: r * c % 2 + r * c % 3,
    lambda r, c: (r * c % 2 + r * c % 3) % 2,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2,
)


def text_of_qr(dark: set[tuple[int, int]], size: int) -> str:
    """The text of a code, given its dark modules (row, column)."""
    version = (size - 17) // 4
    centres, check_words, data_words = VERSIONS[version]
    level, mask = _format(dark)
    assert level == 0  # M
    fixed = _fixed(size, version, centres)
    bits = [((r, c) in dark) != (MASKS[mask](r, c) == 0) for r, c in _way(size) if (r, c) not in fixed]
    words = [int("".join("01"[bit] for bit in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)]
    blocks = _unwoven(words, data_words, check_words)
    assert all(_is_codeword(data + check, check_words) for data, check in blocks)
    stream = "".join(f"{word:08b}" for data, _ in blocks for word in data)
    assert stream[:4] == "0100"  # bytes
    start = 12 if version < 10 else 20
    length = int(stream[4:start], 2)
    return bytes(int(stream[start + 8 * i : start + 8 * i + 8], 2) for i in range(length)).decode()


def _format(dark: set[tuple[int, int]]) -> tuple[int, int]:
    places = [(8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)] + [(r, 8) for r in (7, 5, 4, 3, 2, 1, 0)]
    bits = int("".join("01"[place in dark] for place in places), 2) ^ 0b101010000010010
    return bits >> 13, bits >> 10 & 7


def _fixed(size: int, version: int, centres: list[int]) -> set[tuple[int, int]]:
    fixed = {(r, c) for r in range(9) for c in range(9)}
    fixed |= {(r, c) for r in range(9) for c in range(size - 8, size)}
    fixed |= {(c, r) for r, c in fixed}
    fixed |= {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    for r in centres:
        for c in centres:
            if (r, c) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):
                fixed |= {(r + y, c + x) for y in range(-2, 3) for x in range(-2, 3)}
    if version >= 7:
        corner = {(r, c) for r in range(6) for c in range(size - 11, size - 8)}
        fixed |= corner | {(c, r) for r, c in corner}
    return fixed


def _way(size: int) -> list[tuple[int, int]]:
    """Pairs of columns from the right, upwards first; the column of the timing pattern is left out."""
    way = []
    rights = [*range(size - 1, 6, -2), 5, 3, 1]
    for index, right in enumerate(rights):
        rows = range(size - 1, -1, -1) if index % 2 == 0 else range(size)
        way += [(r, c) for r in rows for c in (right, right - 1)]
    return way


def _unwoven(words: list[int], data_words: list[int], check_words: int) -> list[tuple[list[int], list[int]]]:
    stream = iter(words)
    data: list[list[int]] = [[] for _ in data_words]
    for i in range(max(data_words)):
        for block, length in zip(data, data_words, strict=True):
            if i < length:
                block.append(next(stream))
    check: list[list[int]] = [[] for _ in data_words]
    for _ in range(check_words):
        for block in check:
            block.append(next(stream))
    return list(zip(data, check, strict=True))


def _is_codeword(words: list[int], check_words: int) -> bool:
    """Whether the polynomial vanishes at the first powers of two in GF(256)."""
    power = 1
    for _ in range(check_words):
        value = 0
        for word in words:
            value = _times(value, power) ^ word
        if value:
            return False
        power = _times(power, 2)
    return True


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product
