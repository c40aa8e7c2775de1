"""The tables of people: who they are, what they are rated, what they play in, and their tournaments.

They stand beside the games and not in them: a game of strangers has no row here and costs what it did."""

from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

from claimeven.server.storage.schema import Big, metadata

__all__ = ["metadata"]

Float: TypeEngine[float] = Double().with_variant(REAL, "sqlite")


def _player(name: str = "player", primary: bool = False, nullable: bool = False) -> Column[str]:
    return Column(
        name, Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=primary, nullable=nullable
    )


# A person: `looks` is the name as the eye takes it, so that nobody looks like somebody else.
players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("looks", Text, nullable=False),
    Column("created", Big, nullable=False),
    Column("seen", Big, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("rated_at", Big),  # the rating was last changed then; never: none
    UniqueConstraint("looks", name="players_look_different"),
    sqlite_strict=True,
)

# Each browser of a person has a key of its own; here is its hash.
keys = Table(
    "keys",
    metadata,
    Column("hash", Text, primary_key=True),
    _player(),
    Column("created", Big, nullable=False),
    Index("keys_player", "player"),
    sqlite_strict=True,
)

# Short words that bring a person to one more browser, for minutes and once.
codes = Table(
    "codes",
    metadata,
    Column("hash", Text, primary_key=True),
    _player(),
    Column("until", Big, nullable=False),
    sqlite_strict=True,
)

# Which seats are players', with their rating when they sat down.
sittings = Table(
    "sittings",
    metadata,
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("side", Integer, primary_key=True, nullable=False),
    _player(),
    Column("rating", Integer, nullable=False),
    CheckConstraint("side IN (1, 2)", name="side"),
    Index("sittings_player", "player"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Games that count for something: for ratings, or in a tournament.
terms = Table(
    "terms",
    metadata,
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("event", Text),
    Column("unrated", Text),  # why one that was to be rated is not
    CheckConstraint("rated IN (0, 1)", name="rated"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# What each game did to a rating. The primary key lets it count once.
ratings = Table(
    "ratings",
    metadata,
    _player(primary=True),
    Column("game", Text, primary_key=True, nullable=False),
    Column("at", Big, nullable=False),
    Column("score", Float, nullable=False),
    Column("before", Float, nullable=False),
    Column("rating", Float, nullable=False),  # after it, like the deviation
    Column("deviation", Float, nullable=False),
    Column("opponent_rating", Float, nullable=False),
    Index("ratings_game", "game"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Whom somebody does not want to meet.
mutes = Table(
    "mutes",
    metadata,
    _player(primary=True),
    _player("muted", primary=True),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# What somebody told the operator of somebody; one of each about each game.
reports = Table(
    "reports",
    metadata,
    Column("game", Text, primary_key=True, nullable=False),
    _player("reporter", primary=True),
    _player("reported"),
    Column("at", Big, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Tournaments. `due`: when the next round begins, or an arena ends. `owner` may be gone; the tournament stays.
events = Table(
    "events",
    metadata,
    Column("id", Text, primary_key=True),
    Column("created", Big, nullable=False),
    Column("owner", Text, ForeignKey("players.id", ondelete="SET NULL")),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("clock_initial", Big, nullable=False),
    Column("clock_increment", Big, nullable=False),
    Column("rounds", Integer, nullable=False),  # 0: as many as are right for those who come
    Column("minutes", Integer, nullable=False),  # of an arena
    Column("state", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("due", Big),
    CheckConstraint("state IN ('open', 'running', 'over')", name="state"),
    Index("events_state", "state", "created"),
    sqlite_strict=True,
)

entrants = Table(
    "entrants",
    metadata,
    Column("event", Text, ForeignKey("events.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("number", Integer, primary_key=True, nullable=False),
    Column("player", Text, ForeignKey("players.id", ondelete="SET NULL")),
    Column("agent", Text),
    Column("name", Text, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("away", Integer, nullable=False),
    UniqueConstraint("event", "player", name="entrants_once"),
    Index("entrants_player", "player"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

# Who meets whom. The primary key lets a round be paired once, by whichever server comes first.
pairings = Table(
    "pairings",
    metadata,
    Column("event", Text, ForeignKey("events.id", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("round", Integer, primary_key=True, nullable=False),
    Column("board", Integer, primary_key=True, nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer),  # none: a bye
    Column("game", Text),
    Column("score", Text),
    Column("played", Integer, nullable=False),  # 0: a bye, or somebody did not come
    Index("pairings_game", "game"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
