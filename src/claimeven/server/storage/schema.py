"""The tables. The database itself refuses a second move at one ply, a second owner of one seat and a second
grant of one request."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()
Big = BigInteger().with_variant(Integer, "sqlite")  # strict SQLite knows only INTEGER


def _game(primary: bool = True) -> Column[str]:
    return Column(
        "game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=primary, nullable=False
    )


# One row per game. `seq` is the number of the event the row was last written for; moves with a greater one
# came after it.
games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created", Big, nullable=False),
    Column("board", Text, nullable=False),
    Column("start", Text, nullable=False),
    Column("think", Integer, nullable=False),
    Column("clock_initial", Big),
    Column("clock_increment", Big),
    Column("owner", Text),
    Column("invite", Text),
    Column("seq", Big, nullable=False),
    Column("take", Integer, nullable=False),
    Column("redo", Text, nullable=False),
    Column("left_first", Big),
    Column("left_second", Big),
    Column("offers", Text, nullable=False),
    Column("score", Text),
    Column("reason", Text),
    Column("rematch", Text),
    Column("pie", Text, nullable=False, server_default="no"),  # yes, or swapped: the first disc was taken
    CheckConstraint("(score IS NULL) = (reason IS NULL)", name="result_is_whole"),
    CheckConstraint("seq >= 0 AND take >= 0", name="counts"),
    Index("games_created", "created"),
    sqlite_strict=True,
)

# The primary key allows one row, so one owner, per seat.
seats = Table(
    "seats",
    metadata,
    _game(),
    Column("side", Integer, primary_key=True, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("agent", Text),
    Column("owner", Text),
    CheckConstraint("side IN (1, 2)", name="side"),
    CheckConstraint(
        "(kind = 'human' AND owner IS NOT NULL AND agent IS NULL)"
        " OR (kind = 'agent' AND owner IS NULL AND agent IS NOT NULL)"
        " OR (kind = 'free' AND owner IS NULL AND agent IS NULL)",
        name="occupant",
    ),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Each time moves are taken back the game begins a new take, cut to `ply` moves.
takes = Table(
    "takes",
    metadata,
    _game(),
    Column("take", Integer, primary_key=True, nullable=False),
    Column("ply", Integer, nullable=False),
    CheckConstraint("take >= 1 AND ply >= 0", name="counts"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Who sat at a side until `ply`, before somebody else did in the middle of the game.
replaced = Table(
    "replaced",
    metadata,
    _game(),
    Column("seq", Big, primary_key=True, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("side", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("agent", Text),
    Column("agreed", Integer, nullable=False, server_default="0"),  # 1: with the other player
    CheckConstraint("side IN (1, 2)", name="side"),
    CheckConstraint("seq >= 0 AND ply >= 1", name="counts"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

moves = Table(
    "moves",
    metadata,
    _game(),
    Column("take", Integer, primary_key=True, nullable=False),
    Column("ply", Integer, primary_key=True, nullable=False),
    Column("column", Integer, nullable=False),
    Column("side", Integer, nullable=False),
    Column("seq", Big, nullable=False),
    Column("ms", Big),
    Column("left_ms", Big),
    Column("at", Big, nullable=False),
    CheckConstraint('"column" BETWEEN 1 AND 35', name="column_exists"),
    CheckConstraint("ply BETWEEN 0 AND 127 AND take >= 0", name="counts"),
    CheckConstraint("side IN (1, 2)", name="side"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# What players were granted besides moves, the latest of each: `who` is the hash of a token, `asked` the
# request without the `id` that its client gave it, `seq` the event that it was.
requests = Table(
    "requests",
    metadata,
    _game(),
    Column("who", Text, primary_key=True, nullable=False),
    Column("number", Big, primary_key=True, nullable=False),
    Column("id", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("seq", Big, nullable=False),
    UniqueConstraint("game", "who", "id", name="once"),
    CheckConstraint("number >= 0 AND seq >= 0", name="counts"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Whose the database is: one row. A server that takes it counts up, and each of its transactions looks whether
# the number is still its own: one that was thought dead writes nothing any more.
reigns = Table(
    "reigns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("epoch", Big, nullable=False),
    CheckConstraint("id = 1", name="one"),
    sqlite_strict=True,
)
