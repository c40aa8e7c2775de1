"""People with a name and a key: their ratings, the games they sat at, whom they do not want to meet."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer, "sqlite")
Float: sa.types.TypeEngine[float] = sa.Double().with_variant(sa.REAL, "sqlite")
ALL = ("reports", "mutes", "ratings", "terms", "sittings", "codes", "keys", "players")


def _of(table: str, name: str, primary: bool = False) -> sa.Column[str]:
    return sa.Column(
        name,
        sa.Text,
        sa.ForeignKey(f"{table}.id", ondelete="CASCADE"),
        primary_key=primary,
        nullable=False,
    )


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("looks", sa.Text, nullable=False),
        sa.Column("created", Big, nullable=False),
        sa.Column("seen", Big, nullable=False),
        sa.Column("rating", Float, nullable=False),
        sa.Column("deviation", Float, nullable=False),
        sa.Column("volatility", Float, nullable=False),
        sa.UniqueConstraint("looks", name="players_look_different"),
        sqlite_strict=True,
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.Text, primary_key=True),
        _of("players", "player"),
        sa.Column("created", Big, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("keys_player", "keys", ["player"])
    op.create_table(
        "codes",
        sa.Column("hash", sa.Text, primary_key=True),
        _of("players", "player"),
        sa.Column("until", Big, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "sittings",
        _of("games", "game", primary=True),
        sa.Column("side", sa.Integer, primary_key=True, nullable=False),
        _of("players", "player"),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.CheckConstraint("side IN (1, 2)", name="side"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("sittings_player", "sittings", ["player"])
    op.create_table(
        "terms",
        _of("games", "game", primary=True),
        sa.Column("rated", sa.Integer, nullable=False),
        sa.Column("event", sa.Text),
        sa.CheckConstraint("rated IN (0, 1)", name="rated"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        _of("players", "player", primary=True),
        sa.Column("game", sa.Text, primary_key=True, nullable=False),
        sa.Column("at", Big, nullable=False),
        sa.Column("score", Float, nullable=False),
        sa.Column("before", Float, nullable=False),
        sa.Column("rating", Float, nullable=False),
        sa.Column("deviation", Float, nullable=False),
        sa.Column("opponent_rating", Float, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_game", "ratings", ["game"])
    op.create_table(
        "mutes",
        _of("players", "player", primary=True),
        _of("players", "muted", primary=True),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reports",
        sa.Column("game", sa.Text, primary_key=True, nullable=False),
        _of("players", "reporter", primary=True),
        _of("players", "reported"),
        sa.Column("at", Big, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ALL:
        op.drop_table(table)
