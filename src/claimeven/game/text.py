"""The `.c4n` text record: PGN's grammar, so that eyes and tools that know chess records can read it.

    [Board "7x6x4"]
    [First "Lan"]
    [Result "*"]

    1. d1 d2 {[%emt 0:00:01.2] mirrors} 2. e1 $4 (2. c1 d3) c1 *

Differences to chess: First and Second instead of White and Black; a move is the cell the disc lands on
(on boards wider than the alphabet: the column digit); in a comment, a backslash makes the next
character ordinary, so that any text can be written. docs/formats.md has the whole grammar.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from claimeven import notation
from claimeven.errors import InputError, NotationError
from claimeven.game import record as shape
from claimeven.game.record import Note, Player, Record, Variation
from claimeven.position import Board, Position

WIDTH = 80

_TOKEN = re.compile(
    r"""
      (?P<space>   \s+ )
    | (?P<skip>    ^%[^\n]* )
    | (?P<tag>     \[ [ \t]* (?P<name> [A-Za-z][A-Za-z0-9_]* ) [ \t]+ "(?P<value> (?> [^"\\\n] | \\["\\] )*+ )" [ \t]* \] )
    | (?P<comment> \{ (?P<inside> (?> [^\\}]+ | \\[\s\S] )*+ ) \} )
    | (?P<rest>    ; (?P<line> [^\n]* ) )
    | (?P<result>  (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?! [^\s;{}()\[\]] ) )
    | (?P<number>  (?P<count> [0-9]+ ) (?P<dots> \.+ ) )
    | (?P<nag>     \$ (?P<code> [0-9]{1,3} ) (?! [0-9] ) )
    | (?P<mark>    [!?]{1,2} )
    | (?P<open>    \( )
    | (?P<close>   \) )
    | (?P<move>    [A-Za-z0-9]+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_IN_COMMENT = re.compile(r"\\(?P<plain>[\s\S])|\[%emt[ ](?P<time>[^\]]*)\][ ]?|(?P<text>[^\\\[]+|\[)")
_TIME = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3}))?")
_SECONDS = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?")
