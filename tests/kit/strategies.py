"""Boards, positions and annotated games for hypothesis."""

from hypothesis import strategies as st

from claimeven import notation
from claimeven.game import Clock, Game, Note, Player, Variation
from claimeven.game.record import RESERVED_TAGS
from claimeven.position import Board, Position

# The usual one, thin and flat ones, both sides of the 64-bit seam, wider than the alphabet, the largest.
NOTABLE = [
    "7x6",
    "1x1x1",
    "4x4x3",
    "2x3x9",
    "9x7",
    "8x7",
    "1x127",
    "27x3",
    "35x2",
    "35x1x2",
    "16x7x5",
    "10x10x5",
]


@st.composite
def any_board(draw: st.DrawFn) -> Board:
    columns = draw(st.integers(1, 35))
    rows = draw(st.integers(1, 128 // columns - 1))
    return Board(columns, rows, draw(st.integers(1, 10)))


boards = st.sampled_from(NOTABLE).map(Board.parse) | any_board()


@st.composite
def played(draw: st.DrawFn, start: Position, most: int = 127) -> list[int]:
    """Legal columns from a position on."""
    columns = []
    for choice in draw(st.lists(st.integers(0, 34), max_size=min(most, start.board.cells - start.ply))):
        if start.is_over:
            break
        columns.append(start.legal[choice % len(start.legal)])
        start = start.play(columns[-1])
    return columns


@st.composite
def positions(draw: st.DrawFn) -> Position:
    position = Position(draw(boards))
    for column in draw(played(position)):
        position = position.play(column)
    return position


@st.composite
def bare_games(draw: st.DrawFn) -> Game:
    """Moves from the empty board and a result, nothing else."""
    game = Game(draw(boards))
    for column in draw(played(game.position)):
        game.play(column)
    if game.result is None and (end := draw(st.sampled_from([None, *ENDS]))):
        game.end(*end)
    return game


ENDS = [
    *((winner, reason) for winner in (0, 1) for reason in ("resign", "time", "abandon", "disconnect")),
    *((winner, reason) for winner in (0, 1) for reason in ("illegal", "crash")),
    (None, "agreement"),
    (None, "abort"),
]

lines = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=20)
texts = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), include_characters='\n\t{}[]%\\";'), max_size=30
)
milliseconds = st.integers(0, 10**12)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,10}", fullmatch=True).filter(lambda n: n not in RESERVED_TAGS)
moments = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
players = st.builds(
    Player,
    name=lines,
    kind=st.sampled_from(["human", "agent"]),
    spec=lines,
    seed=st.none() | st.integers(-(2**63), 2**63 - 1),
    rating=st.none() | st.integers(-10_000, 10_000),
)


@st.composite
def notes(draw: st.DrawFn, first: int, last: int) -> tuple[Note, ...]:
    found = []
    for ply in draw(st.lists(st.integers(first, last), max_size=4, unique=True)):
        text, nag = draw(texts), draw(st.integers(0, 255)) if ply > first else 0
        if text or nag:
            found.append(Note(ply, text, nag))
    return tuple(found)


@st.composite
def variations(draw: st.DrawFn, positions: tuple[Position, ...], depth: int = 0) -> tuple[Variation, ...]:
    found = []
    first, last = positions[0].ply, positions[-1].ply
    plies = st.lists(st.integers(first + 1, last), max_size=2) if last > first and depth < 3 else st.just([])
    for ply in draw(plies):
        branch = [positions[ply - 1 - first]]
        columns = draw(played(branch[0], most=5).filter(bool))
        for column in columns:
            branch.append(branch[-1].play(column))
        found.append(
            Variation(
                ply,
                notation.moves_text(columns),
                draw(notes(ply - 1, branch[-1].ply)),
                draw(variations(tuple(branch), depth + 1)),
            )
        )
    return tuple(found)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game with everything that a record can hold."""
    before = draw(positions())
    if draw(st.booleans()):
        before = Position.parse(str(before))  # forgets its moves
    game = Game(
        start=before,
        players=(draw(players), draw(players)),
        clock=draw(st.none() | st.builds(Clock, milliseconds, milliseconds)),
        tags=draw(st.dictionaries(names, lines, max_size=3)),
        id=draw(lines),
        created=draw(st.just("") | moments),
        pie=before.ply <= 1 and draw(st.booleans()),
    )
    for column in draw(played(before, most=20)):
        if game.may_swap and draw(st.booleans()):
            game.swap()
        game.play(column, draw(st.none() | milliseconds))
    game.notes = {note.ply: note for note in draw(notes(before.ply, game.ply))}
    game.variations = list(draw(variations(game.positions)))
    if game.result is None and (end := draw(st.sampled_from([None, *ENDS]))):
        game.end(*end)
    return game
