"""The pieces of sentences: cells, columns, lines of play, fours, and when something is won."""

import re

Spot = tuple[int, int]

C = r"(?:[a-z]\d+|\w/\d+)"  # a cell
CELLS = rf"({C}(?:, {C})*(?: (?:and|or) {C})?)"
DIGITS = r"(\w(?:, \w)*(?: and \w)?)"
CHOICES = r"(\w(?:, \w)*(?: or \w)?)"
LINE = r"(\w(?: \w)*)"
IN = r"(at once|in \d+(?: (?:or|to) \d+)? moves?)"
FOUR = rf"({C}(?:–{C})?)"


def spot(word: str) -> Spot:
    if "/" in word:
        column, row = word.split("/")
        return int(column, 36) - 1, int(row) - 1
    return "abcdefghijklmnopqrstuvwxyz".index(word[0]), int(word[1:]) - 1


def spots(words: str) -> list[Spot]:
    return [spot(word) for word in re.split(", | and | or ", words)]


def numbered(text: str, plain: str) -> str:
    """A text that names columns by letters, with numbers instead, word for word as in the plain one.

    Any other difference is an error, in whatever language they are: letters may only stand for numbers.
    """
    lines = re.sub(r"(?<![\w-])[a-z](?:-[a-z])+(?![\w-])", lambda line: " ".join(line[0].split("-")), text)
    ours, theirs = (re.findall(r"\w+|\W", one) for one in (lines, plain))
    assert len(ours) == len(theirs), f"{text}\n{plain}"
    read = [number if is_letter_of(word, number) else word for word, number in zip(ours, theirs, strict=True)]
    assert read == theirs, f"{text}\n{plain}"
    return "".join(read)


def is_letter_of(word: str, number: str) -> bool:
    return len(word) == 1 and word.islower() and number.isdigit() and ord(word) - 96 == int(number)


def digits(words: str, between: str = ", | and ") -> list[int]:
    return [int(word, 36) - 1 for word in re.split(between, words)]


def both_ways(one: str, two: str) -> dict[int, int]:
    """Each of two columns leads to the other."""
    (first,), (second,) = digits(one), digits(two)
    return {first: second, second: first}


def run_between(ends: str) -> list[Spot]:
    """The cells from one end to the other."""
    first, last = spot(ends.split("–")[0]), spot(ends.split("–")[-1])
    length = max(abs(last[0] - first[0]), abs(last[1] - first[1]))
    step = [(b - a) // length if length else 0 for a, b in zip(first, last, strict=True)]
    return [(first[0] + i * step[0], first[1] + i * step[1]) for i in range(length + 1)]
